// UnmetDemands: what a copying collective demands, and has not got when the table ends.
#pragma once

#include <cstdint>

#include "verifier/checker/flights.h"
#include "verifier/checker/rows/bits.h"
#include "verifier/checker/rows/findings.h"

namespace quadrille::checker {

class UnmetDemands {
 public:
  UnmetDemands(const SendTable& table, const CheckOptions& options, Findings& findings)
      : table_(table), options_(options), findings_(findings) {}

  // `delivered`: by demand.
  void judge(const Bits& delivered);

  // Of all chunks but the suspects, what SingleTargets says; of these, the marks.
  void judge(const SingleTargets& flights, const Bits& of_suspects);

 private:
  void add_missing(std::uint64_t demand);

  const SendTable& table_;
  const CheckOptions& options_;
  Findings& findings_;
};

}  // namespace quadrille::checker
