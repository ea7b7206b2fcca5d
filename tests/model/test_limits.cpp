#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>

#include "model/limits/limits.h"

using namespace quadrille;

TEST_CASE("limits without a deadline or a stop are never reached") {
  const Limits limits;
  CHECK(limits.reached() == Reason::none);
  Pulse pulse(limits, 3);
  for (int turn = 0; turn < 100; ++turn) CHECK(!pulse.reached());
}

TEST_CASE("a deadline that has passed is a timeout; a stop is a cancellation, and comes first") {
  std::stop_source source;
  Limits limits;
  limits.stop = source.get_token();
  limits.deadline = Limits::Clock::now();
  CHECK(limits.reached() == Reason::timeout);
  source.request_stop();
  CHECK(limits.reached() == Reason::cancelled);
}

TEST_CASE("a pulse asks once in a period and keeps what it heard") {
  std::stop_source source;
  Limits limits;
  limits.stop = source.get_token();
  source.request_stop();
  Pulse pulse(limits, 3);
  CHECK(!pulse.reached());
  CHECK(!pulse.reached());
  CHECK(pulse.reached());
  CHECK(pulse.reached());
  CHECK(pulse.reason() == Reason::cancelled);
}

TEST_CASE("the first reason that anyone was given is told, and nothing where nobody asked in time") {
  std::stop_source source;
  Limits limits;
  limits.stop = source.get_token();
  limits.told = std::make_shared<std::atomic<Reason>>(Reason::none);
  const Limits copy = limits;
  CHECK(copy.reached() == Reason::none);
  source.request_stop();
  CHECK(limits.ended_early() == Reason::none);  // all that was done was done to its end
  CHECK(limits.within(std::chrono::duration<double>(0)).reached() == Reason::cancelled);
  CHECK(limits.ended_early() == Reason::none);
  CHECK(copy.reached() == Reason::cancelled);
  CHECK(limits.ended_early() == Reason::cancelled);
  limits.tell(Reason::limit);
  CHECK(limits.ended_early() == Reason::cancelled);
  limits.told = {};
  CHECK(limits.ended_early() == Reason::cancelled);  // where nobody keeps it, what holds now
}

TEST_CASE("limits within a span end no later than before, however long the span is") {
  Limits limits;
  CHECK(limits.within(std::chrono::duration<double>(1e300)).deadline == Limits::Clock::time_point::max());
  CHECK(limits.within(std::chrono::duration<double>(std::numeric_limits<double>::infinity())).deadline ==
        Limits::Clock::time_point::max());
  CHECK(limits.within(std::chrono::seconds(0)).reached() == Reason::timeout);
  limits.deadline = Limits::Clock::now();
  CHECK(limits.within(std::chrono::hours(1)).deadline == limits.deadline);
}

TEST_CASE("reasons have names") { CHECK(to_string(Reason::unsupported) == "unsupported"); }
