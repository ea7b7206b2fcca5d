// Link use over time: a strip for each group of channels, as high as it is full; below them a strip for each level of
// switches, as high as the longest queue.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "pages/concerned.h"
#include "pages/figures.h"
#include "pages/sheet.h"

namespace quadrille::pages {
namespace {

constexpr double strip_height = 26;
constexpr double strip_width = column_width - 2 * margin;

// Numbers over spans of steps; `full` is the strip's height.
struct Strip {
  std::string name;
  std::vector<double> values;
  double full = 1;
  std::string_view colour;
};

std::vector<double> shares(const driver::GroupUse& use, const driver::TableUse& table) {
  std::vector<double> values;
  for (std::size_t i = 0; i < use.over_time.size(); ++i) {
    values.push_back(static_cast<double>(use.over_time[i]) /
                     static_cast<double>(std::max<std::uint64_t>(use.lanes * table.turns[i], 1)));
  }
  return values;
}

void draw(Sheet& sheet, const Strip& strip) {
  sheet.write(strip.name);
  const double base = sheet.top() + 2 + strip_height;
  const double width = strip_width / static_cast<double>(strip.values.size());
  std::vector<Point> outline{{margin, base}};
  for (std::size_t i = 0; i < strip.values.size(); ++i) {
    const double height = base - strip_height * std::min(strip.values[i] / strip.full, 1.0);
    outline.push_back({margin + width * static_cast<double>(i), height});
    outline.push_back({margin + width * static_cast<double>(i + 1), height});
  }
  outline.push_back({margin + strip_width, base});
  sheet.svg().rectangle({margin, base - strip_height}, strip_width, strip_height, "#F4F4F4");
  sheet.svg().polygon(outline, strip.colour);
  sheet.skip(strip_height + 4);
}

void draw_groups(Sheet& sheet, const driver::TableUse& use) {
  for (const driver::GroupUse& group : use.groups) {
    Strip strip{"", shares(group, use), 1, colours::series[0]};
    for (const double value : strip.values) strip.full = std::max(strip.full, value);
    const auto turns = std::accumulate(use.turns.begin(), use.turns.end(), std::uint64_t{0});
    const double whole = static_cast<double>(group.lanes) * static_cast<double>(turns);
    const double share = whole > 0 ? 100 * static_cast<double>(group.rows) / whole : 0;
    strip.name = fmt::format("{}: {}% of {} lanes", group.group.name, number(std::round(share * 10) / 10), group.lanes);
    if (strip.full > 1) strip.name += fmt::format("; full height is {}%", number(std::round(strip.full * 100)));
    draw(sheet, strip);
  }
}

void draw_queues(Sheet& sheet, const driver::TableUse& use) {
  std::uint64_t longest = 1;
  for (const driver::LevelQueue& queue : use.queues) longest = std::max(longest, queue.largest);
  if (use.queues.empty()) return;
  if (std::ranges::all_of(use.queues, [](const auto& queue) { return queue.largest == 0; })) {
    return sheet.write("No packet waits in a switch.");
  }
  sheet.write(fmt::format("Packets that wait in one switch (full height: {})", longest), colours::text, true);
  for (const driver::LevelQueue& queue : use.queues) {
    draw(sheet, {fmt::format("switches of level {}: {}", queue.level, queue.largest),
                 {queue.over_time.begin(), queue.over_time.end()},
                 static_cast<double>(longest),
                 colours::series[1]});
  }
}

}  // namespace

std::string use_figure(const CheckedTable& table) {
  const std::string unit = table.outcome.table.fabric.in_rounds() ? "round" : "step";
  Sheet sheet(column_width);
  sheet.write(title_of(table.outcome.table), colours::text, true);
  sheet.write(fmt::format("Share of lanes in use, {}s 1 to {}", unit, table.use.steps));
  draw_groups(sheet, table.use);
  draw_queues(sheet, table.use);
  if (table.use.steps_per_span > 1)
    sheet.write(fmt::format("A point stands for {} {}s.", table.use.steps_per_span, unit));
  write_verdict(sheet, table);
  return sheet.finished(title_of(table.outcome.table));
}

}  // namespace quadrille::pages
