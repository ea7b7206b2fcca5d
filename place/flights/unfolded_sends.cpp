// A partial reduction takes each path from its row out of a processor, over the rows that go on with it
// (continued_rows.h), to a processor.
//
//   1, 2 and 3 send to 0 by way of switch s: rows 1->s, 2->s, 3->s in step 1 and s->0 in step 2 are three flights,
//   which leave in step 1 and arrive in step 2
#include "place/flights/unfolded_sends.h"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/limits/work.h"
#include "model/text/evaluation_error.h"
#include "model/topologies/complete.h"
#include "motion/continued_rows.h"
#include "motion/step_messages.h"

namespace quadrille {
namespace {

constexpr std::uint64_t bytes_of_a_flight = 256;

[[noreturn]] void refuse(Diagnostic why) {
  why.message = "this cannot be unfolded: " + why.message;
  throw EvaluationError{std::move(why)};
}

class SumUnfolder {
 public:
  SumUnfolder(const SendTable& table, Fabric fabric, const Limits& limits)
      : table_(table), most_(limits.memory / bytes_of_a_flight), result_{std::move(fabric), {}} {}

  // In steps.
  void rows(const std::vector<ContinuedRow>& rows) {
    for (std::size_t first = 0; first < rows.size(); ++first) {
      const NodeId source = table_.fabric.channel(rows[first].row.channel).from;
      if (!table_.fabric.is_processor(source)) continue;
      std::vector<Hop> hops;
      follow(rows, first, {source, rows[first].row.chunk}, hops);
    }
  }

  // In rounds, on a complete graph.
  void round(const StepRows& batch, std::span<const Message> messages) {
    for (const Message& message : messages) {
      for (const Message::End& from : message.from) {
        for (const Message::End& to : message.to) {
          if (!table_.fabric.is_processor(from.node) || !table_.fabric.is_processor(to.node))
            refuse(error_at({}, "a message begins or ends at a switch", Code::unsupported));
          if (from.node == to.node) continue;
          const ChannelId channel = result_.fabric.channel_between(from.node, to.node).value();
          for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
            const ChunkId chunk = batch.rows[message.row(packet, from.hop)].chunk;
            arrive({from.node, chunk}, {{channel, batch.step.value}}, to.node);
          }
        }
      }
    }
  }

  // In order of departure; those that depart together, of arrival.
  UnfoldedSends take() {
    Flights& flights = result_.flights;
    const auto order = [&](const Flight& flight) {
      const Hop last = flights.of(flight).back();
      return std::tuple(last.step, last.channel);
    };
    std::ranges::stable_sort(flights.list, {}, order);
    for (std::size_t i = 0; i < flights.list.size(); ++i) flights.list[i].serial = i;
    std::ranges::stable_sort(flights.list, {}, [&](const Flight& flight) { return flights.departure(flight); });
    return std::move(result_);
  }

 private:
  struct LeavingSum {
    NodeId source;
    ChunkId chunk;
  };

  void follow(const std::vector<ContinuedRow>& rows, std::size_t at, LeavingSum sum, std::vector<Hop>& hops) {
    const ContinuedRow& row = rows[at];
    hops.push_back({row.row.channel, row.step});
    const NodeId node = table_.fabric.channel(row.row.channel).to;
    if (table_.fabric.is_processor(node)) arrive(sum, hops, node);
    for (const std::size_t next : row.next) follow(rows, next, sum, hops);
    hops.pop_back();
  }

  void arrive(LeavingSum sum, const std::vector<Hop>& hops, NodeId target) {
    if (sum.source == target) return;
    if (result_.flights.list.size() >= most_) times_too_large(most_ * bytes_of_a_flight, {});
    Flight flight;
    flight.chunk = sum.chunk;
    flight.source = sum.source;
    flight.target = target;
    flight.first_hop = result_.flights.hops.size();
    flight.hops = static_cast<std::uint32_t>(hops.size());
    result_.flights.list.push_back(flight);
    result_.flights.hops.insert(result_.flights.hops.end(), hops.begin(), hops.end());
  }

  const SendTable& table_;
  std::uint64_t most_;
  UnfoldedSends result_;
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
    if (!rounds) {
      const auto rows = continued_rows(table, work);
      if (!rows) refuse(rows.diagnostics().front());
      unfolder.rows(*rows);
      return unfolder.take();
    }
    StepMessages messages(table.fabric, table.collective, work);
    const auto cursor = table.rows->open();
    while (const auto batch = cursor->next()) {
      work.spend(batch->rows.size());
      unfolder.round(*batch, messages.read(*batch));
    }
    if (cursor->ended_early() != Reason::none) throw Ended{cursor->ended_early()};
  } catch (const Ended& ended) {
    fail_at_limit(ended.reason, "unfolding the table");
  }
  return unfolder.take();
}

}  // namespace quadrille
