// A send from 0 to 3 that leaves in step 2 by way of 1, where it waits a step, is a flight with hops in the steps 2
// and 4. In rounds it is a message. Sends that wait come before others that leave with them, as those of a plan do
// (compiler/plan/expand.h). Cost: the sends' hops, and that of the statements.
#include "compiler/decompile/table_sends.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/decompile/sent_messages.h"
#include "compiler/decompile/sent_statements.h"
#include "model/route.h"

namespace quadrille {
namespace {

bool waits(const SentFlight& send) { return send.stays() || !send.tree_waits.empty(); }

// Finds the hops of sends.
class SendHops {
 public:
  SendHops(const Fabric& fabric, const Router& router) : fabric_(fabric), router_(router) {}

  // Each begins at the sender or where an earlier one ends.
  std::vector<Hop> of(const SentFlight& send) const {
    if (send.to.size() == 1) return on_path(send);
    return send.links.empty() ? on_default_routes(send) : on_links(send);
  }

 private:
  ChannelId channel(NodeId from, NodeId to) const { return fabric_.channel_between(from, to).value(); }

  std::vector<Hop> on_path(const SentFlight& send) const {
    std::vector<ChannelId> channels;
    NodeId at{send.from};
    const NodeId target{send.to.front()};
    if (send.along.empty()) {
      router_.append_route(at, target, channels);
    } else {
      for (const NodeId next : send.along) channels.push_back(channel(std::exchange(at, next), next));
      channels.push_back(channel(at, target));
    }
    std::vector<Hop> hops;
    std::uint32_t step = send.step;
    for (std::size_t h = 0; h < channels.size(); ++h) {
      if (h > 0) step += 1 + (send.waits.empty() ? 0 : send.waits[h - 1]);
      hops.push_back({channels[h], step});
    }
    return hops;
  }

  std::vector<Hop> on_default_routes(const SentFlight& send) const {
    std::vector<Hop> hops;
    std::set<ChannelId> crossed;
    for (const std::uint32_t target : send.to) {
      std::vector<ChannelId> route;
      router_.append_route_in_tree(NodeId{send.from}, NodeId{target}, route);
      std::uint32_t step = send.step;
      for (const ChannelId channel : route) {
        if (crossed.insert(channel).second) hops.push_back({channel, step});
        ++step;
      }
    }
    return hops;
  }

  std::vector<Hop> on_links(const SentFlight& send) const {
    std::map<NodeId, const SentLinks*> leaving;
    for (const SentLinks& links : send.links) leaving.emplace(links.from, &links);
    std::map<std::pair<NodeId, NodeId>, std::uint32_t> waits;
    for (const SentWait& wait : send.tree_waits) waits[{wait.at, wait.before}] = wait.steps;
    std::vector<Hop> hops;
    std::vector<std::pair<NodeId, std::uint32_t>> open{{NodeId{send.from}, send.step}};
    while (!open.empty()) {
      const auto [at, step] = open.back();
      open.pop_back();
      const auto links = leaving.find(at);
      if (links == leaving.end()) continue;
      for (const NodeId next : links->second->to) {
        const auto wait = waits.find({at, next});
        const std::uint32_t crossed = step + (wait == waits.end() ? 0 : wait->second);
        hops.push_back({channel(at, next), crossed});
        open.emplace_back(next, crossed + 1);
      }
    }
    return hops;
  }

  const Fabric& fabric_;
  const Router& router_;
};

class SendMaker {
 public:
  explicit SendMaker(const SendTable& table) : table_(table), router_(table.fabric), hops_(table.fabric, router_) {}

  Result<TableSends> make() {
    Result<SentFlights> sends = sends_of(table_, router_);
    if (!sends) return sends.diagnostics();
    const bool speak = std::ranges::any_of(sends->flights, &SentFlight::speaks);
    const std::vector<SentStatement> statements = statements_of(*std::move(sends), table_.fabric);
    if (speak) each_send(statements, [&](const SentFlight& send, SendSerial) { add_reduction(send); });
    if (table_.fabric.in_rounds()) {
      each_send(statements, [&](const SentFlight& send, SendSerial serial) { add_message(send, serial); });
      return std::move(result_);
    }
    for (const bool waiting : {true, false}) {
      each_send(statements, [&](const SentFlight& send, SendSerial serial) {
        if (waits(send) == waiting) add_flight(send, serial);
      });
    }
    std::ranges::stable_sort(result_.flights.list, {},
                             [&](const Flight& flight) { return result_.flights.departure(flight); });
    return std::move(result_);
  }

 private:
  // Calls visit(send, serial) for each, numbered in the order of the schedule.
  template <class Visit>
  void each_send(const std::vector<SentStatement>& statements, const Visit& visit) const {
    const Shifts shifts(table_.fabric);
    SendSerial serial = 0;
    for (const SentStatement& statement : statements) {
      if (!statement.for_all) {
        visit(statement.flight, serial++);
        continue;
      }
      for (std::uint32_t x = 0; x < table_.fabric.processors(); ++x)
        visit(shifts.shifted(statement.flight, x), serial++);
    }
  }

  // Where packets are copied, a default route without waits need not be stored.
  void add_flight(const SentFlight& send, SendSerial serial) {
    Flights& flights = result_.flights;
    const bool one = send.to.size() == 1;
    Flight flight;
    flight.serial = serial;
    flight.chunk = table_.collective.chunk(send.chunks.front()).value();
    flight.source = NodeId{send.from};
    flight.target = one ? NodeId{send.to.front()} : flight.source;
    flight.start = send.step;
    flight.named_path = !send.along.empty();
    if (!one || flight.named_path || waits(send) || table_.collective.combining()) {
      const std::vector<Hop> hops = hops_.of(send);
      flight.first_hop = flights.hops.size();
      flight.hops = static_cast<std::uint32_t>(hops.size());
      flights.hops.insert(flights.hops.end(), hops.begin(), hops.end());
    }
    flights.list.push_back(flight);
  }

  void add_reduction(const SentFlight& send) {
    std::vector<std::uint32_t> sum;
    for (const auto& [first, last] : send.sum) {
      for (std::uint32_t p = first; p <= last; ++p) sum.push_back(p);
    }
    result_.reductions.push_back({ContributionSet(sum), send.keeping, {}});
  }

  void add_message(const SentFlight& send, SendSerial serial) {
    std::vector<NodeId> receivers;
    for (const std::uint32_t target : send.to) receivers.emplace_back(target);
    std::vector<ChannelId> channels;
    for (const Hop& hop : hops_.of(send)) channels.push_back(hop.channel);
    std::vector<ChunkId> chunks;
    for (const ChunkName& name : send.chunks) chunks.push_back(table_.collective.chunk(name).value());
    result_.messages.add({send.step, NodeId{send.from}, receivers, channels, chunks, serial, !send.along.empty()});
  }

  const SendTable& table_;
  Router router_;
  SendHops hops_;
  TableSends result_;
};

}  // namespace

Result<TableSends> table_sends(const SendTable& table) { return SendMaker(table).make(); }

}  // namespace quadrille
