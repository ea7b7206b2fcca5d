// The machine. Nodes stand where the layout has them, as far apart as their names need; a link is two lines, one for
// each direction, on the right-hand side of its way; a link whose straight line would cross other nodes is bent.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "model/layout/positions.h"
#include "pages/concerned.h"
#include "pages/figures.h"
#include "pages/sheet.h"

namespace quadrille::pages {
namespace {

constexpr double gap = 14;         // between nodes, at least
constexpr double most_scale = 64;  // px between neighbours, at most
constexpr double half_height = 8;  // of a node
constexpr double side = 2.2;       // of a direction, from the middle of its link
constexpr const char* moving = "#0072B2";

struct Node {
  Point at;
  double half_width = half_height;
  std::string name;
};

// A link's direction on paper.
struct LinkCurve {
  Point from, first, second, to;
  Point at(double t) const {
    const double s = 1 - t;
    return from * (s * s * s) + first * (3 * s * s * t) + second * (3 * s * t * t) + to * (t * t * t);
  }
};

double length(Point p) { return std::hypot(p.x, p.y); }

struct Drawing {
  std::vector<Node> nodes;
  std::vector<LinkCurve> curves;  // by channel
};

// --- where things are -----------------------------------------------------------------------------------------------

// How many px a unit of the layout needs so that these two do not touch.
double needed_scale(const Node& a, const Node& b) {
  const Point apart = a.at - b.at;
  const double wide = (a.half_width + b.half_width + gap) / std::abs(apart.x);
  const double high = (2 * half_height + gap) / std::abs(apart.y);
  return std::min(apart.x == 0 ? high : wide, apart.y == 0 ? wide : high);
}

double scale_of(const std::vector<Node>& nodes) {
  double widest = 0;
  double needed = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    widest = std::max(widest, nodes[i].at.x);
    for (std::size_t j = 0; j < i; ++j) needed = std::max(needed, needed_scale(nodes[i], nodes[j]));
  }
  const double room = column_width - 2 * margin - 4 * half_height;
  return std::max(needed, widest == 0 ? most_scale : std::min(most_scale, room / widest));
}

std::vector<Node> nodes_of(const Fabric& fabric, const Limits& limits) {
  const std::vector<NodePosition> places = positions(fabric, limits);
  std::vector<Node> nodes;
  double circle = half_height;
  for (NodeId id(0); id.value < fabric.nodes(); ++id.value) {
    const std::string name = fabric.name(id);
    const double half = std::max(half_height, text_width(name) / 2 + 2);
    if (fabric.is_processor(id)) circle = std::max(circle, half);
    nodes.push_back({{places[id.value].x, places[id.value].y}, half, name});
  }
  for (NodeId id(0); id.value < fabric.processors(); ++id.value) nodes[id.value].half_width = circle;
  const double scale = scale_of(nodes);
  for (Node& node : nodes) node.at = node.at * scale;
  return nodes;
}

bool near(Point point, Point from, Point to, double distance) {
  const Point along = to - from;
  const double whole = along.x * along.x + along.y * along.y;
  const Point off = point - from;
  const double t = std::clamp((off.x * along.x + off.y * along.y) / whole, 0.0, 1.0);
  return length(point - (from + along * t)) < distance;
}

bool passes_others(const std::vector<Node>& nodes, const Channel& channel) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i == channel.from.value || i == channel.to.value) continue;
    if (near(nodes[i].at, nodes[channel.from.value].at, nodes[channel.to.value].at, half_height)) return true;
  }
  return false;
}

// Both directions of a bent link are bent to the same side.
LinkCurve curve_of(const Fabric& fabric, const std::vector<Node>& nodes, ChannelId id) {
  const Channel& channel = fabric.channel(id);
  const Point from = nodes[channel.from.value].at;
  const Point to = nodes[channel.to.value].at;
  const double whole = std::max(length(to - from), 1.0);
  const Point along = (to - from) * (1 / whole);
  const Point right{-along.y, along.x};
  const Point aside = right * (fabric.reverse(id) ? side : 0);
  double bend = passes_others(nodes, channel) ? std::min(0.4 * whole, 24.0) : 0;
  if (channel.from > channel.to) bend = -bend;
  const double reach = bend == 0 ? whole / 3 : std::min(0.2 * whole, 12.0);
  return {from + aside, from + aside + along * reach - right * bend, to + aside - along * reach - right * bend,
          to + aside};
}

struct Extent {
  Point least{1e300, 1e300};
  Point most{-1e300, -1e300};
  void add(Point at, double wide, double high) {
    least = {std::min(least.x, at.x - wide), std::min(least.y, at.y - high)};
    most = {std::max(most.x, at.x + wide), std::max(most.y, at.y + high)};
  }
};

