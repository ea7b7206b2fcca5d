// List scheduling, as in steps: messages are placed in the order in which they are written, each in the first round
// that has its path, not before what it needs is there. What a message must wait for, and what must not come before it,
// is that of its packets as sends on a complete graph, of one step each (unicasts.h, placement.h): that says who has
// what, and paths do not matter to it. Where a message comes too late for one that is placed already, that one is put
// off, and all are placed again; then all processors must hold what they held.
//
// Where switches reduce, a message of a combining collective that meets another one for the same processor, targets and
// parts joins it (joined_messages.h): it needs the channels up to there. It may if that comes to the same
// (joining_rounds.h).
//
// For example, `at 2: send 0 -> 1`, `at 3: send 1 -> 2`, `at 4: send 3 -> 0` around a switch take the rounds 1, 2
// and 1. Cost: for each time that all are placed, the rounds tried for each message times its channels, and its
// packets.
#include "compiler/place/rounds/retime_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/evaluate/instance.h"
#include "compiler/place/placement.h"
#include "compiler/place/retime_outcome.h"
#include "compiler/place/rounds/joining_rounds.h"
#include "compiler/place/rounds/messages_elsewhere.h"
#include "compiler/place/rounds/round_calendar.h"
#include "compiler/place/rounds/unicasts.h"
#include "compiler/plan/expand.h"
#include "compiler/plan/joined_messages.h"
#include "model/described.h"

namespace quadrille {
namespace {

class RoundRetimer {
 public:
  RoundRetimer(const Plan& plan, const MessageList& messages, const Router& router, WordsOfSends* words)
      : plan_(plan),
        words_(words),
        collective_(plan.collectives[0]),
        target_(*plan.retimed_for),
        messages_(messages),
        router_(router),
        pulse_(plan.instance.limits, 256),
        unicasts_(unicasts_of(messages, target_, plan.instance.limits)),
        rounds_(messages.size()),
        routes_(messages.size()) {
    note_extents();
    if (collective_.combining()) {
      reductions_ = partial_reductions(unicasts_.flights, unicasts_.fabric, collective_, plan.instance.limits, words);
      if (reductions_->ended != Reason::none) fail_at_limit(reductions_->ended, "retiming the schedule");
    }
    if (JoinedMessages::apply(plan, target_)) note_loads();
    transfers_ = transfers_of(unicasts_.flights, unicasts_.fabric, collective_, reductions_ ? &*reductions_ : nullptr);
  }

  MessageList run() {
    bool found = place_exactly() && same_outcome();
    // Whether messages may join is known of what they carry as written only.
    if (!found && loads_.empty()) found = (place_all(false), same_outcome());
    const bool fits = same_channels(*plan_.instance.fabric, target_) && written_fits();
    if (fits && (!found || last_written() < *std::ranges::max_element(rounds_))) return messages_;
    if (found) return placed();
    fail({},
         fmt::format("this cannot be retimed for {}: no order of its messages was found in which each carries what it "
                     "carries as written",
                     described(target_)),
         Code::unsupported);
  }

 private:
  void note_extents() {
    std::uint32_t transfer = 0;
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      first_.push_back(transfer);
      const MadeMessage message = messages_.at(m);
      const std::size_t transfers = message.receivers.size() * message.chunks.size();
      transfer += static_cast<std::uint32_t>(transfers);
      message_of_.insert(message_of_.end(), transfers, static_cast<std::uint32_t>(m));
    }
    first_.push_back(transfer);
  }

  // What each message carries as written, where messages join.
  void note_loads() {
    std::vector<const ContributionSet*> brought(message_of_.size());
    for (const auto& [cell, joins] : reductions_->joins) {
      for (const Join& join : joins) brought[join.flight] = join.brought.get();
    }
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const MadeMessage message = messages_.at(m);
      std::vector<std::pair<JoinedMessages::Wanted, const ContributionSet*>> carried;
      for (std::size_t i = 0; i < message.chunks.size(); ++i) {
        carried.emplace_back(JoinedMessages::wanted(collective_, message.chunks[i]), brought[first_[m] + i]);
      }
      std::ranges::stable_sort(carried, {}, [](const auto& it) { return it.first; });
      JoiningLoad& load = loads_.emplace_back(JoiningLoad{JoinedMessages::key_of(collective_, message), {}});
      for (const auto& [wanted, set] : carried) load.carried.push_back(set);
    }
  }

  const JoiningLoad* load_of(std::size_t m) const { return loads_.empty() ? nullptr : &loads_[m]; }
  RoundCalendar empty_calendar() const { return {target_, router_, loads_.empty() ? nullptr : &collective_}; }

  bool place_exactly() {
    constexpr std::uint64_t in_all = 5'000'000;  // packets: some seconds
    not_before_.assign(messages_.size(), 1);
    for (auto passes = std::clamp<std::uint64_t>(in_all / (message_of_.size() + 1), 4, 100); passes > 0; --passes) {
      if (place_all(true)) return true;
    }
    return false;
  }

