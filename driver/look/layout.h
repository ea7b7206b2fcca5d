// `quadrille fmt`: brings schedule files into their single canonical layout.
#pragma once

#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct LayoutRequest {
  std::vector<std::string> files = {};  // `-`: standard input
  bool check = false;                   // only check, write nothing
};

struct LaidOutFile {
  std::string name;
  std::string text;  // as it should be
  bool differs = false;
  bool written = false;
};

struct LayoutOutcome {
  std::vector<LaidOutFile> files;  // the files that are schedules
  bool check = false;
  Diagnostics failures = {};  // of the other files: their errors, or why they cannot be read or written
};

// Lays the files out. It goes on after a file with errors.
Result<LayoutOutcome> run(const LayoutRequest& request, Context& context);

}  // namespace quadrille::driver
