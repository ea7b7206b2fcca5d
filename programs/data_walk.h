// DataWalk follows the contents of chunks through a program's operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/limits/work.h"
#include "programs/happens_before.h"
#include "programs/network.h"
#include "programs/program.h"
#include "programs/sums.h"

namespace quadrille::programs {

// A chunk of memory, as the operations before leave it.
struct WrittenCell {
  SumNumber value = Sums::undefined;
  std::uint32_t writer = none;  // action
};

// One walk through all operations. The contribution of input chunk c of a rank has the number rank * inputs + c.
class DataWalk {
 public:
  // Keeps references to all. `target_last`: whether a fused reduction adds its target last. Requires that sends and
  // receptions match and that `order` is acyclic.
  DataWalk(const Program& program, const ProgramNetwork& network, const HappensBefore& order, bool target_last,
           Sums& sums, Work& work);

  void all();  // throws Ended

  const WrittenCell& cell(std::size_t rank, Space space, std::int64_t offset) const {
    return memory_[rank][*cells_.cell(rank, space, offset)];
  }
  // The content of a chunk of an action: of those that send, what leaves.
  SumNumber carried(std::uint32_t action, std::uint32_t chunk) const { return carried_[firsts_[action] + chunk]; }
  // The actions that read a chunk before anyone had written it.
  const std::vector<std::uint32_t>& blind() const { return blind_; }

 private:
  bool has_input(std::size_t rank) const {
    return program_.family != ProgramFamily::broadcast || rank == program_.root;
  }
  void start(std::size_t rank);
  SumNumber look(std::uint32_t action, Space space, std::int64_t offset);
  void read(std::uint32_t action, std::uint32_t j);
  void act(std::uint32_t action, std::uint32_t j);
  SumNumber reduced(std::uint32_t action, std::uint32_t j);

  const Program& program_;
  Cells cells_;
  const ProgramNetwork& network_;
  const HappensBefore& order_;
  bool target_last_;
  Sums& sums_;
  Work& work_;
  std::vector<std::vector<WrittenCell>> memory_ = {};  // by rank and cell
  std::vector<std::size_t> firsts_ = {};               // chunk, by action
  std::vector<SumNumber> carried_ = {};                // the content of each chunk of an action
  std::vector<SumNumber> local_ = {};                  // what it read of its source
  std::vector<std::uint32_t> blind_ = {};
};

}  // namespace quadrille::programs
