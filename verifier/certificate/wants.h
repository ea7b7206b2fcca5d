// Who must get what: the demands of a collective, as prices see them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "model/collective.h"
#include "model/limits/work.h"

namespace quadrille::certificate {

// Something (a chunk, or a value) that starts at a set of processors must get to a processor.
struct Want {
  std::uint32_t starts;  // number of the set
  std::uint32_t thing;
  NodeId processor;
};

// A thing and a processor where it must be in at least one row.
struct Visit {
  std::uint32_t thing;
  NodeId processor;
};

struct Wants {
  using StartSet = std::pmr::vector<NodeId>;
  explicit Wants(Work& work) : starts(&work), wants(&work), receptions(&work), sends(&work) {}

  std::pmr::vector<StartSet> starts;
  std::pmr::vector<Want> wants;  // by set
  std::size_t things = 0;
  std::uint64_t alike = 1;             // each stands for so many: the parts of a message start and are wanted alike
  std::pmr::vector<Visit> receptions;  // each once: of those who want it and are not among its starts
  std::pmr::vector<Visit> sends;       // each once: combining collectives only, of those who contribute to it
};

// Throws Ended. The work outlives the result. Cost: time and memory in proportion to the demands; combining: to all
// contributions that they ask for.
Wants wants_of(const Collective& collective, Work& work);

}  // namespace quadrille::certificate
