// What the explicit checker says of a schedule at single sizes.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "verifier/prove.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

using Arguments = std::map<std::string, std::string>;  // parameter values, as for the compiler

// Asks about each size once. Safe to use from several threads; the checker is asked by one at a time.
class CheckedSizes {
 public:
  using HoldsAt = std::function<std::optional<bool>(const Arguments& arguments)>;

  explicit CheckedSizes(const HoldsAt& holds_at) : holds_at_(holds_at) {}  // keeps a reference

  // Whether the schedule holds there; nothing if it is too large, or nobody can be asked.
  std::optional<bool> hold(const Arguments& size);

 private:
  const HoldsAt& holds_at_;
  std::map<Arguments, std::optional<bool>> known_;
  std::mutex mutex_;
};

// A schedule's problem, the values that its pattern parameters (and others) were given for it, and who is asked.
struct Subject {
  const Problem& problem;
  const Arguments& arguments;
  CheckedSizes& checked;

  // The arguments of the size with these values of the parameters.
  Arguments at(const Assignment& size) const;
};

}  // namespace quadrille::prover
