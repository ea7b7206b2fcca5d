// One scale for all panels, so that they can be compared: x from the least to the greatest, y from 1 to the greatest. A
// single panel fits a column. Curves that are more than there are colours are dashed. Curves that coincide are drawn
// side by side: points over the same x that are less than a line apart are moved up and down until they are not.
//
// Example: at heights 50, 50 and 51 three points go to 47.7, 50.3 and 52.9.
#include "pages/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "pages/sheet.h"
#include "pages/svg.h"

namespace quadrille::pages {
namespace {

constexpr double left_margin = 46;
constexpr double panel_width = column_width - left_margin - 20;
constexpr double panel_height = 180;
constexpr double below = 34;  // numbers of the x axis, and the next panel's title
constexpr std::size_t most_panels_side_by_side = 3;
constexpr std::size_t few_points = 40;  // which are marked, each
constexpr double line_width = 2;
constexpr double side_by_side = 2.6;  // centres of lines side by side

struct Scale {
  double least_x = 1e300;
  double most_x = 2;
  double most_y = 2;

  double x(double value) const { return panel_width * std::log(value / least_x) / std::log(most_x / least_x); }
  double y(double value) const { return panel_height * (1 - std::log(std::max(value, 1.0)) / std::log(most_y)); }
};

Scale scale_of(const std::vector<Panel>& panels) {
  Scale scale;
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) {
      for (const auto& [x, y] : curve.points) {
        scale.least_x = std::min(scale.least_x, x);
        scale.most_x = std::max(scale.most_x, x);
        scale.most_y = std::max(scale.most_y, y);
      }
    }
  }
  scale.least_x = std::min(scale.least_x, scale.most_x / 2);
  return scale;
}

// The factor between numbers on an axis: a power of 2 (or 10), so that there are few.
double tick_factor(double least, double most, double base, int count) {
  double factor = base;
  while (std::log(most / least) / std::log(factor) >= count) factor *= base;
  return factor;
}

// "4096", "1Mi", "10M": short where it can be.
std::string tick(double value) {
  constexpr std::array<std::pair<const char*, double>, 5> units{
      {{"G", 1e9}, {"M", 1e6}, {"Gi", 1 << 30}, {"Mi", 1 << 20}, {"Ki", 1 << 10}}};
  if (value < 1e6) return fmt::format("{:.0f}", value);
  for (const auto& [name, unit] : units) {
    if (value >= unit && std::fmod(value, unit) == 0) return fmt::format("{:.0f}{}", value / unit, name);
  }
  return fmt::format("{:.1e}", value);
}

void draw_axes(Svg& svg, const Scale& scale, Point at) {
  const double across = tick_factor(scale.least_x, scale.most_x, 2, 6);
  for (double x = scale.least_x; x <= scale.most_x * 1.0001; x *= across) {
    svg.text({at.x + scale.x(x), at.y + panel_height + 12}, tick(x), Anchor::middle);
  }
  const double up = tick_factor(1, scale.most_y, scale.most_y < 100 ? 2 : 10, 8);
  for (double y = 1; y <= scale.most_y * 1.0001; y *= up) {
    const double height = at.y + scale.y(y);
    svg.lines({{at.x, height}, {at.x + panel_width, height}}, {"#DDDDDD"});
    svg.text({at.x - 4, height + 3.5}, tick(y), Anchor::end);
  }
  svg.rectangle(at, panel_width, panel_height, "none", {"#999999"});
}

LegendEntry entry_of(const std::vector<Curve>& curves, std::size_t i) {
  constexpr std::array<std::string_view, 4> dashes{"", "5 2", "2 2", "8 2 2 2"};
  const std::size_t count = colours::series.size();
  return {curves[i].name, colours::series[i % count], line_width, dashes[i / count % dashes.size()]};
}

