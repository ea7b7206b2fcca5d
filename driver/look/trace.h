// `quadrille trace`: writes a table as events in time, for Perfetto (ui.perfetto.dev).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct TraceRequest {
  TableRequest input = {};
  std::vector<std::string> sizes = {};  // at most one, of a message: "64KiB"; empty: a step lasts a millisecond
  std::string costs = {};               // parse_costs; needs a size
  std::string steps = {};               // a window: parse_steps; empty: all
  std::string output = {};              // a path; empty: standard output
  std::string size_of = {};             // message_sizes; needs a size
};

struct TraceOutcome {
  SendTable table;
  std::uint64_t rows = 0;    // number of rows in the window
  std::uint64_t events = 0;  // complete events: one on the row's link, one at each end that is a processor
};

// Writes Chrome's trace event format, as JSON. The table is shown as it is, right or wrong. Also an error if the file
// cannot be written to its end; then the old one stays.
Result<TraceOutcome> run(const TraceRequest& request, Context& context);

}  // namespace quadrille::driver
