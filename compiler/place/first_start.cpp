#include "compiler/place/first_start.h"

#include "compiler/place/retime_outcome.h"

namespace quadrille {

std::uint32_t first_start(std::span<const TimedChannel> hops, const StartBounds& bounds, const Calendar& calendar) {
  const std::uint32_t start = calendar.first_free(hops, bounds.first_step());
  refuse_after_last_step(start, hops);
  return start;
}

std::uint32_t first_start_by_any(std::uint32_t transfer, const StartBounds& bounds, const Calendar& calendar,
                                 TransferRoutes& routes, TransferRoutes::Route& route, bool& chosen) {
  const auto start = routes.choose(transfer, calendar, bounds.first_step(), route);
  if (!start) return first_start(route.hops, bounds, calendar);
  chosen = true;
  refuse_after_last_step(*start, route.hops);
  return *start;
}

}  // namespace quadrille
