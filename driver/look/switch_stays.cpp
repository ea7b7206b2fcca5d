// A packet is buffered from its arrival until it departs; if it departs again, from one departure until the next.
#include "driver/look/switch_stays.h"

#include <algorithm>
#include <utility>

namespace quadrille::driver {

void SwitchStays::add(const StepRows& batch) {
  for (const Row& row : batch.rows) {
    const NodeId from = fabric_.channel(row.channel).from;
    BufferedStay* stay = fabric_.is_processor(from) ? nullptr : in_switches_.leave(from, row.chunk);
    if (stay == nullptr) continue;
    stay->last = batch.step.value - 1;
    if (stay->first <= stay->last) stays_.push_back(*stay);
    stay->first = batch.step.value;
  }
  in_switches_.end_departures();
  for (const Row& row : batch.rows) {
    const NodeId to = fabric_.channel(row.channel).to;
    if (fabric_.is_processor(to)) continue;
    const auto [stay, is_new] = in_switches_.arrive(to, row.chunk);
    if (is_new || in_switches_.copy()) *stay = {to, batch.step.value + 1};
  }
}

std::vector<BufferedStay> SwitchStays::finished() {
  std::ranges::stable_sort(stays_, {}, &BufferedStay::node);
  return std::move(stays_);
}

}  // namespace quadrille::driver
