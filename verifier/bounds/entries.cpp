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
#include <functional>
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

std::uint64_t sum_of(const std::vector<std::uint64_t>& numbers) { return std::reduce(numbers.begin(), numbers.end()); }

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
      it.room = sum_of(rooms);
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

// --- few rounds -----------------------------------------------------------------------------------------------------

// Few rounds: how much must cross the borders of groups of processors when there are so many rounds at most.
//
// Derivation. Processors are in k groups of m_1, …, m_k, n in all, and every row that crosses a border brings a unit
// from one processor to one other (partitions.cpp). A row of round r carries what its sender held before round r; one
// of round 1 only what is the sender's own.
//
// One round: a processor that wants something of q has a row from q itself, for each unit. So p of group g has a row
// from each of the n - m_g others outside of which it wants something.
//
// Two rounds, of a value that everyone wants of all: a group g may have all n - m_g contributions from outside by
// rows of round 1, of one contribution each. Else one of them enters g in round 2 alone, and so from outside to each
// of the m_g processors: no row within g can bring it. So g has min(n - m_g, m_g) entries.
//
// Three rounds: a group that some contribution from outside enters in round 3 alone has m_g entries in that round, as
// before. Let the other j groups be early, with e entries in round 2, and a entries in round 1 into any groups. A
// contribution that an early group hears of came to it in round 1, or in round 2 from a processor q. The latter had it
// from its own group, which has M processors at most; or by an entry of round 1 into q, and then each early group has
// that entry to thank once at most. So the sum of n - m_g over the early groups is j a + M e at most, and
// a + e >= sum / max(j, M). For each j, this and the entries of the late groups are least where the j largest groups
// are early.
//
//   all-reduce among 4 servers of 8: 32 · 24 = 768 entries of each value in one round, 4 · 8 = 32 in two, 3 · 4 = 12 in
//   three, and 2 · 3 = 6 in any (above)
//
// Many rounds of a broadcast from a group g to k - 1 others: let C be so large that C at a time leave g at most, and
// C enter each of the others on average. Let round i take the time v_i for what is carried, all of them V. Of a unit
// that has left g before round i all others may have a copy: of these units there are C (v_1 + … + v_{i-1}) at most. Of
// other units, a group that has a copy by the end of round i has it from g itself, C v_i in all. After that the others
// receive (k - 1) C (v_{i+1} + … + v_R) copies at most. So for D units (k - 1) D <= (k - 1) C (V - v_i) + C v_i, which
// is D <= C (V - f v_i) with f = (k - 2) / (k - 1). The sum of these for the R rounds is R D <= C V (R - f):
//
//   V >= (D / C) R / (R - f)
//
//   3 processors, C = 1, 2 rounds: V >= 4/3 D. The root sends 2/3 D, half to each; then these exchange theirs, and it
//   sends them the last third
//
// A reduction into a group g is the same backwards: let C at a time enter g at most, and C leave each of the others on
// average. Of (k - 1) D pairs of another group and a value, that value leaves the group before round i for
// (k - 1) C (v_1 + … + v_{i-1}) at most. If something of a value comes into g after round i, there are k - 1 pairs of
// it: (k - 1) C (v_{i+1} + … + v_R) in all. In any other pair the group sends straight to g in round i: C v_i.
//
// Where something waits in a switch, it enters a group in the round in which it comes to a processor: that it left its
// sender earlier makes it no more. To leave a group, and to enter another one, is to cross those of their least cuts
// that are nearest to them. These have no node in common, as cuts of both without the common nodes would be as small.
//
// Cost: a minimum cut for each group of each partition (partitions.h), as far as the effort goes.

double ratio(std::uint64_t rows, std::uint64_t room) {
  return room == 0 ? 0 : static_cast<double>(rows) / static_cast<double>(room);
}

// The rows into groups and out of them that each unit needs at least, by group, as far as that is known; and the
// entries of all groups together.
struct AcrossGroup {
  std::vector<std::uint64_t> in;
  std::vector<std::uint64_t> out;
  std::uint64_t entries = 0;
};

class FewRounds {
 public:
  FewRounds(const DemandShape& shape, const Partition& partition)
      : shape_(shape), sizes_(sizes_of(partition)), processors_(partition.group_of.size()) {
    root_ = partition.group_of[shape.root];
  }

  AcrossGroup in_one_round() const {
    AcrossGroup rows{none(), none()};
    const std::uint64_t suppliers = ends(shape_.suppliers, {});
    const std::uint64_t wanters = ends(shape_.wanters, {});
    for (std::size_t group = 0; group < sizes_.size(); ++group) {
      const std::uint64_t supply = ends(shape_.suppliers, group);
      const std::uint64_t want = ends(shape_.wanters, group);
      rows.in[group] = want * (suppliers - supply);
      rows.out[group] = supply * (wanters - want);
    }
    rows.entries = sum_of(rows.in);
    return rows;
  }

