// Products of fabrics. A node's number has a digit for each factor, the first counting most; a channel of a factor
// stands once for every choice of the other digits.
//
//   product(line:2,ring:3)     0 - 1 - 2 - 0      (0, b) is number b, (1, b) is 3 + b; a row is the ring,
//                              |   |   |          a column the line
//                              3 - 4 - 5 - 3
//
// Routes go through one factor after another, the first first, in each by that factor's default route; those of a
// packet with several targets by the factor's trees. These form a tree again: where the digits of all factors before
// are the target's and those of all factors after are the source's, a node is entered as in its factor. Cost: a
// route's, in each factor, and a look-up for every channel.
#include "model/topologies/product.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/layout/positions.h"
#include "model/route.h"
#include "model/topologies/cycles.h"

namespace quadrille {
namespace {

// A factor's digit in the numbers of nodes.
struct Digit {
  std::uint32_t stride = 1;
  std::uint32_t extent = 1;
  std::uint32_t of(NodeId node) const { return node.value / stride % extent; }
  NodeId with(NodeId node, std::uint32_t digit) const {
    return NodeId(node.value - of(node) * stride + digit * stride);
  }
};

// Of factors whose product has a legal size.
std::vector<Digit> digits_of(const std::vector<Fabric>& factors) {
  std::vector<Digit> digits(factors.size());
  std::uint32_t stride = 1;
  for (std::size_t f = factors.size(); f-- > 0; stride *= digits[f].extent) {
    digits[f] = {stride, factors[f].processors()};
  }
  return digits;
}

class ProductRoutes final : public Routes {
 public:
  ProductRoutes(Fabric fabric, const std::vector<Fabric>& factors)
      : fabric_(std::move(fabric)), factors_(factors), digits_(digits_of(factors)) {
    for (const Fabric& factor : factors) routers_.emplace_back(factor);
  }

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    return append_by(source, target, channels, &Router::append_route);
  }

  bool append_in_tree(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    return append_by(source, target, channels, &Router::append_route_in_tree);
  }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    std::uint32_t sum = 0;
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const auto hops = routers_[f].distance(NodeId(digits_[f].of(source)), NodeId(digits_[f].of(target)));
      if (!hops) return std::nullopt;
      sum += *hops;
    }
    return sum;
  }

 private:
  using Append = bool (Router::*)(NodeId, NodeId, std::vector<ChannelId>&) const;

  bool append_by(NodeId source, NodeId target, std::vector<ChannelId>& channels, Append by) const {
    const std::size_t before = channels.size();
    NodeId at = source;
    std::vector<ChannelId> leg;
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      leg.clear();
      if (!(routers_[f].*by)(NodeId(digits_[f].of(at)), NodeId(digits_[f].of(target)), leg)) {
        channels.resize(before);
        return false;
      }
      for (const ChannelId id : leg) {
        const NodeId next = digits_[f].with(at, factors_[f].channel(id).to.value);
        channels.push_back(*fabric_.channel_between(at, next));
        at = next;
      }
    }
    return true;
  }

  Fabric fabric_;
  std::vector<Fabric> factors_;
  std::vector<Digit> digits_;
  std::vector<Router> routers_;
};

// "(ring:4,hypercube:3)", with the factors' names or their notations.
template <class Text>
std::string list_of(const std::vector<Fabric>& factors, const Text& text) {
  std::vector<std::string> texts;
  for (const Fabric& factor : factors) texts.push_back(text(factor));
  return fmt::format("({})", fmt::join(texts, ","));
}

// A factor's cut, for every choice of the other digits.
Cut lifted(Cut cut, const Fabric& fabric, const Digit& digit, std::size_t number) {
  Cut all{std::vector<bool>(fabric.processors()), 0, fmt::format("{}, of factor {}", cut.name, number + 1)};
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) all.inside[p] = cut.inside[digit.of(NodeId(p))];
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    const Channel& channel = fabric.channel(id);
    if (all.inside[channel.from.value] == all.inside[channel.to.value]) continue;
    (all.inside[channel.from.value] ? all.out : all.in).push_back(id);
  }
  return all;
}

}  // namespace

