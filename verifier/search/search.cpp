#include "verifier/search.h"

#include <fmt/format.h>

#include <memory>

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
    case FormulaKind::words:
      return "words";
    case FormulaKind::backwards:
      break;
  }
  return "backwards";
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
    case Method::Kind::chains:
      text = "chains";
      break;
    case Method::Kind::formula:
      text = "search over " + method.name;
      break;
  }
  switch (method.use) {
    case Method::Use::as_it_is:
      break;
    case Method::Use::backwards:
      return text + fmt::format(" of {}, backwards", method.of);
    case Method::Use::backwards_and_forwards:
      return text + fmt::format(" of {}, backwards and then forwards", method.of);
  }
  return text;
}

std::optional<std::string> cannot_search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal) {
  if (goal.phases && fabric.rules().queue.limit)
    return "steps of several rounds are for fabrics without limits on queues";
  if (!collective.combining()) return std::nullopt;
  if (goal.phases) return "steps of several rounds are for copying collectives";
  if (goal.inject_once || goal.keep_to_paths) return "rules about injecting and paths are for copying collectives";
  return std::nullopt;
}

SearchResult search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                    const SearchOptions& options) {
  const auto driver = std::make_shared<searching::SearchDriver>(fabric, collective, goal, options);
  SearchResult result = driver->run();
  if (result.reason == Reason::timeout || result.reason == Reason::cancelled) result.workspace = driver;
  return result;
}

}  // namespace quadrille
