// Numbers of leaves and of copies are all powers of two, and are written as their exponents: `size` 5 is 32 leaves.
#include "tests/reference/ideal_counts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>

namespace quadrille::reference {
namespace {

using Exponent = std::uint64_t;

Exponent logarithm(std::uint64_t x) { return static_cast<Exponent>(std::bit_width(x)) - 1; }

// One tree, with capacities rounded down to powers of two.
class Tree {
 public:
  explicit Tree(const std::vector<Exponent>& lanes) : levels_(lanes.size()) {
    for (Exponent size = 0; size < levels_; ++size) {
      const Exponent most = size == 0 ? 0 : lanes_[size - 1] + 1;
      lanes_.push_back(std::min(lanes[size], most));
    }
  }

  Exponent copies(Exponent size) const {
    return size == levels_ ? lanes_[size - 1] + 1 : std::max<Exponent>(lanes_[size], 1);
  }
  // The smallest subtree with so many lanes.
  Exponent smallest(Exponent lanes) const {
    return static_cast<Exponent>(std::lower_bound(lanes_.begin(), lanes_.end(), lanes) - lanes_.begin());
  }
  std::uint64_t sparse(Exponent size) {
    const Exponent r = copies(size);
    if (r == 1) return 2 * size;
    if (const auto known = sparse_.find(size); known != sparse_.end()) return known->second;
    const Exponent first = r / 2;
    const Exponent second = r - first;
    const Exponent last = size - first;  // those who have a copy stand at the right places already, or spread them
    const std::uint64_t spread = 2 * size + (smallest(second) == last ? 0 : 2 * last);
    return sparse_[size] = sparse(smallest(first)) + sparse(smallest(second)) + spread;
  }
  std::uint64_t whole(Exponent size) { return size == 0 ? 0 : sparse(size) + whole(size - copies(size)); }
  // One after another, each at its time, farthest first.
  std::uint64_t pipelined(Exponent size) {
    if (size == 0) return 0;
    const Exponent below = size - copies(size);
    const Exponent burst = std::min(logarithm(size), below);
    std::uint64_t last = 0;
    for (std::uint64_t j = (1U << burst) - 1, step = 1; j > 0; --j, ++step) {
      const Exponent height = below - burst + logarithm(j) + 1;
      last = std::max(last, step + 2 * height - 1);
    }
    return sparse(size) + last + pipelined(below - burst);
  }

