// Each hop of a flight is a row. Cost: hops · log(hops).
#include "driver/flight_rows.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace quadrille::driver {

std::shared_ptr<const StoredRows> rows_of(const Flights& flights, const Fabric& fabric) {
  std::vector<StoredRows::StepRow> rows;
  std::map<std::pair<ChannelId, std::uint32_t>, std::uint32_t> lanes;
  FlightHops hops(flights, fabric);
  for (const Flight& flight : flights.list) {
    for (const Hop& hop : hops.of(flight)) {
      const LaneId lane(lanes[{hop.channel, hop.step}]++);
      rows.push_back({StepId(hop.step), {hop.channel, lane, flight.chunk}});
    }
  }
  return std::make_shared<StoredRows>(std::move(rows));
}

}  // namespace quadrille::driver
