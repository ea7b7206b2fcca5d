// An operation is listed once, however many events it has; edges between events become edges between operations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "programs/mscclpp/judge_parts.h"

namespace quadrille::programs {
namespace {

using OperationPlace = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // rank, block, index

OperationPlace place_of(const Location& at) { return {at.rank, at.block, at.index}; }

class OrderLister {
 public:
  OrderLister(const ExecutionPlan& plan, OrderGraph& graph) : plan_(plan), graph_(graph) {}

  void operations() {
    for (at_.rank = 0; at_.rank < plan_.ranks.size(); ++at_.rank) {
      for (at_.block = 0; at_.block < plan_.ranks[at_.rank].blocks.size(); ++at_.block) {
        at_.step = -1;
        at_.index = 0;
        for (const PlanOperation& operation : plan_.ranks[at_.rank].blocks[at_.block].operations) {
          ++at_.step;
          list(operation);
          for (const PlanOperation& inner : operation.inner) list(inner);
        }
      }
    }
    if (graph_.cut()) graph_.operations.clear();
  }

  void edges(const Relaunched& runs, Work& work) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    const auto events = static_cast<std::uint32_t>(runs.launch().events.size());
    for (std::uint32_t e = runs.ranks(); e < events && !graph_.cut(); ++e) {
      for (const std::uint32_t next : runs.any().next(e)) {
        work.spend(32);
        if (next >= events) continue;
        const Location& from = runs.event(e).at;
        const Location& to = runs.event(next).at;
        const auto pair = std::pair(indices_.at(place_of(from)), indices_.at(place_of(to)));
        if (pair.first == pair.second || !seen.insert(pair).second) continue;
        const OrderReason why = from.rank != to.rank     ? OrderReason::message
                                : from.block != to.block ? OrderReason::depend
                                                         : OrderReason::program;
        graph_.edges.push_back({pair.first, pair.second, why});
      }
    }
    std::sort(graph_.edges.begin(), graph_.edges.end(), [](const OrderEdge& a, const OrderEdge& b) {
      return std::pair(a.earlier, a.later) < std::pair(b.earlier, b.later);
    });
  }

 private:
  void list(const PlanOperation& operation) {
    indices_.emplace(place_of(at_), static_cast<std::uint32_t>(graph_.count));
    if (++graph_.count <= most_listed_operations) graph_.operations.push_back({.at = at_, .does = words(operation)});
    ++at_.index;
  }

  std::string words(const PlanOperation& operation) const {
    std::string text(to_string(operation.kind));
    if (!operation.sources.empty()) text += " " + joined(operation, operation.sources);
    if (!operation.targets.empty()) text += " to " + joined(operation, operation.targets);
    if (operation.share.parts > 1)
      text += fmt::format(", part {} of {}", operation.share.number, operation.share.parts);
    const PlanBlock& block = plan_.ranks[at_.rank].blocks[at_.block];
    if (operation.channel && !operation.channels.empty() && *operation.channel != PlanChannel::by_switch) {
      const auto type = static_cast<std::size_t>(*operation.channel);
      std::vector<std::uint32_t> peers;
      for (const std::uint32_t id : operation.channels)
        peers.push_back(plan_.ranks[at_.rank].peers[type][block.channels[type][id]]);
      text += fmt::format(" ({} {}: gpu {})", to_string(*operation.channel), fmt::join(operation.channels, ", "),
                          fmt::join(peers, ", "));
    }
    if (!operation.semaphores.empty()) text += fmt::format(" {}", fmt::join(operation.semaphores, ", "));
    return text;
  }

  std::string joined(const PlanOperation& operation, const std::vector<PlanChunks>& all) const {
    std::vector<std::string> texts;
    for (const PlanChunks& it : all) {
      const std::string chunks =
          it.size == 1 ? fmt::format("{}", it.index) : fmt::format("{}..{}", it.index, it.index + it.size - 1);
      texts.push_back(buffer(operation, it) + " " + chunks);
    }
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::string buffer(const PlanOperation& operation, const PlanChunks& chunks) const {
    constexpr std::array<std::string_view, 3> names = {"input", "output", "scratch"};
    const PlanRank& rank = plan_.ranks[at_.rank];
    const PlanBlock& block = rank.blocks[at_.block];
    if (chunks.space) return std::string(names[static_cast<std::size_t>(*chunks.space)]);
    if (chunks.by_switch) return "all gpus'";
    const auto access = static_cast<std::size_t>(operation.channel.value_or(PlanChannel::memory));
    const PlanRemoteBuffer& it = rank.remote_buffers[block.remote_buffers[access][chunks.id]];
    return fmt::format("gpu {} {}", it.rank, names[static_cast<std::size_t>(it.space)]);
  }

  const ExecutionPlan& plan_;
  OrderGraph& graph_;
  Location at_ = {};
  std::map<OperationPlace, std::uint32_t> indices_ = {};
};

}  // namespace

void list_plan_order(const PlanCase& it, OrderGraph& graph) {
  graph = {};
  OrderLister lister(it.plan, graph);
  lister.operations();
  if (it.runs.ends()) lister.edges(it.runs, it.work);
}

}  // namespace quadrille::programs
