// `quadrille check`: a table, opened and judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/costs.h"
#include "driver/inputs/input.h"
#include "driver/inputs/slow_down.h"
#include "driver/look/listed_rows.h"
#include "model/send_table.h"
#include "model/text/result.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille::driver {

struct CheckRequest {
  TableRequest input = {};
  bool agreement = false;               // it is demanded, too
  bool claims = true;                   // false: the schedule's claims and invariants are not judged
  std::vector<std::string> sizes = {};  // of a message: "64KiB", or several with commas; the time is told for each
  std::string costs = {};               // parse_costs; needs sizes
  std::string rows = {};                // which steps' rows are listed: parse_steps; empty: none
  std::size_t listed = 3;               // how many violations of each property are described; all are counted
};

struct CheckOutcome {
  SendTable table;
  std::string on;  // the fabric, as it was asked for; empty: the schedule's own
  Report report;
  Bound bound;                             // the best one to compare the table's steps (or rounds) with
  std::optional<Bound> volume_bound = {};  // likewise with its volume; in rounds only
  bool claims_judged = true;               // and invariants
  bool invariants_written = false;         // in the schedule, judged or not
  Diagnostics warnings = {};               // the compiler's
  Costs costs = {};
  std::vector<std::uint64_t> sizes = {};          // of a message, in bytes
  std::optional<SlowDown> slow_down = {};         // retimed for another fabric, in steps
  std::vector<std::optional<double>> times = {};  // by size, in seconds; nothing where not all is known of the table
  std::optional<ListedRows> rows = {};            // if they were asked for
  Reason cut = Reason::none;                      // why bounds, times or verdicts on claims may be missing

  // Of all properties but claims, invariants and those that only warn: of the table itself, whatever its schedule says
  // about it.
  Verdict table_verdict() const;
  // What fails, claims or invariants, where the table is right, but not what its schedule says of it, as may happen on
  // another fabric.
  std::optional<Property> only_violated_of_schedule() const;
  // Likewise, and whether it is what its schedule claims is not known.
  bool only_claims_unknown() const;
};

// What was written wrong, or what was found. The result's warnings are the outcome's.
Result<CheckOutcome> run(const CheckRequest& request, Context& context);

}  // namespace quadrille::driver
