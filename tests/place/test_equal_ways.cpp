// Of equal ways, sends take those on which channels carry least: compared with the best that can be, where each message
// may be divided over all its shortest ways. That is a linear program. A round's greatest load, or a table's, is at
// most a tenth more than its optimum, or no more than one whole message more: messages are not divided. Where it is
// more, machine and schedule are listed here, and model/FABRICS.md says why.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/rows/evaluated_cursor.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "model/route.h"
#include "tests/reference/compiled.h"
#include "verifier/bounds/linear_program.h"

namespace {

using namespace quadrille;

// What goes from one node to another by any shortest way.
using Demands = std::map<std::pair<NodeId, NodeId>, double>;

struct Traffic {
  Demands demands;
  std::map<ChannelId, double> fixed;  // of what has one way, or one that is written
  std::map<ChannelId, double> all;
  double largest = 0;  // packets of a message
};

double speed_of(const Fabric& fabric, const std::vector<LinkSpeed>& speeds, ChannelId channel) {
  double fastest = 0;
  for (const LinkSpeed& speed : speeds) fastest = std::max(fastest, static_cast<double>(speed.bandwidth.value_or(0)));
  const double lanes = fabric.channel(channel).capacity;
  if (fastest == 0 || !speeds[channel.value].bandwidth) return lanes;
  return lanes * static_cast<double>(*speeds[channel.value].bandwidth) / fastest;
}

// The traffic of each round; of a table in steps, of all its steps together.
std::vector<Traffic> traffic_of(const SendTable& table) {
  const Fabric& fabric = table.fabric;
  const Router router(fabric);
  const auto rows = dynamic_cast<const PlannedRows&>(*table.rows).open_traced();
  std::map<std::uint32_t, Traffic> periods;
  using Chain = std::vector<ChannelId>;
  std::map<std::pair<SendSerial, ChunkId>, std::vector<Chain>> open;
  const auto close = [&](Traffic& traffic) {
    std::map<std::tuple<SendSerial, NodeId, NodeId>, double> messages;
    for (const auto& [send, chains] : open) {
      for (const Chain& chain : chains) {
        const NodeId from = fabric.channel(chain.front()).from;
        const NodeId to = fabric.channel(chain.back()).to;
        const bool choice = from != to && router.leaves_choice(from, to) && router.distance(from, to) == chain.size();
        for (const ChannelId channel : chain) {
          traffic.all[channel] += 1;
          if (!choice) traffic.fixed[channel] += 1;
        }
        if (choice) traffic.demands[{from, to}] += 1;
        const double packets = messages[{send.first, from, to}] += 1;
        traffic.largest = std::max(traffic.largest, fabric.in_rounds() ? packets : 1);
      }
    }
    open.clear();
  };
  while (const auto step = rows->next()) {
    // In a round rows of a message come in the order of its path, packet after packet within a channel.
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      const Row& row = step->rows[i];
      std::vector<Chain>& chains = open[{rows->trace()[i], row.chunk}];
      const auto goes_on = [&](const Chain& chain) {
        return fabric.channel(chain.back()).to == fabric.channel(row.channel).from;
      };
      const auto chain = std::find_if(chains.begin(), chains.end(), goes_on);
      if (chain == chains.end()) {
        chains.push_back({row.channel});
      } else {
        chain->push_back(row.channel);
      }
    }
    if (fabric.in_rounds()) close(periods[step->step.value]);
  }
  if (!fabric.in_rounds()) close(periods[0]);
  std::vector<Traffic> result;
  for (auto& [period, traffic] : periods) result.push_back(std::move(traffic));
  return result;
}

double greatest(const Fabric& fabric, const Traffic& traffic) {
  const auto speeds = fabric.link_speeds();
  double most = 0;
  for (const auto& [channel, load] : traffic.all) most = std::max(most, load / speed_of(fabric, speeds, channel));
  return most;
}

