// The space-time diagram. A table of at most 60 channels that carry something, 200 steps and 20,000 rows is drawn
// packet by packet: a channel's lanes lie side by side in its row, and packets that share a lane share its cell. A
// larger one is counted: cells are spans of steps and neighbouring channels of one group, as dark as they are full.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "pages/concerned.h"
#include "pages/figures.h"
#include "pages/sheet.h"

namespace quadrille::pages {
namespace {

constexpr std::size_t most_bands = 60;
constexpr std::uint64_t most_columns = 200;
constexpr std::uint64_t most_packets = 20'000;
constexpr double band_height = 11;
constexpr const char* other_colour = "#999999";

// Channels that share a row of the picture.
struct Band {
  std::string name;
  std::vector<ChannelId> channels;
  std::uint64_t lanes = 0;
  double top = 0;  // in the picture
};

struct Layout {
  std::vector<Band> bands;
  std::vector<std::pair<std::size_t, std::string>> headings;  // before which band
  std::map<ChannelId, std::size_t> band;
  std::uint32_t steps_per_column = 1;
  std::size_t columns = 0;
  bool counted = false;
  bool rounds = false;
  double left = 0;
  double cell = 0;  // a column's width
};

// --- the layout -----------------------------------------------------------------------------------------------------

std::vector<driver::ChannelGroup> used_groups(const driver::TableUse& use) {
  std::vector<driver::ChannelGroup> groups;
  for (const driver::GroupUse& each : use.groups) {
    driver::ChannelGroup group{each.group.name, {}};
    for (const ChannelId id : each.group.channels) {
      if (use.by_channel[id.value] > 0) group.channels.push_back(id);
    }
    if (!group.channels.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::size_t bands_of(const std::vector<driver::ChannelGroup>& groups, std::size_t together) {
  std::size_t count = 0;
  for (const auto& group : groups) count += (group.channels.size() + together - 1) / together;
  return count;
}

// The least number of channels to a band with which there are few bands; or a band for each group.
std::size_t channels_together(const std::vector<driver::ChannelGroup>& groups) {
  std::size_t most = 1;
  for (const auto& group : groups) most = std::max(most, group.channels.size());
  std::size_t together = 1;
  while (together < most && bands_of(groups, together) > most_bands) ++together;
  return together;
}

void add_band(Layout& layout, const Fabric& fabric, std::span<const ChannelId> channels) {
  Band band{fabric.name(channels.front()), {channels.begin(), channels.end()}};
  if (channels.size() > 1) band.name += " …";
  for (const ChannelId id : channels) {
    band.lanes += fabric.channel(id).capacity;
    layout.band[id] = layout.bands.size();
  }
  layout.bands.push_back(std::move(band));
}

Layout layout_of(const CheckedTable& table) {
  const Fabric& fabric = table.outcome.table.fabric;
  const std::vector<driver::ChannelGroup> groups = used_groups(table.use);
  const std::size_t together = channels_together(groups);
  Layout layout;
  layout.rounds = fabric.in_rounds();
  layout.steps_per_column = static_cast<std::uint32_t>((table.use.steps + most_columns - 1) / most_columns);
  layout.columns = (table.use.steps + layout.steps_per_column - 1) / layout.steps_per_column;
  layout.counted = together > 1 || layout.steps_per_column > 1 || table.use.rows > most_packets;
  for (const auto& group : groups) {
    if (groups.size() > 1) layout.headings.emplace_back(layout.bands.size(), group.name);
    for (std::size_t i = 0; i < group.channels.size(); i += together) {
      add_band(layout, fabric, std::span(group.channels).subspan(i, std::min(together, group.channels.size() - i)));
    }
  }
  double widest = 0;
  for (const Band& band : layout.bands) widest = std::max(widest, text_width(band.name));
  layout.left = margin + widest + 4;
  layout.cell = std::clamp((column_width - layout.left - 2 * margin) / static_cast<double>(layout.columns), 1.2, 40.0);
  return layout;
}

// --- what a packet's colour means -----------------------------------------------------------------------------------

struct Packet {
  StepId step;
  Row row;
  std::string key;  // of its colour: "line 7", "from 3"
};

std::string source_key(const SendTable& table, ChunkId chunk) {
  return fmt::format("from {}", table.collective.name(chunk).origin);
}

// The key of each packet of a step: its line; where none of them is known, its source.
std::vector<std::string> keys_of(const CheckedTable& table, const StepRows& batch,
                                 std::map<std::pair<std::uint32_t, std::uint32_t>, std::string>& lines) {
  std::vector<RowPlace> places;
  for (std::size_t i = 0; i < batch.rows.size(); ++i) places.push_back({batch.step, i});
  const std::vector<RowOrigin> origins = table.outcome.table.rows->origins(places);
  std::vector<std::string> keys;
  for (const RowOrigin& origin : origins) {
    std::string& line = lines[{origin.span.source, origin.span.begin}];
    if (line.empty()) line = line_of(origin, table.sources);
    keys.push_back(line.empty() ? source_key(table.outcome.table, batch.rows[keys.size()].chunk) : "line " + line);
  }
  return keys;
}

// Where one line sends everything, sources tell more.
std::vector<Packet> packets_of(const CheckedTable& table) {
  std::vector<Packet> packets;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> lines;
  const auto cursor = table.outcome.table.rows->open();
  while (const auto batch = cursor->next()) {
    const std::vector<std::string> keys = keys_of(table, *batch, lines);
    for (std::size_t i = 0; i < keys.size(); ++i) packets.push_back({batch->step, batch->rows[i], keys[i]});
  }
  const bool alike = std::ranges::all_of(packets, [&](const Packet& it) { return it.key == packets.front().key; });
  if (!alike) return packets;
  for (Packet& packet : packets) packet.key = source_key(table.outcome.table, packet.row.chunk);
  return packets;
}

// Colours by key in the order of their numbers; what comes after the last colour shares another one.
class Legend {
 public:
  explicit Legend(const std::vector<Packet>& packets) {
    std::map<std::pair<std::size_t, std::string>, bool> keys;  // "line 7" before "line 10"
    for (const Packet& packet : packets) keys[{packet.key.size(), packet.key}] = true;
    for (const auto& [key, unused] : keys) {
      const bool own = colours_.size() < colours::series.size();
      const std::string_view colour = own ? colours::series[colours_.size()] : other_colour;
      colours_[key.second] = colour;
      if (own || keys.size() == colours::series.size() + 1) entries_.push_back({key.second, colour});
    }
    if (colours_.size() > entries_.size()) entries_.push_back({"others", other_colour});
  }
  std::string_view colour(const std::string& key) const { return colours_.at(key); }
  const std::vector<LegendEntry>& entries() const { return entries_; }

 private:
  std::map<std::string, std::string_view> colours_;
  std::vector<LegendEntry> entries_;
};

// --- painting -------------------------------------------------------------------------------------------------------

double left_of(const Layout& layout, std::uint32_t step) {
  return layout.left + layout.cell * std::floor((step - 1) / layout.steps_per_column);
}

// Columns as packets: a lane's slice of the cell, and of that the share of each packet on it.
void draw_packets(Svg& svg, const Layout& layout, const CheckedTable& table, const std::vector<Packet>& packets,
                  const Legend& legend) {
  using Cell = std::tuple<StepId, ChannelId, std::uint32_t>;
  std::map<Cell, std::vector<const Packet*>> cells;
  for (const Packet& packet : packets) {
    const std::uint32_t capacity = table.outcome.table.fabric.channel(packet.row.channel).capacity;
    cells[{packet.step, packet.row.channel, std::min(packet.row.lane.value, capacity - 1)}].push_back(&packet);
  }
  for (const auto& [cell, on_lane] : cells) {
    const auto& [step, channel, lane] = cell;
    const double height = (band_height - 1) / table.outcome.table.fabric.channel(channel).capacity;
    const double share = layout.cell * 0.94 / static_cast<double>(on_lane.size());
    const double width = share - (on_lane.size() > 1 ? 0.4 : 0);
    for (std::size_t i = 0; i < on_lane.size(); ++i) {
      const Point corner{left_of(layout, step.value) + share * static_cast<double>(i),
                         layout.bands[layout.band.at(channel)].top + height * lane};
      const std::string_view colour = legend.colour(on_lane[i]->key);
      svg.rectangle(corner, width, height, colour);
      const std::string label = table.outcome.table.collective.label(on_lane[i]->row.chunk);
      if (height < 9 || text_width(label) > width) continue;
      const bool dark = colour == colours::series[0] || colour == colours::series[2] || colour == colours::series[6];
      svg.text(corner + Point{width / 2, 8.3}, label, Anchor::middle, dark ? "#FFFFFF" : colours::text);
    }
  }
}

std::size_t amount(std::uint64_t packets, std::uint64_t room) {
  if (packets == 0) return 0;
  return static_cast<std::size_t>(std::clamp<std::uint64_t>((4 * packets + room - 1) / room, 1, 4));
}

std::vector<std::vector<std::uint64_t>> counts_of(const Layout& layout, const CheckedTable& table) {
  std::vector<std::vector<std::uint64_t>> counts(layout.bands.size(), std::vector<std::uint64_t>(layout.columns));
  std::vector<std::size_t> band(table.outcome.table.fabric.channels());
  for (const auto& [channel, number] : layout.band) band[channel.value] = number;
  const auto cursor = table.outcome.table.rows->open();
  while (const auto batch = cursor->next()) {
    const std::size_t column = (batch->step.value - 1) / layout.steps_per_column;
    for (const Row& row : batch->rows) ++counts[band[row.channel.value]][column];
  }
  return counts;
}

void draw_counts(Svg& svg, const Layout& layout, const CheckedTable& table) {
  const auto counts = counts_of(layout, table);
  for (std::size_t i = 0; i < layout.bands.size(); ++i) {
    for (std::size_t column = 0; column < layout.columns; ++column) {
      const std::uint64_t last = std::min<std::uint64_t>(table.use.steps, (column + 1) * layout.steps_per_column);
      const std::uint64_t room = layout.bands[i].lanes * (last - column * layout.steps_per_column);
      if (counts[i][column] == 0) continue;
      svg.rectangle({layout.left + layout.cell * static_cast<double>(column), layout.bands[i].top}, layout.cell,
                    band_height - 1, colours::amounts[amount(counts[i][column], room)]);
    }
  }
}

void outline_violated(Svg& svg, const Layout& layout, const CheckedTable& table) {
  const Violation* violation = shown_violation(table.outcome.report);
  if (violation == nullptr) return;
  std::set<std::pair<double, double>> corners;
  for (const ConcernedRow& row : violation->rows) {
    const auto band = layout.band.find(row.row.channel);
    if (band == layout.band.end()) continue;
    corners.emplace(left_of(layout, row.step.value), layout.bands[band->second].top);
  }
  for (const auto& [x, y] : corners) {
    svg.rectangle({x - 1, y - 1}, std::max(layout.cell, 3.0) + 1, band_height + 1, "none", {colours::violated, 2});
  }
}

// 1, 2, 5, 10, … columns from number to number, so that they do not touch.
void draw_steps(Sheet& sheet, const Layout& layout, std::uint64_t steps) {
  constexpr std::array<std::uint64_t, 3> factors{1, 2, 5};
  const double apart = text_width(fmt::to_string(steps)) + 6;
  std::uint64_t every = 1;
  for (std::size_t i = 0; static_cast<double>(every) * layout.cell / layout.steps_per_column < apart; ++i) {
    every = factors[i % 3];
    for (std::size_t tens = i / 3; tens > 0; --tens) every *= 10;
  }
  sheet.svg().text({layout.left - 4, sheet.top() + 10}, layout.rounds ? "round" : "step", Anchor::end);
  for (std::uint64_t step = every; step <= steps; step += every) {
    const double x = left_of(layout, static_cast<std::uint32_t>(step)) + layout.cell / 2;
    sheet.svg().text({x, sheet.top() + 10}, fmt::to_string(step), Anchor::middle);
  }
  sheet.skip(line_height + 2);
}

void draw_bands(Sheet& sheet, Layout& layout) {
  std::size_t heading = 0;
  const double right = layout.left + layout.cell * static_cast<double>(layout.columns);
  for (std::size_t i = 0; i < layout.bands.size(); ++i) {
    if (heading < layout.headings.size() && layout.headings[heading].first == i) {
      sheet.write(layout.headings[heading++].second, colours::text, true);
      sheet.skip(2);
    }
    Band& band = layout.bands[i];
    band.top = sheet.top();
    sheet.svg().rectangle({layout.left, band.top}, right - layout.left, band_height - 1, "#F4F4F4");
    sheet.svg().text({layout.left - 4, band.top + 8.5}, band.name, Anchor::end);
    sheet.skip(band_height);
  }
}

std::string caption_of(const Layout& layout, const CheckedTable& table) {
  const std::string unit = layout.rounds ? "round" : "step";
  std::size_t together = 1;
  for (const Band& band : layout.bands) together = std::max(together, band.channels.size());
  std::string text;
  if (layout.counted) {
    text =
        fmt::format("A cell counts the packets of {} and {}; as dark as its lanes are full. ",
                    together == 1 ? "a channel" : fmt::format("up to {} channels", together),
                    layout.steps_per_column == 1 ? "a " + unit : fmt::format("{} {}s", layout.steps_per_column, unit));
  }
  const std::size_t idle = table.use.by_channel.size() - layout.band.size();
  if (idle > 0) text += fmt::format("{} of {} channels carry nothing.", idle, table.use.by_channel.size());
  return text;
}

std::vector<LegendEntry> count_legend() {
  return {{"≤ 25%", colours::amounts[1]},
          {"≤ 50%", colours::amounts[2]},
          {"≤ 75%", colours::amounts[3]},
          {"≤ 100%, or more", colours::amounts[4]}};
}

}  // namespace

std::string time_figure(const CheckedTable& table) {
  Layout layout = layout_of(table);
  const double right = layout.left + layout.cell * static_cast<double>(layout.columns) + 2 * margin;
  Sheet sheet(std::max(column_width, right));
  sheet.write(title_of(table.outcome.table), colours::text, true);
  sheet.skip(4);
  draw_bands(sheet, layout);
  std::vector<LegendEntry> entries = count_legend();
  if (layout.counted) {
    draw_counts(sheet.svg(), layout, table);
  } else {
    const std::vector<Packet> packets = packets_of(table);
    const Legend legend(packets);
    draw_packets(sheet.svg(), layout, table, packets, legend);
    entries = legend.entries();
  }
  outline_violated(sheet.svg(), layout, table);
  draw_steps(sheet, layout, table.use.steps);
  sheet.legend(entries);
  if (const std::string caption = caption_of(layout, table); !caption.empty()) sheet.write(caption);
  write_verdict(sheet, table);
  return sheet.finished(title_of(table.outcome.table));
}

}  // namespace quadrille::pages
