// Who must get what: the demands of a collective, as prices see them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/collective.h"

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
  std::vector<std::vector<NodeId>> starts;
  std::vector<Want> wants;  // by set
  std::size_t things = 0;
  std::uint64_t alike = 1;        // each stands for so many: the parts of a message start and are wanted alike
  std::vector<Visit> receptions;  // each once: of those who want it and are not among its starts
  std::vector<Visit> sends;       // each once: combining collectives only, of those who contribute to it
};

// Nothing if they are too many to be counted one by one: more than 2^27.
std::optional<Wants> wants_of(const Collective& collective);

}  // namespace quadrille::certificate
