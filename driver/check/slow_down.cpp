// Idea: make the table as it is written, and read its last step and its fullest channel. A fat tree that simulates an
// ideal one pays for both: Bilardi and others, Broadcast and Associative Operations on Fat-Trees, §2.
#include <algorithm>
#include <unordered_map>

#include "driver/check/check.h"

namespace quadrille::driver {
namespace {

double load_of(const StepRows& step, const Fabric& fabric) {
  std::unordered_map<std::uint32_t, std::uint32_t> rows;
  double most = 0;
  for (const Row& row : step.rows) {
    const std::uint32_t there = ++rows[row.channel.value];
    most = std::max(most, static_cast<double>(there) / fabric.channel(row.channel).capacity);
  }
  return most;
}

}  // namespace

std::optional<SlowDown> slow_down_of(const TableRequest& request, const SendTable& table, Context& context) {
  if (!request.retime || request.on.empty() || request.file == "-" || table.fabric.in_rounds()) return std::nullopt;
  TableRequest as_written;
  as_written.file = request.file;
  as_written.defines = request.defines;
  const Result<SendTable> own = open_table(as_written, context);
  if (!own || own->fabric.in_rounds()) return std::nullopt;
  SlowDown result;
  const auto cursor = own->rows->open();
  while (const auto step = cursor->next()) {
    result.own_steps = step->step.value;
    result.load_factor = std::max(result.load_factor, load_of(*step, own->fabric));
  }
  if (cursor->ended_early() != Reason::none || result.own_steps == 0) return std::nullopt;
  return result;
}

}  // namespace quadrille::driver
