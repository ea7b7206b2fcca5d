// A quantity is read as a decimal number and then a unit of a list. For example, "0.5us" is 500,000 ps, which is
// written as 500ns: the largest unit of which it is a whole number. Cost: the text's length times the units.
#include "model/text/quantity.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace quadrille {
namespace {

// From small to large.
constexpr std::array<Unit, 5> latencies{{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
constexpr std::array<Unit, 17> bandwidths{{{"B/s", 1},
                                           {"kB/s", 1e3},
                                           {"MB/s", 1e6},
                                           {"GB/s", 1e9},
                                           {"TB/s", 1e12},
                                           {"kbit/s", 125},
                                           {"Mbit/s", 125e3},
                                           {"Gbit/s", 125e6},
                                           {"Tbit/s", 125e9},
                                           {"kBps", 1e3},
                                           {"MBps", 1e6},
                                           {"GBps", 1e9},
                                           {"TBps", 1e12},
                                           {"kbps", 125},
                                           {"Mbps", 125e3},
                                           {"Gbps", 125e6},
                                           {"Tbps", 125e9}}};
constexpr std::size_t byte_units = 5;  // with which bandwidths are written

std::optional<std::uint64_t> whole(std::string_view text, std::span<const Unit> units) {
  constexpr double most = 1e18;
  const auto value = quantity(text, units);
  return value && *value <= most ? std::optional(static_cast<std::uint64_t>(std::llround(*value))) : std::nullopt;
}

std::string text_of(std::uint64_t value, std::span<const Unit> units) {
  const Unit* unit = &units.front();
  for (const Unit& larger : units) {
    if (value % static_cast<std::uint64_t>(larger.factor) == 0) unit = &larger;
  }
  if (value == 0) unit = &units.front();
  return fmt::format("{}{}", value / static_cast<std::uint64_t>(unit->factor), unit->name);
}

}  // namespace

std::optional<double> quantity(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || !std::isfinite(number) || std::signbit(number)) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& unit : units) {
    if (unit.name == rest) return number * unit.factor;
  }
  return rest.empty() && number == 0 ? std::optional(0.0) : std::nullopt;
}

std::span<const Unit> latency_units() { return latencies; }
std::span<const Unit> bandwidth_units() { return bandwidths; }

std::optional<std::uint64_t> parse_latency(std::string_view text) { return whole(text, latencies); }

std::optional<std::uint64_t> parse_bandwidth(std::string_view text) {
  const auto value = whole(text, bandwidths);
  return value && *value >= 1 ? value : std::nullopt;
}

std::string latency_text(std::uint64_t picoseconds) { return text_of(picoseconds, latencies); }

std::string bandwidth_text(std::uint64_t bytes_per_second) {
  return text_of(bytes_per_second, std::span(bandwidths).first(byte_units));
}

}  // namespace quadrille
