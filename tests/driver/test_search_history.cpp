// The history of a search: what it came to know, in the order in which it did.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "driver/search/search.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

TEST_CASE("a search's history leads from its first bound and schedule to its answer") {
  struct Question {
    std::string collective;
    std::string on;
  };
  for (const Question& question : {Question{"allgather", "line:3,duplex=half"},
                                   {"allgather", "ring:5"},
                                   {"broadcast", "star:5"},
                                   {"reduce", "line:3"},
                                   {"barrier", "ring:6,ports=single,timing=rounds"}}) {
    CAPTURE(question.collective);
    CAPTURE(question.on);
    MemoryEnvironment environment;
    environment.tick = std::chrono::milliseconds(1);
    Context context{environment};
    SearchRequest request;
    request.collective = question.collective;
    request.on = question.on;
    const Result<SearchOutcome> outcome = run(request, context);
    REQUIRE(outcome.ok());
    REQUIRE_FALSE(outcome->history.empty());
    double seconds = 0;
    std::optional<std::uint64_t> found;
    std::optional<std::uint64_t> bound;
    for (const SearchMoment& moment : outcome->history) {
      CHECK(moment.seconds >= seconds);
      seconds = moment.seconds;
      CHECK_FALSE(moment.event.how.empty());
      REQUIRE(moment.event.steps);
      auto& last = moment.event.kind == SearchEvent::Kind::found ? found : bound;
      if (last && moment.event.kind == SearchEvent::Kind::found) CHECK(*moment.event.steps < *last);
      if (last && moment.event.kind == SearchEvent::Kind::bound) CHECK(*moment.event.steps > *last);
      last = moment.event.steps;
    }
    CHECK(seconds <= outcome->seconds);
    CHECK(found == outcome->result.steps);
    CHECK(bound == outcome->result.lower_bound);
  }
}

TEST_CASE("that no number of steps is enough stands in the history") {
  MemoryEnvironment environment;
  Context context{environment};
  SearchRequest request;
  request.collective = "broadcast:root=0";
  request.on = "line:2";
  request.without = {"0->1"};
  const Result<SearchOutcome> outcome = run(request, context);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->history.size() == 1);
  CHECK(outcome->history.front().event.kind == SearchEvent::Kind::bound);
  CHECK_FALSE(outcome->history.front().event.steps);
}

}  // namespace
}  // namespace quadrille::driver
