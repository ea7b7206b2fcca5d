// Entries: processors in k groups, and how often each unit must enter one of them from outside.
//
// Derivation. A unit enters a group where a packet of it comes to a processor in the group that another group's
// processor has sent. Of a value that everyone wants of all, consider the step (the round) in which some group g first
// has heard from every group, in all its processors together. What g has heard from another group has come by a chain
// of packets: so there is a tree of ways between groups into g, and each of the k - 1 other groups has a packet of its
// own that leaves it. These came before the step, or in it into g. Every other group hears from all by a packet from
// outside that comes in this step or later: k - 1 more entries, which the first do not depend on. So a value makes
// 2 (k - 1) entries; where one processor wants it, k - 1, the tree. (If each group is one processor, this is the
// telegraph problem: F. Harary and A. Schwenk, The communication problem on graphs and digraphs, 1974.) A copied chunk
// that all want makes k - 1, the first into each group.
//
// Each of these packets has rows of its own from group to group, which cross any channels that cut its group off from
// the other processors. So do the packets at the groups that they leave: in half duplex each crosses two borders. It
// does not matter what processors keep, or in which order they combine, or whether a contribution comes again. But it
// matters that one row serves one entry: there is no such bound for values that switches join, nor for chunks that
// switches copy.
//
//   all-reduce of one value among 8 servers with 8 links into each: 14 entries, 8 · 8 at a time
//
// Cost: a minimum cut for each group of each partition (partitions.h), as far as the effort goes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/text/counted.h"
#include "verifier/bounds/partitions.h"
#include "verifier/bounds/parts.h"

namespace quadrille::bounds {
namespace {

// The number of entries that each unit makes into k groups is `per_group` (k - 1).
struct UnitsThatEnter {
  std::uint64_t units = 0;
  std::uint64_t per_group = 0;
  std::string_view unit = "value";
};

std::optional<UnitsThatEnter> units_that_enter(const Fabric& fabric, const Collective& collective) {
  const auto& shape = collective.shape();
  if (!shape || shape->by_rank()) return std::nullopt;
  if (!rows_are_entries(fabric, *shape)) return std::nullopt;
  if (shape->combining()) return UnitsThatEnter{collective.values(), shape->shared() ? 2U : 1U};
  if (!shape->shared()) return std::nullopt;
  const std::uint64_t origins = shape->unit_per_supplier ? fabric.processors() : 1;
  return UnitsThatEnter{origins * shape->parts, 1, "packet"};
}

// The crossings of borders that must be made, and how many there is room for at a time.
struct BorderLoad {
  std::uint64_t of_each = 0;  // unit
  std::uint64_t room = 0;
  std::uint64_t steps = 0;
  Border border = Border::in;
  double exactly() const { return static_cast<double>(of_each) / static_cast<double>(room); }
};

std::string_view verb(Border border) {
  return std::array{"enters another group", "leaves a group", "crosses their borders"}.at(
      static_cast<std::size_t>(border));
}

// "8 groups of 8 (processors 0 to 7, processors 8 to 15, …)".
std::string text_of(const Partition& partition) {
  constexpr std::uint32_t most_named = 2;
  const std::vector<std::uint64_t> sizes = sizes_of(partition);
  const auto [least, most] = std::ranges::minmax(sizes);
  if (most == 1) return counted(partition.groups, "single processor");
  std::string names;
  for (std::uint32_t group = 0; group < std::min(partition.groups, most_named); ++group) {
    std::vector<bool> inside;
    for (const std::uint32_t other : partition.group_of) inside.push_back(other == group);
    names += (group > 0 ? ", " : "") + name_of(inside);
  }
  if (partition.groups > most_named) names += ", …";
  const std::string size = least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
  return fmt::format("{} groups of {} ({})", partition.groups, size, names);
}

class EntriesAtWork {
 public:
  EntriesAtWork(const Fabric& fabric, const UnitsThatEnter& entering, const Limits& limits)
      : fabric_(fabric), entering_(entering), graph_(fabric), effort_(most_border_visits, limits) {}

  // Nothing if the groups are single processors that are linked directly: of that transfers_bound() says as much.
  std::optional<Bound> best(const std::vector<const Cuts*>& cuts) {
    std::optional<BorderLoad> most;
    Partition groups;
    for (Partition& partition : partitions(fabric_, graph_, cuts, effort_)) {
      const std::optional<BorderLoad> it = crossings_of(partition);
      if (!it || (most && it->exactly() <= most->exactly())) continue;
      most = it;
      groups = std::move(partition);
    }
    if (!most || (groups.groups == fabric_.nodes() && entering_.per_group == 2)) return std::nullopt;
    Bound bound{
        BoundKind::entries, most->steps,
        fmt::format("{}: each of {} {} {}, {} a step", text_of(groups), counted(entering_.units, entering_.unit),
                    verb(most->border), counted(most->of_each, "time"), most->room)};
    bound.groups = [fabric = fabric_, groups = std::move(groups), border = most->border] {
      return borders_of(fabric, groups, border);
    };
    return bound;
  }

 private:
  std::optional<BorderLoad> crossings_of(const Partition& partition) {
    const std::uint64_t entries = entering_.per_group * (partition.groups - 1);
    std::optional<BorderLoad> most;
    for (const Border border : borders) {
      if (border == Border::both && fabric_.rules().duplex != Duplex::half) continue;
      // In full duplex what leads in leads out, where capacities are the same both ways.
      if (border == Border::out && symmetric_) continue;
      BorderLoad it{border == Border::both ? 2 * entries : entries, 0, 0, border};
      const std::vector<std::uint64_t> rooms = rooms_at(border, fabric_, graph_, partition, effort_);
      it.room = std::reduce(rooms.begin(), rooms.end());
      if (it.room == 0) return std::nullopt;  // there is no way: the bound by distances says so
      const std::uint64_t most_units = std::numeric_limits<std::uint64_t>::max() / it.of_each;
      it.steps = divided_up(std::min(entering_.units, most_units) * it.of_each, it.room);
      if (!most || it.exactly() > most->exactly()) most = it;
    }
    return most;
  }

  const Fabric& fabric_;
  const UnitsThatEnter& entering_;
  CutGraph graph_;
  Effort effort_;
  bool symmetric_ = graph_.symmetric();
};

}  // namespace

std::optional<Bound> entries_bound(const Fabric& fabric, const Collective& collective,
                                   const std::vector<const Cuts*>& cuts, const Limits& limits) {
  const std::optional<UnitsThatEnter> entering = units_that_enter(fabric, collective);
  if (!entering || fabric.processors() < 2 || fabric.channels() > most_border_channels) return std::nullopt;
  return EntriesAtWork(fabric, *entering, limits).best(cuts);
}

}  // namespace quadrille::bounds
