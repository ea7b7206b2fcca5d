// A fabric's definition is run for one size: nodes are numbered as they are declared, links become channels, and routes
// stay expressions. They are evaluated for each pair: at once if there are not too many, and otherwise on demand.
//
// For example, leaf_spine with hosts = 16, leaves = 4 and spines = 4 has the processors 0 to 15, leaf[0] to leaf[3] as
// nodes 16 to 19, and spine[0] to spine[3] as 20 to 23; a route from 0 to 5 is asked of the lines `route` in order, and
// a shortest one is taken where none has a condition that holds. Cost: the loops of the definition; for each route, its
// conditions and nodes.
#include "compiler/evaluate/make_fabric.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "compiler/evaluate/arguments.h"
#include "compiler/evaluate/evaluate.h"
#include "model/topologies/graph.h"

namespace quadrille {
namespace {

// The most pairs whose routes are tried when a fabric is made; larger fabrics try so many, spread over all pairs.
constexpr std::uint64_t most_tried = std::uint64_t{1} << 20;

// The routes between all pairs of processors.
class AllRoutes {
 public:
  explicit AllRoutes(std::uint32_t processors) : processors_(processors) { ends_.push_back(0); }

  // Adds the route of the next pair: pairs come by source, then by target.
  void add(std::span<const NodeId> nodes) {
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
    ends_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  }

  std::span<const NodeId> operator()(NodeId source, NodeId target) const {
    const std::size_t pair = std::size_t{source.value} * processors_ + target.value;
    return std::span(nodes_).subspan(ends_[pair], ends_[pair + 1] - ends_[pair]);
  }

 private:
  std::uint32_t processors_;
  std::vector<NodeId> nodes_;
  std::vector<std::uint32_t> ends_;  // of a pair's nodes; a 0 before the first
};

// The state with which a definition's routes are evaluated, one at a time.
struct RouteRules {
  std::shared_ptr<const ir::FabricDefinition> definition;
  Instance instance;
  mutable std::mutex mutex;
  mutable std::unique_ptr<Evaluator> evaluator;
  // Set once the fabric is made, from when on any thread may ask.
  bool tried = false;
  std::optional<AllRoutes> all = {};  // if every pair was tried

  // The nodes from source to target by the first rule that holds; empty if none does. Throws EvaluationError.
  std::vector<NodeId> nodes(NodeId source, NodeId target) const {
    if (all) {
      const std::span<const NodeId> known = (*all)(source, target);
      return {known.begin(), known.end()};
    }
    const std::scoped_lock lock(mutex);
    if (!evaluator) evaluator = std::make_unique<Evaluator>(instance);
    if (tried) evaluator->restart();
    for (const ir::Route& route : definition->routes) {
      Evaluator::FrameGuard frame(*evaluator, route.frame.size, route.span);
      frame.slots()[route.source.value] = source.value;
      frame.slots()[route.target.value] = target.value;
      if (route.when && !evaluator->truth(*route.when, frame.slots())) continue;
      std::vector<NodeId> result = {source};
      for (const ir::Expression& node : route.along) {
        result.emplace_back(static_cast<std::uint32_t>(evaluator->value(node, frame.slots())));
      }
      result.push_back(target);
      return result;
    }
    return {};
  }
};

// The routes that the definition states, and shortest ones for all other pairs.
class WrittenRoutes final : public Routes {
 public:
  WrittenRoutes(Fabric fabric, std::shared_ptr<const RouteRules> rules, std::shared_ptr<const Routes> shortest)
      : fabric_(std::move(fabric)), rules_(std::move(rules)), shortest_(std::move(shortest)) {}

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    if (source == target) return true;
    if (fabric_.is_processor(source) && fabric_.is_processor(target) && append_written(source, target, channels)) {
      return true;
    }
    return shortest_->append(source, target, channels);
  }

  bool append_in_tree(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    return shortest_->append_in_tree(source, target, channels);
  }

  bool leaves_choice(NodeId source, NodeId target) const override {
    std::vector<ChannelId> written;
    const bool processors = fabric_.is_processor(source) && fabric_.is_processor(target);
    return !(processors && append_written(source, target, written)) && shortest_->leaves_choice(source, target);
  }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    return shortest_->distance(source, target);
  }

