// The section Switches of model/MODEL.md.
#include "tests/reference/switch_contents.h"

#include <algorithm>
#include <utility>

namespace quadrille::reference {

// "Of several copies of one packet a row takes the one that came first."
const SwitchPacket* SwitchContents::take(NodeId at, ChunkId packet, std::uint32_t step) {
  for (const std::size_t number : copies_[{at, packet}]) {
    SwitchPacket& copy = all_[number];
    if (copy.departure) continue;
    copy.departure = step;
    return &copy;
  }
  return nullptr;
}

void SwitchContents::bring(NodeId at, ChunkId packet, std::uint32_t step, PartialReduction carried) {
  copies_[{at, packet}].push_back(all_.size());
  all_.push_back({at, step, std::nullopt, std::move(carried)});
}

SwitchContents::Key SwitchContents::key(NodeId at, ChunkId packet) const {
  const ChunkName name = collective_.name(packet);
  return {at, *name.target, name.part};
}

// "All such rows of one step carry the same; when the step ends it is gone."
const SwitchPacket* SwitchContents::carry(NodeId at, ChunkId packet, std::uint32_t step) {
  const auto found = joined_.find(key(at, packet));
  if (found == joined_.end()) return nullptr;
  SwitchPacket& held = all_[found->second];
  if (held.departure && *held.departure != step) return nullptr;
  held.departure = step;
  return &held;
}

std::uint64_t SwitchContents::join(std::vector<Arrival> arrivals, std::uint32_t step) {
  std::erase_if(arrivals, [](const Arrival& arrival) { return arrival.carried.empty(); });
  const auto order = [](const Arrival& it) {
    return std::tuple(*it.carried.contributions.begin(), it.channel, it.lane, it.packet);
  };
  std::stable_sort(arrivals.begin(), arrivals.end(),
                   [&](const Arrival& a, const Arrival& b) { return order(a) < order(b); });
  std::uint64_t counted_twice = 0;
  std::map<std::size_t, std::pair<PartialReduction, std::vector<PartialReduction>>> added;  // to what was held before
  for (const Arrival& arrival : arrivals) {
    const auto found = joined_.find(key(arrival.at, arrival.packet));
    if (found == joined_.end() || all_[found->second].departure) {
      joined_[key(arrival.at, arrival.packet)] = all_.size();
      all_.push_back({arrival.at, step, std::nullopt, arrival.carried});
      continue;
    }
    PartialReduction& held = all_[found->second].carried;
    auto& more = added.try_emplace(found->second, held, std::vector<PartialReduction>{}).first->second.second;
    if (!collective_.idempotent() && !disjoint(held, arrival.carried)) {
      ++counted_twice;
    } else {
      held = united(collective_, held, arrival.carried);
      more.push_back(arrival.carried);
    }
  }
  for (const auto& [number, sum] : added) all_[number].carried = added_up(collective_, sum.first, sum.second);
  return counted_twice;
}

}  // namespace quadrille::reference