// What all ways out of a node, and into one, have to carry together. At most the optimum.
double simple_bound(const Fabric& fabric, const Traffic& traffic) {
  const auto speeds = fabric.link_speeds();
  const Router router(fabric);
  std::map<NodeId, double> out, in;
  std::map<NodeId, std::set<ChannelId>> first, last;
  for (const auto& [pair, packets] : traffic.demands) {
    out[pair.first] += packets;
    in[pair.second] += packets;
    for (const ChannelId channel : router.first_channels(pair.first, pair.second)) first[pair.first].insert(channel);
    for (const ChannelId channel : fabric.channels_to(pair.second)) last[pair.second].insert(channel);
  }
  double most = 0;
  const auto add = [&](double packets, const std::set<ChannelId>& channels) {
    double speed = 0;
    for (const ChannelId channel : channels) {
      speed += speed_of(fabric, speeds, channel);
      const auto found = traffic.fixed.find(channel);
      if (found != traffic.fixed.end()) packets += found->second;
    }
    most = std::max(most, packets / speed);
  };
  for (const auto& [node, packets] : out) add(packets, first[node]);
  for (const auto& [node, packets] : in) add(packets, last[node]);
  return most;
}

// Flows to one target go together: from every node on, they may take any channel that leads nearer to it.
double optimum(const Fabric& fabric, const Traffic& traffic) {
  const auto speeds = fabric.link_speeds();
  const Router router(fabric);
  struct Column {
    NodeId target;
    ChannelId channel;
  };
  std::vector<Column> columns;
  std::map<std::pair<NodeId, NodeId>, bounds::LinearProgram::Terms> nodes;  // target, node: what comes in less out
  std::map<std::pair<NodeId, NodeId>, double> supplies;
  std::map<ChannelId, bounds::LinearProgram::Terms> channels;
  std::map<NodeId, std::vector<NodeId>> sources;
  for (const auto& [pair, packets] : traffic.demands) {
    sources[pair.second].push_back(pair.first);
    supplies[{pair.second, pair.first}] += packets;
  }
  for (const auto& [target, from] : sources) {
    std::vector<NodeId> queue = from;
    std::set<NodeId> seen(from.begin(), from.end());
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const ChannelId channel : router.first_channels(queue[i], target)) {
        const NodeId head = fabric.channel(channel).to;
        const std::size_t column = 1 + columns.size();
        columns.push_back({target, channel});
        nodes[{target, queue[i]}].emplace_back(column, -1);
        if (head != target) nodes[{target, head}].emplace_back(column, 1);
        channels[channel].emplace_back(column, 1 / speed_of(fabric, speeds, channel));
        if (head != target && seen.insert(head).second) queue.push_back(head);
      }
    }
  }
  bounds::LinearProgram program(1 + columns.size());
  program.add_gain(0, -1);
  for (const auto& [key, terms] : nodes) {
    const auto supply = supplies.find(key);
    program.add_row(terms, supply == supplies.end() ? 0 : -supply->second);
  }
  for (auto& [channel, terms] : channels) {
    const auto fixed = traffic.fixed.find(channel);
    terms.emplace_back(0, -1);
    program.add_row(terms, fixed == traffic.fixed.end() ? 0 : -fixed->second / speed_of(fabric, speeds, channel));
  }
  const auto solution = program.maximum(1'000'000);
  REQUIRE(solution);
  double least = -solution->value;
  for (const auto& [channel, load] : traffic.fixed) least = std::max(least, load / speed_of(fabric, speeds, channel));
  return least;
}

bool has_equal_ways(const Fabric& fabric) {
  const Router router(fabric);
  for (std::uint32_t s = 0; s < fabric.processors(); ++s) {
    for (std::uint32_t t = 0; t < fabric.processors(); ++t) {
      if (s == t || !router.leaves_choice(NodeId(s), NodeId(t))) continue;
      if (router.shortest_routes(NodeId(s), NodeId(t), 2).size() > 1) return true;
    }
  }
  return false;
}