 private:
  // False where no rule holds, or one leads nowhere in a fabric too large for trying all pairs when it was made.
  bool append_written(NodeId source, NodeId target, std::vector<ChannelId>& channels) const {
    const std::size_t before = channels.size();
    try {
      const std::vector<NodeId> nodes = rules_->nodes(source, target);
      for (std::size_t i = 1; i < nodes.size(); ++i) {
        const auto channel = fabric_.channel_between(nodes[i - 1], nodes[i]);
        if (!channel) break;
        channels.push_back(*channel);
      }
      if (!nodes.empty() && channels.size() - before == nodes.size() - 1) return true;
    } catch (const EvaluationError&) {
    }
    channels.resize(before);
    return false;
  }

  Fabric fabric_;
  std::shared_ptr<const RouteRules> rules_;
  std::shared_ptr<const Routes> shortest_;
};

class WrittenFabric final : public Graph {
 public:
  std::shared_ptr<const RouteRules> rules;  // null: it says no routes

  std::shared_ptr<const Routes> routes(const Fabric& fabric) const override {
    auto shortest = Graph::routes(fabric);
    if (!rules) return shortest;
    return std::make_shared<WrittenRoutes>(fabric, rules, std::move(shortest));
  }
  bool shortest_by_default() const override { return rules == nullptr; }
};

std::uint64_t key(NodeId from, NodeId to) { return std::uint64_t{from.value} << 32 | to.value; }

// Runs a definition's lines.
class FabricMaker {
 public:
  FabricMaker(const ir::FabricDefinition& definition, Instance instance, WrittenFabric& fabric)
      : definition_(definition), instance_(std::move(instance)), evaluator_(instance_), fabric_(fabric) {
    instance_.so_far = std::make_shared<FabricSoFar>();
  }

  void run() {
    Evaluator::FrameGuard frame(evaluator_, definition_.frame.size, definition_.span);
    slots_ = frame.slots();
    items(definition_.items);
    fabric_.processors = so_far().processors.value();
  }

  Instance instance() { return instance_; }

  // Tries the routes of as many pairs as it may, and returns them if these are all. Throws EvaluationError at the rule
  // that names no route.
  std::optional<AllRoutes> try_routes(const RouteRules& rules) const {
    const std::uint64_t n = fabric_.processors;
    AllRoutes all(fabric_.processors);
    const std::uint64_t stride = std::max<std::uint64_t>(1, n * n / most_tried);
    for (std::uint64_t i = 0; i < n * n; i += stride) {
      const NodeId source(static_cast<std::uint32_t>(i / n));
      const NodeId target(static_cast<std::uint32_t>(i % n));
      const std::vector<NodeId> nodes = source == target ? std::vector<NodeId>() : rules.nodes(source, target);
      for (std::size_t k = 1; k < nodes.size(); ++k) {
        if (channels_.contains(key(nodes[k - 1], nodes[k]))) continue;
        fail(definition_.routes.front().span,
             fmt::format("the route from {} to {} takes a link from {} to {}; there is none", source.value,
                         target.value, name(nodes[k - 1]), name(nodes[k])),
             Code::route);
      }
      if (stride == 1) all.add(nodes);
    }
    if (stride > 1) return std::nullopt;
    return all;
  }

 private:
  FabricSoFar& so_far() { return *instance_.so_far; }

  std::string name(NodeId node) const {
    if (node.value < fabric_.processors) return fmt::to_string(node.value);
    return fabric_.switch_names[node.value - fabric_.processors];
  }

  void items(const std::vector<ir::FabricItem>& list) {
    for (const ir::FabricItem& item : list) std::visit([&](const auto& node) { run(node, item.span); }, item.node);
  }

  void run(const ir::ProcessorCount& node, Span span) {
    const std::int64_t count = evaluator_.value(node.count, slots_);
    if (count < 1 || count > max_fabric_size) {
      fail(span, fmt::format("the fabric has {} processors; expected 1 to {}", count, max_fabric_size), Code::range);
    }
    if (so_far().nodes > 0) fail(span, "the line 'processors' comes before 'switches'", Code::missing);
    so_far().processors = fabric_.processors = so_far().nodes = static_cast<std::uint32_t>(count);
  }

  void run(const ir::SwitchArray& node, Span span) {
    if (!so_far().processors) fail(span, "the line 'processors' comes before 'switches'", Code::missing);
    FabricSoFar::Switches array{so_far().nodes, {}};
    std::uint64_t count = 1;
    for (const ir::Expression& extent : node.extents) {
      const std::int64_t size = evaluator_.value(extent, slots_);
      if (size < 0 || size > max_fabric_size) {
        fail(extent.span, fmt::format("{} switches; expected 0 to {}", size, max_fabric_size), Code::range);
      }
      array.extents.push_back(static_cast<std::uint32_t>(size));
      count *= static_cast<std::uint64_t>(size);
      if (count + so_far().nodes > max_fabric_size) {
        fail(extent.span, fmt::format("a fabric has at most {} nodes", max_fabric_size), Code::limit);
      }
    }
    for (std::uint64_t i = 0; i < count; ++i) fabric_.switch_names.push_back(element_name(node.name, array.extents, i));
    so_far().nodes += static_cast<std::uint32_t>(count);
    so_far().switches.emplace(node.name, std::move(array));
  }

