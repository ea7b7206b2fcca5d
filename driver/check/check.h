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
#include "driver/look/listed_rows.h"
#include "model/send_table.h"
#include "model/text/result.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille::driver {

// The cost for a schedule of running on another fabric than the one that it is written for.

struct SlowDown {
  std::uint64_t own_steps = 0;  // on the fabric that it is written for, not retimed; at least 1
  // The load factor there: the most rows on a channel in a step, divided by the channel's capacity. At most 1 if no
  // capacity is exceeded.
  double load_factor = 0;
};

// The slow-down of a schedule that is retimed for another fabric. Nothing for other schedules, for tables in rounds,
// if the schedule names no fabric, or if time is short. Cost: the table is made once more, as it is written, and
// read.
std::optional<SlowDown> slow_down_of(const TableRequest& request, const SendTable& table, Context& context);

struct CheckRequest {
  TableRequest input = {};
  bool agreement = false;               // whether agreement is required, too
  bool claims = true;                   // false: the schedule's claims and invariants are not judged
  std::vector<std::string> sizes = {};  // of a message: "64KiB", or several with commas; the time is reported for each
  std::string costs = {};               // parse_costs; needs sizes
  std::string rows = {};                // the steps whose rows are listed: parse_steps; empty: none
  std::size_t listed = 3;               // number of violations of each property that are described; all are counted
  std::string size_of = {};             // message_sizes; needs sizes
  // Whether complete graphs may have more channels than a table by channel has room for (allow_unlisted_channels): for
  // callers that make no such table of the outcome, as figures and pages are made of.
  bool unlisted_channels = false;
};

struct CheckOutcome {
  SendTable table;
  std::string on;  // the fabric, in the form of the request; empty: the schedule's own
  Report report;
  Bound bound;                             // the best bound to compare the table's steps (or rounds) with
  std::optional<Bound> volume_bound = {};  // likewise with its volume; in rounds only
  bool claims_judged = true;               // also invariants
  bool invariants_written = false;         // whether the schedule has any, judged or not
  Diagnostics warnings = {};               // from the compiler
  Costs costs = {};
  std::vector<std::uint64_t> sizes = {};          // of a message, in bytes
  std::optional<SlowDown> slow_down = {};         // if it was retimed for another fabric, in steps
  std::vector<std::optional<double>> times = {};  // by size, in seconds; nothing where the table is not fully known
  std::optional<ListedRows> rows = {};            // if they were wanted
  Reason cut = Reason::none;                      // the reason why bounds, times or verdicts on claims may be missing

  // The verdict of all properties except claims, invariants and those that only warn. So it is about the table
  // itself, whatever its schedule states about it.
  Verdict table_verdict() const;
  // The property that fails, claims or invariants, if the table is right but its schedule's statements are not, as
  // may happen on another fabric. Nothing otherwise.
  std::optional<Property> only_violated_of_schedule() const;
  // Whether the table is right, and it is unknown whether its schedule's claims hold.
  bool only_claims_unknown() const;
};

// Checks a table. Errors: the request or its files are wrong. The result's warnings are the outcome's.
Result<CheckOutcome> run(const CheckRequest& request, Context& context);

}  // namespace quadrille::driver
