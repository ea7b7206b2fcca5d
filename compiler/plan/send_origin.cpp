// Rows do not store their origin (they would be half as large again). A serial number names the region and the send in
// it, and that region is run again.
//
// For example, for three rows by the sends 0, 5 and 5 of one region, the region is run once, and send 5 serves two
// rows. Cost: a sort of the serial numbers, and the expressions of the regions' sends.
#include "compiler/plan/send_origin.h"

#include <algorithm>
#include <numeric>

#include "compiler/plan/region_runner.h"

namespace quadrille {
namespace {

std::uint32_t region_of(SendSerial serial) { return static_cast<std::uint32_t>(serial >> 32); }

Span phase_of(const Plan& plan, std::uint32_t region) {
  const ir::Statement* outermost = plan.regions[region].outermost;
  return outermost != nullptr ? outermost->span : Span{};
}

class Origins {
 public:
  Origins(const Plan& plan, std::span<const std::optional<SendSerial>> serials)
      : plan_(plan), serials_(serials), result_(serials.size()), order_(serials.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::erase_if(order_, [&](std::size_t i) { return !serials_[i]; });
    const auto before = [&](std::size_t a, std::size_t b) { return serial(a) < serial(b); };
    if (!std::is_sorted(order_.begin(), order_.end(), before)) std::sort(order_.begin(), order_.end(), before);
  }

  std::vector<RowOrigin> all() {
    while (next_ < order_.size()) run(region_of(serial(order_[next_])));
    return std::move(result_);
  }

 private:
  SendSerial serial(std::size_t i) const { return *serials_[i]; }

  // Those of that region, which are the next ones in `order_`.
  void run(std::uint32_t region) {
    const auto end = std::find_if(order_.begin() + static_cast<std::ptrdiff_t>(next_), order_.end(),
                                  [&](std::size_t i) { return region_of(serial(i)) != region; });
    const auto behind = static_cast<std::size_t>(end - order_.begin());
    Evaluator evaluator(plan_.instance);
    RegionRunner runner(plan_, evaluator);
    SendSerial number = SendSerial{region} << 32;
    try {
      runner.run(region, [&](const ResolvedSend& send) {
        if (next_ < behind && serial(order_[next_]) == number) tell(send, region, runner, number, behind);
        ++number;
      });
    } catch (const EvaluationError&) {
      // A limit was reached: the origins that are known by then are returned.
    }
    next_ = behind;
  }

  void tell(const ResolvedSend& send, std::uint32_t region, const RegionRunner& runner, SendSerial number,
            std::size_t behind) {
    const RowOrigin origin{send.span, runner.variables(), phase_of(plan_, region)};
    for (; next_ < behind && serial(order_[next_]) == number; ++next_) result_[order_[next_]] = origin;
  }

  const Plan& plan_;
  std::span<const std::optional<SendSerial>> serials_;
  std::vector<RowOrigin> result_;
  std::vector<std::size_t> order_;  // indices of those that are known, by serial number
  std::size_t next_ = 0;            // of `order_`
};

}  // namespace

std::vector<RowOrigin> origins_of(const Plan& plan, std::span<const std::optional<SendSerial>> serials) {
  return Origins(plan, serials).all();
}

std::vector<Span> phases_of(const Plan& plan, std::span<const SendSerial> serials) {
  std::vector<Span> phases(serials.size());
  for (std::size_t i = 0; i < serials.size(); ++i) phases[i] = phase_of(plan, region_of(serials[i]));
  return phases;
}

}  // namespace quadrille
