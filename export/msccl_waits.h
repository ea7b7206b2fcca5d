// Which operations of other thread blocks an operation of a rank has to wait for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "export/program.h"

namespace quadrille::exporting {

// An operation of a rank, in one of its thread blocks: the `line`-th one there.
struct BlockLine {
  std::size_t block = 0;
  std::size_t line = 0;
  bool operator==(const BlockLine&) const = default;
};

// Told one operation after another, in an order in which they may run one by one.
class Waits {
 public:
  explicit Waits(std::size_t blocks) : known_(blocks) {}

  // What the next operation, at `at`, has to wait for: at most one line of each other block. A read waits for the last
  // write of its slots, a write for that and for the reads since; what follows from other waits is left out. The slots
  // are `count` ones from each on; null: none are read, or written.
  std::vector<BlockLine> next(BlockLine at, const BufferSlot* source, const BufferSlot* target, std::uint64_t count);

 private:
  // By block: of how many of its lines it is known that they have ended.
  using Known = std::vector<std::size_t>;
  struct Use {
    std::vector<BlockLine> writes;  // the last one, if there is any
    std::vector<BlockLine> reads;   // since
  };
  void need(BlockLine line, std::map<std::size_t, std::size_t>& needed) const;

  std::vector<std::vector<Known>> known_;  // by block and line: after the operation
  std::map<BufferSlot, Use> uses_;
};

}  // namespace quadrille::exporting
