// The page of the Connection Machine's networks, runtime/connection_machine/PAPER.md: nine topologies, what they cost,
// and how many cycles the on-line router takes for standard patterns; then the machine itself. And its picture,
// topologies.svg.
//
//     topologies_page [--update] PAGE
//
// Works out every cell anew but those of total exchanges of 4096, and compares the page between its two marks, and the
// picture beside it, with that;
// --update works out all, and writes both. A message that is not delivered ends it at once. Cost: some 320 runs, a
// quarter of an hour, most of it for total exchanges of 4096.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/language_families.h"
#include "model/distances.h"
#include "model/fabric_notation.h"
#include "model/topologies/flow_network.h"
#include "pages/curves.h"
#include "runtime/router/router.h"
#include "runtime/router/traffic.h"
#include "tests/golden/marked_page.h"

namespace {

using namespace quadrille;
using Messages = std::vector<RoutedMessage>;

const std::vector<std::uint32_t> sizes{64, 256, 1024, 4096};

Fabric named(const std::string& notation) {
  return parse_fabric({"page", notation}, 0, {}, language_families()).value();
}

std::uint32_t root(std::uint32_t n) { return static_cast<std::uint32_t>(std::lround(std::sqrt(n))); }
std::uint32_t levels(std::uint32_t n) { return static_cast<std::uint32_t>(std::lround(std::log2(n))); }

struct Kind {
  std::string name;
  std::function<std::string(std::uint32_t n)> notation;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"shared bus", [](std::uint32_t n) { return fmt::format("shared_bus:hosts={}", n); }},
      {"crossbar", [](std::uint32_t n) { return fmt::format("crossbar:hosts={}", n); }},
      {"Clos", [](std::uint32_t n) { return fmt::format("clos:m={},n={},r={}", 2 * root(n) - 1, root(n), root(n)); }},
      {"ring", [](std::uint32_t n) { return fmt::format("ring:{}", n); }},
      {"grid", [](std::uint32_t n) { return fmt::format("mesh:{}x{}", root(n), root(n)); }},
      {"tree", [](std::uint32_t n) { return fmt::format("fat_tree:levels={},capacity=constant", levels(n)); }},
      {"fat tree", [](std::uint32_t n) { return fmt::format("fat_tree:levels={},capacity=exponential", levels(n)); }},
      {"omega", [](std::uint32_t n) { return fmt::format("omega:dimensions={}", levels(n)); }},
      {"hypercube", [](std::uint32_t n) { return fmt::format("hypercube:{}", levels(n)); }}};
  return all;
}

struct Cycles {
  std::uint64_t taken = 0;
  std::uint64_t least = 0;
};

RouterRun routed(const Fabric& fabric, const Messages& messages, const RouterOptions& options, std::size_t policy = 0) {
  RouterRun run = route_messages(fabric, messages, *standard_policies().at(policy), options).value();
  if (run.delivered != messages.size()) throw std::runtime_error(fabric.title() + ": a message is left");
  return run;
}

// As many buffers, injections and deliveries as there are messages, so that the topology alone counts.
Cycles alone(const Fabric& fabric, const Messages& messages) {
  RouterOptions options;
  options.buffers = options.inject = options.deliver = static_cast<std::uint32_t>(messages.size());
  options.most_cycles = 100'000'000;
  const RouterRun run = routed(fabric, messages, options);
  return {run.cycles, run.least.cycles};
}

// Of a grid of processors, row by row: each sends to its neighbour on the right, if it has one.
Messages grid_shift(std::uint32_t n) {
  Messages messages;
  for (std::uint32_t p = 0; p < n; ++p) {
    if ((p + 1) % root(n) != 0) messages.push_back({p, p + 1});
  }
  return messages;
}

Messages many_to_one(std::uint32_t n) {
  Messages messages;
  for (std::uint32_t p = 1; p < n; ++p) messages.push_back({p, 0});
  return messages;
}

// log N rounds, each of which begins when the one before it is over.
Cycles tree_reduction(const Fabric& fabric, std::uint32_t n) {
  Cycles sum;
  for (std::uint32_t half = 1; half < n; half *= 2) {
    Messages messages;
    for (std::uint32_t p = half; p < n; p += 2 * half) messages.push_back({p, p - half});
    const Cycles round = alone(fabric, messages);
    sum = {sum.taken + round.taken, sum.least + round.least};
  }
  return sum;
}

// The channels that all messages of a total exchange cross, on shortest paths.
std::uint64_t hops_of_exchange(const Fabric& fabric) {
  std::uint64_t hops = 0;
  for (NodeId from(0); from.value < fabric.processors(); ++from.value) {
    const std::vector<std::uint32_t> away = distances(fabric, from, Direction::from);
    hops = std::accumulate(away.begin(), away.begin() + fabric.processors(), hops);
  }
  return hops;
}

