// Makes schedules of a combining collective from other collectives' schedules.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "verifier/search.h"

namespace quadrille::searching {

class RelatedSchedules {
 public:
  // Keeps references.
  RelatedSchedules(const Fabric& fabric, const Collective& collective) : fabric_(fabric), collective_(collective) {}

  // The schedules that can be made of `known`, which is a schedule of one of related_collectives(), and of those that
  // were given before. The checker has not judged them. Nothing if `known` breaks a rule, or is for another fabric.
  using Made = std::vector<std::pair<SendTable, Method>>;
  Made made_of(const SendTable& known, const Limits& limits);

 private:
  // One half of an allreduce: the half that combines, or the one that brings the results to all.
  struct Half {
    SendTable table;
    std::uint64_t steps = 0;
  };
  // A reduce_scatter and an allgather, or a reduction to a root and a broadcast from it.
  struct Pair {
    std::optional<Half> combining;
    std::optional<Half> copying;
  };

  SendTable exchanged(const SendTable& exchange) const;
  void add_halves(const SendTable& known, std::uint64_t steps, const Limits& limits, Made& made);
  std::optional<SendTable> time_reversed(const SendTable& copying, const Collective& combining) const;
  std::optional<SendTable> joined(const Half& combining, const Half& copying, const std::string& name) const;
  bool in_rounds() const { return fabric_.in_rounds(); }

  const Fabric& fabric_;
  const Collective& collective_;
  std::vector<std::pair<std::pair<bool, std::uint32_t>, Pair>> pairs_;  // the key: whether it has a root, and which
};

// --- pieces of it, in rounds (round_related.cpp) ------------------------------------------------------------------

// The table with the same messages and their packets renamed. Requires a table whose rows do not name partial
// reductions (ReductionUse).
SendTable renamed_table(const SendTable& table, const Collective& collective,
                        const std::function<ChunkId(ChunkId)>& name);

// The schedule of a broadcast or allgather, with time reversed, as one of the reduction or reduce_scatter. Requires
// links that are alike both ways.
std::optional<SendTable> time_reversed_in_rounds(const SendTable& copying, const Collective& combining);

// The allreduce that does a reduction or reduce_scatter first, and then a broadcast or allgather. A message of the
// second part to several receivers becomes one message to each. Nothing where messages of the second part begin or
// end at switches.
std::optional<SendTable> joined_in_rounds(const SendTable& combining, const SendTable& copying,
                                          const Collective& allreduce, std::string name);

}  // namespace quadrille::searching
