// Cube-connected cycles, d even. All corners' rings are joined by faces. The face of dimensions i, j = i + 1 at corner
// w has the corners w, w xor 2^i, w xor 2^j and w xor 2^i xor 2^j. Remove the link i -- j of their four rings, and add
// the four links of the hypercube: four cycles become one. Read corners as numbers of d/2 digits of base 4, digit p
// being the dimensions 2p and 2p + 1. The faces of digit p at all corners whose lower digits are 0 join all corners, as
// in a tree; no two of one corner share a dimension. So each of (2^d - 1)/3 faces joins four cycles that were apart.
//
// d odd. The same with the dimensions 0 … d - 4 leaves eight cycles. Call the last three dimensions 0, 1 and 2. Gray's
// code 1 0 1 2 1 0 1 2 goes through the eight corners that differ in these, and each corner is come to, or left, by
// dimension 1 and by x = 0 or 2. Remove the link 1 -- x of its ring, and add its links of these two dimensions.
//
// Wrapped butterflies: from row w of level i to row w xor 2^i if the bits of w below i are 0, else straight on. Level
// by level, this exchanges the ends of two rows that were apart: first 2^(d-1) pairs, then half as many, …
//
// De Bruijn's graphs: the windows of a de Bruijn sequence, which is the Lyndon words whose length divides the number of
// digits, in order (Fredricksen, Maiorana, 1978). Words of 3 binary digits: 0 001 011 1, so 000 001 010 101 011 111 …
//
// k-ary n-cubes: products of rings. Cost of each: linear in the processors.
#include "verifier/search/known_cycles.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace quadrille::searching {
namespace {

std::uint32_t bit(std::uint32_t i) { return std::uint32_t{1} << i; }

// Cube-connected cycles of d dimensions, and a set of cycles through them.
class Corners {
 public:
  explicit Corners(std::uint32_t d) : d_(d), beside_(d * bit(d)) {
    for (std::uint32_t w = 0; w < bit(d); ++w) {
      for (std::uint32_t i = 0; i < d; ++i) beside_[at(w, i)] = {at(w, (i + d - 1) % d), at(w, (i + 1) % d)};
    }
  }

  std::uint32_t at(std::uint32_t w, std::uint32_t i) const { return w * d_ + i; }

  // Exchanges the link i -- j of one ring for the links of the hypercube there. Whoever calls this does so at the other
  // ends of these, too.
  void leave_ring(std::uint32_t w, std::uint32_t i, std::uint32_t j) {
    exchange(at(w, i), at(w, j), at(w ^ bit(i), i));
    exchange(at(w, j), at(w, i), at(w ^ bit(j), j));
  }

  // The cycle through processor 0.
  Cycle cycle() const {
    Cycle result;
    std::uint32_t before = beside_[0][0];
    std::uint32_t now = 0;
    do {
      result.push_back(now);
      before = std::exchange(now, beside_[now][0] == before ? beside_[now][1] : beside_[now][0]);
    } while (now != 0);
    return result;
  }

 private:
  void exchange(std::uint32_t node, std::uint32_t old, std::uint32_t now) {
    *std::ranges::find(beside_[node], old) = now;
  }

  std::uint32_t d_;
  std::vector<std::array<std::uint32_t, 2>> beside_;  // by node: the two beside it in its cycle
};

Cycle cube_connected_cycles(std::uint32_t d) {
  Corners corners(d);
  const std::uint32_t paired = d % 2 == 0 ? d : d - 3;
  for (std::uint32_t i = 0; i < paired; i += 2) {
    for (std::uint32_t corner = 0; corner < bit(d); corner += bit(i + 2)) {
      for (std::uint32_t of_face = 0; of_face < 4; ++of_face) corners.leave_ring(corner + of_face * bit(i), i, i + 1);
    }
  }
  if (d % 2 == 0) return corners.cycle();
  std::uint32_t corner = 0;
  std::uint32_t in = 2;
  for (const std::uint32_t out : {1U, 0U, 1U, 2U, 1U, 0U, 1U, 2U}) {
    corners.leave_ring(corner, paired + 1, paired + in + out - 1);
    corner ^= bit(paired + out);
    in = out;
  }
  return corners.cycle();
}

Cycle wrapped_butterfly(std::uint32_t d) {
  Cycle cycle;
  std::uint32_t w = 0;
  do {
    for (std::uint32_t i = 0; i < d; ++i) {
      cycle.push_back(w * d + i);
      if (w % bit(i) == 0) w ^= bit(i);
    }
  } while (w != 0 && cycle.size() < std::size_t{d} * bit(d));
  return cycle;
}

// The digits of a de Bruijn sequence of words of so many digits.
std::vector<std::uint32_t> de_bruijn_sequence(std::uint32_t base, std::uint32_t digits) {
  std::vector<std::uint32_t> sequence;
  std::vector<std::uint32_t> word = {0};  // a Lyndon word, then the next one in order
  while (!word.empty()) {
    if (digits % word.size() == 0) sequence.insert(sequence.end(), word.begin(), word.end());
    const std::size_t period = word.size();
    while (word.size() < digits) word.push_back(word[word.size() - period]);
    while (!word.empty() && word.back() == base - 1) word.pop_back();
    if (!word.empty()) ++word.back();
  }
  return sequence;
}

Cycle de_bruijn(std::uint32_t base, std::uint32_t digits, std::uint32_t processors) {
  const std::vector<std::uint32_t> sequence = de_bruijn_sequence(base, digits);
  Cycle cycle;
  std::uint32_t window = 0;  // the sequence begins with so many zeros
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    cycle.push_back(window);
    window = static_cast<std::uint32_t>((std::uint64_t{window} * base + sequence[(i + digits) % sequence.size()]) %
                                        processors);
  }
  return cycle;
}

Cycle k_ary_cube(std::uint32_t k, std::uint32_t dimensions) {
  Cycle ring(k);
  std::iota(ring.begin(), ring.end(), 0U);
  Cycle cycle = ring;
  for (std::uint32_t i = 1; i < dimensions; ++i) cycle = product_of_cycles(cycle, ring);
  return cycle;
}

}  // namespace

std::optional<Cycle> known_cycle(std::uint32_t processors, const std::function<bool(const Cycle&)>& fits) {
  for (std::uint32_t d = 3; d < 27; ++d) {
    if (std::uint64_t{d} << d != processors) continue;
    for (const auto family : {cube_connected_cycles, wrapped_butterfly}) {
      if (Cycle cycle = family(d); fits(cycle)) return cycle;
    }
  }
  for (std::uint32_t k = 2; std::uint64_t{k} * k <= processors; ++k) {
    std::uint32_t dimensions = 0;
    std::uint64_t power = 1;
    for (; power < processors; ++dimensions) power *= k;
    if (power != processors) continue;
    if (Cycle cycle = k_ary_cube(k, dimensions); fits(cycle)) return cycle;
    if (Cycle cycle = de_bruijn(k, dimensions, processors); fits(cycle)) return cycle;
  }
  return std::nullopt;
}

}  // namespace quadrille::searching
