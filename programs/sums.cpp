// Sums are kept once each, with the lesser summand first. So a + b and b + a are the same number, and (a + b) + c and
// a + (b + c) are not. The contributions of a sum are computed on request, from its summands.
#include "programs/sums.h"

#include <fmt/format.h>

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
    const Shown node = nodes_[it];
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

Sums::Parts contributions_due(ProgramFamily family, const ContributionNumbers& numbers, std::uint32_t rank,
                              std::uint32_t chunk) {
  const auto [ranks, input, part, root] = numbers;
  Sums::Parts result;
  switch (family) {
    case ProgramFamily::allreduce:
    case ProgramFamily::reduce:
      for (std::uint32_t r = 0; r < ranks; ++r) result.push_back({r * input + chunk, 1});
      break;
    case ProgramFamily::reducescatter:
      for (std::uint32_t r = 0; r < ranks; ++r) result.push_back({r * input + rank * part + chunk, 1});
      break;
    case ProgramFamily::allgather:
      result.push_back({chunk, 1});  // part by part, as the ranks have them
      break;
    case ProgramFamily::alltoall:
      result.push_back({chunk / part * input + rank * part + chunk % part, 1});
      break;
    case ProgramFamily::broadcast:
    case ProgramFamily::other:
      result.push_back({root * input + chunk, 1});
      break;
  }
  return result;
}

std::string why_wrong(const Sums::Parts& parts, const Sums::Parts& due,
                      const std::function<std::string(std::uint32_t)>& named) {
  if (parts.size() == 1 && parts[0].number == Sums::no_number) return "is never written";
  for (const Sums::Part& part : parts) {
    if (part.number == Sums::no_number) return "is made of a chunk that no one has written";
    const bool wanted =
        std::any_of(due.begin(), due.end(), [&](const Sums::Part& each) { return each.number == part.number; });
    if (wanted && part.times > 1) return fmt::format("contains {} {} times", named(part.number), part.times);
    if (!wanted && due.size() == 1 && parts.size() == 1)
      return fmt::format("is {}, and should be {}", named(part.number), named(due[0].number));
    if (!wanted) return fmt::format("contains {}, which is not due", named(part.number));
  }
  for (const Sums::Part& each : due) {
    if (std::find(parts.begin(), parts.end(), each) == parts.end()) return fmt::format("lacks {}", named(each.number));
  }
  return "is wrong";
}

}  // namespace quadrille::programs