// --- what stands on links -------------------------------------------------------------------------------------------

// Packets on one channel, by name, each once; but at most three.
class Labels {
 public:
  void add(ChannelId channel, const std::string& name) {
    std::vector<std::string>& names = names_[channel];
    ++counts_[channel];
    if (std::ranges::find(names, name) == names.end() && names.size() < 3) names.push_back(name);
  }
  bool has(ChannelId channel) const { return names_.contains(channel); }
  std::vector<ChannelId> channels() const {
    std::vector<ChannelId> all;
    for (const auto& [channel, names] : names_) all.push_back(channel);
    return all;
  }
  std::string text(ChannelId channel) const {
    const std::vector<std::string>& names = names_.at(channel);
    const std::uint64_t count = counts_.at(channel);
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (count == names.size()) return text;
    if (names.size() == 1) return fmt::format("{} x {}", count, text);
    return fmt::format("{} … {}", text, count);
  }

 private:
  std::map<ChannelId, std::vector<std::string>> names_;
  std::map<ChannelId, std::uint64_t> counts_;
};

// With a step: of that one only.
Labels violated_labels(const CheckedTable& table, std::optional<std::uint32_t> step) {
  Labels labels;
  const Violation* violation = shown_violation(table.outcome.report);
  if (violation == nullptr) return labels;
  for (const ConcernedRow& row : violation->rows) {
    if (step && row.step.value != *step) continue;
    std::string name = table.outcome.table.collective.label(row.row.chunk);
    if (violation->step && row.step != *violation->step) name += fmt::format(" at {}", row.step.value);
    labels.add(row.row.channel, name);
  }
  return labels;
}

// But for channels that have labels already.
Labels step_labels(const SendTable& table, std::uint32_t step, const Labels& others) {
  Labels labels;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    if (batch->step.value > step) break;
    if (batch->step.value < step) continue;
    for (const Row& row : batch->rows) {
      if (!others.has(row.channel)) labels.add(row.channel, table.collective.label(row.chunk));
    }
  }
  return labels;
}

Point label_middle(const LinkCurve& curve, const std::string& text) {
  const Point along = curve.at(0.42) - curve.at(0.38);
  const double whole = std::max(length(along), 1e-9);
  const Point right{-along.y / whole, along.x / whole};
  return curve.at(0.4) + Point{right.x * (text_width(text) / 2 + 2), right.y * 7};
}

// --- loads ----------------------------------------------------------------------------------------------------------

// 0: nothing; 1 … 4: up to a quarter, half, three quarters, all.
std::size_t load_class(std::uint64_t rows, std::uint64_t room) {
  if (rows == 0) return 0;
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>((4 * rows + room - 1) / std::max<std::uint64_t>(room, 1), 1, 4));
}

constexpr std::array<double, 5> widths{0.8, 1.2, 1.8, 2.4, 3};

std::vector<LegendEntry> load_legend() {
  constexpr std::array<const char*, 5> names{"unused", "≤ 25%", "≤ 50%", "≤ 75%", "≤ 100% of steps × lanes"};
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < names.size(); ++i) entries.push_back({names[i], colours::amounts[i], widths[i]});
  return entries;
}

// --- the painting ---------------------------------------------------------------------------------------------------

struct Painting {
  const CheckedTable& table;
  const Drawing& drawing;
  const Labels& violated;
  const Labels& sent;
  bool one_step = false;
};

void draw_link_curve(Svg& svg, const LinkCurve& curve, const Stroke& stroke) {
  svg.curve(curve.from, curve.first, curve.second, curve.to, stroke);
}

void draw_arrow(Svg& svg, const LinkCurve& curve, std::string_view colour) {
  const Point tip = curve.at(0.64);
  const Point back = curve.at(0.62) - tip;
  const double whole = std::max(length(back), 1e-9);
  const Point along = back * (7 / whole);
  const Point across{along.y / 2, -along.x / 2};
  svg.polygon({tip, tip + along + across, tip + along - across}, colour);
}

void draw_labelled(Svg& svg, const Drawing& drawing, const Labels& labels, std::string_view colour) {
  for (const ChannelId id : labels.channels()) {
    draw_link_curve(svg, drawing.curves[id.value], {colour, 2.4});
    draw_arrow(svg, drawing.curves[id.value], colour);
  }
}