  // "router[2][0]" for number 2·4 + 0 of router[3][4].
  static std::string element_name(const std::string& array, const std::vector<std::uint32_t>& extents,
                                  std::uint64_t i) {
    std::string indices;
    for (std::size_t k = extents.size(); k-- > 0; i /= extents[k]) {
      indices = fmt::format("[{}]{}", i % extents[k], indices);
    }
    return array + indices;
  }

  void run(const ir::Link& node, Span span) {
    const NodeId from(static_cast<std::uint32_t>(evaluator_.value(node.from, slots_)));
    const NodeId to(static_cast<std::uint32_t>(evaluator_.value(node.to, slots_)));
    const std::int64_t lanes = node.lanes ? evaluator_.value(*node.lanes, slots_) : 1;
    if (lanes < 1 || lanes > 0xffffffff)
      fail(span, fmt::format("a link of {} lanes; expected at least 1", lanes), Code::range);
    if (from == to) fail(span, fmt::format("a link from {} to itself", name(from)), Code::invalid);
    const LinkSpeed speed = speed_of(node);
    add(from, to, static_cast<std::uint32_t>(lanes), speed, span);
    if (!node.one_way) add(to, from, static_cast<std::uint32_t>(lanes), speed, span);
  }

  LinkSpeed speed_of(const ir::Link& link) {
    LinkSpeed speed;
    if (link.latency) speed.latency = quantity_of(*link.latency, 0, "latency");
    if (link.bandwidth) speed.bandwidth = quantity_of(*link.bandwidth, 1, "bandwidth");
    return speed;
  }

  std::uint64_t quantity_of(const ir::Speed& speed, std::int64_t least, const char* what) {
    constexpr std::uint64_t most = 1'000'000'000'000'000'000;
    const std::int64_t value = evaluator_.value(speed.value, slots_);
    if (value < least || static_cast<std::uint64_t>(value) > most / speed.unit) {
      fail(speed.value.span,
           fmt::format("a {} of {}; expected {} to {} of this unit", what, value, least, most / speed.unit),
           Code::range);
    }
    return static_cast<std::uint64_t>(value) * speed.unit;
  }

  void add(NodeId from, NodeId to, std::uint32_t lanes, const LinkSpeed& speed, Span span) {
    if (!channels_.insert(key(from, to)).second) {
      fail(span,
           fmt::format("there is a link from {} to {} already; for more lanes, say 'lanes'", name(from), name(to)),
           Code::duplicate);
    }
    if (fabric_.channels.size() >= max_fabric_size) {
      fail(span, fmt::format("a fabric has at most {} channels", max_fabric_size), Code::limit);
    }
    fabric_.channels.push_back({from, to, lanes});
    if (speed != LinkSpeed{}) fabric_.speeds.push_back({from, to, speed});
  }

  void run(const ir::FabricLoop& node, Span) {
    evaluator_.for_each(node.bindings, slots_, [&] {
      if (!node.condition || evaluator_.truth(*node.condition, slots_)) items(node.items);
    });
  }

  const ir::FabricDefinition& definition_;
  Instance instance_;
  Evaluator evaluator_;
  WrittenFabric& fabric_;
  Evaluator::Slot* slots_ = nullptr;
  std::unordered_set<std::uint64_t> channels_;  // key()s of those that are there
};

}  // namespace

std::shared_ptr<const Topology> make_fabric(const std::shared_ptr<const ir::FabricDefinition>& definition,
                                            const Arguments& arguments, std::string title, const Limits& limits) {
  auto fabric = std::make_shared<WrittenFabric>();
  fabric->name = std::move(title);
  ElaborateOptions options;
  options.limits = limits;
  FabricMaker maker(*definition, bind_parameters(definition->names, arguments, options), *fabric);
  maker.run();
  if (!definition->routes.empty()) {
    auto rules = std::make_shared<RouteRules>();
    rules->definition = definition;
    rules->instance = maker.instance();
    rules->all = maker.try_routes(*rules);
    rules->instance.limits = {};  // routes are asked for later, by others
    rules->evaluator.reset();
    rules->tried = true;
    fabric->rules = std::move(rules);
  }
  return fabric;
}

}  // namespace quadrille
