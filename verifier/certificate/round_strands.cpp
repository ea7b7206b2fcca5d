// Idea: the page's list, one function for each of its kinds; then which strands may follow which, by looking at all
// that lead to where one begins.
//
//   line 0-1-2, held: 0->1, 1->0, 1->2, 2->1; after(1->2) is 0->1 alone, as 2->1 comes from where 1->2 leads to
//
// Cost: pairs of strands that meet at a node.
#include "verifier/certificate/round_strands.h"

namespace quadrille::certificate {
namespace {

class StrandList {
 public:
  StrandList(const Fabric& fabric, bool copies, Work& work) : fabric_(fabric), copies_(copies), work_(work) {}

  RoundStrands list() {
    const Rules& rules = fabric_.rules();
    const bool switches = fabric_.nodes() > fabric_.processors();
    if (rules.paths == Paths::held) {
      held();
    } else if (rules.ports == Ports::single && copies_ && switches) {
      trees();
    } else {
      for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) ways_from(v);
    }
    it_.depth = circles() ? fabric_.nodes() - 1 : 0;
    return std::move(it_);
  }

 private:
  void add(RoundStrand strand) {
    work_.spend(1);
    work_.take(1, sizeof(RoundStrand));
    it_.all.push_back(std::move(strand));
  }

  // The exception: one channel is enough for every message.
  bool one_channel_is_enough() const {
    const Rules& rules = fabric_.rules();
    if (fabric_.nodes() > fabric_.processors()) return false;
    if (rules.duplex == Duplex::half && rules.ports == Ports::multi) return false;
    for (std::uint32_t a = 0; a < fabric_.processors(); ++a) {
      if (fabric_.channels_from(NodeId(a)).size() + 1 != fabric_.processors()) return false;
    }
    return true;
  }

  void held() {
    const bool exception = one_channel_is_enough();
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const Channel& channel = fabric_.channel(ChannelId(e));
      const std::uint32_t lanes = exception ? 1 : channel.capacity;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) add({channel.from.value, channel.to.value, true, -1, {}, e});
    }
    if (exception) return;
    find_predecessors();
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      it_.links = it_.links || (fabric_.rules().duplex == Duplex::half && fabric_.reverse(ChannelId(e)));
    }
  }

  void trees() {
    it_.trees = true;
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      for (const Channel& channel : fabric_.all_channels()) {
        if (channel.to.value != p) add({channel.from.value, channel.to.value, channel.from.value == p, p, {}, -1});
      }
    }
    find_predecessors();
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
      if (reached[w] && w != v) add({v, w, true, -1, {}, -1});
    }
  }

  void find_predecessors() {
    std::vector<std::vector<std::size_t>> into(fabric_.nodes());
    for (std::size_t i = 0; i < it_.all.size(); ++i) into[it_.all[i].to].push_back(i);
    for (RoundStrand& strand : it_.all) {
      const bool begins = strand.owner >= 0 && strand.from == strand.owner;
      for (const std::size_t j : into[strand.from]) {
        work_.spend(1);
        const RoundStrand& before = it_.all[j];
        if (begins || before.from == strand.to || before.owner != strand.owner) continue;
        work_.take(1, sizeof(std::size_t));
        strand.after.push_back(j);
      }
    }
  }

  // Whether some strand comes before itself: by taking away, again and again, those that nothing comes before.
  bool circles() {
    std::vector<bool> gone(it_.all.size());
    std::size_t left = it_.all.size();
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < it_.all.size(); ++i) {
        if (gone[i]) continue;
        work_.spend(it_.all[i].after.size() + 1);
        bool first = true;
        for (const std::size_t j : it_.all[i].after) first = first && gone[j];
        if (!first) continue;
        gone[i] = true;
        more = true;
        --left;
      }
    }
    return left > 0;
  }

  const Fabric& fabric_;
  bool copies_;
  Work& work_;
  RoundStrands it_;
};

}  // namespace

RoundStrands round_strands(const Fabric& fabric, bool copies, Work& work) {
  return StrandList(fabric, copies, work).list();
}

}  // namespace quadrille::certificate
