// Cost: the sets, and a search for each place.
#include "place/held/held_at_end.h"

#include <algorithm>

namespace quadrille {

HeldAtEnd held_at_end(const HeldReductions& held) {
  HeldAtEnd result;
  held.each([&](std::uint32_t value, NodeId processor, const ContributionSet&) {
    std::vector<ContributionSet>& all = result[{value, processor.value}] = held.all(value, processor);
    std::sort(all.begin() + 1, all.end());
  });
  return result;
}

bool same_held(const HeldAtEnd& a, const HeldAtEnd& b) {
  const auto has_all_of = [](const HeldAtEnd& held, const HeldAtEnd& other) {
    return std::ranges::all_of(other, [&](const auto& entry) {
      const auto found = held.find(entry.first);
      if (found != held.end()) return found->second == entry.second;
      return entry.second.size() == 1 && entry.second.front() == ContributionSet(entry.first.second);
    });
  };
  return has_all_of(a, b) && has_all_of(b, a);
}

}  // namespace quadrille
