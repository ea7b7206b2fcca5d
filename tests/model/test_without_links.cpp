// Fabrics without some of their links.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "model/described.h"
#include "model/fabric_notation.h"
#include "model/route.h"
#include "model/topologies/without_links.h"
#include "tests/model/shapes.h"

namespace {

using namespace quadrille;
using namespace quadrille::test;

Fabric fabric_named(const std::string& notation) { return parse_fabric({"test", notation}, 0).value(); }

std::string refusal(const std::string& notation, const std::vector<std::string>& links) {
  const auto without = without_links(fabric_named(notation), links);
  REQUIRE_FALSE(without.ok());
  return without.diagnostics().front().message;
}

TEST_CASE("what is left is a graph with a name, the same nodes and the same rules") {
  const Fabric whole = fabric_named("torus:4x4,ports=single");
  const Fabric less = *without_links(whole, {"0--1", "5->6"});
  CHECK(described(less) == "torus:4x4 without 0--1, 5->6,ports=single");
  CHECK(less.channels() == whole.channels() - 3);
  CHECK(less.rules() == whole.rules());
  CHECK_FALSE(less.channel_between(NodeId(0), NodeId(1)));
  CHECK_FALSE(less.channel_between(NodeId(1), NodeId(0)));
  CHECK_FALSE(less.channel_between(NodeId(5), NodeId(6)));
  CHECK(less.channel_between(NodeId(6), NodeId(5)));
  CHECK(Router(less).distance(NodeId(0), NodeId(1)) == 3);
  const Fabric again = parse_fabric({"head", less.notation()}, 0).value();
  CHECK(again == less);
  CHECK(described(again) == described(less));
}

TEST_CASE("switches keep their names, and lanes stay") {
  const Fabric tree = *without_links(fabric_named("fat_tree:levels=2,capacity=1,3"), {"0--1.0"});
  CHECK(tree.name(NodeId(4)) == "1.0");
  CHECK(tree.channel(*tree.channel_between(NodeId(4), NodeId(6))).capacity == 3);
  CHECK_FALSE(Router(tree).distance(NodeId(0), NodeId(1)));
  const std::string odd = R"(graph:{"processors":2,"switches":["s--1","s"],"links":[[0,"s--1"],[1,"s"],["s--1","s"]]})";
  const Fabric graph = *without_links(fabric_named(odd), {"s--1--s"});
  CHECK(graph.channels() == 4);
  CHECK(described(graph) == "a graph of 2 processors and 2 switches");
}

TEST_CASE("a switch is taken away with all of its links, and a link's text comes before a switch's name") {
  const Fabric whole = fabric_named("fat_tree:levels=2,capacity=1,3");
  const Fabric less = *without_links(whole, {"1.0"});
  CHECK(less.channels() == whole.channels() - 6);
  CHECK(less.channels_from(*less.node_named("1.0")).empty());
  CHECK_FALSE(Router(less).distance(NodeId(0), NodeId(1)));
  CHECK(Router(less).distance(NodeId(2), NodeId(3)) == 2);
  CHECK(channels_of_link(whole, "1.0")->size() == 6);
  CHECK(refusal("fat_tree:levels=2,capacity=1,3", {"1.0", "1.0"}) == "`1.0`: this link has been taken away already");
  CHECK(refusal("ring:8", {"3"}) ==
        "`3`: this is a processor; expected two nodes, such as 0--1, or 0->1 for one direction, or a switch");
  const std::string odd = R"(graph:{"processors":2,"switches":["s--1","s"],"links":[[0,"s--1"],[1,"s"],["s--1","s"]]})";
  CHECK(without_links(fabric_named(odd), {"s--1"})->channels() == 4);
}

TEST_CASE("a list of links that is too long for a name is counted") {
  std::vector<std::string> links;
  for (int i = 0; i < 15; ++i) links.push_back(std::to_string(i) + "--" + std::to_string(i + 1));
  CHECK(described(*without_links(fabric_named("ring:16"), links)) == "ring:16 without 15 links");
}

TEST_CASE("an unknown node or link is refused, and the nearest are named") {
  CHECK(refusal("torus:4x4", {"0--99"}) == "`0--99`: there is no node `99` in torus:4x4; its processors are 0 to 15");
  CHECK(refusal("star:4", {"1.1--2"}) == "`1.1--2`: there is no node `1.1` in star:4; did you mean `1.0`?");
  CHECK(refusal("ring:8", {"0--3"}) == "`0--3`: ring:8 has no link 0--3; from 0 links lead to 1, 7");
  CHECK(refusal("ring:8", {"01"}) ==
        "`01`: this is no link; expected two nodes, such as 0--1, or 0->1 for one direction, or a switch");
  CHECK(refusal("ring:8", {"0--1", "1--0"}) == "`1--0`: this link has been taken away already");
  CHECK(refusal("complete:12", {"0--0"}) ==
        "`0--0`: complete:12 has no link 0--0; from 0 links lead to 1, 2, 3, 4, 5, 6, 7, 8, …");
}

TEST_CASE("of every random fabric what is left is all but the links that are named") {
  CHECK(rc::check("channels", [] {
    const Fabric fabric = *fabric_of(random_shape());
    if (fabric.channels() == 0) return;
    std::map<std::pair<NodeId, NodeId>, std::uint32_t> expected;
    for (const Channel& channel : fabric.all_channels()) expected[{channel.from, channel.to}] = channel.capacity;
    std::vector<std::string> links;
    for (std::uint32_t i = between(1, 3); i > 0 && !expected.empty(); --i) {
      const auto ends = std::next(expected.begin(), between(0, static_cast<std::uint32_t>(expected.size() - 1)))->first;
      const bool one_way = between(0, 1) == 0;
      links.push_back(fabric.name(ends.first) + (one_way ? "->" : "--") + fabric.name(ends.second));
      expected.erase(ends);
      if (!one_way) expected.erase({ends.second, ends.first});
    }
    const Fabric less = *without_links(fabric, links);
    std::map<std::pair<NodeId, NodeId>, std::uint32_t> left;
    for (const Channel& channel : less.all_channels()) left[{channel.from, channel.to}] = channel.capacity;
    RC_ASSERT(left == expected);
    RC_ASSERT(less.nodes() == fabric.nodes());
    RC_ASSERT(less.processors() == fabric.processors());
  }));
}

}  // namespace
