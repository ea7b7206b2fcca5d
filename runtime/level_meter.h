// Measures the traffic of each level of a fabric over time.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric.h"
#include "model/send_table.h"
#include "runtime/replay.h"

namespace quadrille::replaying {

// Time is divided into at most `buckets` spans. The length of a table is known only at its end. So whenever the spans
// are not enough, each two become one, and their length stays a power of two.
class LevelMeter {
 public:
  LevelMeter(const Fabric& fabric, std::uint32_t buckets);

  void step(const StepRows& step);

  std::uint32_t steps_per_bucket() const { return steps_per_bucket_; }
  std::vector<LevelUse> take();  // by level, up before down
  // The links with the most rows per lane, if the fabric is no tree; among equals, the one with the lower number
  // first.
  std::vector<LinkUse> busiest_links(const Fabric& fabric, std::size_t most) const;

 private:
  std::size_t bucket_of(StepId step);
  void halve();

  std::uint32_t buckets_;
  std::uint32_t steps_per_bucket_ = 1;
  std::size_t buckets_used_ = 0;
  std::vector<LevelUse> use_;
  std::vector<std::uint32_t> use_of_channel_;   // index in use_
  std::vector<std::uint64_t> crossings_;        // of the current step
  std::vector<std::uint64_t> rows_of_channel_;  // for fabrics that are no trees, whose levels say little; else empty
};

}  // namespace quadrille::replaying
