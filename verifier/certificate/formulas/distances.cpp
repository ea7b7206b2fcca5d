// Breadth-first search over those channels that may be used. The judge has its own, so that a fault of
// model/distances.h cannot make it accept a wrong proof.
#include "verifier/certificate/formulas/distances.h"

#include <deque>

namespace quadrille::certificate {

std::vector<std::uint32_t> distances(const Fabric& fabric, const std::vector<NodeId>& ends,
                                     const std::vector<bool>& uses, SearchDirection direction) {
  std::vector<std::uint32_t> result(fabric.nodes(), far);
  std::deque<NodeId> waiting(ends.begin(), ends.end());
  for (const NodeId end : ends) result[end.value] = 0;
  for (; !waiting.empty(); waiting.pop_front()) {
    const NodeId node = waiting.front();
    for (const ChannelId e :
         direction == SearchDirection::from ? fabric.channels_from(node) : fabric.channels_to(node)) {
      const NodeId next = direction == SearchDirection::from ? fabric.channel(e).to : fabric.channel(e).from;
      if (!uses[e.value] || result[next.value] != far) continue;
      result[next.value] = result[node.value] + 1;
      waiting.push_back(next);
    }
  }
  return result;
}

}  // namespace quadrille::certificate
