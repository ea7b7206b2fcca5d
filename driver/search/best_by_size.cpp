// Between two sizes with different choices, the lines of these cross. If another choice takes less there, it stands
// between them, and so on: the lower envelope of the lines.
//
// For example, with 2 + s from s = 1 on and 10 + s/4 at s = 100, the lines cross at 10 2/3; a third choice of 5 + s/2
// takes less there, and so the ranges end at 6 and 20. Cost: the choices, for each range.
#include "driver/search/best_by_size.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace quadrille::driver {
namespace {

class RangesAtWork {
 public:
  explicit RangesAtWork(const std::vector<LinearTime>& times) : times_(times) {}

  std::vector<BestInRange> run(const std::vector<BestAt>& best) {
    for (std::size_t i = 0; i + 1 < best.size(); ++i) add_between(best[i], best[i + 1], times_.size());
    add(best.back().choice, std::nullopt);
    return std::move(ranges_);
  }

 private:
  // Adds the ranges that end between the two sizes: at most one for each choice.
  void add_between(const BestAt& low, const BestAt& high, std::size_t most) {
    if (low.choice == high.choice) return;
    const double at = crossing(low, high);
    const std::size_t least = least_at(at);
    constexpr double alike = 1 - 1e-9;
    if (most > 0 && times_[least].of(at) < alike * std::min(times_[low.choice].of(at), times_[high.choice].of(at))) {
      const BestAt between{std::max(rounded(at), low.size), least};
      add_between(low, between, most - 1);
      add_between(between, high, most - 1);
    } else {
      add(low.choice, std::clamp(rounded(at), low.size, std::max(low.size, high.size - 1)));
    }
  }

  // Where the one that is best at the higher size begins to be so.
  double crossing(const BestAt& low, const BestAt& high) const {
    const LinearTime& first = times_[low.choice];
    const LinearTime& second = times_[high.choice];
    const auto from = static_cast<double>(low.size);
    const double gained = first.per_byte - second.per_byte;
    if (gained <= 0) return from;
    return std::clamp((second.fixed - first.fixed) / gained, from, static_cast<double>(high.size));
  }

  std::size_t least_at(double bytes) const {
    const auto time = [&](const LinearTime& it) { return it.of(bytes); };
    return static_cast<std::size_t>(std::ranges::min_element(times_, {}, time) - times_.begin());
  }

  // "300 KiB" rather than "307193 bytes".
  static std::uint64_t rounded(double bytes) {
    constexpr int kept_bits = 5;
    const auto whole = static_cast<std::uint64_t>(bytes);
    const int dropped = std::max(static_cast<int>(std::bit_width(whole)) - kept_bits, 0);
    return whole >> dropped << dropped;
  }

  void add(std::size_t choice, std::optional<std::uint64_t> up_to) {
    const std::uint64_t above = ranges_.empty() ? 0 : *ranges_.back().up_to;
    if (!ranges_.empty() && ranges_.back().choice == choice) {
      ranges_.back().up_to = up_to;
    } else if (!up_to || *up_to > above) {
      ranges_.push_back({above, up_to, choice});
    }
  }

  const std::vector<LinearTime>& times_;
  std::vector<BestInRange> ranges_;
};

}  // namespace

std::vector<BestInRange> best_by_size(std::vector<BestAt> best, const std::vector<LinearTime>& times) {
  if (best.empty()) return {};
  std::ranges::stable_sort(best, {}, &BestAt::size);
  return RangesAtWork(times).run(best);
}

}  // namespace quadrille::driver
