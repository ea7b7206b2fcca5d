// Products of fabrics: compared with the families that some of them are, and with their definition.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <map>
#include <set>

#include "model/described.h"
#include "model/fabric_notation.h"
#include "model/route.h"
#include "model/topologies/product.h"
#include "tests/model/shapes.h"

namespace {

using namespace quadrille;
using namespace quadrille::test;

Fabric fabric_named(const std::string& notation) {
  const auto fabric = parse_fabric({"test", notation}, 0);
  for (const Diagnostic& diagnostic : fabric.diagnostics()) INFO(diagnostic.message);
  CAPTURE(notation);
  REQUIRE(fabric.ok());
  return *fabric;
}

std::string refusal(const std::string& notation) {
  const auto fabric = parse_fabric({"test", notation}, 0);
  REQUIRE_FALSE(fabric.ok());
  return fabric.diagnostics().front().message;
}

// The same nodes, channels, capacities, distances and default routes.
void check_same(const std::string& product, const std::string& plain) {
  CAPTURE(product);
  const Fabric a = fabric_named(product);
  const Fabric b = fabric_named(plain);
  REQUIRE(a.processors() == b.processors());
  REQUIRE(a.nodes() == b.nodes());
  REQUIRE(a.channels() == b.channels());
  for (ChannelId id(0); id.value < a.channels(); ++id.value) CHECK(a.channel(id) == b.channel(id));
  const Router ours(a);
  const Router theirs(b);
  for (NodeId s(0); s.value < a.nodes(); ++s.value) {
    for (NodeId t(0); t.value < a.nodes(); ++t.value) {
      std::vector<ChannelId> one, other, in_tree;
      ours.append_route(s, t, one);
      theirs.append_route(s, t, other);
      ours.append_route_in_tree(s, t, in_tree);
      CHECK(one == other);
      CHECK(in_tree == other);
      CHECK(ours.distance(s, t) == theirs.distance(s, t));
    }
  }
  CHECK(a.topology().shifts() == b.topology().shifts());
  CHECK(a.topology().processors_alike() == b.topology().processors_alike());
}

TEST_CASE("products of rings are tori, those of lines meshes, those of hypercubes hypercubes") {
  check_same("product(ring:3,ring:4)", "torus:3x4");
  check_same("product(ring:3,ring:2,ring:5)", "torus:3x2x5");
  check_same("product(ring:4,product(ring:3,ring:3))", "torus:4x3x3");
  check_same("product(torus:3x3,capacity=2,ring:4,capacity=2)", "torus:3x3x4,capacity=2");
  check_same("product(line:3,line:4)", "mesh:3x4");
  check_same("product(hypercube:2,hypercube:1)", "hypercube:3");
}

TEST_CASE("a product's notation is read to the same product") {
  for (const char* notation :
       {"product(ring:4,hypercube:3)", "product(product(ring:3,line:2),complete:3,capacity=2)",
        R"(product(graph:{"name":"pair","processors":2,"links":[[0,1,3]]},ring:3),ports=single)"}) {
    const Fabric fabric = fabric_named(notation);
    const Fabric again = fabric_named(fabric.notation());
    CHECK(again == fabric);
    CHECK(again.notation() == fabric.notation());
  }
  CHECK(fabric_named("product(ring:4,hypercube:3)").notation() == "product(ring:4,hypercube:3)");
  CHECK(fabric_named("product:(ring:4,hypercube:3),queue=none").notation() == "product(ring:4,hypercube:3),queue=none");
  CHECK(described(fabric_named(R"(product(graph:{"name":"pair","processors":2,"links":[[0,1,3]]},ring:3))")) ==
        "product(pair,ring:3)");
}

TEST_CASE("each mistake of a product has its message") {
  CHECK(refusal("product(ring:4,star:4)") ==
        "the factor `star:4` has switches; a product is of fabrics of processors alone");
  CHECK(refusal("product(ring:4,ring:3,ports=single)") ==
        "the factor `ring:3,ports=single` has rules; they stand after the product");
  CHECK(refusal("product(ring:4)") == "a product has two factors or more");
  CHECK(refusal("product(ring:4,rign:4)") == "the factor `rign:4`: unknown fabric `rign`; did you mean `ring`?");
  CHECK(refusal("product") == "a product needs its factors, such as product(ring:4,hypercube:3)");
  CHECK(refusal("product:ring") == "a product needs its factors, such as product(ring:4,hypercube:3)");
  CHECK(refusal("product(ring:4,ring:3") == "a product needs its factors, such as product(ring:4,hypercube:3)");
  CHECK(refusal("product(ring:4,ring:3)x") == "text follows the product; expected `,` or the end");
  CHECK(refusal("product()").starts_with("the factor ``: no fabric is named"));
  CHECK(refusal("product(ring:8192,ring:8193)") ==
        "product(ring:8192,ring:8193) is too large; a fabric has at most 2^26 nodes and 2^26 channels");
  CHECK(refusal("product" + std::string(20000, '(') + std::string(20000, ')')) ==
        "products in products, more than 16 deep");
}

TEST_CASE("of random factors, a channel changes one digit as a channel of that factor does, and trees are trees") {
  CHECK(rc::check("channels", [] {
    std::vector<Fabric> factors;
    std::uint32_t n = 1;
    for (std::uint32_t left = between(2, 3); left > 0; --left) {
      const Shape shape = random_shape();
      const Fabric factor = *fabric_of(shape);
      if (factor.has_switches() || factor.nodes() * n > 300) continue;
      factors.push_back(factor);
      n *= factor.nodes();
    }
    if (factors.size() < 2) return;
    const Fabric product = *Fabric::make(Product(factors), {});
    const auto digits = [&](std::uint32_t node) {
      std::vector<std::uint32_t> all(factors.size());
      for (std::size_t f = factors.size(); f-- > 0; node /= factors[f].nodes()) all[f] = node % factors[f].nodes();
      return all;
    };
    std::uint32_t channels = 0;
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = 0; b < n; ++b) {
        const auto x = digits(a);
        const auto y = digits(b);
        std::vector<std::size_t> differ;
        for (std::size_t f = 0; f < x.size(); ++f) {
          if (x[f] != y[f]) differ.push_back(f);
        }
        std::optional<std::uint32_t> expected;
        if (differ.size() == 1) {
          const Fabric& factor = factors[differ[0]];
          const auto channel = factor.channel_between(NodeId(x[differ[0]]), NodeId(y[differ[0]]));
          if (channel) expected = factor.channel(*channel).capacity;
        }
        const auto there = product.channel_between(NodeId(a), NodeId(b));
        RC_ASSERT(there.has_value() == expected.has_value());
        if (there) RC_ASSERT(product.channel(*there).capacity == *expected);
        channels += there ? 1 : 0;
      }
    }
    RC_ASSERT(channels == product.channels());
    const Router router(product);
    const NodeId source(between(0, n - 1));
    std::map<NodeId, ChannelId> entered_by;
    for (NodeId target(0); target.value < n; ++target.value) {
      std::vector<ChannelId> route, plain;
      RC_ASSERT(router.append_route_in_tree(source, target, route) == router.distance(source, target).has_value());
      router.append_route(source, target, plain);
      if (!router.distance(source, target)) continue;
      RC_ASSERT(route.size() == router.distance(source, target) && plain.size() == route.size());
      for (const ChannelId id : route) {
        RC_ASSERT(entered_by.insert({product.channel(id).to, id}).first->second == id);
      }
    }
  }));
}

TEST_CASE("a factor's cuts are cuts of the product, with all its channels") {
  const Fabric product = fabric_named("product(ring:4,ring:6)");
  const auto cuts = product.topology().cuts(product);
  REQUIRE(cuts.size() == 2);
  CHECK(cuts[0].cut(0).out.size() == 2 * 6);
  CHECK(cuts[1].cut(0).in.size() == 2 * 4);
}

}  // namespace
