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
// The text can express default routes and waits, and paths in rounds; a table that needs anything else has no text.
// Cost: flights · processors look-ups.
#include "compiler/decompile/decompile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/decompile/sent_messages.h"
#include "model/collective_family.h"
#include "model/route.h"
#include "model/topologies/product.h"
#include "model/topology.h"

namespace quadrille {
namespace {

struct SentFlight {
  std::uint32_t step = 0;  // of its first hop
  std::uint32_t from = 0;
  std::vector<std::uint32_t> to;     // in rounds perhaps several
  std::vector<ChunkName> chunks;     // likewise
  std::vector<std::uint32_t> waits;  // by hop, from the second on: steps longer than need be in the node before it
  std::vector<NodeId> along;         // in rounds: the nodes between, off the default route
  auto operator<=>(const SentFlight&) const = default;
};

// --- the table's head in the language -----------------------------------------------------------------------------

// The value as the language writes it.
std::string value_text(const TopologyArgument::Value& value) {
  if (const auto* number = std::get_if<std::uint32_t>(&value)) return fmt::format("{}", *number);
  return fmt::format("[{}]", fmt::join(std::get<std::vector<std::uint32_t>>(value), ", "));
}

// Returns "fat_tree(levels: 2, capacity: [1, 2], ports: single)"; nothing for a graph that is given edge by edge, and
// for switches outside of trees, since the language cannot name these.
std::optional<std::string> fabric_text(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  if (fabric.has_switches() && topology.tree() == nullptr) return std::nullopt;
  std::vector<std::string> arguments;
  const auto* product = dynamic_cast<const Product*>(&topology);
  for (const TopologyArgument& argument : topology.arguments()) {
    if (product != nullptr) break;
    if (std::holds_alternative<std::string>(argument.value)) return std::nullopt;
    arguments.push_back(fmt::format("{}: {}", argument.name, value_text(argument.value)));
  }
  if (product != nullptr) {
    for (const Fabric& factor : product->factors()) {
      const std::string notation = factor.topology().notation();
      if (notation.find('"') != std::string::npos) return std::nullopt;  // a graph
      arguments.push_back(fmt::format("\"{}\"", notation));
    }
  }
  for (const auto& [rule, value] : rules_given(fabric.rules())) arguments.push_back(fmt::format("{}: {}", rule, value));
  return fmt::format("{}({})", topology.family(), fmt::join(arguments, ", "));
}

std::string collective_text(const CollectiveDescription& description) {
  const CollectiveFacts& facts = description.kind.facts();
  std::vector<std::string> arguments;
  if (facts.rooted) arguments.push_back(fmt::format("root: {}", description.root));
  if (description.parts != 1) arguments.push_back(fmt::format("parts: {}", description.parts));
  const bool usual = description.operation == Operation::commutative || facts.always_idempotent ||
                     (facts.always_ordered && description.operation == Operation::ordered);
  if (!usual) arguments.push_back(fmt::format("operation: {}", to_string(description.operation)));
  return arguments.empty() ? facts.name : fmt::format("{}({})", facts.name, fmt::join(arguments, ", "));
}

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
  explicit Decompiler(const SendTable& table)
      : table_(table), fabric_(table.fabric), router_(table.fabric), shifts_(table.fabric) {}

  std::optional<std::string> text() {
    const auto fabric = fabric_text(fabric_);
    const CollectiveDescription& description = table_.collective.description();
    if (!fabric || description.kind.facts().chunks_given || !collect()) return std::nullopt;
    std::string body;
    bool shifted = false;
    // Flights are sorted by step and source, so of n alike the one of processor 0 is met first, and written for all.
    for (const SentFlight& flight : flights_) {
      if (stands_for_all(flight)) {
        shifted = true;
        if (flight.from == 0) body += statement(flight, true);
      } else {
        body += statement(flight, false);
      }
    }
    return fmt::format("fabric {}\ncollective {}\n\n{}{}\nclaim steps == {}\n", *fabric, collective_text(description),
                       shifted ? shifts_.declaration() : "", body, last_step_);
  }

 private:
  // Cuts all packets' rows into flights; false if one is no path from processor to processor.
  bool collect() {
    if (fabric_.in_rounds()) return collect_messages();
    std::map<ChunkId, std::vector<StoredRows::StepRow>> packets;
    for (const StoredRows::StepRow& row : all_rows(table_)) packets[row.row.chunk].push_back(row);
    return std::all_of(packets.begin(), packets.end(), [&](auto& packet) { return cut(packet.first, packet.second); });
  }

  bool collect_messages() {
    auto messages = sent_messages(table_);
    if (!messages) return false;
    for (SentMessage& it : *messages) {
      // A sender of a combining collective holds its partial reductions under its own name.
      if (table_.collective.combining() && !is_product(it.chunks)) return false;
      last_step_ = std::max(last_step_, it.round);
      flights_.insert({it.round, it.from, std::move(it.to), std::move(it.chunks), {}, std::move(it.along)});
    }
    return true;
  }

