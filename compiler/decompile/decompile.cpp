// The decompiler writes a schedule from a table; compiling that text gives the same rows.
//
// A packet's rows are cut at processors into flights, each a send of its own; n that look alike from every processor
// are one statement (sent_statements.h). For example, on ring:4 the four rows 0 -> 1, 1 -> 2, 2 -> 3 and 3 -> 0 of step
// 1, each with the packet from its sender to its receiver, become
//
//     at 1: for k in processors: send k -> (k + 1) mod n carrying k -> (k + 1) mod n
//
// In rounds a flight is a message, of all its packets (sent_messages.h): `send 0 -> 2 carrying 0 -> {1, 2}`.
//
// Where rows say which partial reductions they carry, sends name the contributions (sent_reductions.h): `send 1 -> 2
// carrying sum {0..1} keeping`.
//
// What a send cannot say is refused where it is met (sent_flights.cpp, sent_messages.cpp, sent_reductions.cpp).
// Cost: that of the statements, and their text.
#include "compiler/decompile/decompile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/decompile/collective_line.h"
#include "compiler/decompile/fabric_line.h"
#include "compiler/decompile/named_packets.h"
#include "compiler/decompile/sent_flights.h"
#include "compiler/decompile/sent_messages.h"
#include "compiler/decompile/sent_statements.h"
#include "model/route.h"
#include "model/topology.h"

namespace quadrille {
namespace {

class Decompiler {
 public:
  // `line` is the schedule's own fabric.
  Decompiler(const SendTable& table, const FabricText& line)
      : table_(table), fabric_(table.fabric), line_(line), router_(line.fabric), shifts_(table.fabric) {}

  Result<std::string> text() {
    Result<SentFlights> sends = sends_of(table_, router_);
    if (!sends) return sends.diagnostics();
    std::string body;
    bool shifted = false;
    for (const SentStatement& sent : statements_of(*sends, fabric_)) {
      shifted = shifted || sent.for_all();
      body += statement(sends->sends[sent.sends.front()].flight, sent.for_all());
    }
    return fmt::format("{}{}\n{}{}\nclaim steps == {}\n", line_.text, collective_line(table_.collective),
                       shifted ? shifts_.declaration() : "", body, last_step());
  }

 private:
  std::uint32_t last_step() const {
    std::uint32_t last = 0;
    for (const auto& [step, row] : all_rows(table_)) last = std::max(last, step.value);
    return last;
  }

  // The nodes between, of a send to one processor.
  std::vector<NodeId> nodes_between(const SentFlight& flight) const {
    if (!flight.along.empty()) return flight.along;
    std::vector<ChannelId> channels;
    router_.append_route(NodeId{flight.from}, NodeId{flight.to.front()}, channels);
    std::vector<NodeId> nodes;
    for (std::size_t hop = 1; hop < channels.size(); ++hop) nodes.push_back(fabric_.channel(channels[hop]).from);
    return nodes;
  }

  // "switch(2, k / 4)": the node before hop `hop` of the flight of all, which climbs the tree for half of its hops and
  // descends for the rest, so the switch is above its source in the first half and above its target in the second.
  std::string switch_text(const SentFlight& flight, std::size_t hop) const {
    const std::size_t top = (flight.waits.size() + 1) / 2;
    const std::size_t level = hop <= top ? hop : 2 * top - hop;
    const std::uint32_t end = hop <= top ? flight.from : flight.to.front();
    std::uint32_t leaves = 1;
    for (std::size_t i = 0; i < level; ++i) leaves *= fabric_.topology().tree()->arity;
    if (leaves == fabric_.processors()) return fmt::format("switch({}, 0)", level);
    return fmt::format("switch({}, ({}) / {})", level, shifts_.text(end), leaves);
  }

  std::string waits_text(const SentFlight& flight, bool for_all) const {
    std::vector<std::string> texts;
    for (const SentLinks& links : flight.links) append_tree_waits(flight, links, texts);
    const std::vector<NodeId> between = flight.stays() ? nodes_between(flight) : std::vector<NodeId>();
    for (std::size_t i = 0; i < between.size(); ++i) {
      if (flight.waits[i] == 0) continue;
      texts.push_back(
          fmt::format("{} at {}", flight.waits[i], for_all ? switch_text(flight, i + 1) : line_.node(between[i])));
      if (std::ranges::count(between, between[i]) == 1) continue;
      const NodeId next = i + 1 < between.size() ? between[i + 1] : NodeId{flight.to.front()};
      texts.back() += " -> " + line_.node(next);
    }
    return texts.empty() ? std::string() : fmt::format(" waiting {}", fmt::join(texts, ", "));
  }

  // "2 at leaf[0]" where it waits so before all links from there; else "2 at leaf[0] -> 3".
  void append_tree_waits(const SentFlight& flight, const SentLinks& links, std::vector<std::string>& texts) const {
    std::vector<SentWait> here;
    std::ranges::copy_if(flight.tree_waits, std::back_inserter(here),
                         [&](const SentWait& wait) { return wait.at == links.from; });
    const auto alike = [&](const SentWait& wait) { return wait.steps == here.front().steps; };
    const bool all = here.size() == links.to.size() && std::ranges::all_of(here, alike);
    for (const SentWait& wait : here) {
      texts.push_back(fmt::format("{} at {}", wait.steps, line_.node(wait.at)));
      if (all) return;
      texts.back() += " -> " + line_.node(wait.before);
    }
  }

