// A packet's rows are cut at processors into flights, each a send of its own. A flight that leaves processor 0 stands
// for n of them if the same one, shifted, leaves every processor.
#include "compiler/decompile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "model/route.h"

namespace quadrille {
namespace {

struct Flight {
  std::uint32_t step = 0;  // of its first hop
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  ChunkName chunk;
  std::vector<std::uint32_t> waits;  // by hop, from the second on: steps longer than need be in the node before it
  auto operator<=>(const Flight&) const = default;
};

// --- the table's head in the language -----------------------------------------------------------------------------

std::string rules_text(const Rules& rules) {
  std::string text;
  if (rules.duplex == Duplex::half) text += ", duplex: half";
  if (rules.ports == Ports::single) text += ", ports: single";
  if (rules.queue.limit) {
    text += *rules.queue.limit == 0 ? ", queue: none" : fmt::format(", queue: {}", *rules.queue.limit);
  }
  return text;
}

std::string capacity_text(std::uint32_t capacity) {
  return capacity == 1 ? "" : fmt::format(", capacity: {}", capacity);
}

struct ShapeText {
  std::optional<std::string> operator()(const FatTreeShape& tree) const {
    const std::string arity = tree.arity == 2 ? "" : fmt::format(", arity: {}", tree.arity);
    return fmt::format("fat_tree(levels: {}{}, capacity: [{}]", tree.capacities.size(), arity,
                       fmt::join(tree.capacities, ", "));
  }
  std::optional<std::string> operator()(const GridShape& grid) const {
    std::string size = fmt::format("nodes: {}", grid.extents.front());
    if (grid.kind == "hypercube") size = fmt::format("dimensions: {}", grid.extents.size());
    if (grid.kind == "mesh" || grid.kind == "torus") size = fmt::format("extents: [{}]", fmt::join(grid.extents, ", "));
    return fmt::format("{}({}{}", grid.kind, size, capacity_text(grid.capacity));
  }
  std::optional<std::string> operator()(const CompleteShape& shape) const {
    return fmt::format("complete(nodes: {}{}", shape.processors, capacity_text(shape.capacity));
  }
  std::optional<std::string> operator()(const StarShape& shape) const {
    return fmt::format("star(nodes: {}{}", shape.processors, capacity_text(shape.capacity));
  }
  std::optional<std::string> operator()(const GraphShape&) const { return std::nullopt; }
};

std::string collective_text(const CollectiveDescription& description) {
  const CollectiveKind kind = description.kind;
  std::vector<std::string> arguments;
  if (kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter || kind == CollectiveKind::gather ||
      kind == CollectiveKind::reduce) {
    arguments.push_back(fmt::format("root: {}", description.root));
  }
  if (description.parts != 1) arguments.push_back(fmt::format("parts: {}", description.parts));
  if (description.ordered && kind != CollectiveKind::prefix) arguments.emplace_back("ordered: true");
  return arguments.empty() ? std::string(to_string(kind))
                           : fmt::format("{}({})", to_string(kind), fmt::join(arguments, ", "));
}

// --- shifts ---------------------------------------------------------------------------------------------------------

// How processors are shifted so that the fabric looks the same: digit by digit, without carrying.
class Shifts {
 public:
  explicit Shifts(const Fabric& fabric) : n_(fabric.processors()) {
    const auto* grid = std::get_if<GridShape>(&fabric.shape());
    const auto* tree = std::get_if<FatTreeShape>(&fabric.shape());
    if (grid != nullptr && (grid->wraps || grid->kind == "hypercube")) {
      extents_ = grid->extents;
    } else if (tree != nullptr) {
      extents_.assign(tree->capacities.size(), tree->arity);
    } else if (std::holds_alternative<CompleteShape>(fabric.shape()) ||
               std::holds_alternative<StarShape>(fabric.shape())) {
      extents_ = {n_};
    }
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
    const auto shape = std::visit(ShapeText{}, fabric_.shape());
    const CollectiveDescription& description = table_.collective.description();
    if (!shape || description.kind == CollectiveKind::custom || !collect()) return std::nullopt;
    std::string body;
    bool shifted = false;
    for (const Flight& flight : flights_) {
      if (stands_for_all(flight)) {
        shifted = true;
        if (flight.from == 0) body += statement(flight, true);
      } else {
        body += statement(flight, false);
      }
    }
    return fmt::format("fabric {}{})\ncollective {}\n\n{}{}\nclaim steps == {}\n", *shape, rules_text(fabric_.rules()),
                       collective_text(description), shifted ? shifts_.declaration() : "", body, last_step_);
  }

