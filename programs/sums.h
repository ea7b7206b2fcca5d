// Values as sums of ranks' contributions: which contributions, how often, and in which order they were added.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "programs/program.h"

namespace quadrille::programs {

// Identifies a value: equal numbers mean the same sum, added in the same order up to a + b = b + a.
using SumNumber = std::uint32_t;

class Sums {
 public:
  static constexpr SumNumber undefined = 0;  // a value that nobody has written

  // The value of the contribution with this number, from 0.
  SumNumber leaf(std::uint32_t number);
  SumNumber add(SumNumber a, SumNumber b);

  // A value's contributions by number, each with its multiplicity (at most 2^32 - 1; no_number stands for an
  // undefined part). Null if all of them would take more than `most` entries.
  struct Part {
    std::uint32_t number;  // no_number: undefined
    std::uint32_t times;
    bool operator==(const Part&) const = default;
  };
  static constexpr std::uint32_t no_number = 0xffffffff;
  using Parts = std::vector<Part>;
  const Parts* parts(SumNumber value, std::uint64_t most);

  // How the value was made: of a contribution, or of two others.
  struct Shown {
    SumNumber a;
    SumNumber b;
    std::uint32_t number;  // of a leaf; no_number: undefined
    bool leaf;
  };
  Shown shown(SumNumber value) const { return nodes_[value]; }

 private:
  Parts merged(const Parts& a, const Parts& b) const;

  std::vector<Shown> nodes_ = {{0, 0, no_number, true}};
  std::unordered_map<std::uint32_t, SumNumber> leaves_ = {};
  std::unordered_map<std::uint64_t, SumNumber> sums_ = {};  // by both summands, the lesser first
  std::unordered_map<SumNumber, Parts> parts_ = {};
  std::uint64_t entries_ = 0;
};

// Contributions are numbered rank by rank, `input` of each; `part` is a rank's share of the chunks, where there are
// such.
struct ContributionNumbers {
  std::uint32_t ranks = 0;
  std::uint32_t input = 0;
  std::uint32_t part = 0;
  std::uint32_t root = 0;
};
// The contributions that the collective demands in a chunk of a rank's output, by number.
Sums::Parts contributions_due(ProgramFamily family, const ContributionNumbers& numbers, std::uint32_t rank,
                              std::uint32_t chunk);
// In which way a sum is not the one that is due: "lacks input chunk 0 of rank 2". `named` gives a contribution's name.
std::string why_wrong(const Sums::Parts& parts, const Sums::Parts& due,
                      const std::function<std::string(std::uint32_t)>& named);

}  // namespace quadrille::programs
