// SCCL's topology (msccl-tools), alone or as part of an algorithm: a matrix of bandwidths, links[to][from], in chunks a
// round, and switches [from, to, bandwidth, name], which bound what all links from one set into the other carry.
//
// Without switches each link is a channel. With them, each must be a cut (its two sets are everybody), bounded both
// ways, and the cuts those of a tree: each two of them have sides that are disjoint. Then the tree is found again
// (P. Buneman, The Recovery of Trees from Measures of Dissimilarity, 1971): among the sides without processor 0, the
// smallest that contains another is above it. For example, {1}, {2}, {3}, {2,3} and {1,2,3} are 1 and a switch of 2 and
// 3 below one where 0 is, too. The file does not say more, so a switch of which one link leads on is no part of it.
//
// SCCL counts rounds in which messages share links: the fabric has these rules (timing=rounds, paths=shared).
// Cost: cubic in the processors where there are switches.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "machines/machine_file.h"
#include "model/text/read_json.h"

namespace quadrille::machines {
namespace {

using Json = nlohmann::json;
using Side = std::vector<bool>;  // by processor

constexpr std::size_t most_processors = 1024;

struct Links {
  std::size_t n = 0;
  std::vector<std::uint64_t> bandwidth;  // from * n + to
  std::uint64_t of(std::size_t from, std::size_t to) const { return bandwidth[from * n + to]; }
};

Links links_in(const Json& topology) {
  const auto rows = topology.find("links");
  if (rows == topology.end() || !rows->is_array() || rows->empty()) throw JsonRefusal{"/links is no list of lists"};
  Links links;
  links.n = rows->size();
  if (links.n > most_processors) throw JsonRefusal{fmt::format("/links has more than {} processors", most_processors)};
  links.bandwidth.resize(links.n * links.n);
  for (std::size_t to = 0; to < links.n; ++to) {
    const Json& row = (*rows)[to];
    if (!row.is_array() || row.size() != links.n)
      throw JsonRefusal{fmt::format("/links/{} is no list of {} numbers", to, links.n)};
    for (std::size_t from = 0; from < links.n; ++from)
      links.bandwidth[from * links.n + to] = whole_number(row[from], fmt::format("/links/{}/{}", to, from));
  }
  return links;
}

// --- cuts ------------------------------------------------------------------------------------------------------------

// The chunks a round that may cross from a side to the rest.
using Cuts = std::map<Side, std::uint64_t>;

Side side_in(const Json& json, std::size_t n, const std::string& place) {
  if (!json.is_array()) throw JsonRefusal{fmt::format("{} is no list of processors", place)};
  Side side(n);
  for (const Json& each : json) {
    const std::uint64_t processor = whole_number(each, place);
    if (processor >= n || side[processor])
      throw JsonRefusal{fmt::format("{} names processor {}, which is not there or twice", place, processor)};
    side[processor] = true;
  }
  return side;
}

Side rest_of(Side side) {
  side.flip();
  return side;
}

Cuts cuts_in(const Json& switches, std::size_t n) {
  if (!switches.is_array()) throw JsonRefusal{"/switches is no list"};
  if (switches.size() > 8 * n)
    throw JsonRefusal{fmt::format("/switches has {} cuts; a tree has fewer than {}", switches.size(), 8 * n)};
  Cuts cuts;
  for (std::size_t i = 0; i < switches.size(); ++i) {
    const std::string place = fmt::format("/switches/{}", i);
    const Json& it = switches[i];
    if (!it.is_array() || it.size() != 4) throw JsonRefusal{place + " is not [from, to, bandwidth, name]"};
    const Side from = side_in(it[0], n, place + "/0");
    if (side_in(it[1], n, place + "/1") != rest_of(from) || from == Side(n) || from == Side(n, true))
      throw JsonRefusal{place + " is no cut: what is not in the first list must be in the second"};
    const std::uint64_t bandwidth = whole_number(it[2], place + "/2");
    if (bandwidth == 0) throw JsonRefusal{place + " has no bandwidth"};
    const auto [known, added] = cuts.emplace(from, bandwidth);
    known->second = std::min(known->second, bandwidth);
  }
  return cuts;
}

bool contains(const Side& outer, const Side& inner) {
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] && !outer[i]) return false;
  }
  return true;
}

bool disjoint(const Side& a, const Side& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] && b[i]) return false;
  }
  return true;
}

std::string text_of(const Side& side) {
  std::string text;
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (side[i]) text += fmt::format("{}{}", text.empty() ? "" : ",", i);
  }
  return "{" + text + "}";
}

