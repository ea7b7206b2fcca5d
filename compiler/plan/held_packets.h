// HeldPackets record, in rounds, the packets of a copying collective that each processor has.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "model/collective.h"
#include "model/ids.h"
#include "model/text/source.h"

namespace quadrille {

class HeldPackets {
 public:
  // Starts with the packets that processors have before the first round. Throws EvaluationError where one bit for each
  // packet and processor would take more than `memory` bytes.
  HeldPackets(const Collective& collective, std::uint64_t memory, Span span);

  void add(NodeId processor, ChunkId chunk);

  // Calls visit(ChunkId) for each packet that the processor has, in order.
  template <class Visit>
  void for_each(NodeId processor, const Visit& visit) const {
    const std::size_t first = processor.value * words_;
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t rest = bits_[first + word]; rest != 0; rest &= rest - 1)
        visit(ChunkId(word * 64 + static_cast<std::uint64_t>(std::countr_zero(rest))));
    }
  }

 private:
  std::size_t words_;  // of a processor
  std::vector<std::uint64_t> bits_;
};

}  // namespace quadrille
