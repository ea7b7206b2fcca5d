// Idea: the page's list, one function for each of its kinds; then which strands may follow which, by looking at all
// that lead to where one begins.
//
//   line 0-1-2, held: 0->1, 1->0, 1->2, 2->1; after(1->2) is 0->1 alone, as 2->1 comes from where 1->2 leads to
//
// Cost: pairs of strands that meet at a node.
#include "verifier/certificate/formulas/round_strands.h"

namespace quadrille::certificate {
namespace {

class StrandList {
 public:
  StrandList(const Fabric& fabric, bool copies, Work& work) : fabric_(fabric), copies_(copies), work_(work) {}

  RoundStrands list() {
    const Rules& rules = fabric_.rules();
    const bool switches = fabric_.has_switches();
    if (rules.paths == Paths::held) {
      held();
    } else if (rules.ports == Ports::single && copies_ && switches) {
      trees();
    } else {
      for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) ways_from(v);
    }
    it_.depth = lead_in_circles(it_, work_) ? fabric_.nodes() - 1 : 0;
    return std::move(it_);
  }

 private:
  void add(RoundStrand strand) {
    work_.spend(1);
    work_.take(1, sizeof(RoundStrand));
    it_.all.push_back(std::move(strand));
  }

  void held() {
    const bool exception = one_channel_is_enough(fabric_);
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const Channel& channel = fabric_.channel(ChannelId(e));
      const std::uint32_t lanes = exception ? 1 : channel.capacity;
      for (std::uint32_t lane = 0; lane < lanes; ++lane)
        add({channel.from.value, channel.to.value, true, -1, {}, e, true, -1});
    }
    if (exception) return;
    find_predecessors(it_, 0, fabric_.nodes(), work_);
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      it_.links = it_.links || (fabric_.rules().duplex == Duplex::half && fabric_.reverse(ChannelId(e)));
    }
  }

  void trees() {
    it_.trees = true;
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      for (const Channel& channel : fabric_.all_channels()) {
        if (channel.to.value != p)
          add({channel.from.value, channel.to.value, channel.from.value == p, p, {}, -1, true, -1});
      }
    }
    find_predecessors(it_, 0, fabric_.nodes(), work_);
    for (std::uint32_t v = fabric_.processors(); v < fabric_.nodes(); ++v) ways_from(v);
  }

  void ways_from(std::uint32_t v) {
    std::vector<bool> reached(fabric_.nodes());
    std::vector<std::uint32_t> list{v};
    reached[v] = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (const ChannelId e : fabric_.channels_from(NodeId(list[i]))) {
        work_.spend(1);
        const std::uint32_t to = fabric_.channel(e).to.value;
        if (!reached[to]) list.push_back(to);
        reached[to] = true;
      }
    }
    for (std::uint32_t w = 0; w < fabric_.nodes(); ++w) {
      if (reached[w] && w != v) add({v, w, true, -1, {}, -1, true, -1});
    }
  }

  const Fabric& fabric_;
  bool copies_;
  Work& work_;
  RoundStrands it_;
};

}  // namespace

// The exception.
bool one_channel_is_enough(const Fabric& fabric) {
  const Rules& rules = fabric.rules();
  if (fabric.has_switches()) return false;
  if (rules.duplex == Duplex::half && rules.ports == Ports::multi) return false;
  for (std::uint32_t a = 0; a < fabric.processors(); ++a) {
    if (fabric.channels_from(NodeId(a)).size() + 1 != fabric.processors()) return false;
  }
  return true;
}

void find_predecessors(RoundStrands& strands, std::size_t first, std::size_t nodes, Work& work) {
  std::vector<std::vector<std::size_t>> into(nodes);
  for (std::size_t i = first; i < strands.all.size(); ++i) into[strands.all[i].to].push_back(i);
  for (std::size_t i = first; i < strands.all.size(); ++i) {
    RoundStrand& strand = strands.all[i];
    const bool begins = strand.owner >= 0 && strand.from == strand.owner;
    for (const std::size_t j : into[strand.from]) {
      work.spend(1);
      const RoundStrand& before = strands.all[j];
      if (begins || before.from == strand.to || before.owner != strand.owner) continue;
      work.take(1, sizeof(std::size_t));
      strand.after.push_back(j);
    }
  }
}

// By taking away, again and again, those that nothing comes before.
bool lead_in_circles(const RoundStrands& strands, Work& work) {
  std::vector<bool> gone(strands.all.size());
  std::size_t left = strands.all.size();
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < strands.all.size(); ++i) {
      if (gone[i]) continue;
      work.spend(strands.all[i].after.size() + 1);
      bool first = true;
      for (const std::size_t j : strands.all[i].after) first = first && gone[j];
      if (!first) continue;
      gone[i] = true;
      more = true;
      --left;
    }
  }
  return left > 0;
}

RoundStrands round_strands(const Fabric& fabric, bool copies, Work& work) {
  return StrandList(fabric, copies, work).list();
}

}  // namespace quadrille::certificate
