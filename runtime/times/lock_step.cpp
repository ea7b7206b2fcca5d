// Adds up the lengths of all steps (step_times.h). Cost: that of a pass over the rows.
#include "runtime/times/lock_step.h"

#include "model/limits/work.h"
#include "runtime/times/step_times.h"

namespace quadrille {
namespace {

using namespace replaying;

// The sum of all steps' lengths. Throws Ended.
double total(const SendTable& table, const ChannelTimes& times, Work& work) {
  StepTimes steps(table, times, work);
  double seconds = 0;
  std::uint64_t done = 0;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    work.spend(batch->rows.size());
    seconds += static_cast<double>(batch->step.value - done - 1) * steps.empty() + steps.length(*batch);
    done = batch->step.value;
  }
  if (const Reason reason = cursor->ended_early(); reason != Reason::none) throw Ended{reason};
  return seconds;
}

}  // namespace

std::optional<double> seconds_in_lock_step(const SendTable& table, const TransferCosts& costs, double bytes_per_chunk,
                                           const Limits& limits) {
  try {
    Work work(limits);
    const ChannelTimes times(table.fabric, costs, bytes_per_chunk);
    return total(table, times, work);
  } catch (const Ended&) {
    return std::nullopt;
  }
}

}  // namespace quadrille
