// As in steps, messages are placed in the order in which they are written, each in the first round that has room for
// its path, not before what it needs is there. What a message must wait for, and what must not come before it, is that
// of its packets as sends on a complete graph, of one step each (unicasts.h, placement.h): that says who has what, and
// paths do not matter to it. Where a message comes too late for one that is placed already, that one is put off, and
// all are placed again; then all processors must hold what they held.
//
// Where switches reduce, a message of a combining collective that meets another one for the same processor, targets and
// parts joins it (joined_messages.h): it needs the channels up to there. It may if that comes to the same
// (joining_rounds.h).
//
// For example, `at 2: send 0 -> 1`, `at 3: send 1 -> 2`, `at 4: send 3 -> 0` around a switch take the rounds 1, 2
// and 1. Cost: for each time that all are placed, the rounds tried for each message times its channels, and its
// packets.
#include "place/rounds/retime_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/described.h"
#include "model/limits/work.h"
#include "model/text/evaluation_error.h"
#include "place/calendar/least_route.h"
#include "place/calendar/list_schedule.h"
#include "place/calendar/route_choice.h"
#include "place/held/reduction_replay.h"
#include "place/rounds/joined_messages.h"
#include "place/rounds/joining_rounds.h"
#include "place/rounds/messages_elsewhere.h"
#include "place/rounds/spread_rounds.h"
#include "place/rounds/unicasts.h"
#include "place/steps/copies_held.h"
#include "place/steps/placement.h"
#include "place/steps/retime_outcome.h"
#include "place/steps/transfer_routes.h"

namespace quadrille {
namespace {

class Messages final : public Events {
 public:
  Messages(const WrittenRounds& written, const Fabric& target, const Limits& limits, const MessageList& messages,
           const Router& router, ReductionsOfSends* words)
      : written_for_(written.fabric),
        limits_(limits),
        words_(words),
        collective_(written.collective),
        target_(target),
        messages_(messages),
        router_(router),
        choice_(target_, router, Moving::messages),
        least_routes_(target_, router),
        route_loads_(target_),
        pulse_(limits, 256),
        unicasts_(unicasts_of(messages, target_, limits)),
        copies_(target_.processors(), unicasts_.flights.list.size()),
        rounds_(messages.size()),
        routes_(messages.size()) {
    note_extents();
    if (collective_.combining()) {
      reductions_ = partial_reductions(unicasts_.flights, unicasts_.fabric, collective_, limits, words);
      if (reductions_->ended != Reason::none) fail_at_limit(reductions_->ended, "retiming the schedule");
    }
    if (JoinedMessages::apply(target_, collective_, words != nullptr)) note_loads();
    if (reductions_) {
      transfers_ = transfers_of(unicasts_.flights, unicasts_.fabric, collective_, *reductions_);
    } else {
      for (const Flight& packet : unicasts_.flights.list) copies_.note_send(packet.chunk);
    }
  }

  RetimedRounds run() {
    // Placed anew they would be right, and so another schedule: what breaks joining as written keeps its rounds.
    breaks_joining_ = breaks_joining();
    if (breaks_joining_ && fit_as_written()) {
      return {messages_, "it is written: what its messages carry breaks the rules of joining"};
    }
    const char* as = loads_.empty() ? "whole messages" : "messages that join";
    bool found = place_exactly();
    if (place_spread(found)) {
      as = spread_whole;
      found = true;
    }
    // Whether messages may join is known of what they carry as written only.
    if (!found && loads_.empty()) {
      place_events(*this, target_, {}, limits_);
      found = same_outcome();
      as = "messages whose contributions join earlier";
    }
    const MessageList result = found ? placed() : MessageList{};
    const bool longer = !found || last_written() < *std::ranges::max_element(rounds_);
    if (longer && same_channels(written_for_, target_) && in_time() && fit_as_written())
      return {messages_, as_it_is_written};
    if (found) return spread({result, as});
    fail({},
         fmt::format("this cannot be retimed for {}: no order of its messages was found in which each carries what it "
                     "carries as written",
                     described(target_)),
         Code::unsupported);
  }

  Moving what() const override { return Moving::messages; }