// The sides without processor 0, small ones first; each processor's own is among them.
std::vector<Side> sides_of(const Cuts& cuts, std::size_t n) {
  std::vector<Side> sides;
  for (const auto& [side, bandwidth] : cuts) {
    if (!cuts.contains(rest_of(side)))
      throw JsonRefusal{fmt::format("the cut of {} is bounded in one direction only", text_of(side))};
    if (!side[0]) sides.push_back(side);
  }
  for (std::size_t p = 0; p < n; ++p) {
    Side alone(n);
    alone[p] = true;
    if (!cuts.contains(alone))
      throw JsonRefusal{fmt::format("no switch bounds what processor {} sends and receives", p)};
  }
  std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::count(a.begin(), a.end(), true) < std::count(b.begin(), b.end(), true);
  });
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!contains(sides[i], sides[j]) && !disjoint(sides[i], sides[j]))
        throw JsonRefusal{fmt::format("no tree has the cuts of both {} and {}", text_of(sides[j]), text_of(sides[i]))};
    }
  }
  return sides;
}

// Links are no narrower than the cuts that they cross: else they would be bounds of their own.
void check_links(const Links& links, const Cuts& cuts) {
  std::vector<std::uint64_t> least(links.n * links.n, UINT64_MAX);
  for (const auto& [side, bandwidth] : cuts) {
    for (std::size_t from = 0; from < links.n; ++from) {
      for (std::size_t to = 0; side[from] && to < links.n; ++to) {
        if (!side[to]) least[from * links.n + to] = std::min(least[from * links.n + to], bandwidth);
      }
    }
  }
  for (std::size_t from = 0; from < links.n; ++from) {
    for (std::size_t to = 0; to < links.n; ++to) {
      if (from != to && links.of(from, to) < least[from * links.n + to])
        throw JsonRefusal{
            fmt::format("the link {} -> {} is narrower than the switches on its way: this is no tree", from, to)};
    }
  }
}

void add_tree(const Links& links, const Cuts& cuts, MachineGraph& graph) {
  check_links(links, cuts);
  const std::vector<Side> sides = sides_of(cuts, links.n);
  std::vector<NodeId> tops;
  for (const Side& side : sides) {
    const auto first = std::find(side.begin(), side.end(), true);
    const bool alone = std::find(first + 1, side.end(), true) == side.end();
    tops.push_back(alone ? NodeId(static_cast<std::uint32_t>(first - side.begin()))
                         : graph.add_switch(fmt::format("s{}", tops.size() - links.n + 1)));
  }
  for (std::size_t i = 0; i < sides.size(); ++i) {
    std::size_t above = i + 1;
    while (above < sides.size() && !contains(sides[above], sides[i])) ++above;
    const NodeId parent = above < sides.size() ? tops[above] : NodeId(0);
    graph.add_channel(tops[i], parent, cuts.at(sides[i]));
    graph.add_channel(parent, tops[i], cuts.at(rest_of(sides[i])));
  }
}

// --- the file --------------------------------------------------------------------------------------------------------

Diagnostic fault_of(const JsonFault& fault, const MachineFile& file) {
  if (fault.kind == JsonFault::Kind::large_number) return file.fault("a number is too large");
  return file.fault_at(fault.byte.value_or(0),
                       fault.kind == JsonFault::Kind::second_key ? fault.why : "this is no JSON");
}

Result<Graph> read_topology(const MachineFile& file, const MachineOptions&) {
  const JsonRead read = read_json(file.text);
  if (read.fault) return fault_of(*read.fault, file);
  try {
    const Json& whole = read.value;
    const Json* topology = &whole;
    if (whole.is_object() && whole.contains("topology")) topology = &whole.at("topology");
    if (!topology->is_object()) throw JsonRefusal{"this is no JSON object with `links`"};
    const Links links = links_in(*topology);
    MachineGraph graph(static_cast<std::uint32_t>(links.n));
    const auto switches = topology->find("switches");
    const Cuts cuts = switches == topology->end() || switches->is_null() ? Cuts{} : cuts_in(*switches, links.n);
    if (!cuts.empty()) {
      add_tree(links, cuts, graph);
      return graph.finish(file);
    }
    for (std::size_t from = 0; from < links.n; ++from) {
      for (std::size_t to = 0; to < links.n; ++to)
        graph.add_channel(NodeId(static_cast<std::uint32_t>(from)), NodeId(static_cast<std::uint32_t>(to)),
                          links.of(from, to));
    }
    return graph.finish(file);
  } catch (const JsonRefusal& refused) {
    return file.fault(refused.why);
  }
}

}  // namespace

TopologyFamily sccl_topology() {
  return machine_family("sccl", "the links and switches of SCCL's topology, from its JSON or that of an algorithm",
                        "sccl:topology.json", false, read_topology, {{"timing", "rounds"}, {"paths", "shared"}});
}

}  // namespace quadrille::machines
