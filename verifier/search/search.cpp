#include "verifier/search.h"

#include "verifier/search/hunt.h"

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
  return searching::Hunt(fabric, collective, goal, options).run();
}

}  // namespace quadrille