  // " along 0 -> leaf[0], leaf[0] -> {1, 2}".
  std::string links_text(const std::vector<SentLinks>& tree) const {
    std::vector<std::string> texts;
    for (const SentLinks& links : tree) {
      std::vector<std::string> to;
      for (const NodeId node : links.to) to.push_back(line_.node(node));
      const std::string list = fmt::format("{}", fmt::join(to, ", "));
      texts.push_back(fmt::format("{} -> {}", line_.node(links.from), to.size() == 1 ? list : "{" + list + "}"));
    }
    return fmt::format(" along {}", fmt::join(texts, ", "));
  }

  std::string statement(const SentFlight& flight, bool for_all) const {
    const auto processor = [&](std::uint32_t p) { return for_all ? shifts_.text(p) : fmt::format("{}", p); };
    std::string text = fmt::format("at {}: {}send {} -> {}", flight.step, for_all ? "for k in processors: " : "",
                                   processor(flight.from), set_text(flight.to, processor));
    if (!flight.along.empty()) text += " along " + along_text(flight.along);
    if (!flight.links.empty()) text += links_text(flight.links);
    text += waits_text(flight, for_all);
    text += " carrying " + (flight.sum.empty() ? carried_text(flight.chunks, processor) : sum_text(flight, for_all));
    return text + (flight.keeping ? " keeping\n" : "\n");
  }

  // "sum {0..2, 5} -> 7 part 1"; of the sends of all, "sum {k}" or "sum {(k + x) mod n for x in {0..2, 5}}".
  std::string sum_text(const SentFlight& flight, bool for_all) const {
    const NamedPackets extent(flight.chunks);
    const auto processor = [&](std::uint32_t p) { return for_all ? shifts_.text(p) : fmt::format("{}", p); };
    std::string text = "sum " + contributions_text(flight.sum, for_all);
    if (extent.targets != std::set<std::uint32_t>(flight.to.begin(), flight.to.end()))
      text += " -> " + set_text(extent.targets, processor);
    return text + part_text(extent);
  }

  std::string contributions_text(const std::vector<ContributionSet::Interval>& sum, bool for_all) const {
    if (sum.front().first == 0 && sum.front().last + 1 == fabric_.processors()) return "processors";
    std::vector<std::string> texts;
    for (const auto& [first, last] : sum) {
      // A range stands alone in its braces.
      const bool range = sum.size() == 1 && first != last;
      if (range) texts.push_back(fmt::format("{}..{}", first, last));
      for (std::uint64_t x = first; !range && x <= last; ++x) texts.push_back(std::to_string(x));
    }
    std::string numbers = fmt::format("{{{}}}", fmt::join(texts, ", "));
    if (!for_all) return numbers;
    if (sum.size() == 1 && sum.front().first == sum.front().last)
      return fmt::format("{{{}}}", shifts_.text(sum.front().first));
    return fmt::format("{{{} for x in {}}}", shifts_.text("x"), numbers);
  }

  static std::string part_text(const NamedPackets& extent) {
    if (extent.parts == std::set<std::uint32_t>{0}) return {};
    return " part " + set_text(extent.parts, [](std::uint32_t part) { return fmt::format("{}", part); });
  }

  using NameOf = std::function<std::string(std::uint32_t)>;

  // "3", or "{1, 3}".
  template <class Numbers>
  static std::string set_text(const Numbers& numbers, const NameOf& name) {
    std::vector<std::string> names;
    for (const std::uint32_t number : numbers) names.push_back(name(number));
    return names.size() == 1 ? names.front() : fmt::format("{{{}}}", fmt::join(names, ", "));
  }

  std::string along_text(const std::vector<NodeId>& nodes) const {
    std::vector<std::string> names;
    for (const NodeId node : nodes) names.push_back(line_.node(node));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  // Writes several packets as sets of origins, targets and parts; or each by its name, where the sets would name more.
  std::string carried_text(const std::vector<ChunkName>& chunks, const NameOf& processor) const {
    if (!is_product(chunks)) return "held if " + condition_text(chunks, processor);
    const NamedPackets extent(chunks);
    return fmt::format("{} -> {}{}", set_text(extent.origins, processor),
                       extent.targets.empty() ? "*" : set_text(extent.targets, processor), part_text(extent));
  }

  static std::string condition_text(const std::vector<ChunkName>& chunks, const NameOf& processor) {
    std::vector<std::string> names;
    for (const ChunkName& chunk : chunks) {
      names.push_back(fmt::format("origin == ({}) and target == ({}) and piece == {}", processor(chunk.origin),
                                  chunk.target ? processor(*chunk.target) : "-1", chunk.part));
    }
    return fmt::format("{}", fmt::join(names, " or "));
  }

  const SendTable& table_;
  const Fabric& fabric_;
  const FabricText& line_;
  Router router_;
  Shifts shifts_;
};

}  // namespace

Result<std::string> decompile(const SendTable& table, const Families& families) {
  const Result<FabricText> line = fabric_line(table.fabric, families);
  if (!line) return line.diagnostics();
  return Decompiler(table, *line).text();
}

std::optional<std::string> cannot_decompile(const Fabric& fabric, const Families& families) {
  const Result<FabricText> line = fabric_line(fabric, families);
  return line ? std::nullopt : std::optional(line.diagnostics().front().message);
}

}  // namespace quadrille
