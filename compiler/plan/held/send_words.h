// What the sends of a plan say of words.
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

struct SendWords {
  ContributionSet sum;  // empty: it sends the word held
  bool keeping = false;
  Span span;  // of the send
};

// Looks them up by the sends' serial numbers: rows and flights have these, wherever they were moved.
class WordsOfSends {
 public:
  explicit WordsOfSends(const Plan& plan) : plan_(&plan) {}

  // Runs the send's region again when the first of its sends is asked for.
  const SendWords& of(SendSerial serial);

 private:
  const Plan* plan_;
  std::map<std::uint32_t, std::vector<SendWords>> known_;  // by region
};

}  // namespace quadrille
