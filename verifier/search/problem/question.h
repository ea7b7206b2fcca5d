// The question that the search asks again and again: is there a schedule of T steps? (verifier/FORMULA.md)
#pragma once

#include <cstdint>
#include <optional>

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille::searching {

struct Question {
  Fabric fabric;
  Collective collective;
  std::uint32_t steps = 1;  // T, at least 1
  bool inject_once = false;
  bool keep_to_paths = false;
  std::optional<std::uint32_t> phases = {};  // at least 1, at most T
};

}  // namespace quadrille::searching
