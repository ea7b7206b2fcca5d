// The public functions of the search: the names of its results, the questions that it cannot search, and the call of
// the driver. The result of a search that was cut short keeps the driver, so that freeing its memory does not delay
// the answer.
#include "verifier/search.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "model/topology.h"
#include "verifier/search/search_driver.h"

namespace quadrille {

std::string_view to_string(SearchVerdict verdict) {
  return std::array<std::string_view, 4>{"optimal", "found", "impossible", "unknown"}.at(
      static_cast<std::size_t>(verdict));
}

std::string_view to_string(Engine engine) { return engine == Engine::cadical ? "cadical" : "z3"; }

std::string_view to_string(FormulaKind kind) {
  return std::array<std::string_view, 4>{"copies", "words", "time_reversed", "rounds"}.at(
      static_cast<std::size_t>(kind));
}

std::string to_string(const Method& method) {
  if (method.kind == Method::Kind::none) return {};
  constexpr std::array<std::string_view, 12> kinds{"",
                                                   "known schedule: ",
                                                   "list scheduling",
                                                   "matchings",
                                                   "chains",
                                                   "trees",
                                                   "spreading",
                                                   "balanced routes",
                                                   "spanning trees",
                                                   "trees of flights",
                                                   "everything at once",
                                                   "search over "};
  constexpr std::array<std::string_view, 4> uses{"", ", time-reversed", ", as reduce-then-broadcast", ""};
  std::string text(kinds.at(static_cast<std::size_t>(method.kind)));
  const bool ends_with_name = method.kind == Method::Kind::known_schedule || method.kind == Method::Kind::formula;
  if (!method.name.empty()) text += (ends_with_name ? "" : " under ") + method.name;
  if (method.use == Method::Use::as_it_is) return text;
  return text + fmt::format(" of {}{}", method.of, uses.at(static_cast<std::size_t>(method.use)));
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
