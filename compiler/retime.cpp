// What is asked for is refused, or made ready, here; then flights are placed anew, copies in one pass
// (retime_copies.h), and what is combined so that it carries what it carried (retime_combined.h).
//
// Where no order of the sends that are written does that, they are made once more with packets that go from origin to
// target without the relays that are written. For example, of 0 -> 2 and then 2 -> 1 with one packet, which comes to
// the same as 0 -> 1 by way of 2.
#include "compiler/retime.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/expand.h"
#include "compiler/forwarding.h"
#include "compiler/instance.h"
#include "compiler/meetings.h"
#include "compiler/relays.h"
#include "compiler/retime_combined.h"
#include "compiler/retime_copies.h"
#include "compiler/retime_joined.h"
#include "compiler/transfer_routes.h"
#include "model/described.h"

namespace quadrille {
namespace {

[[noreturn]] void refuse_without_joins(const Fabric& target, const Fabric& written_for) {
  fail({},
       fmt::format(
           "this cannot be retimed for {}: packets join in the switches of {}, and would bring something else if "
           "they did not",
           described(target), described(written_for)),
       Code::unsupported);
}

}  // namespace

Flights retimed(Flights flights, const Fabric& written_for, const Collective& collective, const Fabric& target,
                const Limits& limits, WordsOfSends* words) {
  if (packets_join(flights, written_for, collective)) {
    const bool reduces = target.rules().switches == Switching::reduce;
    if (reduces && same_channels(written_for, target))
      return retimed_joined(flights, written_for, collective, target, limits, words);
    if (!need_not_join(flights, written_for, collective, limits, words)) refuse_without_joins(target, written_for);
  }
  const auto to_several = [](const Flight& flight) { return flight.target == flight.source; };
  if (forwards(target) && std::any_of(flights.list.begin(), flights.list.end(), to_several)) {
    return retimed(forwarded(flights, written_for), written_for, collective, target, limits, words);
  }
  // For each flight and each hop. Where packets combine, that is a hop's row, its step, and what it brings.
  const std::uint64_t of_flight = 200;
  const std::uint64_t of_hop = collective.combining() ? 60 : 24;
  if (flights.list.size() * of_flight + flights.hops.size() * of_hop > limits.memory)
    times_too_large(limits.memory, {});
  if (!collective.combining()) return retimed_copies(std::move(flights), written_for, collective, target, limits);
  if (auto result = retimed_combined(flights, written_for, collective, target, limits, words))
    return std::move(*result);
  // Of relays each send says of words what only it knows.
  const Flights merged = words == nullptr ? without_relays(flights, collective) : Flights{};
  if (words == nullptr && merged.list.size() < flights.list.size()) {
    if (auto result = retimed_combined(merged, written_for, collective, target, limits, words))
      return std::move(*result);
  }
  fail({},
       fmt::format("this cannot be retimed for {}: no order of its sends was found in which each carries what it "
                   "carries on {}",
                   described(target), described(written_for)),
       Code::unsupported);
}

}  // namespace quadrille