 private:
  Exponent levels_;
  std::vector<Exponent> lanes_;
  std::map<Exponent, std::uint64_t> sparse_;
};

Tree tree_of(const Capacities& capacities) {
  std::vector<Exponent> lanes;
  for (const std::uint64_t w : capacities) lanes.push_back(logarithm(w));
  return Tree(lanes);
}

Tree tree_of(const CapacityFamily& family, std::uint64_t levels) {
  std::vector<Exponent> lanes;
  for (Exponent k = 0; k < levels; ++k) lanes.push_back(std::max(family.exponent(k), k == 0 ? 0 : lanes.back()));
  return Tree(lanes);
}

constexpr double alpha = 1.6;

// An empty subtree is not full before so many steps more.
std::uint64_t empty(const Capacities& capacities, Exponent size) {
  if (size == 0) return 1;
  Exponent d = 0;
  // 2^d > w·(size - d), without the product, which may be too large.
  while (d < size && ((std::uint64_t{1} << d) - 1) / (size - d) < capacities[size]) ++d;
  return size + empty(capacities, size - d);
}

std::uint64_t stated(const Capacities& capacities, Exponent size) {
  if (size <= 1) return 0;
  const auto w = static_cast<double>(capacities[size - 1]);
  const double subtrees = w * std::log2(alpha * std::exp2(static_cast<double>(size - 1)) / w);
  const auto d = static_cast<Exponent>(std::ceil(std::log2(subtrees)));
  return size - 1 + stated(capacities, size - 1 - std::min(d, size - 1));
}

// The largest e with 2^(e^2) <= 2^k and the like: of numbers this small a loop will do.
std::uint64_t root(std::uint64_t k) {
  std::uint64_t e = 0;
  while ((e + 1) * (e + 1) <= k) ++e;
  return e;
}

// log n / log log n
std::uint64_t quotient(std::uint64_t k) {
  const auto size = static_cast<double>(k);
  return k < 3 ? k : static_cast<Exponent>(size / std::log2(size));
}

}  // namespace

const std::vector<CapacityFamily>& capacity_families() {
  static const std::vector<CapacityFamily> families = {
      {"1", [](std::uint64_t) { return std::uint64_t{1}; }, [](std::uint64_t) { return Exponent{0}; }},
      {"4, at most n", [](std::uint64_t k) { return std::uint64_t{1} << std::min<std::uint64_t>(k, 2); }},
      {"log n + 1", [](std::uint64_t k) { return k + 1; }, [](std::uint64_t k) { return logarithm(k + 1); }},
      {"log² n, at most n",
       [](std::uint64_t k) { return std::min(std::max<std::uint64_t>(k * k, 1), std::uint64_t{1} << k); }},
      {"2^⌊√log n⌋", [](std::uint64_t k) { return std::uint64_t{1} << root(k); }, root},
      {"n^(1/log log n)", [](std::uint64_t k) { return std::uint64_t{1} << quotient(k); }, quotient},
      {"2^⌊(log n)/2⌋", [](std::uint64_t k) { return std::uint64_t{1} << (k / 2); },
       [](std::uint64_t k) { return k / 2; }},
      {"⌊√n⌋", [](std::uint64_t k) { return root(std::uint64_t{1} << k); }},
      {"2^⌊2(log n)/3⌋", [](std::uint64_t k) { return std::uint64_t{1} << (2 * k / 3); }},
      {"n", [](std::uint64_t k) { return std::uint64_t{1} << k; }, [](std::uint64_t k) { return k; }},
  };
  return families;
}

// What a formula rounded down may break: w(n) <= w(2n) <= 2w(n).
const CapacityFamily& capacity_family(const std::string& name) {
  const auto& all = capacity_families();
  const auto found = std::find_if(all.begin(), all.end(), [&](const CapacityFamily& it) { return it.name == name; });
  if (found == all.end()) throw std::logic_error("no family " + name);
  return *found;
}

Capacities capacities_of(const std::string& family, std::uint64_t levels) {
  return capacities_of(capacity_family(family), levels);
}

Capacities capacities_of(const CapacityFamily& family, std::uint64_t levels) {
  Capacities result;
  for (std::uint64_t k = 0; k < levels; ++k) {
    const std::uint64_t w = family.of(k);
    result.push_back(result.empty() ? 1 : std::clamp(w, result.back(), 2 * result.back()));
  }
  return result;
}

std::string listed(const Capacities& capacities) { return fmt::format("{}", fmt::join(capacities, ",")); }

std::uint64_t broadcast_steps(const Capacities& capacities) { return tree_of(capacities).whole(capacities.size()); }

std::uint64_t pipelined_steps(const Capacities& capacities) { return tree_of(capacities).pipelined(capacities.size()); }

std::uint64_t broadcast_steps(const CapacityFamily& family, std::uint64_t levels) {
  return tree_of(family, levels).whole(levels);
}

std::uint64_t pipelined_steps(const CapacityFamily& family, std::uint64_t levels) {
  return tree_of(family, levels).pipelined(levels);
}

namespace {

// Copies that fill a half of 2^(height - 1) leaves by the given step, when the subtrees of less height take `known`
// steps; more than `step` if none do.
std::uint64_t copies_by(std::uint64_t step, std::uint64_t height, const std::vector<std::uint64_t>& known) {
  std::uint64_t copies = 0;
  for (double left = std::exp2(static_cast<double>(height - 1)); left > 0; ++copies) {
    const std::uint64_t arrives = 2 * height + copies;
    if (arrives > step) return step + 1;
    std::uint64_t filled = 0;
    while (filled + 1 < known.size() && known[filled + 1] + arrives <= step &&
           std::exp2(static_cast<double>(filled + 1)) <= left)
      ++filled;
    left -= std::exp2(static_cast<double>(filled));
  }
  return copies;
}

}  // namespace

std::vector<std::uint64_t> burst_steps(std::uint64_t levels) {
  std::vector<std::uint64_t> known{0};
  for (std::uint64_t height = 1; height <= levels; ++height) {
    std::uint64_t steps = known.back() + 1;
    while (copies_by(steps, height, known) + known.back() > steps) ++steps;
    known.push_back(steps);
  }
  return known;
}

std::uint64_t theorem_2(const Capacities& capacities) { return stated(capacities, capacities.size()); }

std::uint64_t counting_bound(const Capacities& capacities) {
  return capacities.size() + empty(capacities, capacities.size() - 1);
}

double theorem_3(const Capacities& capacities) {
  const auto size = static_cast<double>(capacities.size());
  double sum = 0;
  for (std::uint64_t i = 0; static_cast<double>(i) <= std::log2(size) - 1; ++i) {
    const double w = static_cast<double>(capacities[std::uint64_t{1} << i]);
    sum += std::exp2(static_cast<double>(i)) / std::log2(w + 1);
  }
  return size / 2 * sum;
}

}  // namespace quadrille::reference
