// Each processor has a cell: what waits in its buffer, the oldest first, and in brackets what else it holds. As many
// cells stand in a line as there is room for.
#include "cli/render/shown_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace quadrille::cli {
namespace {

constexpr std::size_t page_width = 120;

std::string names(const Collective& collective, const std::vector<ChunkId>& chunks) {
  std::string text;
  for (const ChunkId chunk : chunks) text += (text.empty() ? "" : " ") + collective.label(chunk);
  return text;
}

std::string cell(const SendTable& table, std::size_t processor, const ShownBuffer& buffer) {
  const std::string waiting = names(table.collective, buffer.waiting);
  const std::string held = names(table.collective, buffer.held);
  std::string text = table.fabric.name(NodeId(static_cast<std::uint32_t>(processor))) + ":";
  if (!waiting.empty()) text += " " + waiting;
  if (!held.empty()) text += fmt::format(" ({})", held);
  return text;
}

Json names_json(const Collective& collective, const std::vector<ChunkId>& chunks) {
  Json json = Json::array();
  for (const ChunkId chunk : chunks) json.push_back(collective.label(chunk));
  return json;
}

}  // namespace

std::string buffers_text(const SendTable& table, const ShownBuffers& buffers) {
  if (buffers.reason != Reason::none) return fmt::format("\nbuffers     {}\n", to_string(buffers.reason));
  const std::string unit = table.fabric.in_rounds() ? "round" : "step";
  std::string text = fmt::format(
      "\nbuffers     what each processor holds after each {}: what it sends on later, oldest first (and what not)\n",
      unit);
  std::vector<std::vector<std::string>> all;
  std::size_t width = 0;
  for (const ShownStep& step : buffers.steps) {
    auto& cells = all.emplace_back();
    for (std::size_t p = 0; p < step.processors.size(); ++p) {
      cells.push_back(cell(table, p, step.processors[p]));
      width = std::max(width, cells.back().size());
    }
  }
  const std::size_t in_line = std::max<std::size_t>(1, page_width / (width + 2));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint32_t step = buffers.steps[i].step.value;
    const std::string head = step == 0 ? "at first" : fmt::format("{} {}", unit, step);
    for (std::size_t p = 0; p < all[i].size(); p += in_line) {
      std::string line = fmt::format("  {:<9}", p == 0 ? head : "");
      for (std::size_t k = p; k < std::min(p + in_line, all[i].size()); ++k) {
        line += fmt::format(" {:<{}}", all[i][k], width + 1);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
  }
  return text;
}

Json buffers_json(const SendTable& table, const ShownBuffers& buffers) {
  Json json = Json::array();
  for (const ShownStep& step : buffers.steps) {
    Json processors = Json::array();
    for (std::size_t p = 0; p < step.processors.size(); ++p) {
      processors.push_back({{"processor", table.fabric.name(NodeId(static_cast<std::uint32_t>(p)))},
                            {"waiting", names_json(table.collective, step.processors[p].waiting)},
                            {"held", names_json(table.collective, step.processors[p].held)}});
    }
    json.push_back({{"step", step.step.value}, {"processors", std::move(processors)}});
  }
  return json;
}

}  // namespace quadrille::cli
