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

// The decimal number times its unit's factor. Nothing unless the text is a finite number, not negative, followed
// directly by one of the units; a 0 needs no unit.
std::optional<double> quantity(std::string_view text, std::span<const Unit> units);

// The speed of a link's lane, if a fabric states it. Only times depend on it (model/MODEL.md, Time).
struct LinkSpeed {
  std::optional<std::uint64_t> latency;    // picoseconds
  std::optional<std::uint64_t> bandwidth;  // bytes a second, at least 1
  bool operator==(const LinkSpeed&) const = default;
};

// Latencies: ps, ns, us, ms, s. Bandwidths: kB/s, MB/s, GB/s, TB/s, kbit/s, Mbit/s, Gbit/s, Tbit/s. Factors in
// picoseconds and bytes a second.
std::span<const Unit> latency_units();
std::span<const Unit> bandwidth_units();

// The value, rounded to whole picoseconds, or bytes a second. Nothing if the text is no such quantity, if it is more
// than 10^18 of them, or if a bandwidth is less than 1.
std::optional<std::uint64_t> parse_latency(std::string_view text);
std::optional<std::uint64_t> parse_bandwidth(std::string_view text);

// For example "500ns", "12500MB/s": exact, with the largest unit of which it is an integer multiple.
std::string latency_text(std::uint64_t picoseconds);
std::string bandwidth_text(std::uint64_t bytes_per_second);

}  // namespace quadrille
