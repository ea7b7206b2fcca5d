// The search: finds a schedule of few steps, or proves that there is none with fewer.
//
//   SearchResult result = search(fabric, collective, {}, {});
//   if (result.verdict == SearchVerdict::optimal) …*result.table, result.steps…
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"
#include "verifier/bounds.h"

namespace quadrille {

// optimal: `table` takes `steps` steps, and no schedule takes fewer. found: it takes `steps`, and whether fewer are
// enough is not known (or was not asked). impossible: no schedule keeps to the goal. unknown: neither.
enum class SearchVerdict : std::uint8_t { optimal, found, impossible, unknown };
std::string_view to_string(SearchVerdict verdict);  // "optimal", …

struct SearchGoal {
  std::optional<std::uint32_t> steps = {};  // at most so many, at least 1; nothing: the fewest
  bool inject_once = false;                 // every packet leaves each processor that it starts at in one step only
  // On trees and stars: packets use the paths from where they start to where they are wanted.
  bool keep_to_paths = false;
  std::optional<std::uint32_t> phases = {};  // the steps fall into so many phases at most (verifier/FORMULA.md)
};

struct SearchOptions {
  // Schedules that are known, to begin with; those that do not keep to the rules and the goal are passed over.
  std::vector<SendTable> known = {};
  bool z3 = false;                                // Z3 instead of CaDiCaL
  bool evidence = false;                          // keep a proof of what formulas show to be impossible
  std::uint64_t memory = std::uint64_t{8} << 30;  // bytes; what would need more is not tried
  std::function<bool()> cancelled = {};           // asked now and then; true ends the search, with what is known
  std::function<void(const std::string& what)> progress = {};
};

// Why there is no schedule of `steps` steps or fewer.
struct Impossibility {
  std::uint32_t steps = 0;
  std::string reason;                            // in one sentence
  std::optional<std::vector<PriceList>> prices;  // by counting: what shows it (verifier/CERTIFICATES.md)
  bool by_formula = false;                       // by a solver
  int variables = 0;                             // of the formula
  std::uint64_t clauses = 0;
  std::string about;    // what the formula is about: "copies", "words" or "backwards" (verifier/CERTIFICATES.md)
  std::string proof;    // DRAT, in text; empty unless SearchOptions::evidence
  std::string formula;  // what it is a proof of: DIMACS CNF, with what the variables mean in comments
};

struct SearchResult {
  SearchVerdict verdict = SearchVerdict::unknown;
  std::optional<SendTable> table;
  std::uint32_t steps = 0;        // of the table; 0 without one
  std::uint64_t lower_bound = 0;  // no schedule takes fewer steps (and phases, if asked)
  std::vector<Bound> bounds;      // what counting says, largest first
  std::string method;             // where the table comes from: "known schedule: …", "symmetric search: …", …
  std::string why;                // found or unknown: what was in the way of more; nothing if no more was asked
  std::optional<Impossibility> impossibility;  // of lower_bound - 1 steps, if they are shown to be too few
};

// Requires !cannot_search(…). Copying collectives: by the formula of verifier/FORMULA.md. Combining ones: commutative
// reductions and reduce_scatters backwards in time, where that is the same (verifier/search/backwards.h); else by a
// formula of words (verifier/WORD_FORMULA.md), which is large: some thousand variables for 4 processors, hundreds
// of thousands for 16. What does not fit into memory is not tried, and the verdict then is no more than `found` or
// `unknown`.
SearchResult search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                    const SearchOptions& options);

// Nothing, or why this cannot be searched, in words.
std::optional<std::string> cannot_search(const Fabric& fabric, const Collective& collective, const SearchGoal& goal);

}  // namespace quadrille
