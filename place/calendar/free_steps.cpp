// The room that is left in a step is a binary number. The numbers of 64 steps are kept together, bit by bit: all lowest
// bits in one word, all second bits in the next, and so on. A step has room if any of these words has its bit, so 64
// steps are looked at at once. For example, a channel has 2 lanes, of which one is taken in step 3 and both in step 4:
//
//     step          0 1 2 3 4 5
//     lowest bits   0 0 0 1 0 0
//     second bits   1 1 1 0 0 1
//
// Words before the first and after the last taken step are not kept. Cost of a question: the bits of the capacity.
// Memory: these bits for each step between the first and the last that is taken.
#include "place/calendar/free_steps.h"

#include <algorithm>
#include <bit>

namespace quadrille {
namespace {

constexpr std::size_t spare = 16;  // words

}  // namespace

FreeSteps::FreeSteps(std::uint32_t capacity)
    : capacity_(capacity), planes_(static_cast<std::uint32_t>(std::bit_width(capacity))) {}

// Compared bit by bit from the highest on, as numbers are.
std::uint64_t FreeSteps::word_of_several(std::size_t begin, std::uint32_t amount) const {
  if (!ever(amount)) return 0;
  std::uint64_t more = 0;
  std::uint64_t equal = ~std::uint64_t{0};
  for (std::size_t plane = planes_; plane-- > 0;) {
    const std::uint64_t room = bits_[begin + plane];
    if ((amount >> plane & 1U) != 0) {
      equal &= room;
    } else {
      more |= equal & room;
      equal &= ~room;
    }
  }
  return more | equal;
}

void FreeSteps::take(std::uint32_t step) {
  if ((from(step) & 1U) == 0) return;
  reach(step / window);
  const std::uint64_t bit = std::uint64_t{1} << step % window;
  // One less: zeros become ones up to the lowest one, which becomes a zero.
  for (std::size_t at = std::size_t{step / window - first_word_} * planes_;; ++at) {
    bits_[at] ^= bit;
    if ((bits_[at] & bit) == 0) return;
  }
}

// Keeps the word of that number, too: as yet all of its steps have all their room.
void FreeSteps::reach(std::uint32_t number) {
  if (bits_.empty()) first_word_ = number;
  const std::size_t kept = bits_.size() / planes_;
  if (number >= first_word_ && number - first_word_ < kept) return;
  const bool before = number < first_word_;
  // Some to spare at the end, as steps are taken in about their order.
  const std::size_t more = before ? first_word_ - number : number - first_word_ + 1 - kept + std::min(kept, spare);
  if (before) {
    bits_.insert(bits_.begin(), more * planes_, 0);
    first_word_ = number;
  } else {
    bits_.resize(bits_.size() + more * planes_);
  }
  const std::size_t begin = before ? 0 : kept * planes_;
  for (std::size_t i = 0; i < more * planes_; ++i) {
    if ((capacity_ >> i % planes_ & 1U) != 0) bits_[begin + i] = ~std::uint64_t{0};
  }
}

void FreeSteps::forget_before(std::uint32_t step) {
  const std::uint32_t number = step / window;
  if (number <= first_word_ || bits_.empty()) return;
  const std::size_t gone = std::size_t{number - first_word_} * planes_;
  if (gone >= bits_.size()) return bits_.clear();
  // What is kept moves, so this is worth while only for more than that.
  if (gone < bits_.size() / 2) return;
  bits_.erase(bits_.begin(), bits_.begin() + static_cast<std::ptrdiff_t>(gone));
  first_word_ = number;
}

}  // namespace quadrille
