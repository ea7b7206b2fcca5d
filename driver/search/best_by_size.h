// The choice that takes the least time, by the size of a message: "up to 256 KiB: …; up to 8 MiB: …; above: …".
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace quadrille::driver {

// The seconds of a choice for a message, linear in its bytes.
struct LinearTime {
  double fixed = 0;
  double per_byte = 0;
  double of(double bytes) const { return fixed + per_byte * bytes; }
};

// For messages of more than `above` bytes, and of no more than `up_to`: the choice of that number.
struct BestInRange {
  std::uint64_t above = 0;
  std::optional<std::uint64_t> up_to = {};  // nothing: of any size above
  std::size_t choice = 0;
};

// A size in bytes, and the number of the choice that is best there.
struct BestAt {
  std::uint64_t size;
  std::size_t choice;
};

// The ranges follow one another, from 0 on, and the last has no end; neighbours have different choices. At each of the
// sizes the choice is the one that is given there; between two of them it is the least of all choices, up to a
// threshold that is rounded by less than a sixteenth. Empty without sizes. Requires a time for each choice.
std::vector<BestInRange> best_by_size(std::vector<BestAt> best, const std::vector<LinearTime>& times);

}  // namespace quadrille::driver
