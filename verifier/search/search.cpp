// The public functions of the search: the names of its results, the questions that it cannot search, and the call of
// the driver. The result of a search that was cut short keeps the driver, so that freeing its memory does not delay
// the answer.
#include "verifier/search.h"

#include <fmt/format.h>

#include <memory>

#include "model/topology.h"
#include "verifier/search/search_driver.h"

namespace quadrille {

std::string_view to_string(SearchVerdict verdict) {
  switch (verdict) {
    case SearchVerdict::optimal:
      return "optimal";
    case SearchVerdict::found:
      return "found";
    case SearchVerdict::impossible:
      return "impossible";
    case SearchVerdict::unknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(Engine engine) { return engine == Engine::cadical ? "cadical" : "z3"; }

std::string_view to_string(FormulaKind kind) {
  switch (kind) {
    case FormulaKind::copies:
      return "copies";
    case FormulaKind::partial_reductions:
      return "words";
    case FormulaKind::rounds:
      return "rounds";
    case FormulaKind::time_reversed:
      break;
  }
  return "time_reversed";
}

std::string to_string(const Method& method) {
  std::string text;
  switch (method.kind) {
    case Method::Kind::none:
      return text;
    case Method::Kind::known_schedule:
      text = "known schedule: " + method.name;
      break;
    case Method::Kind::list_scheduling:
      text = "list scheduling";
      break;
    case Method::Kind::matchings:
      text = "matchings";
      break;
    case Method::Kind::direct:
      text = "everything at once";
      break;
    case Method::Kind::chains:
      text = "chains";
      break;
    case Method::Kind::trees:
      text = "trees";
      break;
    case Method::Kind::spreading:
      text = "spreading";
      break;
    case Method::Kind::balanced_routes:
      text = "balanced routes" + (method.name.empty() ? "" : " under " + method.name);
      break;
    case Method::Kind::spanning_trees:
      text = "spanning trees" + (method.name.empty() ? "" : " under " + method.name);
      break;
    case Method::Kind::flight_trees:
      text = "trees of flights" + (method.name.empty() ? "" : " under " + method.name);
      break;
    case Method::Kind::formula:
      text = "search over " + method.name;
      break;
  }
  switch (method.use) {
    case Method::Use::as_it_is:
      break;
    case Method::Use::time_reversed:
      return text + fmt::format(" of {}, time-reversed", method.of);
    case Method::Use::reduce_then_broadcast:
      return text + fmt::format(" of {}, as reduce-then-broadcast", method.of);
    case Method::Use::of_another:
      return text + fmt::format(" of {}", method.of);
  }
  return text;
}

std::optional<std::string> cannot_search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal) {
  if (fabric.channels() > max_fabric_size) {
    return fmt::format("a search counts by channel, and {} has {}; expected at most {}", fabric.title(),
                       fabric.channels(), max_fabric_size);
  }
  if (fabric.in_rounds()) {
    if (goal.inject_once || goal.keep_to_paths)
      return "rules about injecting and paths are for fabrics that count steps";
    return std::nullopt;
  }
  if (goal.phases && fabric.rules().queue.limit)
    return "steps of more volume than one are for fabrics without limits on queues";
  if (!collective.combining()) return std::nullopt;
  if (goal.inject_once || goal.keep_to_paths) return "rules about injecting and paths are for copying collectives";
  return std::nullopt;
}

Narrowing narrowing_of(const Fabric& fabric, const Collective& collective, const SearchGoal& goal, FormulaKind about) {
  if (about == FormulaKind::partial_reductions) {
    // Where extra contributions are never wrong, every arrival may as well be joined (verifier/COMBINING_FORMULA.md).
    return {.no_kept_reductions = !collective.idempotent() || collective.shape()->by_rank()};
  }
  if (about != FormulaKind::copies) return {};
  // With unlimited queues, a packet for one processor gains nothing by leaving its path in a tree
  // (verifier/FORMULA.md).
  const bool other_paths_serve = fabric.rules().queue.limit || !collective.unicast() || goal.inject_once;
  return {.inject_once = goal.inject_once,
          .paths_kept = goal.keep_to_paths && fabric.topology().tree() != nullptr && other_paths_serve};
}

SearchResult search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                    const SearchOptions& options) {
  if (auto why = cannot_search(fabric, collective, goal)) {
    SearchResult refused;
    refused.reason = Reason::unsupported;
    refused.why = *std::move(why);
    return refused;
  }
  // The driver is shared, because the result of a search that was cut short keeps it.
  const auto driver = std::make_shared<searching::SearchDriver>(fabric, collective, goal, options);
  SearchResult result = driver->run();
  if (result.reason == Reason::timeout || result.reason == Reason::cancelled) result.workspace = driver;
  return result;
}

}  // namespace quadrille
