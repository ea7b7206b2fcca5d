// Asks the explicit checker about single sizes of a schedule.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "verifier/prove.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// Asks about each size once. Several threads may use it; one at a time asks the checker.
class CheckedSizes {
 public:
  using HoldsAt = std::function<std::optional<bool>(const Arguments& arguments)>;

  explicit CheckedSizes(const HoldsAt& holds_at) : holds_at_(holds_at) {}  // keeps a reference

  // Whether the schedule holds at this size; nothing if it is too large, or if there is no checker to ask.
  std::optional<bool> hold(const Arguments& size);

 private:
  const HoldsAt& holds_at_;
  std::map<Arguments, std::optional<bool>> known_;
  std::mutex mutex_;
};

// A schedule's problem, the values of its pattern parameters (and others), and the checker to ask.
struct Subject {
  const Problem& problem;
  const Arguments& arguments;
  CheckedSizes& checked;

  // The arguments of the size with these values of the parameters.
  Arguments at(const Assignment& size) const;
};

}  // namespace quadrille::prover
