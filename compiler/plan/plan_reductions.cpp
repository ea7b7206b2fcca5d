// Rows and flights are many, and few schedules speak of partial reductions, so rows and flights do not store partial
// reductions; a look-up runs the region again. Cost: a region's sends once. Memory: what these sends say of partial
// reductions.
#include "compiler/plan/plan_reductions.h"

#include "compiler/plan/region_runner.h"

namespace quadrille {

const SentReduction& PlanReductions::of(SendSerial serial) {
  if (!plan_->said.empty()) return plan_->said.at(serial);
  const auto region = static_cast<std::uint32_t>(serial >> 32);
  const auto entry = known_.try_emplace(region);
  std::vector<SentReduction>& list = entry.first->second;
  if (entry.second) {
    Evaluator evaluator(plan_->instance);
    RegionRunner runner(*plan_, evaluator);
    runner.run(region, [&](const ResolvedSend& send) {
      list.push_back({ContributionSet(send.sum), send.keeping, send.span});
    });
  }
  return list.at(serial & 0xffffffff);
}

}  // namespace quadrille
