#include "cli/search_pareto.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/json_pieces.h"

namespace quadrille::cli {
namespace {

// The steps that distances alone ask for, at least 1.
std::uint32_t fewest_steps(const SearchResult& unlimited) {
  std::uint64_t steps = 1;
  for (const Bound& bound : unlimited.bounds) {
    if (bound.name == "distance") steps = std::max(steps, bound.steps);
  }
  return static_cast<std::uint32_t>(steps);
}

std::string reason_of(const SearchResult& result) { return result.impossibility ? result.impossibility->reason : ""; }

}  // namespace

SearchGoal goal_of(const ParetoPoint& point, const SearchGoal& goal) {
  SearchGoal limited = goal;
  limited.phases = point.steps;
  return limited;
}

std::vector<ParetoPoint> pareto_frontier(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                                         const SearchOptions& options) {
  const SearchResult unlimited = search(fabric, collective, goal, options);
  std::vector<ParetoPoint> points;
  if (!unlimited.table) return points;
  std::uint32_t fewest_rounds = 0;  // so far
  for (std::uint32_t steps = fewest_steps(unlimited); !options.cancelled || !options.cancelled(); ++steps) {
    ParetoPoint point{steps, unlimited};
    if (steps < unlimited.steps) point.result = search(fabric, collective, goal_of(point, goal), options);
    const std::uint32_t rounds = point.result.steps;
    if (rounds == 0 || fewest_rounds == 0 || rounds < fewest_rounds) points.push_back(std::move(point));
    if (rounds > 0) fewest_rounds = fewest_rounds == 0 ? rounds : std::min(fewest_rounds, rounds);
    if (rounds == unlimited.steps) break;
  }
  return points;
}

std::string pareto_text(const Fabric& fabric, const Collective& collective, const std::vector<ParetoPoint>& points) {
  std::string text =
      fmt::format("fabric      {}\ncollective  {}\n\n  steps  rounds  rounds/chunk  verdict  why not fewer rounds\n",
                  fabric.notation(), collective.notation());
  const std::uint32_t chunks = collective.description().parts;
  for (const ParetoPoint& point : points) {
    const SearchResult& it = point.result;
    const std::string rounds = it.table ? fmt::format("{}", it.steps) : "?";
    const std::string each = it.table ? fmt::format("{:.2f}", static_cast<double>(it.steps) / chunks) : "?";
    text += fmt::format("  {:>5}  {:>6}  {:>12}  {:<8} at least {}: {}\n", point.steps, rounds, each,
                        to_string(it.verdict), it.lower_bound, reason_of(it));
  }
  return text;
}

std::string pareto_json(const Fabric& fabric, const Collective& collective, const std::vector<ParetoPoint>& points) {
  Json json{{"fabric", fabric.notation()},
            {"collective", collective.notation()},
            {"chunks", collective.description().parts},
            {"points", Json::array()}};
  for (const ParetoPoint& point : points) {
    const SearchResult& it = point.result;
    Json one{{"steps", point.steps},
             {"rounds", nullptr},
             {"verdict", to_string(it.verdict)},
             {"lower_bound", lower_bound_json(it)},
             {"reason", reason_of(it)},
             {"method", it.method}};
    if (it.table) one["rounds"] = it.steps;
    one["certificate"] = nullptr;
    if (!point.certificate.empty()) one["certificate"] = point.certificate;
    json["points"].push_back(std::move(one));
  }
  return json_text(json);
}

}  // namespace quadrille::cli
