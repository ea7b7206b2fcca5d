// Records the faults of a replay: the first ten are described, and all are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/replay.h"

namespace quadrille::replaying {

class FaultLog {
 public:
  // Adds a fault. `describe()` gives the message; it is called only if the fault is to be listed.
  template <class Describe>
  void add(StepId step, std::optional<ChannelId> channel, std::optional<ChunkId> chunk, Describe describe) {
    if (++count_ <= listed) faults_.push_back({step, channel, chunk, describe()});
  }

  // Adds `number` faults that are not listed.
  void add_unlisted(std::uint64_t number) { count_ += number; }

  std::uint64_t count() const { return count_; }
  bool lists_more() const { return count_ < listed; }
  std::vector<Fault> take() { return std::move(faults_); }

 private:
  static constexpr std::uint64_t listed = 10;
  std::vector<Fault> faults_;
  std::uint64_t count_ = 0;
};

}  // namespace quadrille::replaying
