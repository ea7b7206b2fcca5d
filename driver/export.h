// `quadrille export`: a table for another system.
#pragma once

#include <string>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "export/targets.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct ExportRequest {
  TableRequest input = {};
  std::string target = {};    // a name of the context's world's targets
  std::string output = {};    // a path; empty: standard output
  std::string size = {};      // of a message, "64KiB"; empty: 1 KiB; only of targets that say sizes
  std::string consumer = {};  // "msccl", "azure" or "rccl" (which is meant by empty); only of targets for executors
};

using exporting::ExportOutcome;

// An error, too, if the file cannot be written: then the old one stays.
Result<ExportOutcome> run(const ExportRequest& request, Context& context);

}  // namespace quadrille::driver
