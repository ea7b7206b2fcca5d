// A send from 0 to 3 that leaves in step 2 by way of 1, where it waits a step, is a flight with hops in the steps 2
// and 4. In rounds it is a message. Sends that wait come before others that leave with them, as those of a plan do
// (compiler/plan/expand.h). Cost: the sends' hops, and that of the statements.
#include "compiler/decompile/table_sends.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "compiler/decompile/sent_messages.h"
#include "compiler/decompile/sent_statements.h"
#include "model/route.h"

namespace quadrille {
namespace {

bool waits(const SentFlight& send) { return send.stays() || !send.tree_waits.empty(); }

class SendMaker {
 public:
  explicit SendMaker(const SendTable& table) : table_(table) {}

  Result<TableSends> make() {
    const Result<SentFlights> sends = sends_of(table_, Router(table_.fabric));
    if (!sends) return sends.diagnostics();
    std::vector<const SentWithHops*> ordered;
    for (const SentStatement& statement : statements_of(*sends, table_.fabric)) {
      for (const std::size_t i : statement.sends) ordered.push_back(&sends->sends[i]);
    }
    if (std::ranges::any_of(ordered, [](const SentWithHops* sent) { return sent->flight.speaks(); })) {
      for (const SentWithHops* sent : ordered) add_reduction(sent->flight);
    }
    if (table_.fabric.in_rounds()) {
      for (SendSerial serial = 0; serial < ordered.size(); ++serial) add_message(*ordered[serial], serial);
      return std::move(result_);
    }
    for (const bool waiting : {true, false}) {
      for (SendSerial serial = 0; serial < ordered.size(); ++serial) {
        if (waits(ordered[serial]->flight) == waiting) add_flight(*ordered[serial], serial);
      }
    }
    std::ranges::stable_sort(result_.flights.list, {},
                             [&](const Flight& flight) { return result_.flights.departure(flight); });
    return std::move(result_);
  }

 private:
  // Where packets are copied, a default route without waits need not be stored.
  void add_flight(const SentWithHops& sent, SendSerial serial) {
    const SentFlight& send = sent.flight;
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
      flight.first_hop = flights.hops.size();
      flight.hops = static_cast<std::uint32_t>(sent.hops.size());
      flights.hops.insert(flights.hops.end(), sent.hops.begin(), sent.hops.end());
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

  void add_message(const SentWithHops& sent, SendSerial serial) {
    const SentFlight& send = sent.flight;
    std::vector<NodeId> receivers;
    for (const std::uint32_t target : send.to) receivers.emplace_back(target);
    std::vector<ChannelId> channels;
    for (const Hop& hop : sent.hops) channels.push_back(hop.channel);
    std::vector<ChunkId> chunks;
    for (const ChunkName& name : send.chunks) chunks.push_back(table_.collective.chunk(name).value());
    result_.messages.add({send.step, NodeId{send.from}, receivers, channels, chunks, serial, !send.along.empty()});
  }

  const SendTable& table_;
  TableSends result_;
};

}  // namespace

Result<TableSends> table_sends(const SendTable& table) { return SendMaker(table).make(); }

}  // namespace quadrille
