// Makes schedules of a combining collective from other collectives' schedules.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "verifier/check.h"
#include "verifier/search.h"

namespace quadrille::searching {

// The checker's report on a table, without a list of violations, and without reports of progress.
Report checked_quietly(const SendTable& table, Limits limits);

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

}  // namespace quadrille::searching