// Nothing where it has more than 10^9 hops.
std::optional<Cycles> total_exchange(const Fabric& fabric, std::uint32_t) {
  if (hops_of_exchange(fabric) > 1'000'000'000) return std::nullopt;
  return alone(fabric, make_traffic("total_exchange", fabric, 1).value());
}

struct Pattern {
  std::string name;
  std::uint32_t brief;     // the most processors of a cell that a test works out anew
  std::uint32_t thorough;  // and that a thorough test does, and the picture shows
  std::function<std::optional<Cycles>(const Fabric& fabric, std::uint32_t n)> cycles;
};

const std::vector<Pattern>& patterns() {
  const auto made = [](const char* name) {
    return [name](const Fabric& fabric, std::uint32_t) { return alone(fabric, make_traffic(name, fabric, 1).value()); };
  };
  const auto listed = [](Messages (*list)(std::uint32_t)) {
    return [list](const Fabric& fabric, std::uint32_t n) { return alone(fabric, list(n)); };
  };
  static const std::vector<Pattern> all{{"local grid shift", 1024, 4096, listed(grid_shift)},
                                        {"tree reduction", 1024, 4096, tree_reduction},
                                        {"random permutation", 1024, 4096, made("random_permutation")},
                                        {"bit reversal", 1024, 4096, made("bit_reversal")},
                                        {"total exchange", 256, 1024, total_exchange},
                                        {"many to one", 1024, 4096, listed(many_to_one)}};
  return all;
}

// The lanes of a smallest cut between the first half of the processors and the others, towards these.
std::uint64_t cut_between_halves(const Fabric& fabric) {
  const std::uint32_t nodes = fabric.nodes();
  constexpr std::int64_t any = std::int64_t{1} << 40;
  FlowNetwork network(nodes + 2);
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    network.link(p < fabric.processors() / 2 ? nodes : nodes + 1, p, any, any);
  }
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    if (fabric.link(id) != id) continue;
    const Channel& channel = fabric.channel(id);
    const auto back = fabric.reverse(id);
    network.link(channel.from.value, channel.to.value, channel.capacity, back ? fabric.channel(*back).capacity : 0);
  }
  const std::vector<bool> near = network.source_side(nodes, nodes + 1);
  std::uint64_t lanes = 0;
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    const Channel& channel = fabric.channel(id);
    if (near[channel.from.value] && !near[channel.to.value]) lanes += channel.capacity;
  }
  return lanes;
}

// Of all switches: lanes in, each with each lane out.
std::uint64_t crosspoints(const Fabric& fabric) {
  std::uint64_t sum = 0;
  for (NodeId node(fabric.processors()); node.value < fabric.nodes(); ++node.value) {
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    for (const ChannelId id : fabric.channels_to(node)) in += fabric.channel(id).capacity;
    for (const ChannelId id : fabric.channels_from(node)) out += fabric.channel(id).capacity;
    sum += in * out;
  }
  return sum;
}

std::string costs() {
  std::string text =
      "#### Cost\n\n| topology | switches, N = 64 | crosspoints | links | cut between halves | switches, N = 4096 | "
      "crosspoints | links | cut between halves |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const Kind& kind : kinds()) {
    text += fmt::format("| {}", kind.name);
    for (const std::uint32_t n : {64U, 4096U}) {
      const Fabric fabric = named(kind.notation(n));
      std::uint64_t links = 0;  // lanes, both directions of a link counted once
      for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
        if (fabric.link(id) == id) links += fabric.channel(id).capacity;
      }
      text += fmt::format(" | {} | {} | {} | {}", fabric.nodes() - fabric.processors(), crosspoints(fabric), links,
                          cut_between_halves(fabric));
    }
    text += " |\n";
  }
  return text;
}

std::vector<pages::Panel> panels;  // of the picture: filled while the page is written
bool updating;                     // leaves no cell out
bool brief;                        // leaves large cells out
std::uint32_t most_processors;     // of a cell of most patterns; others are left out

std::string cell_left_out() { return " " + golden::left_out + " |"; }

std::string cell_of(const std::optional<Cycles>& cycles) {
  if (!cycles) return " more than 10^9 hops |";
  if (cycles->taken == cycles->least) return fmt::format(" **{}** |", cycles->taken);
  return fmt::format(" {} (≥ {}) |", cycles->taken, cycles->least);
}

std::string table_of(const Pattern& pattern) {
  std::string text = fmt::format("\n#### Cycles: {}\n\n| topology |", pattern.name);
  std::string rule = "|---|";
  for (const std::uint32_t n : sizes) {
    text += fmt::format(" N = {} |", n);
    rule += "--:|";
  }
  text += "\n" + rule + "\n";
  pages::Panel panel{pattern.name, {}};
  for (const Kind& kind : kinds()) {
    text += fmt::format("| {} |", kind.name);
    pages::Curve curve{kind.name, {}};
    for (const std::uint32_t n : sizes) {
      if (!updating && n > (brief ? pattern.brief : pattern.thorough)) {
        text += cell_left_out();
        continue;
      }
      const std::optional<Cycles> cycles = pattern.cycles(named(kind.notation(n)), n);
      text += cell_of(cycles);
      if (cycles && n <= pattern.thorough) curve.points.emplace_back(n, static_cast<double>(cycles->taken));
    }
    text += "\n";
    panel.curves.push_back(std::move(curve));
  }
  panels.push_back(std::move(panel));
  return text;
}

