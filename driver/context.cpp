#include "driver/context.h"

namespace quadrille::driver {

Limits make_limits(const LimitRequest& request, Environment& environment) {
  Limits limits;
  limits.stop = environment.interrupts();
  limits.memory = static_cast<std::uint64_t>(request.gib * static_cast<double>(std::uint64_t{1} << 30));
  environment.limit_memory(limits.memory);
  if (request.seconds > 0) {
    limits.deadline = environment.now() + std::chrono::duration_cast<Limits::Clock::duration>(
                                              std::chrono::duration<double>(request.seconds));
  }
  return limits;
}

}  // namespace quadrille::driver
