// Figures that are curves: steps over processors, time over bytes, messages over delays.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "driver/inputs/message_time.h"
#include "driver/search/least_time.h"
#include "pages/curves.h"
#include "pages/figures.h"

namespace quadrille::pages {
namespace {

Curve curve_of(const std::string& name, const Delays& delays) {
  Curve curve{name, {}};
  for (const auto& [delay, messages] : delays) curve.points.emplace_back(delay, static_cast<double>(messages));
  return curve;
}

// The largest unit in which the least time is at least 1; or nanoseconds.
std::pair<std::string, double> unit_for(double least) {
  constexpr std::array<std::pair<const char*, double>, 3> units{{{"s", 1}, {"ms", 1e3}, {"µs", 1e6}}};
  for (const auto& [name, in_a_second] : units) {
    if (least * in_a_second >= 1) return {name, in_a_second};
  }
  return {"ns", 1e9};
}

// The volume that no schedule goes below, the load where paths are shared; in steps each is a round of one chunk.
double least_chunks(const driver::CheckOutcome& outcome) {
  const SendTable& table = outcome.table;
  if (!outcome.volume_bound) return static_cast<double>(outcome.bound.steps.value_or(0));
  if (!table.fabric.rules().shares_paths()) return static_cast<double>(outcome.volume_bound->steps.value_or(0));
  return driver::least_load(table.fabric, table.collective, *outcome.volume_bound, {});
}

// What no schedule goes below.
double bound_time(const driver::CheckOutcome& outcome, double chunks, std::uint64_t size) {
  const std::uint64_t steps = outcome.bound.steps.value_or(0);
  return driver::least_costs(outcome.costs, outcome.table.fabric)
      .time(steps, steps, chunks, driver::chunk_bytes(outcome.table, size));
}

}  // namespace

std::string sizes_figure(const driver::SizeStepsOutcome& outcome) {
  Curve steps{outcome.schedule, {}};
  Curve bound{"lower bound", {}};
  for (const driver::SizeSteps& size : outcome.sizes) {
    const auto n = static_cast<double>(size.processors);
    steps.points.emplace_back(n, static_cast<double>(size.steps));
    if (size.bound) bound.points.emplace_back(n, static_cast<double>(*size.bound));
  }
  return drawn(
      {{fmt::format("{} = {} … {}", outcome.parameter, outcome.sizes.front().value, outcome.sizes.back().value),
        {std::move(steps), std::move(bound)}}},
      "processors", outcome.rounds ? "rounds" : "steps");
}

std::string message_time_figure(const driver::CheckOutcome& outcome) {
  std::vector<std::pair<std::uint64_t, double>> times;
  const double chunks = least_chunks(outcome);
  double least = 1e300;
  for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
    if (i >= outcome.times.size() || !outcome.times[i]) continue;
    times.emplace_back(outcome.sizes[i], *outcome.times[i]);
    least = std::min({least, *outcome.times[i], std::max(bound_time(outcome, chunks, outcome.sizes[i]), 1e-9)});
  }
  std::ranges::sort(times);
  const auto [unit, in_a_second] = unit_for(least);
  Curve time{outcome.table.schedule.empty() ? "the table" : outcome.table.schedule, {}};
  Curve bound{"lower bound", {}};
  for (const auto& [size, seconds] : times) {
    time.points.emplace_back(static_cast<double>(size), seconds * in_a_second);
    bound.points.emplace_back(static_cast<double>(size), bound_time(outcome, chunks, size) * in_a_second);
  }
  return drawn({{outcome.table.fabric.title(), {std::move(time), std::move(bound)}}}, "bytes of a message", unit);
}

std::string delays_figure(const driver::TrafficOutcome& outcome) {
  return drawn(
      {{fmt::format("{}, {}", outcome.pattern, outcome.policy),
        {curve_of("from the first cycle", outcome.delays), curve_of("from injection", outcome.delays_inside)}}},
      "delay", "messages");
}

}  // namespace quadrille::pages