std::vector<TopologyArgument> Product::arguments() const {
  return {{"factors", list_of(factors_, [](const Fabric& factor) { return factor.topology().notation(); }), {}, true}};
}

std::string Product::title() const {
  return "product" + list_of(factors_, [](const Fabric& factor) { return factor.topology().title(); });
}

std::optional<WiringSize> Product::size() const {
  WiringSize size{1, 0};
  for (const Fabric& factor : factors_) {
    // Before the product with this factor: all its channels for every node, and every channel for all of its nodes.
    size = {size.nodes * factor.processors(),
            size.channels * factor.processors() + size.nodes * std::uint64_t{factor.channels()}};
    if (size.too_large()) return size;
  }
  return size;
}

Result<Wiring> Product::wiring(Span where) const {
  const WiringSize all = *size();
  if (all.too_large()) return too_large(where, title());
  const std::vector<Digit> digits = digits_of(factors_);
  Wiring wiring;
  wiring.processors = wiring.nodes = static_cast<std::uint32_t>(all.nodes);
  wiring.channels.reserve(all.channels);
  for (NodeId node(0); node.value < wiring.nodes; ++node.value) {
    const auto begin = static_cast<std::ptrdiff_t>(wiring.channels.size());
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      for (const ChannelId id : factors_[f].channels_from(NodeId(digits[f].of(node)))) {
        const Channel& channel = factors_[f].channel(id);
        wiring.channels.push_back({node, digits[f].with(node, channel.to.value), channel.capacity});
      }
    }
    std::sort(wiring.channels.begin() + begin, wiring.channels.end(),
              [](const Channel& a, const Channel& b) { return a.to < b.to; });
  }
  return wiring;
}

bool Product::shortest_by_default() const {
  return std::ranges::all_of(factors_, [](const Fabric& factor) { return factor.topology().shortest_by_default(); });
}

std::shared_ptr<const Routes> Product::routes(const Fabric& fabric) const {
  return std::make_shared<ProductRoutes>(fabric, factors_);
}

std::vector<LinkSpeed> Product::link_speeds(const Fabric& fabric) const {
  const std::vector<Digit> digits = digits_of(factors_);
  std::vector<LinkSpeed> all;
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    const std::vector<LinkSpeed> own = factors_[f].link_speeds();
    if (own.empty()) continue;
    all.resize(fabric.channels());
    for (std::uint32_t c = 0; c < fabric.channels(); ++c) {
      const Channel& channel = fabric.channel(ChannelId(c));
      const NodeId from(digits[f].of(channel.from));
      const NodeId to(digits[f].of(channel.to));
      if (from != to) all[c] = own[factors_[f].channel_between(from, to)->value];
    }
  }
  return all;
}

bool Product::processors_alike() const {
  return std::ranges::all_of(factors_, [](const Fabric& factor) { return factor.topology().processors_alike(); });
}

std::vector<std::uint32_t> Product::shifts() const {
  std::vector<std::uint32_t> all;
  for (const Fabric& factor : factors_) {
    const std::vector<std::uint32_t> own = factor.topology().shifts();
    if (own.empty()) return {};
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::optional<std::vector<std::uint32_t>> Product::hamiltonian_cycle() const {
  Cycle cycle = {0};
  for (const Fabric& factor : factors_) {
    const auto other = factor.topology().hamiltonian_cycle();
    if (!other) return std::nullopt;
    cycle = product_of_cycles(cycle, *other);
  }
  return cycle;
}

std::vector<NodePosition> Product::positions(const Fabric&) const {
  std::vector<NodePosition> all{{}};
  for (const Fabric& factor : factors_) all = layout::product(all, quadrille::positions(factor));
  return all;
}

std::vector<CutFamily> Product::cuts(const Fabric& fabric) const {
  const std::vector<Digit> digits = digits_of(factors_);
  std::vector<CutFamily> all;
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    const Digit digit = digits[f];
    for (const CutFamily& own : factors_[f].topology().cuts(factors_[f])) {
      all.push_back({own.count,
                     [own, fabric, digit, f](std::uint64_t i) { return lifted(own.cut(i), fabric, digit, f); },
                     [own, digit](std::uint32_t p) { return own.around(digit.of(NodeId(p))); }});
    }
  }
  return all;
}

}  // namespace quadrille
