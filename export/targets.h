// What tables are written as for other systems: a list of targets, which a program that links the library may extend.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "formats/formats.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::exporting {

struct ExportOutcome {
  std::vector<std::string> notes;  // what the target cannot say, and is left out
};

// What a target's writer gets, and gives: what it left out; or why it wrote nothing.
struct ExportInput {
  const SendTable& table;
  std::uint64_t message_bytes;
  std::string consumer;  // "msccl", "azure" or "rccl" (which is meant by empty); only of targets for executors
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
using TargetList = std::vector<ExportTarget>;

// What Quadrille knows by itself. A new one is a source of its own and a line there.
TargetList standard_targets();

}  // namespace quadrille::exporting
