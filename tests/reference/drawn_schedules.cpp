// What a seed gives is frozen (tests/property/frozen_retimings.csv). So no two numbers are drawn among the arguments of
// one call: compilers evaluate these in different orders.
#include "tests/reference/drawn_schedules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "tests/reference/random_deliveries.h"
#include "tests/reference/random_tables.h"

namespace quadrille::reference {
namespace drawn {
namespace {

using Drawn = DrawnSchedule;

// --- fabrics -------------------------------------------------------------------------------------------------------

// A circle of one-way channels, or a tree of links, over processors and switches; and a few more channels.
std::string drawn_graph(Dice& dice, std::uint32_t n) {
  const std::uint32_t switches = dice.below(4);
  const std::uint32_t nodes = n + switches;
  std::set<std::pair<std::uint32_t, std::uint32_t>> ends;
  const bool one_way = dice.one_in(4);
  for (std::uint32_t node = 1; node < nodes; ++node) {
    const std::uint32_t other = one_way ? node - 1 : dice.below(node);
    ends.emplace(other, node);
    if (!one_way) ends.emplace(node, other);
  }
  if (one_way) ends.emplace(nodes - 1, 0);
  for (std::uint32_t more = dice.below(4); more > 0; --more) {
    const std::uint32_t from = dice.below(nodes);
    const std::uint32_t to = dice.below(nodes);
    if (from == to) continue;
    ends.emplace(from, to);
    if (!one_way) ends.emplace(to, from);
  }
  std::vector<std::string> names;
  for (std::uint32_t s = 0; s < switches; ++s) names.push_back(fmt::format("\"s{}\"", s));
  const auto name = [&](std::uint32_t node) { return node < n ? std::to_string(node) : names[node - n]; };
  std::vector<std::string> channels;
  for (const auto& [from, to] : ends)
    channels.push_back(fmt::format("[{},{},{}]", name(from), name(to), dice.from_to(1, 2)));
  return fmt::format(R"(graph:{{"processors":{},"switches":[{}],"channels":[{}]}})", n, fmt::join(names, ","),
                     fmt::join(channels, ","));
}

// Each in a notation that rules can be added to.
std::vector<std::string> families(std::uint32_t n) {
  std::vector<std::string> all;
  for (const char* kind : {"complete", "star", "ring", "line"}) {
    all.push_back(fmt::format("{}:{}", kind, n));
    all.push_back(fmt::format("{}:{},capacity=2", kind, n));
  }
  for (std::uint32_t rows = 2; rows * 2 <= n; ++rows) {
    if (n % rows == 0) all.push_back(fmt::format("torus:{}x{}", rows, n / rows));
    if (n % rows == 0) all.push_back(fmt::format("mesh:{}x{}", rows, n / rows));
  }
  if (std::has_single_bit(n)) {
    const int levels = std::countr_zero(n);
    all.push_back(fmt::format("hypercube:{}", levels));
    for (const char* capacity : {"constant", "exponential"})
      for (int i = 0; i < 2; ++i) all.push_back(fmt::format("fat_tree:levels={},capacity={}", levels, capacity));
  }
  all.push_back(fmt::format("shared_bus:hosts={}", n));
  all.push_back(fmt::format("nvswitch:gpus={},planes=2", n));
  return all;
}

std::string drawn_fabric(Dice& dice, std::uint32_t n) {
  std::string fabric = dice.one_in(4) ? drawn_graph(dice, n) : dice.pick(families(n));
  if (dice.one_in(3)) fabric += ",ports=single";
  if (dice.one_in(4)) fabric += ",duplex=half";
  if (dice.one_in(6)) fabric += ",queue=none";
  if (dice.one_in(2)) fabric += dice.one_in(3) ? ",switches=forward" : ",switches=reduce";
  return fabric;
}

std::string drawn_rounds(Dice& dice) { return dice.one_in(3) ? ",timing=rounds,paths=shared" : ",timing=rounds"; }

// --- schedules -----------------------------------------------------------------------------------------------------

Drawn delivery(Dice& dice) {
  const std::uint32_t n = dice.from_to(2, 8);
  std::string target = drawn_fabric(dice, n);
  return {random_delivery(dice, n), std::move(target)};
}

// An all-gather in rounds: what is sent has come before, as a rule.
Drawn copies(Dice& dice) {
  const std::uint32_t n = dice.from_to(3, 8);
  std::string target = drawn_fabric(dice, n);
  if (!dice.one_in(4)) target += drawn_rounds(dice);
  std::string text = fmt::format("fabric complete({}, timing: rounds, paths: shared)\ncollective allgather\n", n);
  std::map<std::uint32_t, std::set<std::uint32_t>> held;
  for (std::uint32_t p = 0; p < n; ++p) held[p] = {p};
  for (std::uint32_t round = 1; round <= 5; ++round) {
    const auto before = held;
    for (std::uint32_t i = dice.below(5); i > 0; --i) {
      const std::uint32_t from = dice.below(n);
      const std::uint32_t to = dice.below(n);
      if (from == to) continue;
      std::set<std::uint32_t> origins;
      for (const std::uint32_t origin : before.at(from))
        if (dice.one_in(2)) origins.insert(origin);
      if (dice.one_in(30)) origins.insert(dice.below(n));
      if (origins.empty()) continue;
      held[to].insert(origins.begin(), origins.end());
      text += fmt::format("at {}: send {} -> {} carrying {{{}}} -> *\n", round, from, to, fmt::join(origins, ", "));
    }
  }
  const bool completes = dice.one_in(2);
  for (std::uint32_t p = 0; completes && p < n; ++p) {
    for (std::uint32_t origin = 0; origin < n; ++origin) {
      if (!held[p].contains(origin))
        text += fmt::format("at {}: send {} -> {} carrying {{{}}} -> *\n", 6 + p, origin, p, origin);
    }
  }
  return {text, target};
}

// An all-reduce in rounds: along a tree, or towards 0 in order of rank, and back.
Drawn reduction(Dice& dice) {
  const std::uint32_t n = dice.from_to(3, 8);
  const bool ordered = dice.one_in(3);
  std::string target = drawn_fabric(dice, n);
  if (!dice.one_in(4)) target += drawn_rounds(dice);
  std::vector<std::uint32_t> order;
  for (std::uint32_t p = n; p-- > 0;) order.push_back(p);
  if (!ordered) dice.shuffle(order);
  std::map<std::uint32_t, std::uint32_t> ready;
  std::multimap<std::uint32_t, std::string> sends;  // by round
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    const std::uint32_t to = order[ordered ? i + 1 : dice.from_to(i + 1, n - 1)];
    const std::uint32_t round = ready[order[i]] + 1 + (dice.one_in(4) ? 1 : 0);
    ready[to] = std::max(ready[to], round);
    sends.emplace(round, fmt::format("send {} -> {}\n", order[i], to));
  }
  const std::uint32_t last = ready[order.back()];
  for (std::uint32_t i = 0; i + 1 < n; ++i)
    sends.emplace(last + 1 + i % 2, fmt::format("send {} -> {}\n", order.back(), order[i]));
  std::string text = fmt::format("fabric complete({}, timing: rounds, paths: shared)\ncollective allreduce({})\n", n,
                                 ordered ? "operation: ordered" : "");
  for (const auto& [round, send] : sends) text += fmt::format("at {}: {}", round, send);
  return {text, target};
}

// Who of `from` sends to whom, one group after another, until all has come to 0; with `when` before each.
std::string groups_to_zero(Dice& dice, std::vector<std::uint32_t> from, const std::function<std::string()>& when) {
  std::string text;
  for (std::uint32_t to = 4; to-- > 0;) {
    std::vector<std::uint32_t> senders;
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t p : from) {
      const bool sends = to == 0 || (p > to && dice.one_in(3));
      (sends ? senders : rest).push_back(p);
    }
    from = rest;
    if (senders.empty()) continue;
    text += fmt::format("{}for k in {{{}}}: send k -> {}\n", when(), fmt::join(senders, ", "), to);
  }
  return text;
}

std::vector<std::uint32_t> all_but_zero(std::uint32_t n) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t p = 1; p < n; ++p) all.push_back(p);
  return all;
}

