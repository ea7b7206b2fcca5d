#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "model/families.h"
#include "model/route.h"
#include "model/shortest_routes.h"
#include "model/topology.h"
#include "tests/model/shapes.h"

namespace {

using namespace quadrille;
using namespace quadrille::test;

using Nodes = std::vector<std::uint32_t>;

Fabric fabric_made(const Shape& shape) { return *fabric_of(shape); }

// --- the reference: the nodes of a default route, source and target included; the target must be reachable -----------

// Up by parent pointers from both ends until they meet.
Nodes plain_route(const PlainFabric& tree, std::uint32_t source, std::uint32_t target) {
  const auto ancestors = [&](std::uint32_t node) {
    Nodes path{node};
    for (auto it = tree.channels.lower_bound({node, node}); it != tree.channels.end() && it->first.first == path.back();
         it = tree.channels.lower_bound({path.back(), path.back()})) {
      path.push_back(it->first.second);  // the only neighbour with a higher number
    }
    return path;
  };
  Nodes up = ancestors(source);
  Nodes down = ancestors(target);
  while (up.size() > 1 && down.size() > 1 && up[up.size() - 2] == down[down.size() - 2]) {
    up.pop_back();
    down.pop_back();
  }
  up.insert(up.end(), down.rbegin() + 1, down.rend());
  return up;
}

Nodes plain_route(const GridShape& shape, std::uint32_t source, std::uint32_t target) {
  Nodes route{source};
  auto x = coordinates(shape, source);
  const auto y = coordinates(shape, target);
  for (std::size_t d = 0; d < x.size(); ++d) {
    const std::uint32_t extent = shape.extents[d];
    const std::uint32_t up = (y[d] + extent - x[d]) % extent;
    const bool upwards = shape.wraps ? 2 * up <= extent : x[d] < y[d];
    while (x[d] != y[d]) {
      x[d] = (x[d] + (upwards ? 1 : extent - 1)) % extent;
      route.push_back(point_at(shape, x));
    }
  }
  return route;
}

// At every node, of the neighbours that are nearer to the target, the one with that index modulo their number.
Nodes plain_shortest(const PlainFabric& fabric, std::uint32_t source, std::uint32_t target, std::uint32_t index) {
  const auto distances = plain_distances(fabric, target);
  Nodes route{source};
  while (route.back() != target) {
    Nodes nearer;
    for (std::uint32_t next = 0; next < fabric.nodes; ++next) {
      const bool linked = fabric.channels.contains({route.back(), next});
      if (linked && distances[next] && *distances[next] + 1 == *distances[route.back()]) nearer.push_back(next);
    }
    route.push_back(nearer[index % nearer.size()]);
  }
  return route;
}

Nodes plain_route(const Shape& shape, const PlainFabric& fabric, std::uint32_t source, std::uint32_t target) {
  if (const auto* points = std::get_if<GridShape>(&shape)) return plain_route(*points, source, target);
  const bool tree = std::holds_alternative<FatTreeShape>(shape) || std::holds_alternative<StarShape>(shape);
  return tree ? plain_route(fabric, source, target) : plain_shortest(fabric, source, target, target);
}

// --- comparison -------------------------------------------------------------------------------------------------

// The nodes along a route, or nothing if its channels do not join up.
std::optional<Nodes> nodes_along(const Fabric& fabric, NodeId source, const std::vector<ChannelId>& channels) {
  Nodes nodes{source.value};
  for (const ChannelId id : channels) {
    if (id.value >= fabric.channels() || fabric.channel(id).from.value != nodes.back()) return std::nullopt;
    nodes.push_back(fabric.channel(id).to.value);
  }
  return nodes;
}

// What is wrong with the routes between all nodes; empty if nothing is.
std::string wrong_routes(const Shape& shape) {
  const Fabric fabric = fabric_made(shape);
  const PlainFabric reference = plain(shape);
  const Router router(fabric);
  for (NodeId target(0); target.value < fabric.nodes(); ++target.value) {
    const auto distances = plain_distances(reference, target.value);
    for (NodeId source(0); source.value < fabric.nodes(); ++source.value) {
      const std::string name = fmt::format("{} to {}", fabric.name(source), fabric.name(target));
      std::vector<ChannelId> route{ChannelId(77)};  // what is there must stay there
      const bool found = router.append_route(source, target, route);
      const auto distance = distances[source.value];
      if (found != distance.has_value() || router.distance(source, target) != distance) return "distance " + name;
      if (route.empty() || route.front() != ChannelId(77)) return "what was there before " + name;
      route.erase(route.begin());
      if (!found && !route.empty()) return "something appended " + name;
      if (!found) continue;
      if (route.size() != *distance) return "length " + name;
      if (nodes_along(fabric, source, route) != plain_route(shape, reference, source.value, target.value)) return name;
      if (!router.leaves_choice(source, target)) continue;
      std::vector<ChannelId> in_tree;
      router.append_route_in_tree(source, target, in_tree);
      if (nodes_along(fabric, source, in_tree) != plain_shortest(reference, source.value, target.value, 0))
        return "in a tree " + name;
    }
  }
  return "";
}

// Routes from one source to all targets form a tree: every node is entered through one channel only.
bool routes_form_trees(const Shape& shape) {
  const Fabric fabric = fabric_made(shape);
  const Router router(fabric);
  for (NodeId source(0); source.value < fabric.nodes(); ++source.value) {
    std::map<NodeId, ChannelId> entered_by;
    for (NodeId target(0); target.value < fabric.nodes(); ++target.value) {
      std::vector<ChannelId> route;
      router.append_route_in_tree(source, target, route);
      for (const ChannelId id : route) {
        if (fabric.channel(id).to == source) return false;
        if (entered_by.insert({fabric.channel(id).to, id}).first->second != id) return false;
      }
    }
  }
  return true;
}

std::string named_route(const Fabric& fabric, std::uint32_t source, std::uint32_t target) {
  std::vector<ChannelId> route;
  if (!Router(fabric).append_route(NodeId(source), NodeId(target), route)) return "no way";
  std::string text = fabric.name(NodeId(source));
  for (const ChannelId id : route) text += " " + fabric.name(fabric.channel(id).to);
  return text;
}

}  // namespace

