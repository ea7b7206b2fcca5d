// The decompiler writes a schedule from a table; compiling that text gives the same rows.
//
// A packet's rows are cut at processors into flights, each a send of its own. A flight that leaves processor 0 stands
// for n of them if the same one, shifted, leaves every processor. For example, on ring:4 the four rows 0 -> 1, 1 -> 2,
// 2 -> 3 and 3 -> 0 of step 1, each with the packet from its sender to its receiver, become
//
//     at 1: for k in processors: send k -> (k + 1) mod n carrying k -> (k + 1) mod n
//
// In rounds a flight is a message, of all its packets (sent_messages.h): `send 0 -> 2 carrying 0 -> {1, 2}`.
//
// What a send cannot say is refused where it is met (sent_flights.cpp, sent_messages.cpp).
// Cost: flights · processors look-ups.
#include "compiler/decompile/decompile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/decompile/collective_line.h"
#include "compiler/decompile/fabric_line.h"
#include "compiler/decompile/named_packets.h"
#include "compiler/decompile/sent_flights.h"
#include "compiler/decompile/sent_messages.h"
#include "model/route.h"
#include "model/topology.h"

namespace quadrille {
namespace {

// --- shifts ---------------------------------------------------------------------------------------------------------

// The shifts of processors under which the fabric looks the same: they add digit by digit, without carrying.
class Shifts {
 public:
  explicit Shifts(const Fabric& fabric) : n_(fabric.processors()), extents_(fabric.topology().shifts()) {
    binary_ = std::all_of(extents_.begin(), extents_.end(), [](std::uint32_t extent) { return extent == 2; });
  }

  bool any() const { return !extents_.empty(); }

  std::uint32_t plus(std::uint32_t p, std::uint32_t x) const {
    std::uint32_t sum = 0;
    std::uint32_t weight = n_;
    for (const std::uint32_t extent : extents_) {
      weight /= extent;
      sum += (p / weight + x / weight) % extent * weight;
    }
    return sum;
  }

  // The function's declaration, where there is one, and `plus(k, x)` in the language.
  std::string declaration() const {
    if (binary_ || extents_.size() == 1) return {};
    std::vector<std::string> digits;
    std::uint32_t weight = n_;
    for (const std::uint32_t extent : extents_) {
      weight /= extent;
      digits.push_back(fmt::format("(k / {0} + x / {0}) mod {1} * {0}", weight, extent));
    }
    return fmt::format("let plus(k, x) = {}\n\n", fmt::join(digits, " + "));
  }
  std::string text(std::uint32_t x) const {
    if (x == 0) return "k";
    if (binary_) return fmt::format("k xor {}", x);
    return extents_.size() == 1 ? fmt::format("(k + {}) mod n", x) : fmt::format("plus(k, {})", x);
  }

 private:
  std::uint32_t n_;
  std::vector<std::uint32_t> extents_;
  bool binary_ = false;
};

// --- flights --------------------------------------------------------------------------------------------------------

class Decompiler {
 public:
  // `line` is the schedule's own fabric.
  Decompiler(const SendTable& table, const FabricText& line)
      : table_(table), fabric_(table.fabric), line_(line), router_(line.fabric), shifts_(table.fabric) {}

  Result<std::string> text() {
    Result<SentFlights> sends = fabric_.in_rounds() ? sent_messages(table_, router_) : sent_flights(table_, router_);
    if (!sends) return sends.diagnostics();
    for (SentFlight& flight : sends->flights) ++flights_[std::move(flight)];
    std::string body;
    bool shifted = false;
    // Flights are sorted by step and source, so of n alike the one of processor 0 is met first, and written for all.
    for (const auto& [flight, times] : flights_) {
      if (!sends->joined && stands_for_all(flight)) {
        shifted = true;
        if (flight.from == 0) body += statement(flight, true);
      } else {
        for (std::size_t i = 0; i < times; ++i) body += statement(flight, false);
      }
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

  SentFlight shifted(SentFlight flight, std::uint32_t x) const {
    flight.from = shifts_.plus(flight.from, x);
    for (std::uint32_t& to : flight.to) to = shifts_.plus(to, x);
    for (ChunkName& chunk : flight.chunks) {
      chunk.origin = shifts_.plus(chunk.origin, x);
      if (chunk.target) chunk.target = shifts_.plus(*chunk.target, x);
    }
    std::ranges::sort(flight.to);
    std::ranges::sort(flight.chunks);
    return flight;
  }

  bool stands_for_all(const SentFlight& flight) const {
    if (!shifts_.any() || !flight.along.empty() || !flight.links.empty() ||
        (waits(flight) && fabric_.topology().tree() == nullptr))
      return false;
    for (std::uint32_t x = 0; x < fabric_.processors(); ++x) {
      const auto found = flights_.find(shifted(flight, x));
      if (found == flights_.end() || found->second != 1) return false;
    }
    return true;
  }

  static bool waits(const SentFlight& flight) {
    return std::ranges::any_of(flight.waits, [](std::uint32_t steps) { return steps > 0; });
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
    const std::vector<NodeId> between = waits(flight) ? nodes_between(flight) : std::vector<NodeId>();
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
    return text + " carrying " + carried_text(flight.chunks, processor) + "\n";
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
    const NameOf number = [](std::uint32_t part) { return fmt::format("{}", part); };
    if (!is_product(chunks)) return "held if " + condition_text(chunks, processor);
    const NamedPackets extent(chunks);
    std::string text = fmt::format("{} -> {}", set_text(extent.origins, processor),
                                   extent.targets.empty() ? "*" : set_text(extent.targets, processor));
    if (extent.parts != std::set<std::uint32_t>{0}) text += " part " + set_text(extent.parts, number);
    return text;
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
  std::map<SentFlight, std::size_t> flights_;  // and how often each is sent
};

}  // namespace

Result<std::string> decompile(const SendTable& table, const Families& families) {
  if (table.rows->has_partial_reductions()) {
    return error_at({}, "its rows say by number which partial reductions they carry, and a send names contributions",
                    Code::unsupported);
  }
  const Result<FabricText> line = fabric_line(table.fabric, families);
  if (!line) return line.diagnostics();
  return Decompiler(table, *line).text();
}

std::optional<std::string> cannot_decompile(const Fabric& fabric, const Families& families) {
  const Result<FabricText> line = fabric_line(fabric, families);
  return line ? std::nullopt : std::optional(line.diagnostics().front().message);
}

}  // namespace quadrille
