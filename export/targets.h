// Export targets write tables as programs of other systems. They form a list, which a program that links the library
// may extend.
//
// For: a table as programs of other systems: MSCCL XML, MPI in C, GOAL, SCCL.
// Face: this header, the list of targets.
// Keeps: a file that its executor would refuse, or could run wrong, is not written.
// Read first: export/targets.cpp, export/transmissions.h.
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
  std::vector<std::string> notes;  // parts of the table that the target cannot express, and that are left out
};

// The messages that a file is for, by the bytes of the whole as nccl-tests counts it: what an executor chooses by.
struct WholeBytes {
  std::uint64_t least = 0;
  std::uint64_t most = 0;  // 0: no limit
};

// How ranks reach one another, and with how many thread blocks.
struct PlanChoices {
  std::uint32_t instances = 1;       // blocks that share each operation: each does a part of all its chunks
  std::string protocol = {};         // "LL", or else Simple
  bool in_place = false;             // the smaller one of input and output is the rank's part of the other
  std::uint32_t ranks_per_node = 0;  // ranks of one node use memory channels, others ports; 0: as the fabric is
  std::string name = {};             // by which the executor tells a plan from others; empty: the schedule's

  bool packets() const { return protocol == "LL"; }
  bool in_one_node(std::uint32_t a, std::uint32_t b) const {
    return ranks_per_node == 0 || a / ranks_per_node == b / ranks_per_node;
  }
};

// The input of a target's writer. The writer returns notes on the parts that it left out, or the reason why it wrote
// nothing.
struct ExportInput {
  const SendTable& table;
  std::uint64_t message_bytes;
  std::string consumer;  // "msccl", "azure" or "rccl" (also meant by empty); only of targets for executors
  const Limits& limits;
  double deadline = 0;    // seconds that a processor waits in one step, of targets that wait; 0: as long as it takes
  WholeBytes bytes = {};  // only of targets for executors
  PlanChoices plan = {};  // only of execution plans
};
using ExportWriter = std::function<Result<ExportOutcome>(const ExportInput& input, const Sink& sink)>;

// What is wrong with a table that a target can say all the same.
enum class Wrong : std::uint8_t {
  nothing,
  incomplete,  // something never comes
  anything     // also what is sent before it is there, or is not well formed
};

struct ExportTarget {
  std::string name;
  std::string summary;
  std::string extension;  // of its files, without the dot
  ExportWriter write;
  bool sized = false;         // files say how long messages are
  bool for_executor = false;  // several systems run them, each with its own limits
  bool plans = false;         // they say which channels ranks use, and with how many thread blocks
  bool waits = false;         // they say themselves how long a processor waits for another one
  Wrong says = Wrong::nothing;
  // A program that gives the files of a folder, which are for one collective, to the system that runs them: its name,
  // if there is one, and its text.
  std::string loader = {};
  std::function<std::string(const std::vector<std::string>& files, const Collective& collective,
                            const PlanChoices& choices)>
      loader_text = {};
};
using TargetList = std::vector<ExportTarget>;

// Returns the targets that Quadrille itself knows. A new target is a source of its own, and a line in this list.
TargetList standard_targets();

}  // namespace quadrille::exporting
