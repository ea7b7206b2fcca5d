// The statements of a schedule's author about what processors hold, step after step, for one size (model/MODEL.md,
// Invariants). They are data that the maker of a table hands over beside the rows; tables in files have none.
#pragma once

#include <cstdint>
#include <functional>
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

struct TableInvariant {
  std::string text;
  Span span;
  // The steps that have statements, increasing; 0 is before the first step. Or the error for which there are none.
  std::function<Result<std::vector<std::uint32_t>>(const Limits&)> steps;
  // Calls `visit` with each statement about the step, until it returns false. Returns the error, if there is one.
  using Visit = std::function<bool(const HeldOrigins&)>;
  std::function<std::optional<Diagnostic>(std::uint32_t step, const Limits&, const Visit&)> statements;
};

}  // namespace quadrille
