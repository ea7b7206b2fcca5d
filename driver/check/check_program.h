// `quadrille check` of another system's file: opens the program, and judges it as its executor runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/text/result.h"
#include "programs/msccl/load.h"
#include "programs/msccl/xml.h"
#include "programs/order_graph.h"
#include "programs/report.h"

namespace quadrille::driver {

struct CheckProgramRequest {
  std::string file = {};        // a path; `-`: standard input
  std::string consumer = {};    // "msccl", "azure" or "rccl"; empty: the strictest one that may run the file
  std::string collective = {};  // "allreduce", "broadcast:2"; empty: the file's own
  bool in_place = false;        // both false: as the file allows; if it allows both, both are judged
  bool out_of_place = false;
  std::string bytes = {};     // "1KiB..1MiB", "4096", "1KiB.."; empty: the file's own range
  std::string buffer = {};    // of a connection: "4MiB"; empty: the executor's own, and smaller ones
  bool agreement = false;     // whether agreement is required, too
  std::string why_hang = {};  // "RANK" or "RANK:BLOCK"
  std::string mend = {};      // a path for the mended file
  std::size_t listed = 3;     // number of findings of each property and call that are described
  bool operations = false;    // list the operations, and their order; costs memory
  bool order = false;         // find the order, but do not list it with the printed report: for pages
  std::optional<std::uint32_t> multiprocessors = {};  // of a GPU that runs an MSCCL++ plan
  bool alone = false;                                 // nothing but the plan is launched there
};

// A call of the collective, in place or not, and its report.
struct JudgedCall {
  bool in_place = false;
  programs::ProgramReport report;
  std::vector<programs::Stuck> why_hang = {};  // the waits that begin at the requested place
};

// A mend of a file: changes, and the verdict with them.
struct Mend {
  std::vector<std::string> changes;
  programs::ProgramVerdict verdict = programs::ProgramVerdict::unknown;
  std::string written = {};                     // the path of the mended file
  std::vector<programs::OrderEdge> edges = {};  // edges that the changes add, if operations were wanted
};

struct CheckProgramOutcome {
  std::string name;  // the program's own
  std::string format;
  std::string consumer;
  bool consumer_chosen = false;  // the person did not choose it
  std::string protocol;
  std::string collective;
  std::uint64_t ranks = 0;
  std::uint64_t blocks = 0;
  std::uint64_t steps = 0;
  std::uint64_t chunks = 0;
  std::uint64_t bytes_from = 0;
  std::uint64_t bytes_to = 0;  // 0: no limit
  std::uint64_t buffer = 0;
  std::vector<JudgedCall> calls;
  bool asked_why_hang = false;
  bool asked_mend = false;
  std::optional<Mend> mend = {};                   // nothing: no mend is needed, or none was found
  bool order_listed = false;                       // in the printed report
  std::optional<programs::OrderGraph> order = {};  // if operations were wanted; the same for every call

  programs::ProgramVerdict verdict() const;
  programs::ProgramVerdict verdict(programs::ProgramProperty property) const;  // the worst one of the calls
};

// Whether the file is MSCCL XML; false if it cannot be read.
bool is_msccl(const std::string& file, Context& context);

// What `--collective` names: "broadcast:2". Errors: it names none.
struct CalledCollective {
  programs::ProgramFamily family = programs::ProgramFamily::other;
  std::uint32_t root = 0;
};
Result<CalledCollective> called_collective(const std::string& text);

// A file and the calls of it that were asked for: at least one.
struct OpenedProgram {
  programs::MscclFile file;
  std::vector<programs::MscclCall> calls;
};
Result<OpenedProgram> open_program(const CheckProgramRequest& request, Context& context);

// Checks a program. Errors: the request or the file is wrong.
Result<CheckProgramOutcome> run(const CheckProgramRequest& request, Context& context);

}  // namespace quadrille::driver
