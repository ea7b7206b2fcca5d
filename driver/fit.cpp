// A table in rounds is compared with one in steps on the same nodes and channels: only the counting differs. For
// example, allreduce_ring among 8 cuts a message into 8 chunks: it does what an allreduce of one part does.
#include "driver/fit.h"

namespace quadrille::driver {

Fabric timed(const Fabric& fabric, Timing timing) {
  Rules rules = fabric.rules();
  if (rules.timing == timing) return fabric;
  rules.timing = timing;
  rules.paths = timing == Timing::rounds ? Paths::shared : Paths::held;
  return fabric.with_rules(rules);
}

namespace {

// What is right for ordered operations is right for all, and only what was made for idempotent ones may count a
// contribution twice.
bool suffices(Operation done, Operation asked) {
  return done == asked || done == Operation::ordered || asked == Operation::idempotent;
}

}  // namespace

bool does(const Collective& done, const Collective& asked) {
  const CollectiveDescription& one = done.description();
  const CollectiveDescription& other = asked.description();
  return done.kind() == asked.kind() && !done.listed() && (!done.rooted() || one.root == other.root) &&
         suffices(one.operation, other.operation) && (other.parts == 1 || one.parts == other.parts);
}

}  // namespace quadrille::driver