TEST_CASE("routes between leaves are those of a table of all nodes") {
  const bool holds = rc::check("on random graphs of switches with processors attached, some links one way", [] {
    const auto switches = *rc::gen::inRange(1, 6);
    const auto leaves = *rc::gen::inRange(2, 12);
    const auto links = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, switches), rc::gen::inRange(0, switches)));
    std::string names;
    std::string channels;
    for (int s = 0; s < switches; ++s) names += fmt::format("{}\"s{}\"", s == 0 ? "" : ",", s);
    for (int p = 0; p < leaves; ++p) {
      const int at = *rc::gen::inRange(0, switches);
      channels += fmt::format("{0}[{1},\"s{2}\",1],[\"s{2}\",{1},1]", p == 0 ? "" : ",", p, at);
    }
    std::set<std::pair<int, int>> known;
    for (const auto& [a, b] : links) {
      if (a != b && known.insert({a, b}).second) channels += fmt::format(",[\"s{}\",\"s{}\",1]", a, b);
    }
    const auto fabric = parse_fabric(
        {"", fmt::format(R"(graph:{{"processors":{},"switches":[{}],"channels":[{}]}})", leaves, names, channels)}, 0);
    RC_ASSERT(fabric.ok());
    const auto few = topologies::shortest_routes(*fabric, 1000);
    const auto many = topologies::shortest_routes(*fabric, 0);
    for (NodeId a(0); a.value < fabric->nodes(); ++a.value) {
      for (NodeId b(0); b.value < fabric->nodes(); ++b.value) {
        RC_ASSERT(few->distance(a, b) == many->distance(a, b));
        std::vector<ChannelId> expected;
        std::vector<ChannelId> found;
        RC_ASSERT(few->append(a, b, expected) == many->append(a, b, found));
        RC_ASSERT(few->append_in_tree(a, b, expected) == many->append_in_tree(a, b, found));
        RC_ASSERT(expected == found);
      }
    }
  });
  CHECK(holds);
}

TEST_CASE("the routes of every small fabric are the default ones") {
  for (const Shape& shape : small_shapes()) {
    CAPTURE(fabric_made(shape).notation());
    CHECK(wrong_routes(shape) == "");
    CHECK(routes_form_trees(shape));
  }
}

TEST_CASE("the routes of every random fabric are the default ones") {
  CHECK(rc::check("default", [] { RC_ASSERT(wrong_routes(random_shape()) == ""); }));
  CHECK(rc::check("trees", [] { RC_ASSERT(routes_form_trees(random_shape())); }));
}

TEST_CASE("the routes of graphs that are trees are those of other graphs") {
  CHECK(rc::check("trees", [] {
    const std::uint32_t nodes = between(1, 12);
    GraphShape tree;
    tree.processors = between(1, nodes);
    for (std::uint32_t i = tree.processors; i < nodes; ++i) tree.switch_names.push_back("s" + std::to_string(i));
    std::vector<std::uint32_t> numbers(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      numbers[i] = i;
      std::swap(numbers[i], numbers[between(0, i)]);
    }
    const std::uint32_t away = between(0, 5);  // then a link goes one way, and it is no tree
    for (std::uint32_t i = 1; i < nodes; ++i) {
      const NodeId a(numbers[i]);
      const NodeId b(numbers[between(0, i - 1)]);
      tree.channels.push_back({a, b, between(1, 3)});
      if (away != 0 || i != 1) tree.channels.push_back({b, a, between(1, 3)});
    }
    RC_ASSERT(wrong_routes(tree) == "");
    RC_ASSERT(routes_form_trees(tree));
  }));
}

