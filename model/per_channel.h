// PerChannel: a value for each channel of a fabric, of one step (or message) at a time.
//
//   PerChannel<std::uint32_t> lanes(fabric);
//   lanes.begin();                    // all are 0
//   const auto lane = lanes[id]++;
//
// It is a vector of stamped values, so that begin() costs nothing; or, where the fabric has too many channels for one,
// a hash table of those that were asked for since begin().
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/fabric.h"

namespace quadrille {

// Whether a table by channel would be larger than the work it is for: a fabric that lists its channels takes more
// than such a table; a complete graph takes nothing, and gets one up to so many channels.
inline bool too_many_for_a_table(const Fabric& fabric, std::uint32_t most_in_table = 1U << 22) {
  return !fabric.lists_channels() && fabric.channels() > most_in_table;
}

template <class Value>
class PerChannel {
 public:
  PerChannel() = default;  // of no channels
  explicit PerChannel(const Fabric& fabric) : few_only_(too_many_for_a_table(fabric)) {
    if (!few_only_) stamped_.resize(fabric.channels());
  }

  // The bytes that it takes at once.
  static std::uint64_t memory(const Fabric& fabric) {
    return too_many_for_a_table(fabric) ? 0 : std::uint64_t{fabric.channels()} * sizeof(Stamped);
  }
  // The bytes for each channel that is asked for, where memory() is 0; else 0.
  std::uint64_t memory_for_each() const { return few_only_ ? sizeof(Stamped) + 4 * sizeof(void*) : 0; }

  // Makes all values Value().
  void begin() {
    few_.clear();
    if (++stamp_ != 0) return;
    stamped_.assign(stamped_.size(), {});
    stamp_ = 1;
  }

  Value& operator[](ChannelId id) {
    if (few_only_) return few_[id];
    Stamped& at = stamped_[id.value];
    if (at.stamp != stamp_) at = {stamp_, Value()};
    return at.value;
  }

 private:
  struct Stamped {
    std::uint32_t stamp = 0;
    Value value = Value();
  };

  bool few_only_ = false;
  std::uint32_t stamp_ = 1;
  std::vector<Stamped> stamped_;
  std::unordered_map<ChannelId, Value> few_;
};

}  // namespace quadrille
