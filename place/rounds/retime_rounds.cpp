// As in steps, messages are placed in the order in which they are written, each in the first round that has room for
// its path, not before what it needs is there. What a message must wait for, and what must not come before it, is that
// of its packets as sends on a complete graph, of one step each (unicasts.h, needs.h): that says who has what, and
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
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/described.h"
#include "model/limits/work.h"
#include "model/text/evaluation_error.h"
#include "place/calendar/least_route.h"
#include "place/calendar/route_choice.h"
#include "place/held/reduction_replay.h"
#include "place/needs/needs.h"
#include "place/rounds/joined_messages.h"
#include "place/rounds/joining_rounds.h"
#include "place/rounds/messages_elsewhere.h"
#include "place/rounds/spread_rounds.h"
#include "place/rounds/unicasts.h"
#include "place/steps/transfer_routes.h"
#include "place/steps/tries.h"

namespace quadrille {
namespace {

class Messages final : public Tries {
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
        needs_(needs_of(unicasts_.flights, unicasts_.fabric, unicasts_.fabric, collective_, limits, words)),
        placed_{std::vector<std::uint32_t>(messages.size()), std::vector<std::vector<ChannelId>>(messages.size())} {
    note_extents();
    if (JoinedMessages::apply(target_, collective_, words != nullptr)) note_loads();
  }

  RetimedRounds run() {
    // PlacedRounds anew they would be right, and so another schedule: what breaks joining as written keeps its rounds.
    breaks_joining_ = breaks_joining();
    if (breaks_joining_ && fit_as_written()) {
      return {messages_, "it is written: what its messages carry breaks the rules of joining"};
    }
    const std::string_view as = best_of(std::array{
        Try{.as = loads_.empty() ? "whole messages" : "messages that join"}, Try{.as = spread_whole, .spreads = true},
        Try{.as = "messages whose contributions join earlier", .exactly = false}});
    if (as == as_it_is_written) return {messages_, std::string(as)};
    if (!as.empty()) return spread({kept(), std::string(as)});
    fail({},
         fmt::format("this cannot be retimed for {}: no order of its messages was found in which each carries what it "
                     "carries as written",
                     described(target_)),
         Code::unsupported);
  }

  Moving what() const override { return Moving::messages; }

  void begin() override {
    needs_->clear();
    joins_.emplace(target_, collective_);
    route_loads_.clear();
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(messages_.size()); }

  StartBounds bounds(std::uint32_t m) override {
    StartBounds bounds;
    for (std::uint32_t t = first_[m]; t < first_[m + 1]; ++t) {
      needs_->bound_departure(t, bounds);
      needs_->bound_arrivals(t, at_once, bounds);
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
    placed_.rounds[m] = round;
    if (!loads_.empty()) joins_->book(loads_[m], placed_.routes[m], round);
    if (now().spreads) route_loads_.add(placed_.routes[m], 1, round);
    for (std::uint32_t t = first_[m]; t < first_[m + 1]; ++t) {
      const Flight& packet = unicasts_.flights.list[t];
      const TimedChannel hop{unicasts_.flights.of(packet).front().channel};
      needs_->depart(t, round);
      needs_->arrive(t, round, std::span(&hop, 1), at_once);
    }
  }

  std::uint32_t written(std::uint32_t m) const override { return messages_.at(m).round; }

 private:
  struct PlacedRounds {
    std::vector<std::uint32_t> rounds;  // by message, so with the next
    std::vector<std::vector<ChannelId>> routes;
    std::uint32_t last() const { return *std::ranges::max_element(rounds); }
  };
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
    for (const auto& [cell, joins] : needs_->reductions()->joins) {
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

  // Where paths are held, all are placed once more by routes of which fewest lanes are taken. Whether messages may join
  // is known of what they carry as written only.
  bool is_worth_it(const Try& next, const Try* best) const override {
    if (next.spreads) return loads_.empty() && chosen_ && target_.rules().paths == Paths::held;
    return next.exactly || (best == nullptr && loads_.empty());
  }

  bool comes_to_the_same(bool) override {
    constexpr std::uint64_t packets_in_all = 5'000'000;
    const std::uint64_t passes = now().exactly ? passes_of(message_of_.size(), packets_in_all) : 0;
    if (!place_events(*this, target_, {passes}, limits_)) return false;
    if (!collective_.combining()) return true;
    Flights packets = unicasts_.flights;
    for (std::size_t t = 0; t < packets.list.size(); ++t)
      packets.of(packets.list[t]).front().step = placed_.rounds[message_of_[t]];
    return needs_->come_to_the_same(packets, unicasts_.fabric);
  }

  bool better_than_kept() override { return placed_.last() < kept_.last(); }
  void keep() override { kept_ = placed_; }
  bool written_is_better(bool kept) override {
    const bool longer = !kept || last_written() < kept_.last();
    return longer && same_channels(written_for_, target_) && needs_->hold_as_written() && fit_as_written();
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
    if (loads_.empty() || needs_->reductions()->faults > 0 || !same_channels(written_for_, target_)) return false;
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
    placed_.routes[m].assign(path.begin(), path.end());
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
    if (!choose || (round == first && !now().spreads)) return round;
    take(m, {}, 0, true, calendar);
    const std::vector<Use> ends = taken;
    std::vector<ChannelId> route;
    const std::uint32_t chosen =
        choice_.first_free(calendar, message.sender, message.receivers[0], {}, ends, first, route);
    if (now().spreads) {
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

  bool fit_as_written() {
    as_written_ = true;
    const bool fits = quadrille::fit_as_written(*this, target_, limits_);
    as_written_ = false;
    return fits;
  }

  std::uint32_t last_written() const { return messages_.size() == 0 ? 0 : messages_.at(messages_.size() - 1).round; }

  MessageList kept() const {
    std::vector<std::uint32_t> order(messages_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t m) { return kept_.rounds[m]; });
    MessageList result;
    for (const std::uint32_t m : order) {
      MadeMessage message = messages_.at(m);
      message.round = kept_.rounds[m];
      message.channels = kept_.routes[m];
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
  Unicasts unicasts_;  // what the messages bring
  std::unique_ptr<SendNeeds> needs_;
  std::vector<std::uint32_t> first_;       // by message: the first of its packets
  std::vector<std::uint32_t> message_of_;  // and back
  std::vector<JoiningLoad> loads_;         // by message, where they join; else none
  PlacedRounds placed_;
  PlacedRounds kept_;
  std::optional<JoiningRounds> joins_;
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
