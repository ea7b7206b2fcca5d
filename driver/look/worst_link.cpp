// Both directions of a link break together. For example, `ring_multinode_broadcast` on ring:8 uses eight links; without
// any of them its sends take the other way round, and 13 steps, placed anew, in place of 4.
#include "driver/look/worst_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "driver/look/link_use.h"

namespace quadrille::driver {
namespace {

using BrokenLink = std::pair<NodeId, NodeId>;  // in increasing order

// The links that rows cross, those with the most rows first.
std::vector<BrokenLink> links_used(const SendTable& table, const Limits& limits) {
  const TableUse use = table_use(table, 1, limits);
  std::map<BrokenLink, std::uint64_t> rows;
  for (std::uint32_t id = 0; id < use.by_channel.size(); ++id) {
    const Channel& channel = table.fabric.channel(ChannelId(id));
    if (use.by_channel[id] > 0) rows[std::minmax(channel.from, channel.to)] += use.by_channel[id];
  }
  std::vector<BrokenLink> links;
  for (const auto& [ends, count] : rows) links.push_back(ends);
  std::ranges::stable_sort(links, std::greater(), [&](const BrokenLink& ends) { return rows[ends]; });
  return links;
}

bool has_no_route(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& it) { return it.code == Code::route; });
}

// One link less.
class Attempt {
 public:
  Attempt(TableRequest request, const TableCost& cost, Context& context)
      : request_(std::move(request)), cost_(cost), context_(context) {}

  // False if there is no answer. Placed anew, a send that has lost the way that is written takes another.
  bool run(WorstLink& found) {
    if (measure(found)) return true;
    if (request_.retime) return found.without_route;
    request_.retime = true;
    found.placed_anew = measure(found);
    return found.placed_anew || found.without_route;
  }

 private:
  bool measure(WorstLink& found) {
    Context apart{context_.environment, remaining(context_), {}, context_.world};  // its sources are of no use later
    apart.limits.progress = {};
    const Result<SendTable> table = open_table(request_, apart);
    found.without_route = !table && has_no_route(table.diagnostics());
    if (!table) return false;
    found.cost = cost_(*table);
    return found.cost.has_value();
  }

  TableRequest request_;
  const TableCost& cost_;
  Context& context_;
};

bool worse(const WorstLink& a, const WorstLink& b) {
  return std::pair(a.without_route, a.cost) > std::pair(b.without_route, b.cost);
}

}  // namespace

Result<WorstLink> worst_link(const TableRequest& request, const SendTable& table, const TableCost& cost,
                             Context& context) {
  WorstLink worst;
  const std::vector<BrokenLink> links = links_used(table, remaining(context));
  worst.used = links.size();
  for (const auto& [from, to] : links) {
    if (context.limits.progress) {
      context.limits.progress({.stage = "taking links away", .done = worst.tried, .of = worst.used, .unit = "links"});
    }
    TableRequest without = request;
    WorstLink found;
    found.link = fmt::format("{}--{}", table.fabric.name(from), table.fabric.name(to));
    without.without.push_back(found.link);
    const bool known = Attempt(std::move(without), cost, context).run(found);
    worst.ended_early = context.limits.reached();
    if (worst.ended_early != Reason::none) break;
    ++worst.tried;
    if (!known || (!worst.link.empty() && !worse(found, worst))) continue;
    found.tried = worst.tried;
    found.used = worst.used;
    worst = std::move(found);
  }
  return worst;
}

}  // namespace quadrille::driver
