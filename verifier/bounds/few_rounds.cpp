// Few rounds: how much must cross the borders of groups of processors when there are so many rounds at most.
//
// Derivation. Processors are in k groups of m_1, …, m_k, n in all, and every row that crosses a border brings a unit
// from one processor to one other (borders.cpp). A row of round r carries what its sender held before round r; one of
// round 1 only what is the sender's own.
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
//   three, and 2 · 3 = 6 in any (entries.cpp)
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
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "verifier/bounds/partitions.h"
#include "verifier/bounds/parts.h"

namespace quadrille {

double LoadByRounds::in(std::uint64_t rounds) const {
  double most = rounds <= few.size() ? few[rounds - 1] : 0;
  const auto r = static_cast<double>(rounds);
  for (const PassedOn& it : passed_on) most = std::max(most, it.load * r / (r - it.late));
  return most;
}

namespace bounds {
namespace {

double ratio(std::uint64_t rows, std::uint64_t room) {
  return room == 0 ? 0 : static_cast<double>(rows) / static_cast<double>(room);
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& numbers) { return std::reduce(numbers.begin(), numbers.end()); }

// The rows into groups and out of them that each unit needs at least, by group, as far as that is known; and the
// entries of all groups together.
struct RowsAcross {
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

  RowsAcross in_one_round() const {
    RowsAcross rows{none(), none()};
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
  RowsAcross in_two_rounds() const {
    RowsAcross rows{none(), none()};
    for (std::size_t group = 0; group < sizes_.size(); ++group) {
      rows.in[group] = std::min(processors_ - sizes_[group], sizes_[group]);
    }
    rows.entries = sum_of(rows.in);
    return rows;
  }

  RowsAcross in_three_rounds() const {
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
double load_of(const RowsAcross& rows, Border border, const std::vector<std::uint64_t>& rooms) {
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
    std::vector<RowsAcross> by_rounds{few.in_one_round()};
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

}  // namespace bounds
}  // namespace quadrille
