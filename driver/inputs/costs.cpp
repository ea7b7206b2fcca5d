// Numbers with units. For example, `Ts=5us,Tc=0.1ns` gives a start of 0.000005 s and 10^-10 s for a byte.
#include "driver/inputs/costs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/text/quantity.h"

namespace quadrille::driver {
namespace {

constexpr std::array<Unit, 5> time_units{{{"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
constexpr double kibi = 1024;
constexpr std::array<Unit, 8> size_units{{{"B", 1},
                                          {"KiB", kibi},
                                          {"MiB", kibi* kibi},
                                          {"GiB", kibi* kibi* kibi},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"", 1}}};

Diagnostic mistake(std::string message) { return error_at({}, std::move(message), Code::usage); }

std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    result.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return result;
}

}  // namespace

Result<Costs> parse_costs(const std::string& text) {
  Costs costs;
  if (text.empty()) return costs;
  for (const std::string_view piece : pieces(text)) {
    const std::size_t equals = std::min(piece.find('='), piece.size());
    const std::string_view name = piece.substr(0, equals);
    double* cost = name == "Ts"   ? &costs.start
                   : name == "Th" ? &costs.hop
                   : name == "Tc" ? &costs.byte
                   : name == "To" ? &costs.overhead
                                  : nullptr;
    if (cost == nullptr) return mistake(fmt::format("--costs: `{}`; expected Ts=…, Th=…, Tc=… or To=…", piece));
    const auto value = equals < piece.size() ? quantity(piece.substr(equals + 1), time_units) : std::nullopt;
    if (!value) return mistake(fmt::format("--costs: `{}`; expected a time, such as {}=5us", piece, name));
    *cost = *value;
  }
  return costs;
}

Result<std::uint64_t> parse_size(const std::string& text) {
  constexpr double most = 1e18;
  const auto value = quantity(text, size_units);
  if (!value || *value < 1 || *value > most) {
    return mistake(fmt::format("--size: `{}`; expected a number of bytes, such as 4096, 64KiB or 1MiB", text));
  }
  return static_cast<std::uint64_t>(*value);
}

namespace {

// Appends the sizes of a piece, "64KiB" or "1KiB..1MiB". Returns what is wrong with it; nothing if nothing is.
Diagnostics append_sizes(const std::string& text, std::vector<std::uint64_t>& sizes) {
  const std::size_t dots = text.find("..");
  const Result<std::uint64_t> first = parse_size(text.substr(0, dots));
  if (!first) return first.diagnostics();
  if (dots == std::string::npos) {
    sizes.push_back(*first);
    return {};
  }
  const Result<std::uint64_t> last = parse_size(text.substr(dots + 2));
  if (!last) return last.diagnostics();
  if (*last < *first) {
    return {mistake(fmt::format("--size: `{}`; expected the smaller size first", text))};
  }
  constexpr std::uint64_t factor = 4;
  for (std::uint64_t size = *first; size < *last; size *= factor) {
    sizes.push_back(size);
    if (size > *last / factor) break;
  }
  sizes.push_back(*last);
  return {};
}

}  // namespace

Result<std::vector<std::uint64_t>> parse_sizes(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> result;
  for (const std::string& text : texts) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      if (Diagnostics wrong = append_sizes(text.substr(begin, comma - begin), result); !wrong.empty()) return wrong;
      begin = comma + 1;
    }
  }
  return result;
}

std::string time_text(const std::optional<double>& seconds) {
  if (!seconds) return "-";
  constexpr double thousand = 1000;
  double value = *seconds * 1e6;
  std::array<const char*, 3> units{"us", "ms", "s"};
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && value >= thousand; ++unit) value /= thousand;
  return fmt::format("{:.4g} {}", value, units[unit]);
}

}  // namespace quadrille::driver
