// Edits an MSCCL XML file so that the meaning of its dependencies is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "programs/msccl/load.h"

namespace quadrille::programs {

// A requested order: in `rank`, the operation that begins at `from` happens before the one at `to`; without `to`, it
// only sets its flag.
struct Wish {
  std::uint32_t rank = 0;
  std::uint32_t from_block = 0;
  std::uint32_t from = 0;
  std::uint32_t to_block = 0;
  std::optional<std::uint32_t> to = {};
  bool operator==(const Wish&) const = default;
};

// Requires that the file was read from a text, so that its steps have different places.
class MscclEditor {
 public:
  MscclEditor(const MscclFile& file, const MscclCall& call);

  // Adds an order. False if there is no such operation.
  bool add(const Wish& wish);
  // The file, with all deps as they must be now.
  MscclFile finished();

 private:
  void remember();
  MscclRank* find_rank(std::uint32_t id);
  MscclStep* last_step(MscclBlock& block, std::uint32_t place);
  void depend(MscclBlock& block, std::vector<MscclStep>::iterator step, const Wish& wish);

  MscclFile file_;
  const MscclCall& call_;
  std::map<std::uint32_t, std::uint32_t> targets_ = {};  // by place of a step: the operation that it waits for
  std::map<std::uint32_t, std::size_t> members_ = {};    // by place of an operation: the number of its steps
  std::uint32_t next_new_;
};

}  // namespace quadrille::programs