 private:
  // Cuts all packets' rows into flights; false if one is not a way from processor to processor.
  bool collect() {
    std::map<ChunkId, std::vector<StoredRows::StepRow>> packets;
    for (const StoredRows::StepRow& row : all_rows(table_)) packets[row.row.chunk].push_back(row);
    return std::all_of(packets.begin(), packets.end(), [&](auto& packet) { return cut(packet.first, packet.second); });
  }

  // Rows are by step. A switch passes a packet on once for each time that it got it.
  bool cut(ChunkId chunk, const std::vector<StoredRows::StepRow>& rows) {
    struct Open {
      Flight flight;
      std::uint32_t last_step;
      std::vector<ChannelId> way;
    };
    std::map<NodeId, Open> open;  // by the switch reached
    for (const auto& [step, row] : rows) {
      last_step_ = std::max(last_step_, step.value);
      const Channel& channel = fabric_.channel(row.channel);
      Open flight{{step.value, channel.from.value, 0, table_.collective.name(chunk), {}}, step.value, {}};
      if (!fabric_.is_processor(channel.from)) {
        const auto found = open.find(channel.from);
        if (found == open.end()) return false;
        flight = std::move(found->second);
        open.erase(found);
        flight.flight.waits.push_back(step.value - flight.last_step - 1);
        flight.last_step = step.value;
      }
      flight.way.push_back(row.channel);
      if (!fabric_.is_processor(channel.to)) {
        if (!open.emplace(channel.to, std::move(flight)).second) return false;
        continue;
      }
      flight.flight.to = channel.to.value;
      std::vector<ChannelId> usual;
      router_.append_route(NodeId{flight.flight.from}, channel.to, usual);
      if (usual != flight.way) return false;
      flights_.insert(std::move(flight.flight));
    }
    return open.empty();
  }

  Flight shifted(Flight flight, std::uint32_t x) const {
    flight.from = shifts_.plus(flight.from, x);
    flight.to = shifts_.plus(flight.to, x);
    flight.chunk.origin = shifts_.plus(flight.chunk.origin, x);
    if (flight.chunk.target) flight.chunk.target = shifts_.plus(*flight.chunk.target, x);
    return flight;
  }

  bool stands_for_all(const Flight& flight) const {
    if (!shifts_.any()) return false;
    for (std::uint32_t x = 1; x < fabric_.processors(); ++x) {
      if (!flights_.contains(shifted(flight, x))) return false;
    }
    return true;
  }

  // "switch(2, k / 4)"; the node before hop `hop` of the flight, which climbs to half of its hops.
  std::string switch_text(const Flight& flight, std::size_t hop, bool for_all) const {
    const auto* tree = std::get_if<FatTreeShape>(&fabric_.shape());
    if (tree == nullptr) return "switch(1, 0)";
    const std::size_t top = (flight.waits.size() + 1) / 2;
    const std::size_t level = hop <= top ? hop : 2 * top - hop;
    const std::uint32_t end = hop <= top ? flight.from : flight.to;
    std::uint32_t leaves = 1;
    for (std::size_t i = 0; i < level; ++i) leaves *= tree->arity;
    if (!for_all) return fmt::format("switch({}, {})", level, end / leaves);
    return fmt::format("switch({}, ({}) / {})", level, shifts_.text(end), leaves);
  }

  std::string statement(const Flight& flight, bool for_all) const {
    const auto processor = [&](std::uint32_t p) { return for_all ? shifts_.text(p) : fmt::format("{}", p); };
    std::string text = fmt::format("at {}: {}send {} -> {}", flight.step, for_all ? "for k in processors: " : "",
                                   processor(flight.from), processor(flight.to));
    std::vector<std::string> waits;
    for (std::size_t i = 0; i < flight.waits.size(); ++i) {
      if (flight.waits[i] == 0) continue;
      waits.push_back(fmt::format("{} at {}", flight.waits[i], switch_text(flight, i + 1, for_all)));
    }
    if (!waits.empty()) text += fmt::format(" waiting {}", fmt::join(waits, ", "));
    text += fmt::format(" carrying {} -> {}", processor(flight.chunk.origin),
                        flight.chunk.target ? processor(*flight.chunk.target) : "*");
    if (flight.chunk.part != 0) text += fmt::format(" part {}", flight.chunk.part);
    return text + "\n";
  }

  const SendTable& table_;
  const Fabric& fabric_;
  Router router_;
  Shifts shifts_;
  std::set<Flight> flights_;
  std::uint32_t last_step_ = 0;
};

}  // namespace

std::optional<std::string> decompile(const SendTable& table) { return Decompiler(table).text(); }

std::optional<std::string> cannot_decompile(const Fabric& fabric, const Collective& collective) {
  if (!std::visit(ShapeText{}, fabric.shape())) return "the language has no name for this fabric";
  if (collective.description().kind == CollectiveKind::custom) return "the language has no name for this collective";
  return std::nullopt;
}

}  // namespace quadrille
