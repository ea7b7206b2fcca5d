// Judges a program: whether it ends and does what its collective demands, whatever the timing.
//
//   const MscclFile file = *read_msccl_xml(source, 0);
//   LoadedMsccl loaded = load_msccl(file, call, 3);
//   judge(loaded.program, loaded.report, {});
//   if (loaded.report.verdict() != ProgramVerdict::holds) …loaded.report.findings…
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/limits/limits.h"
#include "programs/happens_before.h"
#include "programs/network.h"
#include "programs/order_graph.h"
#include "programs/program.h"
#include "programs/report.h"

namespace quadrille::programs {

struct ProgramJudgeOptions {
  std::size_t listed = 3;  // findings of each property that are described; all are counted
  Limits limits = {};
  OrderGraph* order = nullptr;  // gets the operations and what orders them, where the limits allow it
};

// Adds to what the report says already (of limits and structure). Where the structure is wrong, the rest is unknown;
// where the limits are reached, what is not judged by then.
// Cost: about that of happens_before.h, and one run for each number of chunks that may travel together.
void judge(const Program& program, ProgramReport& report, const ProgramJudgeOptions& options);

// Two operations of a rank that touch the same chunk, one of which writes it, and nothing says which comes first.
// Requires that `order` is acyclic. Throws Ended.
void judge_races(const Program& program, const ProgramNetwork& network, const HappensBefore& order,
                 const ProgramJudgeOptions& options, ProgramReport& report, Work& work);

// What each chunk of the output is made of at the end; what was read before it was written; whether the input is still
// there; and the order of sums. Requires that sends and receptions match, that there is no race, and `order` is
// acyclic. Throws Ended.
void judge_data(const Program& program, const ProgramNetwork& network, const HappensBefore& order,
                const ProgramJudgeOptions& options, ProgramReport& report, Work& work);

}  // namespace quadrille::programs
