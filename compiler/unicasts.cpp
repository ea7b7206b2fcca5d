// What matters of a message in a round is who has what afterwards: each of its packets, at each of its receivers. In
// the complete graph that is a hop, in a step of its own, whatever the message's path was; retiming (retime.h) takes it
// from there, with the routes of the fabric that it is retimed for.
//
// For example, a message of two packets from 0 to 2 by way of 1, in round 3, becomes two hops 0 -> 2 in step 3. Cost: a
// flight for each message, packet and receiver.
#include "compiler/unicasts.h"

#include "compiler/expand.h"
#include "compiler/round_maker.h"
#include "model/topologies/complete.h"

namespace quadrille {
namespace {

Fabric complete(const Plan& plan) {
  auto fabric = Fabric::make(Complete(plan.instance.fabric->processors(), 1), {}, {}, plan.instance.limits);
  if (!fabric) throw EvaluationError{fabric.diagnostics().front(), true};
  return *fabric;
}

}  // namespace

Unicasts unicasts_of(const Plan& plan) {
  Unicasts result{complete(plan), {}};
  Flights& flights = result.flights;
  const std::uint64_t memory = plan.instance.limits.memory;
  RoundMaker maker(plan);
  const auto add = [&](const MadeMessage& message) {
    for (const NodeId receiver : message.receivers) {
      for (const ChunkId chunk : message.chunks) {
        Flight flight;
        flight.serial = message.serial;
        flight.chunk = chunk;
        flight.source = message.sender;
        flight.target = receiver;
        flight.first_hop = flights.hops.size();
        flight.hops = 1;
        flights.hops.push_back({*result.fabric.channel_between(message.sender, receiver), message.round});
        flights.list.push_back(flight);
        if (flights.hops.size() * (sizeof(Hop) + sizeof(Flight)) > memory) times_too_large(memory, {});
      }
    }
  };
  while (maker.next(add)) continue;
  return result;
}

}  // namespace quadrille