// The greatest load of the round that is the worst by what is allowed, or of the table.
struct Compared {
  double load = 0;
  double allowed = HUGE_VAL;
};

Compared compared(const SendTable& table) {
  const Fabric& fabric = table.fabric;
  const auto speeds = fabric.link_speeds();
  std::map<std::pair<Demands, std::map<ChannelId, double>>, double> known;  // rounds are often alike
  Compared result;
  for (const Traffic& traffic : traffic_of(table)) {
    double slowest = HUGE_VAL;
    for (const auto& [channel, load] : traffic.all) slowest = std::min(slowest, speed_of(fabric, speeds, channel));
    const double message = traffic.largest / slowest;
    const auto allowed = [&](double least) { return std::max(1.1 * least, least + message); };
    const double load = greatest(fabric, traffic);
    double least = simple_bound(fabric, traffic);
    if (load > allowed(least) + 1e-6) {
      const auto [at, added] = known.emplace(std::pair(traffic.demands, traffic.fixed), 0);
      if (added) at->second = optimum(fabric, traffic);
      least = at->second;
    }
    if (load - allowed(least) > result.load - result.allowed) result = {load, allowed(least)};
  }
  return result;
}

const std::vector<std::string> machines = {"dgx1",
                                           "dgx2",
                                           "dgx_a100",
                                           "dgx_b200",
                                           "dgx_h100",
                                           "nvswitch:8",
                                           "dgx1_rails:2",
                                           "dgx_a100_rails:2",
                                           "dgx_h100_rails:2",
                                           "rails:servers=4,gpus=4",
                                           "rail_pod:racks=2,servers=4,gpus=2,spines=4",
                                           "clos:m=4,n=4,r=4",
                                           "dragonfly:routers=2,hosts=2,global=1",
                                           "hyperx:side=4,dimensions=2",
                                           "bcube:n=4,levels=2",
                                           "k_ary_n_cube:k=4,dimensions=2",
                                           "connection_machine:dimensions=3,processors=2"};

const std::vector<std::string> schedules = {"allgather_ring",          "allgather_bruck",
                                            "reduce_scatter_pairwise", "reduce_scatter_recursive_halving",
                                            "allreduce_ring",          "allreduce_rabenseifner",
                                            "total_exchange_linear",   "total_exchange_pairwise",
                                            "broadcast_binomial",      "broadcast_scatter_allgather"};