  void begin() override {
    placement_.emplace(transfers_, target_.processors());
    copies_.clear();
    joins_.emplace(target_, collective_);
    route_loads_.clear();
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(messages_.size()); }

  StartBounds bounds(std::uint32_t m) override {
    StartBounds bounds;
    for (std::uint32_t t = first_[m]; t < first_[m + 1]; ++t) {
      const Flight& packet = unicasts_.flights.list[t];
      if (!reductions_) bounds.not_before(copies_.bounds(packet.chunk, packet.source).first);
      if (!reductions_) continue;
      placement_->bound_departure(t, bounds);
      placement_->bound_arrivals(t, at_once, bounds);
    }
    bounds.last_from = bounds.last_from < message_of_.size() ? message_of_[bounds.last_from] : 0;
    return bounds;
  }

  // Where an alike message is placed, it may join that; else it goes alone.
  std::uint32_t find(std::uint32_t m, std::uint32_t first, const Calendar& calendar) override {
    const MadeMessage message = messages_.at(m);
    const JoiningLoad* load = loads_.empty() ? nullptr : &loads_[m];
    for (std::uint32_t round = first;; ++round) {
      const std::uint32_t alone = find_alone(m, round, calendar);
      const auto alike = load == nullptr ? std::nullopt : joins_->next_alike(*load, round);
      if (!alike || *alike > alone) return alone;
      round = *alike;
      if (fits(m, message.channels, round, calendar)) return round;
      if (has_choice(message) && find_beside(m, round, calendar)) return round;
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
    }
  }

  void place(std::uint32_t m, std::uint32_t round) override {
    rounds_[m] = round;
    if (!loads_.empty()) joins_->book(loads_[m], routes_[m], round);
    if (spreads_) route_loads_.add(routes_[m], 1, round);
    for (std::uint32_t t = first_[m]; t < first_[m + 1]; ++t) {
      const Flight& packet = unicasts_.flights.list[t];
      if (reductions_) {
        placement_->depart(t, round);
        placement_->arrive(t, round, at_once);
      } else {
        copies_.leave(packet.source, round);
        copies_.arrive(packet.chunk, packet.target, round);
      }
    }
  }

  std::uint32_t written(std::uint32_t m) const override { return messages_.at(m).round; }

 private:
  static constexpr std::array<std::uint32_t, 1> at_once{0};
  static constexpr const char* spread_whole = "whole messages, spread over equal routes";

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
    std::vector<ContributionSet> brought(message_of_.size());
    for (const auto& [cell, joins] : reductions_->joins) {
      for (const Join& join : joins) brought[join.flight] = join.brought;
    }
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const MadeMessage message = messages_.at(m);
      std::vector<std::pair<JoinedMessages::Wanted, ContributionSet>> carried;
      for (std::size_t i = 0; i < message.chunks.size(); ++i) {
        carried.emplace_back(JoinedMessages::wanted(collective_, message.chunks[i]), brought[first_[m] + i]);
      }
      std::ranges::stable_sort(carried, {}, [](const auto& it) { return it.first; });
      JoiningLoad& load = loads_.emplace_back(JoiningLoad{JoinedMessages::key_of(collective_, message), {}});
      for (const auto& [wanted, set] : carried) load.carried.push_back(set);
    }
  }

  bool place_exactly() {
    constexpr std::uint64_t packets_in_all = 5'000'000;
    return place_events(*this, target_, {passes_of(message_of_.size(), packets_in_all)}, limits_) && same_outcome();
  }

  // Where paths are held, places them once more, by routes of which fewest lanes are taken. Keeps that if it takes
  // fewer rounds. `found`: what is placed already is a result.
  bool place_spread(bool found) {
    if (!loads_.empty() || !chosen_ || target_.rules().paths == Paths::shared) return false;
    const auto rounds = rounds_;
    const auto routes = routes_;
    spreads_ = true;
    const bool better =
        place_exactly() && (!found || *std::ranges::max_element(rounds_) < *std::ranges::max_element(rounds));
    spreads_ = false;
    if (better) return true;
    rounds_ = rounds;
    routes_ = routes;
    return false;
  }

