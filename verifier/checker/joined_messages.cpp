// Messages whose ways join in switches, in combining collectives: the part of ReductionTracker that follows one from
// its senders to its receiver.
//
// Idea: its channels are looked at from the senders inwards, and what leaves a switch is what has come to it so far.
//
//   1 and 2 send to 0 around switch 3, in one message: 1->3 and 2->3 carry {1} and {2}, so 3->0 carries {1-2}
//
// Cost: for each packet, a look-up for each channel, and a sort of what comes to each switch.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "verifier/checker/reduction_tracker.h"

namespace quadrille::checker {

// What crosses the message's last channel.
ContributionsRef ReductionTracker::joined_on_path(const StepRows& batch, const Move& move) {
  const CheckedMessage& message = *move.joined;
  const auto line = messages_->rows(message).subspan(std::size_t{move.line} * message.channels, message.channels);
  std::map<NodeId, std::vector<OnPath>> arrived;
  ContributionsRef last;
  std::uint64_t seen = 0;
  for (const std::uint32_t place : messages_->inwards(message)) {
    look_at_limits(pass_.limits, seen++);
    const Row& row = batch.rows[line[place]];
    const Channel& channel = pass_.table.fabric.channel(row.channel);
    const auto before = arrived.find(channel.from);
    if (before == arrived.end()) {
      last = picked_up(batch, {channel.from, channel.to, row.channel, row.lane, row.chunk, line[place], line[place]});
    } else {
      last = joined_at(batch, channel.from, std::move(before->second));
      arrived.erase(before);
    }
    arrived[channel.to].push_back({last, line[place]});
  }
  return last;
}

// What has joined at a switch of what came to it on several ways, or what came on the only one.
ContributionsRef ReductionTracker::joined_at(const StepRows& batch, NodeId node, std::vector<OnPath> arrivals) {
  if (arrivals.size() == 1) return arrivals.front().set;
  std::erase_if(arrivals, [](const OnPath& it) { return it.set == nullptr; });
  const auto order = [&](const OnPath& it) {
    return std::tuple(it.set->intervals().front().first, batch.rows[it.row].channel);
  };
  std::sort(arrivals.begin(), arrivals.end(), [&](const OnPath& a, const OnPath& b) { return order(a) < order(b); });
  const auto blame = [&](const OnPath& it, const std::string& what) {
    pass_.findings.add(Property::complete, batch.step.value, [&] {
      const Row& row = batch.rows[it.row];
      std::string text =
          fmt::format("{} meets others at switch {} in round {}: {}", pass_.table.collective.label(row.chunk),
                      pass_.table.fabric.name(node), batch.step.value, what);
      return BlamedViolation{
          {.step = batch.step, .channel = row.channel, .node = node, .chunk = row.chunk, .message = std::move(text)},
          RowPlace{batch.step, it.row}};
    });
  };
  Sum sum(additions_, nullptr);
  for (const OnPath& arrival : arrivals) {
    if (sum.fits(*arrival.set)) {
      sum.add(arrival.set, {batch.step.value, arrival.row, node});
    } else {
      blame(arrival,
            fmt::format("{} is counted twice", first_common(sum.now()->intervals(), arrival.set->intervals())));
    }
  }
  ContributionsRef joined = sum.made();
  if (joined && joined->intervals().size() > 1 && pass_.table.collective.ordered())
    blame(arrivals.back(), "an ordered operation leaves no gaps");
  return joined;
}

}  // namespace quadrille::checker
