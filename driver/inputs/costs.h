// The costs of messages: a start, a hop and a byte, in seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/text/result.h"

namespace quadrille::driver {

// T_s, T_h, T_c and T_o of model/MODEL.md, Time; T_c is for a byte. The defaults are those of one cluster: 5 µs, 0, and
// 10 GB/s; T_s has what a processor does for a message.
struct Costs {
  double start = 5e-6;
  double hop = 0;
  double byte = 1e-10;
  double overhead = 0;

  // The time for so many rounds, hops and chunks one after another, in seconds. Chunks may be a fraction of one.
  double time(std::uint64_t rounds, std::uint64_t hops, double chunks, double bytes_per_chunk) const {
    return static_cast<double>(rounds) * start + static_cast<double>(hops) * hop + chunks * bytes_per_chunk * byte;
  }
};

// Reads "Ts=5us,Th=0,Tc=0.1ns"; omitted costs have their defaults. Units: s, ms, us, ns, ps; 0 needs none.
Result<Costs> parse_costs(const std::string& text);

// Reads "4096", "64KiB", "1MiB": bytes, at least 1. Units: KiB, MiB, GiB, or kB, MB, GB.
Result<std::uint64_t> parse_size(const std::string& text);

// Reads several sizes; each text may be a list with commas. "1KiB..1MiB" is 1 KiB, 4 KiB, 16 KiB and so on, and 1 MiB.
Result<std::vector<std::uint64_t>> parse_sizes(const std::vector<std::string>& texts);

// "12.3 us", "1.5 ms"; "-" of nothing.
std::string time_text(const std::optional<double>& seconds);

}  // namespace quadrille::driver