// On a machine whose switches reduce, all that is sent comes to 0, mostly with more time than it needs.
Drawn gathering(Dice& dice) {
  const auto own = dice.pick<std::pair<std::string, std::uint32_t>>(
      {{"star(5", 5}, {"fat_tree(3", 8}, {"fat_tree(2", 4}, {"star(7", 7}});
  const auto rules = dice.pick<std::string>({"", ", duplex: half", ", ports: single", ", timing: rounds"});
  const auto collective =
      dice.pick<std::string>({"reduce(root: 0)", "allreduce", "reduce(root: 0, operation: idempotent)"});
  std::string text = fmt::format("fabric {}, switches: reduce{})\ncollective {}\n", own.first, rules, collective);
  std::string target = drawn_fabric(dice, own.second);
  if (rules == ", timing: rounds" && dice.one_in(2)) target += drawn_rounds(dice);
  std::uint32_t step = 0;
  text += groups_to_zero(dice, all_but_zero(own.second), [&] {
    step += dice.from_to(5, 7);
    return fmt::format("at {}: ", step);
  });
  if (collective == "allreduce") text += fmt::format("at {}: for k in 1..n-1: send 0 -> k\n", step + 7);
  return {text, target};
}

// Sends at any time, on a machine whose switches reduce.
Drawn joining(Dice& dice) {
  const auto own = dice.pick<std::pair<std::string, std::uint32_t>>(
      {{"star(5", 5}, {"fat_tree(3", 8}, {"fat_tree(2", 4}, {"star(4", 4}});
  const auto rules = dice.pick<std::string>({"", ", duplex: half", ", ports: single", ", queue: none"});
  const auto collective =
      dice.pick<std::string>({"reduce(root: 0)", "allreduce", "allreduce(parts: 2)", "allreduce(operation: idempotent)",
                              "prefix", "exclusive_prefix", "reduce_scatter"});
  std::string text = fmt::format("fabric {}, switches: reduce{})\ncollective {}\n", own.first, rules, collective);
  std::string target = drawn_fabric(dice, own.second);
  const bool gathers = dice.one_in(2);
  const bool keeps = dice.one_in(4);
  for (std::uint32_t left = dice.from_to(1, 4); left > 0; --left) {
    const std::uint32_t step = dice.from_to(1, 12);
    if (gathers) {
      text += fmt::format("at {}: for k in 1..3: send k -> 0{}\n", step, keeps ? " keeping" : "");
      continue;
    }
    const std::uint32_t from = dice.below(4);
    const std::uint32_t to = (from + dice.from_to(1, 3)) % 4;
    const bool kept = keeps && dice.one_in(2);
    text += fmt::format("at {}: send {} -> {}{}\n", step, from, to, kept ? " keeping" : "");
  }
  return {text, target};
}