// A Clos network's middle switches drawn at random, instead of the first one whose wire is free.
std::string drawn_middles() {
  std::string text =
      "\n#### Cycles: Clos, middle switches drawn at random (`random_order`)\n\n"
      "| pattern | N = 64 | N = 256 | N = 1024 | N = 4096 |\n|---|--:|--:|--:|--:|\n";
  for (const char* pattern : {"random_permutation", "bit_reversal"}) {
    text += fmt::format("| {} |", pattern);
    for (const std::uint32_t n : sizes) {
      if (n > most_processors) {
        text += cell_left_out();
        continue;
      }
      const Fabric fabric = named(kinds().at(2).notation(n));
      RouterOptions options;
      options.buffers = options.inject = options.deliver = n;
      const Messages messages = make_traffic(pattern, fabric, 1).value();
      text += fmt::format(" {} |", routed(fabric, messages, options, 2).cycles);
    }
    text += "\n";
  }
  return text;
}

// What B is worth: cycles, referrals and the delay that 99% do not exceed, seed 1.
std::string machine() {
  const Fabric fabric = named("connection_machine:dimensions=12,processors=16");
  std::string text =
      "\n#### The Connection Machine: 65,536 messages, K = 4\n"
      "A cell: cycles / referrals / mean delay from injection.\n\n"
      "| policy | pattern | B = 1 | B = 2 | B = 4 | B = 8 | B = 16 |\n|---|---|--:|--:|--:|--:|--:|\n";
  for (const auto& policy : standard_policies()) {
    for (const char* pattern : {"random_permutation", "transpose", "bit_reversal", "local", "hot_spot:64"}) {
      text += fmt::format("| {} | {} |", policy->name(), pattern);
      const Messages messages = make_traffic(pattern, fabric, 1).value();
      for (const std::uint32_t buffers : {1U, 2U, 4U, 8U, 16U}) {
        if (brief && buffers != 4) {
          text += cell_left_out();
          continue;
        }
        RouterOptions options;
        options.buffers = buffers;
        options.inject = options.deliver = 4;
        const RouterRun run = route_messages(fabric, messages, *policy, options).value();
        if (run.delivered != messages.size()) throw std::runtime_error("a message is left");
        double sum = 0;
        for (const auto& [delay, count] : run.delays_inside)
          sum += static_cast<double>(delay) * static_cast<double>(count);
        text += fmt::format(" {} / {} / {:.1f} |", run.cycles, run.referrals, sum / static_cast<double>(run.messages));
      }
      text += "\n";
    }
  }
  return text;
}

// §4.1: twice the processors at a node take less than twice the time; and how the time grows with the dimension.
std::string processors_and_dimensions() {
  std::string text =
      "\n#### Random permutations by dimension and processors of a router, B = 8, K as many\n"
      "A cell: cycles, the mean of seeds 1 to 3.\n\n| dimensions | 1 | 2 | 4 | 8 | 16 | 32 "
      "|\n|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const std::uint32_t dimensions : {4U, 6U, 8U, 10U, 11U}) {
    text += fmt::format("| {} |", dimensions);
    for (const std::uint32_t processors : {1U, 2U, 4U, 8U, 16U, 32U}) {
      if (brief && (processors << dimensions) > 8 * most_processors) {
        text += cell_left_out();
        continue;
      }
      const Fabric fabric =
          named(fmt::format("connection_machine:dimensions={},processors={}", dimensions, processors));
      double sum = 0;
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        RouterOptions options;
        options.inject = options.deliver = processors;
        options.seed = seed;
        sum += routed(fabric, make_traffic("random_permutation", fabric, seed).value(), options).cycles;
      }
      text += fmt::format(" {:.1f} |", sum / 3);
    }
    text += "\n";
  }
  return text;
}

// Brief: no more than 1024 processors, in total exchanges 256, the machine with four buffers only, and no picture,
// which shows more. Total exchanges of 4096 are worked out only to update the page.
std::string measures(bool is_brief) {
  brief = is_brief;
  most_processors = brief ? 1024 : 4096;
  std::string text = costs();
  for (const Pattern& pattern : patterns()) text += table_of(pattern);
  text += drawn_middles() + machine() + processors_and_dimensions();
  if (brief) panels.clear();
  return text;
}

// 0, or 1 if the picture differs.
int picture(const std::string& path) {
  const std::string wanted = pages::drawn(panels, "N", "cycles");
  if (updating) std::ofstream(path) << wanted;
  std::ifstream file(path);
  const std::string found{std::istreambuf_iterator<char>(file), {}};
  if (found == wanted) return 0;
  std::cout << fmt::format("{} is out of date; topologies_page --update writes it\n", path);
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  updating = count == 3;
  const int status = quadrille::golden::run_marked_page(count, arguments, {"measures", "topologies_page", measures});
  if (panels.empty()) return status;
  const std::string page = arguments[count - 1];
  return std::max(status, picture((std::filesystem::path(page).parent_path() / "topologies.svg").string()));
}
