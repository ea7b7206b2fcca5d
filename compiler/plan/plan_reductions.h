// PlanReductions looks up what the sends of a plan say of partial reductions.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/plan/plan.h"
#include "place/held/send_reductions.h"

namespace quadrille {

class PlanReductions final : public ReductionsOfSends {
 public:
  explicit PlanReductions(const Plan& plan) : plan_(&plan) {}

  // Runs the send's region again when the first of its sends is asked for.
  const SentReduction& of(SendSerial serial) override;

 private:
  const Plan* plan_;
  std::map<std::uint32_t, std::vector<SentReduction>> known_;  // by region
};

}  // namespace quadrille