// Many send to one, in steps or in rounds; some of it right.
Drawn converging(Dice& dice) {
  const bool rounds = dice.one_in(2);
  const bool right = dice.one_in(2);
  const auto collective =
      right ? dice.pick<std::string>({"reduce(root: 0)", "allreduce", "allreduce(operation: idempotent)"})
            : dice.pick<std::string>({"reduce(root: 0)", "allreduce", "prefix", "allreduce(operation: idempotent)"});
  std::string text = fmt::format("fabric complete(8{})\ncollective {}\n", rounds ? ", timing: rounds" : "", collective);
  std::string target = dice.pick<std::string>({"star:8", "fat_tree:levels=3", "fat_tree:levels=3,capacity=exponential",
                                               "star:8,ports=single", "fat_tree:levels=3,duplex=half"});
  target += dice.one_in(3) ? ",switches=copy" : ",switches=reduce";
  if (rounds && dice.one_in(3)) target += drawn_rounds(dice);
  if (right) {
    bool first = true;
    text += groups_to_zero(dice, all_but_zero(8), [&] { return std::exchange(first, false) ? "" : "then "; });
    if (collective != "reduce(root: 0)") text += "then for k in 1..7: send 0 -> k\n";
    return {text, target};
  }
  for (std::uint32_t left = dice.from_to(1, 3); left > 0; --left) {
    const std::uint32_t divisor = dice.from_to(1, 3);
    const std::uint32_t rest = dice.below(2);
    text += fmt::format("{}for k in processors if k mod {} == {} and k != {}: send k -> {}\n", left == 1 ? "" : "then ",
                        divisor, rest, left, left);
  }
  return {text, target};
}

