// Idea: the page's list of strands where lengths count (verifier/ROUNDS_FORMULA.md, Volume), a function for each of its
// kinds; each group of strands is a filter on the channels.
//
//   ring of 4, shared, broadcast from 0: the groups of the receivers 1, 2, 3; that of 1 has no channel into 0 or out of
//   1
//
// Cost: groups x channels.
#include <functional>

#include "verifier/certificate/formulas/round_strands.h"

namespace quadrille::certificate {
namespace {

class VolumeStrands {
 public:
  VolumeStrands(const Fabric& fabric, bool copies, const ValuedOrigins& origins, Work& work)
      : fabric_(fabric), copies_(copies), origins_(origins), work_(work) {
    branches_ = copies && fabric.has_switches() && !fabric.switches_forward();
  }

  RoundStrands list() {
    const Rules& rules = fabric_.rules();
    const bool held = rules.paths == Paths::held;
    const bool single = rules.ports == Ports::single;
    it_.by_value = !held && !single;
    if (single && one_channel_is_enough(fabric_) && (held || alike())) {
      for (std::uint32_t e = 0; e < fabric_.channels(); ++e) add(e, {});
    } else if (held) {
      lanes();
    } else if (single) {
      for (std::uint32_t p = 0; p < fabric_.processors(); ++p)
        group(-1, p, [&](const Channel& c) { return c.to.value != p; });
    } else if (copies_) {
      for (const ValuedOrigin& origin : origins_) chunk(origin);
    } else {
      values();
    }
    it_.depth = lead_in_circles(it_, work_) ? fabric_.nodes() - 1 : 0;
    return std::move(it_);
  }

 private:
  using Wanted = std::function<bool(const Channel&)>;

  bool alike() const {
    for (const Channel& channel : fabric_.all_channels()) {
      if (channel.capacity != fabric_.channel(ChannelId(0)).capacity) return false;
    }
    return true;
  }

  RoundStrand& add(std::uint32_t e, const RoundStrand& like) {
    work_.spend(1);
    work_.take(1, sizeof(RoundStrand));
    it_.all.push_back(like);
    RoundStrand& strand = it_.all.back();
    strand.from = fabric_.channel(ChannelId(e)).from.value;
    strand.to = fabric_.channel(ChannelId(e)).to.value;
    strand.channel = e;
    return strand;
  }

  void lanes() {
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      it_.links = it_.links || (fabric_.rules().duplex == Duplex::half && fabric_.reverse(ChannelId(e)));
      for (std::uint32_t lane = 0; lane < fabric_.channel(ChannelId(e)).capacity; ++lane) add(e, {});
    }
    find_predecessors(it_, 0, fabric_.nodes(), work_);
  }

  // Those out of the owner start, if there is one; the first of the group.
  std::size_t group(std::int64_t value, std::int64_t owner, const Wanted& wanted) {
    const std::size_t first = it_.all.size();
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      work_.spend(1);
      const Channel& channel = fabric_.channel(ChannelId(e));
      if (!wanted(channel)) continue;
      RoundStrand& strand = add(e, {});
      strand.value = value;
      strand.owner = owner;
      strand.may_start = owner < 0 || channel.from.value == owner;
    }
    find_predecessors(it_, first, fabric_.nodes(), work_);
    return first;
  }

  void ends_at(std::size_t first, std::uint32_t w, bool or_beyond) {
    for (std::size_t i = first; i < it_.all.size(); ++i) {
      it_.all[i].may_end = it_.all[i].to == w || (or_beyond && it_.all[i].to > w);
    }
  }

  void chunk(const ValuedOrigin& origin) {
    std::vector<bool> starts(fabric_.nodes());
    for (const std::uint32_t p : origin.starts) starts[p] = true;
    std::size_t others = 0;
    for (const std::uint32_t p : origin.wanted) others += starts[p] ? 0 : 1;
    const auto value = static_cast<std::int64_t>(origin.value);
    if (others == 1) group(value, -1, [&](const Channel& c) { return !starts[c.to.value]; });
    for (std::uint32_t w = 0; others > 1 && w < fabric_.nodes(); ++w) {
      if (starts[w]) continue;
      ends_at(group(value, -1, [&](const Channel& c) { return !starts[c.to.value] && c.from.value != w; }), w,
              branches_);
    }
  }

  // The origins of a value follow one another.
  void values() {
    for (std::size_t k = 0; k < origins_.size();) {
      const std::uint64_t value = origins_[k].value;
      std::set<std::uint32_t> targets;
      for (; k < origins_.size() && origins_[k].value == value; ++k) {
        targets.insert(origins_[k].wanted.begin(), origins_[k].wanted.end());
      }
      for (std::uint32_t u = 0; u < fabric_.nodes(); ++u)
        partial_reductions(static_cast<std::int64_t>(value), u, targets);
    }
  }

  void partial_reductions(std::int64_t value, std::uint32_t u, const std::set<std::uint32_t>& targets) {
    if (targets.size() == 1) {
      if (!targets.contains(u)) group(value, u, [&](const Channel& c) { return c.to.value != u; });
      return;
    }
    for (std::uint32_t w = 0; w < fabric_.nodes(); ++w) {
      if (w == u) continue;
      ends_at(group(value, u, [&](const Channel& c) { return c.to.value != u && c.from.value != w; }), w, false);
    }
  }

  const Fabric& fabric_;
  bool copies_;
  const ValuedOrigins& origins_;
  Work& work_;
  bool branches_ = false;
  RoundStrands it_;
};

}  // namespace

RoundStrands volume_strands(const Fabric& fabric, bool copies, const ValuedOrigins& origins, Work& work) {
  return VolumeStrands(fabric, copies, origins, work).list();
}

}  // namespace quadrille::certificate