// Those whose greatest load is more: "machine schedule how".
const std::set<std::string> listed = {
    "bcube:n=4,levels=2 total_exchange_linear retimed",
    "bcube:n=4,levels=2 total_exchange_linear retimed in steps",
    "bcube:n=4,levels=2 total_exchange_linear spread",
    "connection_machine:dimensions=3,processors=2 reduce_scatter_pairwise retimed in steps",
    "connection_machine:dimensions=3,processors=2 total_exchange_linear retimed",
    "connection_machine:dimensions=3,processors=2 total_exchange_linear retimed in steps",
    "connection_machine:dimensions=3,processors=2 total_exchange_linear spread",
    "connection_machine:dimensions=3,processors=2 total_exchange_pairwise retimed in steps",
    "dgx1 total_exchange_linear retimed in steps",
    "dgx1_rails:2 total_exchange_linear retimed",
    "dgx1_rails:2 total_exchange_linear retimed in steps",
    "dgx1_rails:2 total_exchange_linear spread",
    "dgx2 reduce_scatter_pairwise retimed in steps",
    "dgx2 reduce_scatter_recursive_halving retimed in steps",
    "dgx2 total_exchange_linear retimed in steps",
    "dgx2 total_exchange_pairwise retimed in steps",
    "dgx_a100_rails:2 broadcast_scatter_allgather retimed in steps",
    "dgx_a100_rails:2 reduce_scatter_pairwise retimed in steps",
    "dgx_a100_rails:2 total_exchange_linear retimed",
    "dgx_a100_rails:2 total_exchange_linear retimed in steps",
    "dgx_a100_rails:2 total_exchange_linear spread",
    "dgx_a100_rails:2 total_exchange_pairwise retimed in steps",
    "dgx_h100_rails:2 broadcast_scatter_allgather retimed in steps",
    "dgx_h100_rails:2 reduce_scatter_pairwise retimed in steps",
    "dgx_h100_rails:2 total_exchange_linear retimed",
    "dgx_h100_rails:2 total_exchange_linear retimed in steps",
    "dgx_h100_rails:2 total_exchange_linear spread",
    "dgx_h100_rails:2 total_exchange_pairwise retimed in steps",
    "dragonfly:routers=2,hosts=2,global=1 total_exchange_pairwise retimed in steps",
    "k_ary_n_cube:k=4,dimensions=2 allgather_bruck retimed in steps",
    "k_ary_n_cube:k=4,dimensions=2 reduce_scatter_pairwise retimed",
    "k_ary_n_cube:k=4,dimensions=2 reduce_scatter_pairwise retimed in steps",
    "k_ary_n_cube:k=4,dimensions=2 total_exchange_linear retimed",
    "k_ary_n_cube:k=4,dimensions=2 total_exchange_linear retimed in steps",
    "k_ary_n_cube:k=4,dimensions=2 total_exchange_linear spread",
    "k_ary_n_cube:k=4,dimensions=2 total_exchange_pairwise retimed",
    "k_ary_n_cube:k=4,dimensions=2 total_exchange_pairwise retimed in steps",
    "rail_pod:racks=2,servers=4,gpus=2,spines=4 total_exchange_linear retimed",
    "rail_pod:racks=2,servers=4,gpus=2,spines=4 total_exchange_linear retimed in steps",
    "rail_pod:racks=2,servers=4,gpus=2,spines=4 total_exchange_linear spread",
    "rails:servers=4,gpus=4 broadcast_scatter_allgather retimed in steps",
    "rails:servers=4,gpus=4 total_exchange_linear retimed",
    "rails:servers=4,gpus=4 total_exchange_linear retimed in steps",
    "rails:servers=4,gpus=4 total_exchange_linear spread"};

}  // namespace

TEST_CASE("of equal ways sends take those on which channels carry least") {
  std::set<std::string> more;
  std::uint64_t compared_tables = 0;
  for (const std::string& machine : machines) {
    const Fabric fabric = parse_fabric({"", machine}, 0, {}, language_families()).value();
    CHECK_MESSAGE(has_equal_ways(fabric), machine);
    for (const std::string& name : schedules) {
      const auto schedule = reference::compiled(std::string(shipped_schedule(name).value().text)).schedule;
      REQUIRE(schedule);
      for (const std::string how : {"spread", "retimed", "retimed in steps"}) {
        Rules rules = fabric.rules();
        if (how != "retimed in steps") rules.timing = Timing::rounds, rules.paths = Paths::shared;
        ElaborateOptions options;
        options.fabric = fabric.with_rules(rules);
        options.spread = how == "spread";
        options.retime = how != "spread";
        const auto table = elaborate(schedule, {{"N", std::to_string(fabric.processors())}}, options);
        if (!table) continue;  // not for so many processors
        ++compared_tables;
        const Compared it = compared(*table);
        if (it.load <= it.allowed + 1e-6) continue;
        more.insert(fmt::format("{} {} {}", machine, name, how));
        MESSAGE(fmt::format("{} {} {}: {:.2f}, allowed {:.2f}", machine, name, how, it.load, it.allowed));
      }
    }
  }
  MESSAGE(fmt::format("{} tables compared", compared_tables));
  for (const std::string& each : more) CHECK_MESSAGE(listed.contains(each), each << " is not listed");
  for (const std::string& each : listed) CHECK_MESSAGE(more.contains(each), each << " is listed, and is not more");
}