  // Shared paths are free whatever messages take them: routes are chosen when the rounds are known.
  RetimedRounds spread(RetimedRounds placed) const {
    if (target_.rules().paths != Paths::shared) return placed;
    const WrittenRounds rounds{target_, collective_, [&](const WrittenRounds::Visit& visit) {
                                 for (std::size_t m = 0; m < placed.messages.size(); ++m) visit(placed.messages.at(m));
                               }};
    auto messages = spread_rounds(rounds, limits_, words_ != nullptr);
    if (!messages) return placed;
    const bool whole = messages->size() == placed.messages.size();
    return {*std::move(messages), whole ? spread_whole : "messages, divided and spread over equal routes"};
  }

  // Whether the messages as written, which are right each by itself, are wrong where they join.
  bool breaks_joining() const {
    if (loads_.empty() || reductions_->faults > 0 || !same_channels(written_for_, target_)) return false;
    if (!JoinedMessages::apply(written_for_, collective_, words_ != nullptr)) return false;
    try {
      return joining_faults() > 0;
    } catch (const Ended& ended) {
      fail_at_limit(ended.reason, "retiming the schedule");
    }
  }

  std::uint64_t joining_faults() const {
    Work work(limits_);
    ReductionReplay replay(target_, collective_, true, work);
    std::vector<Row> rows;
    std::vector<MessageId> numbers;
    for (std::size_t m = 0; m < messages_.size();) {
      const std::uint32_t round = messages_.at(m).round;
      JoinedMessages joined(target_, collective_);
      for (; m < messages_.size() && messages_.at(m).round == round; ++m) joined.add(messages_.at(m));
      rows.clear();
      numbers.clear();
      for (const JoinedMessages::JoinedMessage& message : joined.all()) {
        const MessageId number(numbers.empty() ? 0 : numbers.back().value + 1);
        for (const JoinedMessages::MessageChannel& crossing : message.crossings) {
          for (const ChunkId chunk : joined.sent(crossing).chunks) {
            rows.push_back({crossing.channel, LaneId(0), chunk});
            numbers.push_back(number);
          }
        }
      }
      replay.step({StepId(round), rows, numbers}, std::vector<StatedReduction>(rows.size()));
    }
    return replay.faults();
  }

  bool has_choice(const MadeMessage& message) const {
    return !as_written_ && !message.named_path && message.receivers.size() == 1 &&
           router_.leaves_choice(message.sender, message.receivers[0]) &&
           router_.distance(message.sender, message.receivers[0]) == message.channels.size();
  }

  // By that path; or where it joins another message, by the first channels of it.
  void take(std::uint32_t m, std::span<const ChannelId> path, std::size_t channels, bool arrives,
            const Calendar& calendar) {
    const MadeMessage message = messages_.at(m);
    routes_[m].assign(path.begin(), path.end());
    std::vector<TimedChannel> route;
    for (const ChannelId channel : path.first(channels)) route.push_back({channel, 0});
    taken.clear();
    calendar.add_route(route, taken);
    calendar.add_sender(message.sender, taken);
    for (const NodeId receiver : message.receivers) {
      if (arrives) calendar.add_receiver(receiver, taken);
    }
  }

  std::uint32_t find_alone(std::uint32_t m, std::uint32_t first, const Calendar& calendar) {
    const MadeMessage message = messages_.at(m);
    take(m, message.channels, message.channels.size(), true, calendar);
    const std::uint32_t round = calendar.first_free(taken, first);
    const bool choose = has_choice(message);
    chosen_ = chosen_ || choose;
    if (!choose || (round == first && !spreads_)) return round;
    take(m, {}, 0, true, calendar);
    const std::vector<Use> ends = taken;
    std::vector<ChannelId> route;
    const std::uint32_t chosen =
        choice_.first_free(calendar, message.sender, message.receivers[0], {}, ends, first, route);
    if (spreads_) {
      route.clear();
      const auto price = [&](ChannelId channel, std::uint32_t) {
        return calendar.free(channel, chosen) ? route_loads_.price(channel, 1, chosen) : no_price;
      };
      least_routes_.append(message.sender, message.receivers[0], {}, price, route);
    } else if (chosen == round)
      route.assign(message.channels.begin(), message.channels.end());
    take(m, route, route.size(), true, calendar);
    return chosen;
  }

