// The statements of a schedule's author about what processors hold, step after step, for one size (model/MODEL.md,
// Invariants). They are data that the maker of a table hands over beside the rows; tables in files have none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/ids.h"
#include "model/limits/limits.h"
#include "model/text/result.h"

namespace quadrille {

// The numbers first … last.
struct OriginRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool operator==(const OriginRange&) const = default;
};

// The origins whose chunks, or contributions, a processor holds.
struct HeldOrigins {
  NodeId processor;
  std::optional<std::uint32_t> target;  // copying: of the chunks for this processor; none: of those for everyone
  std::uint32_t part = 0;               // combining: the value
  bool at_least = false;                // it may hold more
  std::vector<OriginRange> origins;     // sorted, disjoint, and never touching
  Span span = {};                       // where it was written, if that is known
};

// What an invariant says, from step to step: who has looked at its statements once needs to look at those alone that
// change. Statements are numbered in the order in which they are said, for all steps alike; a number's processor,
// target and part never change.
class StatementsInTime {
 public:
  virtual ~StatementsInTime() = default;
  // Goes on to a later step, and adds the numbers that now say something else than before, at first all that say
  // anything. False: ask for the statements of this step, and of all later ones, instead.
  virtual bool go_to(std::uint32_t step, std::vector<std::uint32_t>& changed) = 0;
  // How many numbers there are, once the first step has been gone to.
  virtual std::uint32_t numbers() const = 0;
  // What the number says now; null: nothing.
  virtual const HeldOrigins* said(std::uint32_t number) const = 0;
};

struct TableInvariant {
  std::string text;
  Span span;
  // The steps that have statements, increasing; 0 is before the first step. Or the error for which there are none.
  std::function<Result<std::vector<std::uint32_t>>(const Limits&)> steps;
  // Calls `visit` with each statement about the step, until it returns false. Returns the error, if there is one.
  using Visit = std::function<bool(const HeldOrigins&)>;
  std::function<std::optional<Diagnostic>(std::uint32_t step, const Limits&, const Visit&)> statements;
  // The same in time; absent, or null, where there is no such thing. The limits must outlive it.
  std::function<std::unique_ptr<StatementsInTime>(const Limits&)> in_time = {};
};

}  // namespace quadrille
