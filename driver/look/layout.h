// `quadrille fmt`: schedule files in their one canonical layout.
#pragma once

#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct LayoutRequest {
  std::vector<std::string> files = {};  // `-`: standard input
  bool check = false;                   // nothing is written
};

struct LaidOutFile {
  std::string name;
  std::string text;  // as it should be
  bool differs = false;
  bool written = false;
};

struct LayoutOutcome {
  std::vector<LaidOutFile> files;  // those that are schedules
  bool check = false;
  Diagnostics failures = {};  // of the others: what is wrong with them, or why they cannot be read or written
};

// Goes on after a file that is wrong.
Result<LayoutOutcome> run(const LayoutRequest& request, Context& context);

}  // namespace quadrille::driver
