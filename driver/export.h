// `quadrille export`: a table for another system.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/context.h"
#include "driver/input.h"
#include "formats/formats.h"
#include "model/limits.h"
#include "model/result.h"
#include "model/send_table.h"

namespace quadrille::driver {

struct ExportRequest {
  TableRequest input = {};
  std::string target = {};    // a name of the list below
  std::string output = {};    // a path; empty: standard output
  std::string size = {};      // of a message, "64KiB"; empty: 1 KiB; only of targets that say sizes
  std::string consumer = {};  // "msccl", "azure" or "rccl" (which is meant by empty); only of targets for executors
};

struct ExportOutcome {
  std::vector<std::string> notes;  // what the target cannot say, and is left out
};

// What a target's writer gets, and gives: what it left out; or why it wrote nothing.
struct ExportInput {
  const SendTable& table;
  std::uint64_t message_bytes;
  std::string consumer;
  const Limits& limits;
};
using ExportWriter = std::function<Result<ExportOutcome>(const ExportInput& input, const Sink& sink)>;

struct ExportTarget {
  std::string name;
  std::string summary;
  ExportWriter write;
  bool sized = false;         // files say how long messages are
  bool for_executor = false;  // several systems run them, each with its own limits
};

// A new one is a source of its own and a line here.
const std::vector<ExportTarget>& export_targets();

// An error, too, if the file cannot be written: then the old one stays.
Result<ExportOutcome> run(const ExportRequest& request, Context& context);

}  // namespace quadrille::driver