TEST_CASE("default routes, as a person would write them") {
  const Fabric tree = fabric_made(FatTreeShape{2, {1, 1, 1}});
  CHECK(named_route(tree, 0, 0) == "0");
  CHECK(named_route(tree, 0, 1) == "0 1.0 1");
  CHECK(named_route(tree, 1, 6) == "1 1.0 2.0 3.0 2.1 1.3 6");
  CHECK(named_route(tree, 14, 2) == "3.0 2.0 1.1 2");
  CHECK(named_route(fabric_made(FatTreeShape{3, {1, 1}}), 8, 0) == "8 1.2 2.0 1.0 0");
  CHECK(named_route(fabric_made(StarShape{4, 1}), 3, 1) == "3 1.0 1");
  CHECK(named_route(fabric_made(grid("ring", {6})), 4, 1) == "4 5 0 1");  // a tie goes upwards
  CHECK(named_route(fabric_made(grid("ring", {6})), 1, 5) == "1 0 5");
  CHECK(named_route(fabric_made(grid("mesh", {3, 4})), 1, 10) == "1 5 9 10");      // the lowest dimension first
  CHECK(named_route(fabric_made(grid("hypercube", {2, 2, 2})), 0, 5) == "0 4 5");  // the highest bit first
  CHECK(named_route(fabric_made(odd_graph()), 0, 1) == "0 a 1");    // b has a lower number than a, and 1 mod 2 is 1
  CHECK(named_route(fabric_made(odd_graph()), 0, 2) == "0 b 1 2");  // processor 1 relays
  CHECK(named_route(fabric_made(odd_graph()), 0, 3) == "no way");
}

TEST_CASE("the lowest common ancestor is where the route turns") {
  for (const FatTreeShape& tree : {FatTreeShape{2, {1, 1, 1}}, FatTreeShape{3, {1, 1}}}) {
    const Fabric fabric = fabric_made(tree);
    const Router router(fabric);
    const std::vector<TreeNode> nodes = tree_nodes(tree);
    for (NodeId a(0); a.value < fabric.nodes(); ++a.value) {
      for (NodeId b(0); b.value < fabric.nodes(); ++b.value) {
        const auto covers = [&](const TreeNode& node) {
          return node.first <= std::min(nodes[a.value].first, nodes[b.value].first) &&
                 node.last >= std::max(nodes[a.value].last, nodes[b.value].last);
        };
        const auto lowest = std::find_if(nodes.begin(), nodes.end(), covers);  // lower levels come first
        CHECK(router.lowest_common_ancestor(a, b) == NodeId(static_cast<std::uint32_t>(lowest - nodes.begin())));
      }
    }
  }
  CHECK(Router(fabric_made(StarShape{3, 1})).lowest_common_ancestor(NodeId(0), NodeId(2)) == NodeId(3));
  CHECK_FALSE(Router(fabric_made(grid("ring", {3}))).lowest_common_ancestor(NodeId(0), NodeId(2)));
}

TEST_CASE("a large tree's routes join up") {
  const Fabric fabric = fabric_made(FatTreeShape{2, std::vector<std::uint32_t>(16, 1)});
  const Router router(fabric);
  CHECK(rc::check("from leaf to leaf", [&] {
    const NodeId source(between(0, fabric.processors() - 1));
    const NodeId target(between(0, fabric.processors() - 1));
    std::vector<ChannelId> route;
    RC_ASSERT(router.append_route(source, target, route));
    const auto nodes = nodes_along(fabric, source, route);
    RC_ASSERT(nodes.has_value());
    RC_ASSERT(nodes->back() == target.value);
    RC_ASSERT(route.size() == router.distance(source, target));
  }));
}

TEST_CASE("several threads may ask one router of a graph") {
  const Fabric fabric = fabric_made(odd_graph());
  const Router router(fabric);
  std::vector<std::vector<ChannelId>> routes(8);
  std::vector<std::thread> threads;
  for (auto& route : routes) {
    threads.emplace_back([&] { router.append_route(NodeId(0), NodeId(2), route); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& route : routes) CHECK(route == routes.front());
  CHECK(routes.front().size() == 3);
}

TEST_CASE(
    "where a topology says that its default routes are shortest ones, they are; all that is known by itself says so") {
  for (const TopologyFamily& family : standard_families().topologies) {
    if (family.example.find("FILE") != std::string::npos) continue;
    CAPTURE(family.example);
    const auto fabric = parse_fabric({"test", family.example}, 0);
    REQUIRE(fabric.ok());
    REQUIRE(fabric->topology().shortest_by_default());
    const Router router(*fabric);
    for (std::uint32_t source = 0; source < std::min(fabric->processors(), 64U); ++source) {
      for (std::uint32_t target = 0; target < std::min(fabric->processors(), 64U); ++target) {
        std::vector<ChannelId> route;
        REQUIRE(router.append_route(NodeId(source), NodeId(target), route));
        CHECK(route.size() == router.distance(NodeId(source), NodeId(target)));
      }
    }
  }
}