  // Whether it may go by that path in that round, and has room: alone, or up to where it joins another message.
  bool fits(std::uint32_t m, std::span<const ChannelId> path, std::uint32_t round, const Calendar& calendar) {
    const JoiningRounds::Fit fit = joins_->fit(loads_[m], path, round);
    take(m, path, fit.channels, !fit.joins, calendar);
    return (fit.allowed || (as_written_ && breaks_joining_)) && (calendar.free_from(taken, round) & 1U) != 0;
  }

  // By some shortest route, found depth first; where a message that it may join leaves a node, it goes on with that.
  bool find_beside(std::uint32_t m, std::uint32_t round, const Calendar& calendar) {
    const MadeMessage message = messages_.at(m);
    const NodeId target = message.receivers.front();
    struct Open {
      std::vector<ChannelId> channels;
      std::size_t next = 0;
    };
    std::vector<ChannelId> route;
    std::vector<bool> seen(target_.nodes());
    std::vector<Open> open{{router_.first_channels(message.sender, target)}};
    while (!open.empty()) {
      Open& here = open.back();
      if (here.next == here.channels.size()) {
        open.pop_back();
        if (!route.empty()) route.pop_back();
        continue;
      }
      const ChannelId channel = here.channels[here.next++];
      const NodeId to = target_.channel(channel).to;
      if (!calendar.free(channel, round) || seen[to.value]) continue;
      route.push_back(channel);
      std::vector<ChannelId> whole = route;
      if (joins_->follow(loads_[m], to, round, whole) && fits(m, whole, round, calendar)) return true;
      if (to == target) {  // by another route it may join others
        if (fits(m, route, round, calendar)) return true;
        route.pop_back();
        continue;
      }
      seen[to.value] = true;
      open.push_back({router_.first_channels(to, target)});
    }
    return false;
  }

  bool same_outcome() {
    if (!collective_.combining()) return true;
    Flights now = unicasts_.flights;
    for (std::size_t t = 0; t < now.list.size(); ++t) now.of(now.list[t]).front().step = rounds_[message_of_[t]];
    return retimed_to_the_same(now, *reductions_, unicasts_.fabric, collective_, limits_, words_);
  }

  bool in_time() const {
    return collective_.combining() || copies_come_in_time(unicasts_.flights, unicasts_.fabric, collective_);
  }

  bool fit_as_written() {
    as_written_ = true;
    const bool fits = quadrille::fit_as_written(*this, target_, limits_);
    as_written_ = false;
    return fits;
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

  const Fabric& written_for_;
  const Limits& limits_;
  ReductionsOfSends* words_;
  const Collective& collective_;
  const Fabric& target_;
  const MessageList& messages_;  // in the order in which they are written
  const Router& router_;
  RouteChoice choice_;
  LeastRoutes least_routes_;
  RouteLoads route_loads_;  // by round, the lanes that are held
  Pulse pulse_;
  Unicasts unicasts_;                            // what the messages bring
  std::optional<PartialReductions> reductions_;  // as written; where packets combine
  Transfers transfers_;                    // for each message those of its receivers and packets; where packets combine
  CopiesHeld copies_;                      // where they do not
  std::vector<std::uint32_t> first_;       // by message: the first of them
  std::vector<std::uint32_t> message_of_;  // and back
  std::vector<JoiningLoad> loads_;         // by message, where they join; else none
  std::vector<std::uint32_t> rounds_;      // by message, as placed last; so with the next
  std::vector<std::vector<ChannelId>> routes_;
  std::optional<Placement> placement_;
  std::optional<JoiningRounds> joins_;
  bool spreads_ = false;         // routes of least load are taken
  bool chosen_ = false;          // whether there was a choice
  bool as_written_ = false;      // no other paths are chosen
  bool breaks_joining_ = false;  // as written: then whatever meets joins
};

}  // namespace

RetimedRounds retime_rounds(const WrittenRounds& written, const Fabric& target, const Limits& limits,
                            ReductionsOfSends* words) {
  MessagesElsewhere elsewhere(written, target, limits);
  const MessageList messages = elsewhere.run();
  if (messages.size() == 0) return {};
  return Messages(written, target, limits, messages, elsewhere.router(), words).run();
}

}  // namespace quadrille