  // Whether all carry what they carried; if not, those that came too early have been put off.
  bool place_all(bool exactly) {
    if (!exactly) not_before_.assign(messages_.size(), 1);
    Placement placement(transfers_, unicasts_.fabric, collective_);
    RoundCalendar calendar = empty_calendar();
    bool all_well = true;
    for (std::uint32_t m = 0; m < messages_.size(); ++m) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
      StartBounds bounds = bounds_of(m, placement);
      const std::uint32_t round = first_free(m, bounds.first_step(), calendar);
      if (exactly && round > bounds.last) {
        std::uint32_t& first = not_before_[message_of_[bounds.last_from]];
        first =
            std::max(first, rounds_[message_of_[bounds.last_from]] + static_cast<std::uint32_t>(round - bounds.last));
        all_well = false;
      }
      place(m, round, placement, calendar);
    }
    return all_well;
  }

  StartBounds bounds_of(std::uint32_t m, const Placement& placement) const {
    static constexpr std::array<std::uint32_t, 1> at_once{0};
    StartBounds bounds;
    bounds.not_before(not_before_[m]);
    for (std::uint32_t t = first_[m]; t < first_[m + 1]; ++t) {
      placement.bound_departure(t, bounds);
      placement.bound_arrivals(t, at_once, bounds);
    }
    return bounds;
  }

  std::uint32_t first_free(std::uint32_t m, std::uint32_t first, const RoundCalendar& calendar) {
    const MadeMessage message = messages_.at(m);
    const bool choice = !message.named_path && message.receivers.size() == 1 &&
                        router_.leaves_choice(message.sender, message.receivers[0]) &&
                        router_.distance(message.sender, message.receivers[0]) == message.channels.size();
    routes_[m].assign(message.channels.begin(), message.channels.end());
    for (std::uint32_t round = first; round <= max_step; ++round) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
      if (calendar.free(message, round, load_of(m))) return round;
      if (!choice) continue;
      std::vector<ChannelId> route;
      if (!calendar.free_by_any(message, round, route, load_of(m))) continue;
      routes_[m] = std::move(route);
      return round;
    }
    fail({}, fmt::format("the retimed schedule ends after round {}; that is the limit", max_step), Code::limit);
  }

  void place(std::uint32_t m, std::uint32_t round, Placement& placement, RoundCalendar& calendar) {
    static constexpr std::array<std::uint32_t, 1> at_once{0};
    MadeMessage message = messages_.at(m);
    message.channels = routes_[m];
    rounds_[m] = round;
    calendar.book(message, round, load_of(m));
    for (std::uint32_t t = first_[m]; t < first_[m + 1]; ++t) {
      placement.depart(t, round);
      if (collective_.combining()) {
        placement.arrive(t, round, at_once);
      } else {
        const TimedChannel hop{unicasts_.flights.of(unicasts_.flights.list[t]).front().channel, 0};
        placement.pass(t, round, std::span(&hop, 1));
      }
    }
  }

  bool same_outcome() {
    if (!collective_.combining()) return true;
    Flights now = unicasts_.flights;
    for (std::size_t t = 0; t < now.list.size(); ++t) now.of(now.list[t]).front().step = rounds_[message_of_[t]];
    return retimed_to_the_same(now, *reductions_, unicasts_.fabric, collective_, plan_.instance.limits, words_);
  }

  bool written_fits() const {
    RoundCalendar calendar = empty_calendar();
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const MadeMessage message = messages_.at(m);
      if (!calendar.free(message, message.round, load_of(m))) return false;
      calendar.book(message, message.round, load_of(m));
    }
    return true;
  }

  std::uint32_t last_written() const { return messages_.size() == 0 ? 0 : messages_.at(messages_.size() - 1).round; }

  MessageList placed() const {
    std::vector<std::uint32_t> order(messages_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return rounds_[a] < rounds_[b]; });
    MessageList result;
    for (const std::uint32_t m : order) {
      MadeMessage message = messages_.at(m);
      message.round = rounds_[m];
      message.channels = routes_[m];
      result.add(message);
    }
    return result;
  }

  const Plan& plan_;
  WordsOfSends* words_;
  const Collective& collective_;
  const Fabric& target_;
  const MessageList& messages_;  // in the order in which they are written
  const Router& router_;
  Pulse pulse_;
  Unicasts unicasts_;                            // what the messages bring
  std::optional<PartialReductions> reductions_;  // as written; where packets combine
  Transfers transfers_;                          // for each message those of its receivers and packets
  std::vector<std::uint32_t> first_;             // by message: the first of them
  std::vector<std::uint32_t> message_of_;        // and back
  std::vector<JoiningLoad> loads_;               // by message, where they join; else none
  std::vector<std::uint32_t> rounds_;            // by message, as placed last; so with the next
  std::vector<std::vector<ChannelId>> routes_;
  std::vector<std::uint32_t> not_before_;
};

}  // namespace

void retime_rounds(Plan& plan, WordsOfSends* words) {
  MessagesElsewhere elsewhere(plan);
  const MessageList messages = elsewhere.run();
  MessageList placed;
  if (messages.size() > 0) placed = RoundRetimer(plan, messages, elsewhere.router(), words).run();
  plan.placed = std::move(placed);
}

}  // namespace quadrille
