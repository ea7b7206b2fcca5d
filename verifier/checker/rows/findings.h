// Findings: what the parts of the checker found wrong: all of it counted, the first of each property described.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/send_table.h"
#include "verifier/check.h"

namespace quadrille::checker {

// A described violation, and the row to blame, if there is one: by its place, or as the arrival of `violation.chunk` at
// `violation.node` in `violation.step` (`seek`: its place must still be found).
struct BlamedViolation {
  Violation violation;
  std::optional<RowPlace> place{};
  bool seek = false;
  std::optional<RowPlace> other{};  // agreement: the row where the other order parts from this one
};

class Findings {
 public:
  explicit Findings(std::size_t listed_per_property) : limit_(listed_per_property) {}

  // Violations without a step (a missing delivery) come after all others.
  static constexpr std::uint32_t no_step = 0xffffffff;

  // Whether a violation of this step would be listed.
  bool wants(Property property, std::uint32_t step) const {
    const List& list = lists_[static_cast<std::size_t>(property)];
    return list.first.size() < limit_ || (limit_ > 0 && step < list.first.back().step);
  }

  // Counts one violation; `describe` -> Finding is called only if it will be listed.
  template <class Describe>
  void add(Property property, std::uint32_t step, Describe&& describe) {
    ++lists_[static_cast<std::size_t>(property)].count;
    if (wants(property, step)) list(property, step, std::forward<Describe>(describe)());
  }

  // Counts `number` violations more, which are not listed.
  void count(Property property, std::uint64_t number) { lists_[static_cast<std::size_t>(property)].count += number; }

  std::uint64_t counted(Property property) const { return lists_[static_cast<std::size_t>(property)].count; }

  // The listed ones, in order of step (then of property, then as found), with the origins of their rows, as far as
  // these can be found within the limits.
  std::vector<Violation> listed(const SendTable& table, const Limits& limits) const;

 private:
  struct Listed {
    std::uint32_t step;
    BlamedViolation finding;
  };
  struct List {
    std::uint64_t count = 0;
    std::vector<Listed> first;  // by step
  };

  void list(Property property, std::uint32_t step, BlamedViolation finding);

  std::size_t limit_;
  std::array<List, property_count> lists_;
};

// "processor 5" or "switch 2.1".
std::string place_name(const Fabric& fabric, NodeId node);

// The packets of the given rows: "0->2, 1->3 and 2 more"; at most four are named.
std::string packet_names(const Collective& collective, const std::vector<ChunkId>& chunks);

}  // namespace quadrille::checker
