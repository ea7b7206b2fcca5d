// The judge decides whether a program ends and does what its collective demands, whatever the timing.
//
// For: other systems' programs (`msccl/`, `goal/`): read, ordered by happens-before, judged, mended.
// Face: programs/msccl/load.h, programs/goal/judge.h, this header, programs/report.h.
// Keeps: *holds* means for every order in which an executor may run the file.
// Read first: programs/PROGRAMS.md, programs/judge.cpp; judge_races.cpp, judge_deadlock.cpp and judge_data.cpp judge a
// property each.
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

// Adds verdicts to a report that already covers limits and structure. Where the structure is wrong, all other
// properties are unknown; where the limits are reached, those that are not judged by then are unknown. Cost: about
// that of happens_before.h, and one run for each number of chunks that may travel together.
void judge(const Program& program, ProgramReport& report, const ProgramJudgeOptions& options);

// Finds races: pairs of operations of one rank that touch the same chunk, at least one of which writes it, and that
// nothing orders. Requires that `order` is acyclic. Throws Ended.
void judge_races(const Program& program, const ProgramNetwork& network, const HappensBefore& order,
                 const ProgramJudgeOptions& options, ProgramReport& report, Work& work);

// Judges the data: it works out which contributions each chunk of the output holds at the end, finds chunks that are
// read before they are written, checks that the input is still there, and judges the order of sums. Requires that sends
// and receptions match, that there is no race, and that `order` is acyclic. Throws Ended.
void judge_data(const Program& program, const ProgramNetwork& network, const HappensBefore& order,
                const ProgramJudgeOptions& options, ProgramReport& report, Work& work);

}  // namespace quadrille::programs
