// `quadrille draw`: a table or schedule, opened, checked and drawn.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "model/text/result.h"

namespace quadrille::pages {

struct DrawRequest {
  driver::TableRequest input = {};
  std::string view = {};                   // a name of the list below
  std::optional<std::uint32_t> step = {};  // machine: what is on its way in this step
  std::vector<std::string> sizes = {};     // sizes: of a message, "1KiB,1MiB"; its time is drawn over these, then
  std::string costs = {};                  // parse_costs; needs sizes
  std::string output = {};                 // a path; empty: standard output
  std::string size_of = {};                // message_sizes; needs sizes
};

struct View {
  std::string name;
  std::string summary;
  std::function<Result<std::string>(const DrawRequest& request, driver::Context& context)> draw;
};

// A new one is a source of its own and a line here.
const std::vector<View>& views();

struct DrawOutcome {
  std::string figure;
};

// An error, too, if the figure cannot be written: then the old file stays. A violated table is drawn as any other.
Result<DrawOutcome> run(const DrawRequest& request, driver::Context& context);

}  // namespace quadrille::pages