  // Likewise. Requires a collective in which everyone wants each value.
  AcrossGroup in_two_rounds() const {
    AcrossGroup rows{none(), none()};
    for (std::size_t group = 0; group < sizes_.size(); ++group) {
      rows.in[group] = std::min(processors_ - sizes_[group], sizes_[group]);
    }
    rows.entries = sum_of(rows.in);
    return rows;
  }

  AcrossGroup in_three_rounds() const {
    std::vector<std::uint64_t> sizes = sizes_;
    std::ranges::sort(sizes, std::greater());
    std::uint64_t late = processors_;  // entries of the groups that are not early
    std::uint64_t wanted = 0;          // from outside, by those that are
    std::uint64_t least = late;
    for (std::uint64_t early = 1; early <= sizes.size(); ++early) {
      const std::uint64_t size = sizes[early - 1];
      late -= size;
      wanted += processors_ - size;
      least = std::min(least, late + divided_up(wanted, std::max(early, sizes.front())));
    }
    return {none(), none(), least};
  }

  // In many rounds of a broadcast or a reduction, given how many rows cross each border at a time.
  std::optional<LoadByRounds::PassedOn> passed_on(const std::vector<std::uint64_t>& in,
                                                  const std::vector<std::uint64_t>& out) const {
    const bool broadcast = shape_.suppliers == DemandShape::Ends::root && shape_.shared();
    const bool reduction = shape_.wanters == DemandShape::Ends::root && shape_.combining();
    if (!broadcast && !reduction) return std::nullopt;
    const std::vector<std::uint64_t>& at_root = broadcast ? out : in;
    const std::vector<std::uint64_t>& at_others = broadcast ? in : out;
    const auto others = static_cast<double>(sizes_.size() - 1);
    const auto all = static_cast<double>(sum_of(at_others) - at_others[root_]);
    const double most = std::max(static_cast<double>(at_root[root_]), all / others);
    if (most <= 0) return std::nullopt;
    return LoadByRounds::PassedOn{1 / most, (others - 1) / others};
  }

 private:
  std::vector<std::uint64_t> none() const { return std::vector<std::uint64_t>(sizes_.size()); }
  // The number of these processors in the group; of all groups, if none is given.
  std::uint64_t ends(DemandShape::Ends who, std::optional<std::size_t> group) const {
    if (who == DemandShape::Ends::root) return !group || *group == root_ ? 1 : 0;
    return group ? sizes_[*group] : processors_;
  }

  const DemandShape& shape_;
  std::vector<std::uint64_t> sizes_;
  std::uint64_t processors_;
  std::uint32_t root_ = 0;
};

// The load of these rows at one group's border, or at all of them together, whichever is more.
double load_of(const AcrossGroup& rows, Border border, const std::vector<std::uint64_t>& rooms) {
  const bool both = border == Border::both;
  double most = ratio(both ? 2 * rows.entries : rows.entries, sum_of(rooms));
  for (std::size_t group = 0; group < rooms.size(); ++group) {
    const std::uint64_t in = border == Border::out ? 0 : rows.in[group];
    const std::uint64_t out = border == Border::in ? 0 : rows.out[group];
    most = std::max(most, ratio(in + out, rooms[group]));
  }
  return most;
}

}  // namespace

std::optional<Bound> entries_bound(const Fabric& fabric, const Collective& collective,
                                   const std::vector<const Cuts*>& cuts, const Limits& limits) {
  const std::optional<UnitsThatEnter> entering = units_that_enter(fabric, collective);
  if (!entering || fabric.processors() < 2 || fabric.channels() > most_border_channels) return std::nullopt;
  return EntriesAtWork(fabric, *entering, limits).best(cuts);
}

LoadByRounds few_rounds_load(const Fabric& fabric, const Collective& collective, const std::vector<const Cuts*>& cuts,
                             const Limits& limits) {
  LoadByRounds load;
  const auto& shape = collective.shape();
  if (!shape || collective.listed() || shape->by_rank() || !rows_are_entries(fabric, *shape)) return load;
  if (fabric.processors() < 2 || fabric.channels() > most_border_channels) return load;
  const CutGraph graph(fabric);
  Effort effort(most_border_visits, limits);
  for (const Partition& partition : partitions(fabric, graph, cuts, effort)) {
    const FewRounds few(*shape, partition);
    std::vector<AcrossGroup> by_rounds{few.in_one_round()};
    if (shape->all_to_all()) {
      by_rounds.push_back(few.in_two_rounds());
      by_rounds.push_back(few.in_three_rounds());
    }
    std::vector<std::vector<std::uint64_t>> rooms;
    for (const Border border : borders) {
      if (border == Border::both && fabric.rules().duplex != Duplex::half) continue;
      rooms.push_back(rooms_at(border, fabric, graph, partition, effort));
      for (std::size_t i = 0; i < by_rounds.size(); ++i) {
        load.few[i] = std::max(load.few[i], load_of(by_rounds[i], border, rooms.back()));
      }
    }
    if (const auto passed_on = few.passed_on(rooms[0], rooms[1])) load.passed_on.push_back(*passed_on);
  }
  return load;
}

}  // namespace quadrille::bounds
