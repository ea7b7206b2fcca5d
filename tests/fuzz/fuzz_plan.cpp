// Any bytes: reading and judging them as an MSCCL++ execution plan must not crash; what is read must survive being
// written.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "programs/mscclpp/judge.h"
#include "programs/mscclpp/write_plan.h"

using namespace quadrille;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  Limits limits;
  limits.memory = std::uint64_t{1} << 27;
  limits.deadline = Limits::Clock::now() + std::chrono::seconds(2);
  const auto plan = programs::read_execution_plan(input, limits);
  if (!plan && plan.diagnostics().empty()) std::abort();
  if (!plan) return 0;
  const std::string text = programs::write_execution_plan(*plan);
  const auto again = programs::read_execution_plan(text, limits);
  if (!again || programs::write_execution_plan(*again) != text) std::abort();
  for (const bool alone : {false, true}) {
    programs::OrderGraph order;
    const programs::ProgramReport report =
        programs::judge_plan(*plan, {.limits = limits, .alone = alone, .order = &order});
    for (const programs::Finding& finding : report.findings) {
      if (finding.at && finding.at->step >= 0) programs::plan_operation_text(*plan, *finding.at);
    }
  }
  return 0;
}
