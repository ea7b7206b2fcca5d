// sent_statements groups the sends of a table into statements of a schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/decompile/sent_flights.h"
#include "model/fabric.h"

namespace quadrille {

// The shifts of processors under which the fabric looks the same: they add digit by digit, without carrying.
class Shifts {
 public:
  explicit Shifts(const Fabric& fabric);

  bool any() const { return !extents_.empty(); }
  std::uint32_t plus(std::uint32_t p, std::uint32_t x) const;
  // The send, with every processor in it shifted by x.
  SentFlight shifted(SentFlight send, std::uint32_t x) const;

  // The function's declaration, where there is one, and `plus(k, x)` in the language.
  std::string declaration() const;
  std::string text(std::uint32_t x) const;
  std::string text(const std::string& x) const;  // of a variable

 private:
  std::vector<ContributionSet::Interval> shifted(const std::vector<ContributionSet::Interval>& sum,
                                                 std::uint32_t x) const;

  std::uint32_t n_;
  std::vector<std::uint32_t> extents_;
  bool binary_ = false;
};

// A statement stands for one send; or for n sends, which are that of processor 0 shifted by each processor.
struct SentStatement {
  std::vector<std::size_t> sends;  // indices of SentFlights::sends, by processor

  bool for_all() const { return sends.size() > 1; }
};

// The statements of a schedule with these sends, in order of steps, and in a step of sources; those for all stand where
// the send of processor 0 does. In steps, only sends on default routes are for all; those that wait, on trees only.
std::vector<SentStatement> statements_of(const SentFlights& sends, const Fabric& fabric);

}  // namespace quadrille
