// A switch has, of each target and part, the partial reductions that came since it last sent them on, each with its way
// so far. A row out of it brings all of them on.
//
//   1, 2 and 3 send to 0 by way of switch s: rows 1->s, 2->s, 3->s in step 1 and s->0 in step 2 are three flights,
//   which leave in step 1 and arrive in step 2
#include "place/flights/unfolded_sends.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/limits/work.h"
#include "model/text/evaluation_error.h"
#include "model/topologies/complete.h"
#include "motion/step_messages.h"

namespace quadrille {
namespace {

constexpr std::uint64_t bytes_of_a_flight = 256;

// A partial reduction on its way.
struct PassingSum {
  NodeId source;
  ChunkId chunk;
  std::vector<Hop> hops;
};

class SumUnfolder {
 public:
  SumUnfolder(const SendTable& table, Fabric fabric, const Limits& limits)
      : table_(table), most_(limits.memory / bytes_of_a_flight), result_{std::move(fabric), {}} {}

  void step(const StepRows& batch) {
    std::vector<HeldSum> left;
    std::vector<std::pair<HeldSum, PassingSum>> came;
    for (const Row& row : batch.rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      for (PassingSum& sum : leaving(row, channel.from, batch.step, left)) {
        sum.hops.push_back({row.channel, batch.step.value});
        if (table_.fabric.is_processor(channel.to)) {
          arrive(std::move(sum), channel.to);
        } else {
          came.emplace_back(place(row, channel.to), std::move(sum));
        }
      }
    }
    for (const HeldSum& it : left) held_.erase(it);
    for (auto& [place, sum] : came) held_[place].push_back(std::move(sum));
  }

  // In rounds, on a complete graph.
  void round(const StepRows& batch, std::span<const Message> messages) {
    for (const Message& message : messages) {
      for (const Message::End& from : message.from) {
        for (const Message::End& to : message.to) {
          if (!table_.fabric.is_processor(from.node) || !table_.fabric.is_processor(to.node))
            refuse("a message begins or ends at a switch");
          if (from.node == to.node) continue;
          const ChannelId channel = result_.fabric.channel_between(from.node, to.node).value();
          for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
            const ChunkId chunk = batch.rows[message.row(packet, from.hop)].chunk;
            arrive({from.node, chunk, {{channel, batch.step.value}}}, to.node);
          }
        }
      }
    }
  }

  UnfoldedSends take() {
    const auto departure = [&](const Flight& flight) { return result_.flights.departure(flight); };
    std::ranges::stable_sort(result_.flights.list, {}, departure);
    return std::move(result_);
  }

 private:
  using HeldSum = std::tuple<NodeId, std::uint32_t, std::uint32_t>;  // a switch, target and part

  [[noreturn]] static void refuse(const std::string& why) {
    fail({}, fmt::format("this cannot be unfolded: {}", why), Code::unsupported);
  }

  HeldSum place(const Row& row, NodeId node) const {
    const ChunkName name = table_.collective.name(row.chunk);
    return {node, *name.target, name.part};
  }

  std::vector<PassingSum> leaving(const Row& row, NodeId from, StepId step, std::vector<HeldSum>& left) const {
    if (table_.fabric.is_processor(from)) return {{from, row.chunk, {}}};
    const auto found = held_.find(place(row, from));
    if (found == held_.end()) {
      refuse(fmt::format("in step {} switch {} sends {}, which it does not have", step.value, table_.fabric.name(from),
                         table_.collective.label(row.chunk)));
    }
    left.push_back(found->first);
    return found->second;
  }

  void arrive(PassingSum sum, NodeId target) {
    if (sum.source == target) return;
    if (result_.flights.list.size() >= most_) times_too_large(most_ * bytes_of_a_flight, {});
    Flight flight;
    flight.serial = result_.flights.list.size();
    flight.chunk = sum.chunk;
    flight.source = sum.source;
    flight.target = target;
    flight.first_hop = result_.flights.hops.size();
    flight.hops = static_cast<std::uint32_t>(sum.hops.size());
    result_.flights.list.push_back(flight);
    result_.flights.hops.insert(result_.flights.hops.end(), sum.hops.begin(), sum.hops.end());
  }

  const SendTable& table_;
  std::uint64_t most_;
  UnfoldedSends result_;
  std::map<HeldSum, std::vector<PassingSum>> held_;
};

Fabric complete_graph(std::uint32_t processors, const Limits& limits) {
  Result<Fabric> fabric = Fabric::make(Complete(processors), {}, {}, limits);
  if (!fabric) throw EvaluationError{fabric.diagnostics().front(), true};
  return *std::move(fabric);
}

Fabric forwarding(const Fabric& fabric) {
  Rules rules = fabric.rules();
  rules.switches = Switching::forward;
  return fabric.with_rules(rules);
}

}  // namespace

UnfoldedSends unfolded_sends(const SendTable& table, const Limits& limits) {
  const bool rounds = table.fabric.in_rounds();
  SumUnfolder unfolder(table, rounds ? complete_graph(table.fabric.processors(), limits) : forwarding(table.fabric),
                       limits);
  try {
    Work work(limits);
    StepMessages messages(table.fabric, table.collective, work);
    const auto cursor = table.rows->open();
    while (const auto batch = cursor->next()) {
      work.spend(batch->rows.size());
      if (rounds) {
        unfolder.round(*batch, messages.read(*batch));
      } else {
        unfolder.step(*batch);
      }
    }
    if (cursor->ended_early() != Reason::none) throw Ended{cursor->ended_early()};
  } catch (const Ended& ended) {
    fail_at_limit(ended.reason, "unfolding the table");
  }
  return unfolder.take();
}

}  // namespace quadrille
