// `quadrille search`: starts from the schedules that ship, and writes its answer to files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/text/result.h"
#include "model/verdict.h"
#include "verifier/search.h"

namespace quadrille::driver {

struct SearchRequest {
  std::string collective = {};            // its notation
  std::string on = {};                    // a fabric's notation
  std::vector<std::string> without = {};  // links to be removed from it
  std::string queue = {};          // "none", "unbounded" or a number: instead of the fabric's rule; empty: the fabric's
  std::string inject = "many";     // or "once"
  std::string paths = {};          // "kept" or "any"; empty: kept on trees if nothing is for many, or is injected once
  std::string engine = "cadical";  // or "z3"
  std::uint32_t steps = 0;         // the most (with volume: phases); 0: the fewest
  std::uint32_t volume = 0;        // of all steps together (SCCL's rounds); 0: each step has a volume of 1
  std::uint32_t chunks = 0;        // parts of each message; 0: the collective's own
  bool agreement = false;          // only what leaves all with sums that are added up alike
  std::string consumer = {};       // one of consumers(): only what that executor takes; empty: all
  std::string output = {};         // a file for the table, in the format of its extension; empty: not written
  std::string schedule = {};       // a file for the table as a schedule; empty: not written
  std::string certificate = {};    // a folder; empty: not written
};

// Something that the search found out, and the time.
struct SearchMoment {
  double seconds = 0;  // since it began
  SearchEvent event;
};

struct SearchOutcome {
  std::string on;  // the fabric, in the form of the request
  Fabric fabric;
  Collective collective;
  SearchGoal goal;
  SearchResult result;
  double seconds = 0;
  // Whether the table's processors add up alike; nothing where there is no table, or their results cannot differ.
  std::optional<Verdict> agreement = {};
  std::vector<SearchMoment> history = {};  // in the order of time
  std::string certificate = {};            // the file that was written; empty: none
  std::vector<std::string> notes = {};     // wanted things that are missing, and the reasons, in words
  Diagnostics failures = {};               // files that could not be written; the answer is still valid
};

// The schedules for which it is shown that fewer steps are too few.
Narrowing narrowing_of(const SearchResult& result);

// Searches. Everything that can be refused is refused before the search begins.
Result<SearchOutcome> run(const SearchRequest& request, Context& context);

// The reason why there is no schedule of fewer steps, in words, with the schedules for which that is shown; empty if
// it is not known.
std::string why_not_fewer(const SearchResult& result);

// --- the frontier between latency and bandwidth ---------------------------------------------------------------------

// Asks for the least volume (SCCL: the fewest rounds) for each number of steps, as "Synthesizing Optimal Collective
// Algorithms" (SCCL) defines it.
struct FrontierRequest {
  SearchRequest search = {};  // without steps, volume, output and schedule
};

// A schedule of `steps` steps whose total volume is `result.steps`, which is less than with fewer steps.
struct FrontierPoint {
  std::uint32_t steps = 0;
  SearchResult result;
  std::string certificate = {};  // the file that was written; empty: none
};

struct FrontierOutcome {
  std::string on;  // the fabric, in the form of the request
  Fabric fabric;
  Collective collective;
  // By steps: from the fewest that distances allow (in rounds: for which a schedule is found) to the number from
  // which on more steps save nothing. In rounds a point that saves nothing is listed if that is not known. A point at
  // which nothing is found is also in the list; it is the only one if nothing is found for any number of steps.
  std::vector<FrontierPoint> points;
  Reason reason = Reason::none;  // the reason why points are missing, or are not known completely
  std::vector<std::string> notes = {};
  Diagnostics failures = {};

  bool all_optimal() const;  // and no point is missing
  bool impossible() const;   // for any number of steps
};

Result<FrontierOutcome> run(const FrontierRequest& request, Context& context);

}  // namespace quadrille::driver