// Neighbouring blocks come together in a random order, as sums, some of which are kept apart.
Drawn sums(Dice& dice) {
  struct Block {
    std::uint32_t first, last, at;
  };
  const std::uint32_t n = dice.from_to(3, 8);
  std::string target = drawn_fabric(dice, n);
  const bool rounds = dice.one_in(3);
  if (rounds && dice.one_in(2)) target += drawn_rounds(dice);
  const bool ordered = dice.one_in(2);
  const std::uint32_t root = dice.below(n);
  const bool everywhere = dice.one_in(2);
  std::string text =
      fmt::format("fabric complete({}{})\ncollective {}(operation: {}{})\n", n, rounds ? ", timing: rounds" : "",
                  everywhere ? "allreduce" : "reduce", ordered ? "ordered" : "commutative",
                  everywhere ? "" : fmt::format(", root: {}", root));
  std::vector<Block> blocks;
  for (std::uint32_t p = 0; p < n; ++p) blocks.push_back({p, p, p});
  std::string when;
  while (blocks.size() > 1) {
    const std::uint32_t left = dice.below(blocks.size() - 1);
    Block& a = blocks[left];
    const Block& b = blocks[left + 1];
    const bool forwards = b.at == root || (a.at != root && dice.one_in(2));  // what is at the root stays there
    const Block& sent = forwards ? a : b;
    const bool kept = dice.one_in(3);
    text += fmt::format("{}send {} -> {} carrying sum {{{}..{}}}{}\n", when, sent.at, forwards ? b.at : a.at,
                        sent.first, sent.last, kept ? " keeping" : "");
    a = {a.first, b.last, forwards ? b.at : a.at};
    blocks.erase(blocks.begin() + left + 1);
    when = dice.one_in(4) ? "" : "then ";
  }
  for (std::uint32_t p = 0; everywhere && p < n; ++p) {
    if (p != root) text += fmt::format("then send {} -> {} carrying sum {{0..{}}}\n", root, p, n - 1);
  }
  return {text, target};
}

const std::vector<std::pair<std::string, Drawn (*)(Dice&)>> kinds = {{"delivery", delivery},
                                                                     {"copies", copies},
                                                                     {"reduction", reduction},
                                                                     {"gathering", gathering},
                                                                     {"joining", joining},
                                                                     {"converging", converging},
                                                                     {"sums", sums}};

}  // namespace
}  // namespace drawn

const std::vector<std::string>& drawn_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, draw] : drawn::kinds) all.push_back(name);
    return all;
  }();
  return names;
}

DrawnSchedule drawn_schedule(const std::string& kind, std::uint64_t seed) {
  const auto found =
      std::find_if(drawn::kinds.begin(), drawn::kinds.end(), [&](const auto& it) { return it.first == kind; });
  Dice dice(seed);
  return found->second(dice);
}

}  // namespace quadrille::reference