  // Rows are by step. A switch passes a packet on once for each time that it got it.
  bool cut(ChunkId chunk, const std::vector<StoredRows::StepRow>& rows) {
    struct Open {
      SentFlight flight;
      std::uint32_t last_step;
      std::vector<ChannelId> path;
    };
    std::map<NodeId, Open> open;  // by the switch reached
    for (const auto& [step, row] : rows) {
      last_step_ = std::max(last_step_, step.value);
      const Channel& channel = fabric_.channel(row.channel);
      // Out of a processor a flight begins; out of a switch, the one that reached it goes on, with the steps it waited.
      Open flight{{step.value, channel.from.value, {}, {table_.collective.name(chunk)}, {}, {}}, step.value, {}};
      if (!fabric_.is_processor(channel.from)) {
        const auto found = open.find(channel.from);
        if (found == open.end()) return false;
        flight = std::move(found->second);
        open.erase(found);
        flight.flight.waits.push_back(step.value - flight.last_step - 1);
        flight.last_step = step.value;
      }
      flight.path.push_back(row.channel);
      if (!fabric_.is_processor(channel.to)) {
        if (!open.emplace(channel.to, std::move(flight)).second) return false;
        continue;
      }
      flight.flight.to = {channel.to.value};
      // At a processor the flight ends. It is a plain send only if it took the default route.
      std::vector<ChannelId> default_route;
      router_.append_route(NodeId{flight.flight.from}, channel.to, default_route);
      if (default_route != flight.path) return false;
      flights_.insert(std::move(flight.flight));
    }
    return open.empty();
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
    if (!shifts_.any() || !flight.along.empty()) return false;
    for (std::uint32_t x = 1; x < fabric_.processors(); ++x) {
      if (!flights_.contains(shifted(flight, x))) return false;
    }
    return true;
  }

  // "switch(2, k / 4)": the node before hop `hop` of the flight, which climbs the tree for half of its hops and
  // descends for the rest, so the switch is above its source in the first half and above its target in the second.
  std::string switch_text(const SentFlight& flight, std::size_t hop, bool for_all) const {
    const std::size_t top = (flight.waits.size() + 1) / 2;
    const std::size_t level = hop <= top ? hop : 2 * top - hop;
    const std::uint32_t end = hop <= top ? flight.from : flight.to.front();
    std::uint32_t leaves = 1;
    for (std::size_t i = 0; i < level; ++i) leaves *= fabric_.topology().tree()->arity;
    if (leaves == fabric_.processors()) return fmt::format("switch({}, 0)", level);
    if (!for_all) return fmt::format("switch({}, {})", level, end / leaves);
    return fmt::format("switch({}, ({}) / {})", level, shifts_.text(end), leaves);
  }

  std::string statement(const SentFlight& flight, bool for_all) const {
    const auto processor = [&](std::uint32_t p) { return for_all ? shifts_.text(p) : fmt::format("{}", p); };
    std::string text = fmt::format("at {}: {}send {} -> {}", flight.step, for_all ? "for k in processors: " : "",
                                   processor(flight.from), set_text(flight.to, processor));
    if (!flight.along.empty()) text += " along " + along_text(flight.along);
    std::vector<std::string> waits;
    for (std::size_t i = 0; i < flight.waits.size(); ++i) {
      if (flight.waits[i] == 0) continue;
      waits.push_back(fmt::format("{} at {}", flight.waits[i], switch_text(flight, i + 1, for_all)));
    }
    if (!waits.empty()) text += fmt::format(" waiting {}", fmt::join(waits, ", "));
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

  // "1, switch(1, 0)": a tree's switches go by level and number.
  std::string along_text(const std::vector<NodeId>& nodes) const {
    std::vector<std::string> names;
    for (const NodeId node : nodes) {
      std::string name = fabric_.name(node);
      if (const auto dot = name.find('.'); dot != name.npos)
        name = fmt::format("switch({}, {})", name.substr(0, dot), name.substr(dot + 1));
      names.push_back(std::move(name));
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  // Whether the names are all those of some origins, targets and parts.
  static bool is_product(const std::vector<ChunkName>& chunks) {
    const Extent extent(chunks);
    return extent.origins.size() * std::max<std::size_t>(extent.targets.size(), 1) * extent.parts.size() ==
           chunks.size();
  }

  // Writes several packets as sets of origins, targets and parts; or each by its name, where the sets would name more.
  std::string carried_text(const std::vector<ChunkName>& chunks, const NameOf& processor) const {
    const NameOf number = [](std::uint32_t part) { return fmt::format("{}", part); };
    if (!is_product(chunks)) return "held if " + condition_text(chunks, processor);
    const Extent extent(chunks);
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

  // The origins, targets (none: everyone) and parts that are named.
  struct Extent {
    std::set<std::uint32_t> origins;
    std::set<std::uint32_t> targets;
    std::set<std::uint32_t> parts;

    explicit Extent(const std::vector<ChunkName>& chunks) {
      for (const ChunkName& chunk : chunks) {
        origins.insert(chunk.origin);
        if (chunk.target) targets.insert(*chunk.target);
        parts.insert(chunk.part);
      }
    }
  };

  const SendTable& table_;
  const Fabric& fabric_;
  Router router_;
  Shifts shifts_;
  std::set<SentFlight> flights_;
  std::uint32_t last_step_ = 0;
};

}  // namespace

std::optional<std::string> decompile(const SendTable& table) {
  if (table.rows->has_partial_reductions())
    return std::nullopt;  // a row does not say which contributions its partial reductions hold
  return Decompiler(table).text();
}

std::optional<std::string> cannot_decompile(const Fabric& fabric, const Collective& collective) {
  if (!fabric_text(fabric)) return "the language has no name for this fabric";
  if (collective.kind().facts().chunks_given) return "the language has no name for this collective";
  return std::nullopt;
}

}  // namespace quadrille
