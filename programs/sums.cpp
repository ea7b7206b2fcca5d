// Sums are kept once each, with the lesser summand first. So a + b and b + a are the same number, and (a + b) + c and
// a + (b + c) are not. The contributions of a sum are computed on request, from its summands.
#include "programs/sums.h"

#include <algorithm>
#include <limits>

namespace quadrille::programs {

SumNumber Sums::leaf(std::uint32_t number) {
  const auto [it, fresh] = leaves_.try_emplace(number, static_cast<SumNumber>(nodes_.size()));
  if (fresh) nodes_.push_back({0, 0, number, true});
  return it->second;
}

SumNumber Sums::add(SumNumber a, SumNumber b) {
  if (a > b) std::swap(a, b);
  const std::uint64_t key = (std::uint64_t{a} << 32) | b;
  const auto [it, fresh] = sums_.try_emplace(key, static_cast<SumNumber>(nodes_.size()));
  if (fresh) nodes_.push_back({a, b, 0, false});
  return it->second;
}

Sums::Parts Sums::merged(const Parts& a, const Parts& b) const {
  Parts result;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (j == b.size() || (i < a.size() && a[i].number < b[j].number)) {
      result.push_back(a[i++]);
    } else if (i == a.size() || b[j].number < a[i].number) {
      result.push_back(b[j++]);
    } else {
      const std::uint64_t times = std::uint64_t{a[i].times} + b[j].times;
      const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
      result.push_back({a[i].number, static_cast<std::uint32_t>(std::min(times, most))});
      ++i;
      ++j;
    }
  }
  return result;
}

const Sums::Parts* Sums::parts(SumNumber value, std::uint64_t most) {
  std::vector<SumNumber> open = {value};
  while (!open.empty()) {
    const SumNumber it = open.back();
    const Node node = nodes_[it];
    if (parts_.contains(it)) {
      open.pop_back();
      continue;
    }
    if (node.leaf) {
      parts_[it] = {{node.number, 1}};
      ++entries_;
      continue;
    }
    const bool has_a = parts_.contains(node.a);
    const bool has_b = parts_.contains(node.b);
    if (!has_a) open.push_back(node.a);
    if (!has_b) open.push_back(node.b);
    if (!has_a || !has_b) continue;
    Parts both = merged(parts_[node.a], parts_[node.b]);
    entries_ += both.size();
    if (entries_ > most) return nullptr;
    parts_[it] = std::move(both);
  }
  return &parts_[value];
}

}  // namespace quadrille::programs