void write_labels(Svg& svg, const Drawing& drawing, const Labels& labels, std::string_view colour) {
  for (const ChannelId id : labels.channels()) {
    const std::string text = labels.text(id);
    const Point middle = label_middle(drawing.curves[id.value], text);
    const double width = text_width(text) + 2;
    svg.rectangle({middle.x - width / 2, middle.y - 5.5}, width, 11, "white", {colour, 0.5});
    svg.text({middle.x, middle.y + 3.3}, text, Anchor::middle, colour);
  }
}

void draw_links(Svg& svg, const Painting& it) {
  const Fabric& fabric = it.table.outcome.table.fabric;
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    const std::uint64_t room = it.table.use.steps * fabric.channel(id).capacity;
    const std::size_t load = it.one_step ? 0 : load_class(it.table.use.by_channel[id.value], room);
    draw_link_curve(svg, it.drawing.curves[id.value], {colours::amounts[load], widths[load]});
  }
}

void draw_nodes(Svg& svg, const Fabric& fabric, const std::vector<Node>& nodes) {
  for (NodeId id(0); id.value < fabric.nodes(); ++id.value) {
    const Node& node = nodes[id.value];
    if (fabric.is_processor(id)) {
      svg.circle(node.at, node.half_width, "white", {colours::text});
    } else {
      svg.rectangle(node.at - Point{node.half_width, half_height}, 2 * node.half_width, 2 * half_height, "#EEEEEE",
                    {colours::text});
    }
    svg.text(node.at + Point{0, 3.3}, node.name, Anchor::middle);
  }
}

Extent extent_of(const Drawing& drawing, const Labels& violated, const Labels& sent) {
  Extent extent;
  for (const Node& node : drawing.nodes) extent.add(node.at, node.half_width, std::max(half_height, node.half_width));
  for (const LinkCurve& curve : drawing.curves) {
    for (const Point& point : {curve.from, curve.first, curve.second, curve.to}) extent.add(point, 4, 4);
  }
  for (const Labels* labels : {&violated, &sent}) {
    for (const ChannelId id : labels->channels()) {
      const std::string text = labels->text(id);
      extent.add(label_middle(drawing.curves[id.value], text), text_width(text) / 2 + 2, 7);
    }
  }
  return extent;
}

void move(Drawing& drawing, Point by) {
  for (Node& node : drawing.nodes) node.at = node.at + by;
  for (LinkCurve& curve : drawing.curves) curve = {curve.from + by, curve.first + by, curve.second + by, curve.to + by};
}

void paint(Svg& svg, const Painting& it) {
  draw_links(svg, it);
  draw_labelled(svg, it.drawing, it.sent, moving);
  draw_labelled(svg, it.drawing, it.violated, colours::violated);
  draw_nodes(svg, it.table.outcome.table.fabric, it.drawing.nodes);
  write_labels(svg, it.drawing, it.sent, moving);
  write_labels(svg, it.drawing, it.violated, colours::violated);
}

void write_legend(Sheet& sheet, const Painting& it, std::optional<std::uint32_t> step) {
  std::vector<LegendEntry> entries = it.one_step ? std::vector<LegendEntry>() : load_legend();
  if (step) {
    const bool rounds = it.table.outcome.table.fabric.in_rounds();
    entries.push_back({fmt::format("sent in {} {}", rounds ? "round" : "step", *step), moving, 2.4});
  }
  if (!it.violated.channels().empty()) entries.push_back({"violates a rule", colours::violated, 2.4});
  sheet.legend(entries);
}

}  // namespace

std::string machine_figure(const CheckedTable& table, std::optional<std::uint32_t> step) {
  const Fabric& fabric = table.outcome.table.fabric;
  Drawing drawing{nodes_of(fabric, table.limits), {}};
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    drawing.curves.push_back(curve_of(fabric, drawing.nodes, id));
  }
  const Labels violated = violated_labels(table, step);
  const Labels sent = step ? step_labels(table.outcome.table, *step, violated) : Labels();
  const Extent extent = extent_of(drawing, violated, sent);
  const double wide = extent.most.x - extent.least.x;
  Sheet sheet(std::max(column_width, wide + 2 * margin));
  sheet.write(title_of(table.outcome.table), colours::text, true);
  sheet.skip(margin);
  move(drawing, Point{(sheet.width() - wide) / 2, sheet.top()} - extent.least);
  const Painting painting{table, drawing, violated, sent, step.has_value()};
  paint(sheet.svg(), painting);
  sheet.skip(extent.most.y - extent.least.y + margin);
  write_legend(sheet, painting, step);
  write_verdict(sheet, table);
  return sheet.finished(title_of(table.outcome.table));
}

}  // namespace quadrille::pages