// Points that touch one another: their mean height, and their number.
struct Touching {
  double mean;
  std::size_t size;
  double top() const { return mean - side_by_side / 2 * static_cast<double>(size); }
  double bottom() const { return mean + side_by_side / 2 * static_cast<double>(size); }
};

// Moves the points as little as keeps them apart, in their order, and within the panel.
void keep_apart(std::vector<Point*> points, double highest, double lowest) {
  std::ranges::stable_sort(points, {}, [](const Point* it) { return it->y; });
  std::vector<Touching> groups;
  for (const Point* it : points) {
    Touching group{it->y, 1};
    while (!groups.empty() && groups.back().bottom() > group.top()) {
      const Touching above = groups.back();
      groups.pop_back();
      const std::size_t size = above.size + group.size;
      group = {(above.mean * static_cast<double>(above.size) + group.mean * static_cast<double>(group.size)) /
                   static_cast<double>(size),
               size};
    }
    groups.push_back(group);
  }
  double room = lowest + side_by_side / 2;
  for (std::size_t i = groups.size(); i-- > 0; room = groups[i].top()) {
    groups[i].mean -= std::max(groups[i].bottom() - room, 0.0);
  }
  room = highest - side_by_side / 2;
  for (Touching& group : groups) {
    group.mean += std::max(room - group.top(), 0.0);
    room = group.bottom();
  }
  std::size_t next = 0;
  for (const Touching& group : groups) {
    for (std::size_t i = 0; i < group.size; ++i) {
      points[next++]->y = group.top() + side_by_side * (static_cast<double>(i) + 0.5);
    }
  }
}

// By curve.
std::vector<std::vector<Point>> points_of(const Panel& panel, const Scale& scale, Point at) {
  std::vector<std::vector<Point>> points;
  for (const Curve& curve : panel.curves) {
    points.emplace_back();
    for (const auto& [x, y] : curve.points) points.back().push_back({at.x + scale.x(x), at.y + scale.y(y)});
  }
  std::map<double, std::vector<Point*>> over;  // by x
  for (auto& curve : points) {
    for (Point& it : curve) over[it.x].push_back(&it);
  }
  for (const auto& [x, all] : over) keep_apart(all, at.y, at.y + panel_height);
  return points;
}

void draw_curve(Svg& svg, const std::vector<Point>& points, const LegendEntry& entry) {
  svg.lines(points, {entry.colour, entry.line, entry.dashes});
  if (points.size() > few_points) return;
  for (const Point& it : points) svg.circle(it, 2.2, entry.colour);
}

void draw_panel(Svg& svg, const Panel& panel, const Scale& scale, Point at) {
  draw_axes(svg, scale, at);
  svg.text({at.x + panel_width / 2, at.y - 5}, wrapped(panel.title, panel_width).front(), Anchor::middle);
  const std::vector<std::vector<Point>> points = points_of(panel, scale, at);
  for (std::size_t i = 0; i < points.size(); ++i) draw_curve(svg, points[i], entry_of(panel.curves, i));
}

}  // namespace

std::string drawn(const std::vector<Panel>& panels, const std::string& x_name, const std::string& y_name) {
  const Scale scale = scale_of(panels);
  const std::size_t columns = std::min(panels.size(), most_panels_side_by_side);
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  Sheet sheet(column_width * static_cast<double>(columns));
  const std::string title = fmt::format("{} over {}, both logarithmic", y_name, x_name);
  sheet.write(title);
  for (std::size_t row = 0; row < rows; ++row) {
    sheet.skip(18);
    for (std::size_t i = row * columns; i < std::min(panels.size(), (row + 1) * columns); ++i) {
      const double left = left_margin + column_width * static_cast<double>(i % columns);
      draw_panel(sheet.svg(), panels[i], scale, {left, sheet.top()});
    }
    sheet.skip(panel_height + below - 18);
  }
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < panels.front().curves.size(); ++i) entries.push_back(entry_of(panels.front().curves, i));
  sheet.legend(entries);
  return sheet.finished(title);
}

}  // namespace quadrille::pages
