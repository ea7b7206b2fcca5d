// The schedules that ship with the program.
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "dsl/load.h"
#include "dsl/shipped.h"

namespace quadrille {
namespace {

// The first line, if it is a comment, without its `//` and blanks.
std::string_view summary_of(std::string_view text) {
  if (!text.starts_with("//")) return {};
  std::string_view line = text.substr(2, std::min(text.find('\n'), text.size()) - 2);
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::vector<ShippedSchedule> list_schedules() {
  std::vector<ShippedSchedule> schedules;
  for (const ShippedText& shipped : shipped_texts()) {
    schedules.push_back({shipped.name, summary_of(shipped.text), shipped.text});
  }
  std::sort(schedules.begin(), schedules.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return schedules;
}

}  // namespace

const std::vector<ShippedSchedule>& shipped_schedules() {
  static const std::vector<ShippedSchedule> schedules = list_schedules();
  return schedules;
}

std::optional<ShippedSchedule> shipped_schedule(std::string_view name) {
  for (const ShippedSchedule& schedule : shipped_schedules()) {
    if (schedule.name == name) return schedule;
  }
  return std::nullopt;
}

}  // namespace quadrille
