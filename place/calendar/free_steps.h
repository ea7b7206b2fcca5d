// FreeSteps: the steps in which one resource (a channel's lanes, a port) has room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadrille {

class FreeSteps {
 public:
  static constexpr std::uint32_t window = 64;  // steps that are looked at together

  // As many packets as `capacity` (at least 1) find room in each step.
  explicit FreeSteps(std::uint32_t capacity);

  // Bit i: whether there is room for so many in step + i.
  std::uint64_t from(std::uint32_t step, std::uint32_t amount = 1) const {
    const std::uint32_t shift = step % window;
    const std::uint64_t low = word(step / window, amount) >> shift;
    return shift == 0 ? low : low | word(step / window + 1, amount) << (window - shift);
  }
  bool ever(std::uint32_t amount) const { return amount <= capacity_; }

  // One packet less finds room in that step, if any does.
  void take(std::uint32_t step);

  // The caller asks for no earlier step, and takes none, from now on.
  void forget_before(std::uint32_t step);

 private:
  // Bit i: whether there is room in step number * window + i.
  std::uint64_t word(std::uint32_t number, std::uint32_t amount) const {
    const std::size_t begin = std::size_t{number - first_word_} * planes_;  // beyond the end for those before the first
    if (begin >= bits_.size()) return ever(amount) ? ~std::uint64_t{0} : 0;
    if (amount > 1) return word_of_several(begin, amount);
    std::uint64_t any = 0;
    for (std::size_t plane = 0; plane < planes_; ++plane) any |= bits_[begin + plane];
    return any;
  }
  std::uint64_t word_of_several(std::size_t begin, std::uint32_t amount) const;
  void reach(std::uint32_t number);

  std::uint32_t capacity_;
  std::uint32_t planes_;          // bits of a room count
  std::uint32_t first_word_ = 0;  // the number of the first that is kept
  std::vector<std::uint64_t> bits_;
};

}  // namespace quadrille
