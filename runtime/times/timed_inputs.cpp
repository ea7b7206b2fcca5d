// Makes a look-up for each packet that leaves or arrives. For example, a copy comes to a switch that forwards at 3 us
// by the table's first row, and another at 2 us by its second: the first row out waits for 3 us, the second one does
// not.
#include "runtime/times/timed_inputs.h"

#include <algorithm>
#include <cmath>

namespace quadrille::replaying {

double TimedInputs::leave(NodeId node, ChunkId chunk, const ReductionUse* use) {
  if (combining_ && collective_.name(chunk).origin == node.value) {
    const ValueAtProcessor place{collective_.value_of(chunk), node.value};
    if (use == nullptr || use->sent.empty()) return word(place, 0);
    double time = 0;
    for (const std::uint32_t number : use->sent) time = std::max(time, word(place, number));
    return time;
  }
  if (!combining_ && collective_.starts_at(chunk, node)) return 0;
  const bool at_switch = !fabric_.is_processor(node);
  if (at_switch && !in_switches_.copy()) {
    const double* time = in_switches_.leave(node, chunk);
    return time == nullptr ? 0 : *time;
  }
  const PlaceKey here{chunk.value, node.value};
  double* arrived = arrived_.find(here);
  if (arrived == nullptr && forgets_) throw Forgotten{};
  if (arrived == nullptr) return 0;
  const double time = std::abs(*arrived);
  if (!at_switch) return time;
  if (forgets_) {
    arrived_.erase(here);
  } else if (moves_) {
    *arrived = std::copysign(time, -1.0);  // it has left, and the next arrival counts
  }
  return time;
}

double TimedInputs::word(const ValueAtProcessor& place, std::uint32_t number) {
  if (number == 0) {
    const double* joined = joined_.find({place.first, place.second});
    return joined == nullptr ? 0 : *joined;
  }
  const auto kept = kept_.find(place);
  return kept == kept_.end() || number > kept->second.size() ? 0 : kept->second[number - 1];
}

void TimedInputs::arrive(NodeId node, ChunkId chunk, double time, bool keeping) {
  if (!fabric_.is_processor(node) && !in_switches_.copy()) {
    double& latest = *in_switches_.arrive(node, chunk).first;
    latest = std::max(latest, time);
    return;
  }
  if (!forgets_ || !ends_at(node, chunk)) {
    const auto [arrived, first] = arrived_.insert({chunk.value, node.value});
    const bool counts = first || combining_ || std::signbit(*arrived);
    *arrived = counts ? time : std::min(*arrived, time);
  }
  if (!combining_ || collective_.name(chunk).target != node.value) return;
  if (keeping) return coming_[{collective_.value_of(chunk), node.value}].push_back(time);
  double& joined = *joined_.insert({collective_.value_of(chunk), node.value}).first;
  joined = std::max(joined, time);
}

void TimedInputs::end_step() {
  for (const auto& [place, times] : coming_) {
    auto& kept = kept_[place];
    kept.insert(kept.end(), times.size(), *std::max_element(times.begin(), times.end()));
  }
  coming_.clear();
}

}  // namespace quadrille::replaying
