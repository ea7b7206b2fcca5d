// What the sends of a plan say of partial reductions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/plan/flights.h"
#include "compiler/plan/plan.h"
#include "model/messages/contribution_set.h"
#include "model/text/source.h"

namespace quadrille {

struct SentReduction {
  ContributionSet sum;  // empty: it sends the partial reduction held
  bool keeping = false;
  Span span;  // of the send
};

// Looks them up by the sends' serial numbers: rows and flights have these, wherever they were moved.
class ReductionsOfSends {
 public:
  explicit ReductionsOfSends(const Plan& plan) : plan_(&plan) {}

  // Runs the send's region again when the first of its sends is asked for.
  const SentReduction& of(SendSerial serial);

 private:
  const Plan* plan_;
  std::map<std::uint32_t, std::vector<SentReduction>> known_;  // by region
};

}  // namespace quadrille
