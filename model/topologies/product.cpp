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
#include <cctype>

#include "model/fabric_notation.h"
#include "model/route.h"
#include "model/topology_family.h"

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

// --- the family
// -------------------------------------------------------------------------------------------------------

// Whether a factor begins with this piece of the list: with a name that `=` does not follow. So the list
// "torus:4x4,capacity=2,ring:3" has two factors.
bool begins_factor(std::string_view piece) {
  const std::size_t first = piece.find_first_not_of(' ');
  if (first == piece.npos || std::isalpha(static_cast<unsigned char>(piece[first])) == 0) return false;
  const std::size_t sign = piece.find_first_of(":(={");
  return sign == piece.npos || piece[sign] != '=';
}

// The factors in "(ring:4,hypercube:3)", split at commas outside of brackets and strings.
std::vector<std::string> factors_in(std::string_view list) {
  list = list.substr(1, list.size() - 2);
  std::vector<std::string> factors;
  std::size_t begin = 0;
  std::size_t depth = 0;
  bool in_string = false;
  const auto take = [&](std::size_t end) {
    const std::string_view piece = list.substr(begin, end - begin);
    if (factors.empty() || begins_factor(piece)) {
      factors.emplace_back(piece);
    } else {
      factors.back() += "," + std::string(piece);
    }
    begin = end + 1;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    if (c == ',' && depth == 0) take(i);
  }
  take(list.size());
  return factors;
}

// How deep parentheses are nested: each level is a product of products.
std::size_t depth_of(std::string_view list) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (const char c : list) {
    if (c == '(') deepest = std::max(deepest, ++depth);
    if (c == ')' && depth > 0) --depth;
  }
  return deepest;
}

std::optional<Fabric> read_factor(const std::string& text, FabricArguments& given) {
  const auto factor = parse_fabric({"factor", text}, 0, given.read_file(), given.families(), given.limits());
  if (!factor) {
    for (const Diagnostic& fault : factor.diagnostics())
      given.complain("factors", fmt::format("the factor `{}`: {}", text, fault.message), fault.code);
    return std::nullopt;
  }
  if (factor->nodes() > factor->processors()) {
    given.complain("factors",
                   fmt::format("the factor `{}` has switches; a product is of fabrics of processors alone", text),
                   Code::invalid);
  } else if (!(factor->rules() == Rules{})) {
    given.complain("factors", fmt::format("the factor `{}` has rules; they stand after the product", text),
                   Code::invalid);
  } else {
    return *factor;
  }
  return std::nullopt;
}

std::shared_ptr<const Topology> make_product(FabricArguments& given) {
  constexpr std::size_t deepest = 16;
  const auto list = given.word("factors");
  if (!list || list->size() < 2 || list->front() != '(' || list->back() != ')') {
    given.complain(given.whole_span(), "a product needs its factors, such as product(ring:4,hypercube:3)",
                   Code::missing);
    return nullptr;
  }
  if (depth_of(*list) > deepest) {
    given.complain("factors", fmt::format("products in products, more than {} deep", deepest), Code::limit);
    return nullptr;
  }
  std::vector<Fabric> factors;
  const std::vector<std::string> texts = factors_in(*list);
  for (const std::string& text : texts) {
    if (auto factor = read_factor(text, given)) factors.push_back(*std::move(factor));
  }
  if (texts.size() < 2) given.complain("factors", "a product has two factors or more");
  if (!given.faults().empty()) return nullptr;
  return std::make_shared<Product>(std::move(factors));
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

std::shared_ptr<const Routes> Product::routes(const Fabric& fabric) const {
  return std::make_shared<ProductRoutes>(fabric, factors_);
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

namespace topologies {

TopologyFamily product() {
  Parameter factors{"factors", Parameter::Kind::text};
  factors.meaning = "two fabrics or more, in parentheses";
  return {"product",
          {},
          {factors},
          "the product of fabrics without switches: rings make tori",
          "product(ring:4,hypercube:3)",
          make_product};
}

}  // namespace topologies
}  // namespace quadrille
