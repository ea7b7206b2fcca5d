// `quadrille check` of another system's file: a program, opened and judged as its executor runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/text/result.h"
#include "programs/order_graph.h"
#include "programs/report.h"

namespace quadrille::driver {

struct CheckProgramRequest {
  std::string file = {};        // a path; `-`: standard input
  std::string consumer = {};    // "msccl", "azure" or "rccl"; empty: the strictest that may run the file
  std::string collective = {};  // "allreduce", "broadcast:2"; empty: the file's own
  bool in_place = false;        // both false: as the file allows it; if it allows both, both are judged
  bool out_of_place = false;
  std::string bytes = {};     // "1KiB..1MiB", "4096", "1KiB.."; empty: the file's own range
  std::string buffer = {};    // of a connection: "4MiB"; empty: the executor's own, and smaller ones
  std::string why_hang = {};  // "RANK" or "RANK:BLOCK"
  std::string mend = {};      // a path: where the mended file goes
  std::size_t listed = 3;     // findings of each property and call that are described
  bool operations = false;    // they are listed, and what orders them; costs memory
  bool order = false;         // it is known, but not listed with what is printed: for pages
};

// A call of the collective, in place or not, and what is found about it.
struct JudgedCall {
  bool in_place = false;
  programs::ProgramReport report;
  std::vector<programs::Stuck> why_hang = {};  // the waits that begin where they were asked for
};

// What would mend a file: changes, and how it is judged with them.
struct Mend {
  std::vector<std::string> changes;
  programs::ProgramVerdict verdict = programs::ProgramVerdict::unknown;
  std::string written = {};                     // where the mended file is
  std::vector<programs::OrderEdge> edges = {};  // that the changes add, if operations were asked for
};

struct CheckProgramOutcome {
  std::string name;  // the program's own
  std::string format;
  std::string consumer;
  bool consumer_chosen = false;  // not by the person
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
  std::optional<Mend> mend = {};                   // nothing: none is needed, or none was found
  bool order_listed = false;                       // with what is printed
  std::optional<programs::OrderGraph> order = {};  // if operations were asked for; the same for every call

  programs::ProgramVerdict verdict() const;
  programs::ProgramVerdict verdict(programs::ProgramProperty property) const;  // the worst of the calls
};

// Whether that file is MSCCL XML; false for what cannot be read.
bool is_msccl(const std::string& file, Context& context);

// What was written wrong, or what was found.
Result<CheckProgramOutcome> run(const CheckProgramRequest& request, Context& context);

}  // namespace quadrille::driver
