// Numbers with units: "500ns", "25GB/s", "64KiB".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace quadrille {

struct Unit {
  std::string_view name;
  double factor;
};

// The decimal number times its unit's factor. Nothing if the text is no number that is finite and not negative with one
// of the units right behind it; a 0 needs no unit.
std::optional<double> quantity(std::string_view text, std::span<const Unit> units);

// How fast a lane of a link is, where a fabric says so. Nothing but time depends on it (model/MODEL.md, Time).
struct LinkSpeed {
  std::optional<std::uint64_t> latency;    // picoseconds
  std::optional<std::uint64_t> bandwidth;  // bytes a second, at least 1
  bool operator==(const LinkSpeed&) const = default;
};

// Latencies: ps, ns, us, ms, s. Bandwidths: kB/s, MB/s, GB/s, TB/s, kbit/s, Mbit/s, Gbit/s, Tbit/s. Factors in
// picoseconds and bytes a second.
std::span<const Unit> latency_units();
std::span<const Unit> bandwidth_units();

// Rounded to whole picoseconds, or bytes a second. Nothing if the text is none, or more than 10^18 of them; or a
// bandwidth less than 1.
std::optional<std::uint64_t> parse_latency(std::string_view text);
std::optional<std::uint64_t> parse_bandwidth(std::string_view text);

// "500ns", "12500MB/s": exact, with the largest unit of which it is a whole number.
std::string latency_text(std::uint64_t picoseconds);
std::string bandwidth_text(std::uint64_t bytes_per_second);

}  // namespace quadrille
