#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <stop_token>
#include <string>

#include "model/fabric_notation.h"
#include "tests/model/shapes.h"

namespace {

using namespace quadrille;
using namespace quadrille::test;

Fabric made(const Shape& shape, Rules rules = {}) { return *fabric_of(shape, rules); }

std::string fault(const Shape& shape) {
  const Result<Fabric> fabric = fabric_of(shape, {}, {3, 1, 2});
  if (fabric) return "none";
  CHECK(fabric.diagnostics().front().span == Span{3, 1, 2});
  return fabric.diagnostics().front().message;
}

// What is different between a fabric's channels and the reference's; empty if nothing is.
std::string difference_of_channels(const Fabric& fabric, const PlainFabric& reference) {
  if (fabric.processors() != reference.processors || fabric.nodes() != reference.nodes) return "nodes";
  if (fabric.channels() != reference.channels.size()) return "number of channels";
  ChannelId id(0);
  std::uint64_t lanes = 0;
  bool one_way = false;
  for (const auto& [ends, capacity] : reference.channels) {
    const Channel& channel = fabric.channel(id);
    const auto [from, to] = ends;
    if (channel.from.value != from || channel.to.value != to || channel.capacity != capacity) return fabric.name(id);
    if (fabric.channel_between(channel.from, channel.to) != id) return "channel_between " + fabric.name(id);
    const auto back = fabric.reverse(id);
    if (back != fabric.channel_between(channel.to, channel.from)) return "reverse " + fabric.name(id);
    if (fabric.link(id) != std::min(id, back.value_or(id))) return "link " + fabric.name(id);
    if (!back) one_way = true;
    if (fabric.lane_number(id, LaneId(capacity - 1)) != lanes + capacity - 1) return "lanes of " + fabric.name(id);
    lanes += capacity;
    ++id.value;
  }
  if (fabric.has_one_way_links() != one_way) return "one-way links";
  return fabric.lanes() == lanes ? "" : "lanes";
}

// The same for the lists of channels out of and into each node, and for its name.
std::string difference_of_nodes(const Fabric& fabric) {
  for (NodeId node(0); node.value < fabric.nodes(); ++node.value) {
    std::vector<ChannelId> from;
    std::vector<ChannelId> to;
    for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
      if (fabric.channel(id).from == node) from.push_back(id);
      if (fabric.channel(id).to == node) to.push_back(id);
    }
    if (!std::ranges::equal(fabric.channels_from(node), from)) return "channels from " + fabric.name(node);
    if (!std::ranges::equal(fabric.channels_to(node), to)) return "channels to " + fabric.name(node);
    if (fabric.node_named(fabric.name(node)) != node) return "name " + fabric.name(node);
    if (fabric.is_processor(node) != (fabric.level(node) == 0)) return "level of " + fabric.name(node);
  }
  return "";
}

std::string difference(const Shape& shape) {
  const Fabric fabric = made(shape);
  const std::string channels = difference_of_channels(fabric, plain(shape));
  return channels.empty() ? difference_of_nodes(fabric) : channels;
}

}  // namespace

TEST_CASE("every small fabric is what its definition says") {
  for (const Shape& shape : small_shapes()) {
    CAPTURE(made(shape).notation());
    CHECK(difference(shape) == "");
  }
}

TEST_CASE("every random fabric is what its definition says") {
  CHECK(rc::check("as defined", [] { RC_ASSERT(difference(random_shape()) == ""); }));
}

TEST_CASE("switch (i, j) of a tree is the root of leaves j·arity^i …") {
  for (const FatTreeShape& tree : {FatTreeShape{2, {1, 2, 4, 8}}, FatTreeShape{3, {1, 1, 2}}}) {
    const Fabric fabric = made(tree);
    const std::vector<TreeNode> nodes = tree_nodes(tree);
    CHECK(fabric.levels() == tree.capacities.size());
    for (NodeId node(0); node.value < fabric.nodes(); ++node.value) {
      const auto [level, first, last] = nodes[node.value];
      CHECK(fabric.level(node) == level);
      if (level == 0) continue;
      CHECK(fabric.switch_at(level, first / (last - first)) == node);
      CHECK(fabric.name(node) == fmt::format("{}.{}", level, first / (last - first)));
    }
    for (const Channel& c : fabric.all_channels()) CHECK(c.level == std::max(fabric.level(c.from), fabric.level(c.to)));
  }
}

TEST_CASE("a star's switch is 1.0") {
  const Fabric star = made(StarShape{3, 2});
  CHECK(star.switch_at(1, 0) == NodeId(3));
  CHECK(star.name(NodeId(3)) == "1.0");
  CHECK(star.name(ChannelId(0)) == "0->1.0");
  CHECK(star.levels() == 1);
  CHECK(star.channel(ChannelId(0)).level == 1);
}

TEST_CASE("there is no switch where there is none") {
  const Fabric tree = made(FatTreeShape{2, {1, 1, 1}});
  CHECK_FALSE(tree.switch_at(0, 0));
  CHECK_FALSE(tree.switch_at(4, 0));
  CHECK_FALSE(tree.switch_at(1, 4));
  CHECK_FALSE(tree.switch_at(3, std::uint64_t{1} << 32));
  CHECK_FALSE(tree.switch_at(0xffffffff, 0));
  CHECK(tree.switch_at(1, 3) == NodeId(11));
  CHECK_FALSE(made(grid("ring", {4})).switch_at(1, 0));
  CHECK_FALSE(made(odd_graph()).switch_at(1, 0));
  CHECK(made(grid("ring", {4})).levels() == 0);
  CHECK(made(odd_graph()).levels() == 1);
}

TEST_CASE("only names as they are printed are names") {
  const Fabric tree = made(FatTreeShape{2, {1, 1, 1}});
  for (const char* name : {"",
                           "8",
                           "08",
                           "01",
                           "+1",
                           "-1",
                           " 1",
                           "1 ",
                           "1.",
                           ".1",
                           "0.0",
                           "1.4",
                           "1.00",
                           "01.0",
                           "4.0",
                           "1.0.0",
                           "1,0",
                           "a",
                           "99999999999999999999",
                           "1.99999999999999999999"}) {
    CAPTURE(name);
    CHECK_FALSE(tree.node_named(name));
  }
  const Fabric graph = made(odd_graph());
  CHECK(graph.node_named("a") == NodeId(5));
  CHECK(graph.node_named("x-1.y_Z") == NodeId(6));
  CHECK_FALSE(graph.node_named("4"));
  CHECK_FALSE(graph.node_named("1.0"));
}

TEST_CASE("channel_between nodes that are not linked, or not there") {
  const Fabric ring = made(grid("ring", {5}));
  CHECK_FALSE(ring.channel_between(NodeId(0), NodeId(2)));
  CHECK_FALSE(ring.channel_between(NodeId(0), NodeId(0)));
  CHECK_FALSE(ring.channel_between(NodeId(0), NodeId(5)));
  CHECK_FALSE(ring.channel_between(NodeId(5), NodeId(0)));
}

TEST_CASE("a fabric equals those of its shape and rules; a graph's channels may come in any order") {
  GraphShape turned = odd_graph();
  std::reverse(turned.channels.begin(), turned.channels.end());
  CHECK(made(turned) == made(odd_graph()));
  CHECK_FALSE(made(grid("ring", {4})) == made(grid("ring", {5})));
  CHECK_FALSE(made(grid("ring", {2})) == made(grid("line", {2})));
  CHECK_FALSE(made(grid("ring", {4})) == made(grid("ring", {4}), {Duplex::half, Ports::multi, {}}));
}

TEST_CASE("wrong shapes are refused with the reason") {
  CHECK(fault(FatTreeShape{1, {1}}) == "arity is 1; expected at least 2");
  CHECK(fault(FatTreeShape{2, {}}) == "a fat tree has no levels; expected at least 1");
  CHECK(fault(FatTreeShape{2, {1, 0}}) == "capacity of level 2 is 0; expected at least 1");
  CHECK(fault(FatTreeShape{2, {1, 3, 2}}) == "capacity of level 3 is 2; expected at least 3, the capacity of level 2");
  CHECK(fault(StarShape{0, 1}) == "a star has no processors; expected at least 1");
  CHECK(fault(StarShape{1, 0}) == "capacity is 0; expected at least 1");
  CHECK(fault(CompleteShape{0, 1}) == "a complete graph has no processors; expected at least 1");
  CHECK(fault(CompleteShape{2, 0}) == "capacity is 0; expected at least 1");
  CHECK(fault(GridShape{"grid", {2}, false, 1}) ==
        "unknown grid `grid`; expected ring, line, mesh, torus or hypercube");
  CHECK(fault(grid("mesh", {})) == "a mesh has no dimensions; expected at least 1");
  CHECK(fault(grid("ring", {2, 2})) == "a ring has 2 dimensions; expected 1");
  CHECK(fault(grid("mesh", {2, 0})) == "a dimension has 0 points; expected at least 1");
  CHECK(fault(grid("hypercube", {2, 3})) == "a dimension of a hypercube has 3 points; expected 2");
  CHECK(fault(grid("mesh", {2}, 0)) == "capacity is 0; expected at least 1");
}

TEST_CASE("wrong graphs are refused by name") {
  const auto graph = [](std::vector<Channel> channels, std::vector<std::string> switches = {"a"}) {
    return GraphShape{2, std::move(switches), std::move(channels)};
  };
  const auto channel = [](std::uint32_t from, std::uint32_t to, std::uint32_t capacity = 1) {
    return Channel{NodeId(from), NodeId(to), capacity};
  };
  CHECK(fault(GraphShape{0, {"a"}, {}}) == "a graph has no processors; expected at least 1");
  CHECK(fault(graph({channel(0, 2), channel(2, 0), channel(0, 2)})) == "channel 0->a is listed twice");
  CHECK(fault(graph({channel(2, 2)})) == "channel a->a leads back to its own node");
  CHECK(fault(graph({channel(0, 3)})) == "channel 0->node 3 ends nowhere; the nodes are 0 to 2");
  CHECK(fault(graph({channel(0, 2, 0)})) == "channel 0->a has capacity 0; expected at least 1");
  CHECK(fault(graph({}, {"a", "b", "a"})) == "two switches are named `a`");
  for (const char* name : {"", "7", "a b", "a,b", "\xc3\xa9", "a\"", "a:"}) {
    CAPTURE(name);
    CHECK(fault(graph({}, {name})).starts_with("switch name"));
  }
  CHECK(fault(graph({}, {"7a", "1.0", "-", "."})) == "none");
  CHECK(fault(graph({channel(0, 2)})) == "none");
}

TEST_CASE("a link may go one way") {
  const Fabric fabric =
      made(GraphShape{3, {}, {{NodeId(0), NodeId(1), 2}, {NodeId(1), NodeId(0), 3}, {NodeId(2), NodeId(0), 5}}});
  CHECK(fabric.has_one_way_links());
  CHECK(fabric.reverse(ChannelId(0)) == ChannelId(1));
  CHECK(fabric.reverse(ChannelId(1)) == ChannelId(0));
  CHECK_FALSE(fabric.reverse(ChannelId(2)));
  CHECK(fabric.link(ChannelId(1)) == ChannelId(0));
  CHECK(fabric.link(ChannelId(2)) == ChannelId(2));
  CHECK(std::ranges::equal(fabric.channels_to(NodeId(0)), std::vector{ChannelId(1), ChannelId(2)}));
  CHECK(fabric.channels_to(NodeId(2)).empty());
  CHECK_FALSE(made(grid("ring", {4})).has_one_way_links());
}

TEST_CASE("shapes beyond the limits are refused at once") {
  const auto too_large = [](const Shape& shape) { return fault(shape).find("is too large; ") != std::string::npos; };
  const std::uint32_t most = 0xffffffff;
  CHECK(too_large(FatTreeShape{2, std::vector<std::uint32_t>(25, 1)}));
  CHECK(too_large(FatTreeShape{2, std::vector<std::uint32_t>(100000, 1)}));
  CHECK(too_large(FatTreeShape{most, {1, 1, 1}}));
  CHECK(too_large(FatTreeShape{(1U << 25) + 1, {1}}));
  CHECK(too_large(StarShape{most, 1}));
  CHECK(too_large(StarShape{(1U << 25) + 1, 1}));
  CHECK(too_large(CompleteShape{most, 1}));
  CHECK(too_large(CompleteShape{65537, 1}));
  CHECK(too_large(grid("ring", {most})));
  CHECK(too_large(grid("mesh", {most, most, most, most})));
  CHECK(too_large(grid("torus", {5000, 5000})));
  CHECK(too_large(grid("hypercube", std::vector<std::uint32_t>(22, 2))));
  CHECK(too_large(grid("hypercube", std::vector<std::uint32_t>(64, 2))));
  CHECK(too_large(GraphShape{(1U << 26) + 1, {}, {}}));
}

TEST_CASE("a topology's size is known before its channels are made") {
  for (const std::string notation : {"fat_tree:levels=3", "fat_tree:levels=2,arity=3", "ring:1", "ring:2", "ring:5",
                                     "line:4", "mesh:3x1x2", "torus:2x3", "torus:4x4", "hypercube:4", "complete:1",
                                     "complete:6", "star:1", "star:5", "graph:{\"processors\":2,\"links\":[[0,1]]}"}) {
    CAPTURE(notation);
    const Fabric fabric = parse_fabric({"", notation}, 0).value();
    const auto size = fabric.topology().size();
    REQUIRE(size);
    CHECK(size->nodes == fabric.nodes());
    CHECK(size->channels == fabric.channels());
  }
}

TEST_CASE("a fabric that needs more memory than the limits is not begun") {
  Limits limits;
  const auto made = [&](const std::string& notation) {
    return reason_of(parse_fabric({"", notation}, 0, {}, standard_families(), limits).diagnostics());
  };
  for (const std::string notation : {"hypercube:20", "fat_tree:levels=22", "torus:2000x2000", "star:4000000"}) {
    limits.memory = std::uint64_t{200} << 20;
    CHECK(made(notation) == Reason::limit);
  }
  limits.memory = parse_fabric({"", "torus:10x10"}, 0).value().memory();
  CHECK(made("torus:10x10") == Reason::none);
  --limits.memory;
  CHECK(made("torus:10x10") == Reason::limit);
  // What is too large for any memory is a mistake.
  CHECK(made("complete:100000") == Reason::none);
  limits = {};
  limits.deadline = Limits::Clock::time_point::min();
  CHECK(made("ring:4") == Reason::none);
  CHECK(made("torus:600x600") == Reason::timeout);
}

TEST_CASE("a complete graph takes no memory, and may have more channels than are listed") {
  Limits limits;
  limits.memory = 0;
  const auto made = [&](const std::string& notation) {
    return parse_fabric({"", notation}, 0, {}, standard_families(), limits);
  };
  const Fabric of_tables = made("complete:8192").value();
  CHECK(of_tables.memory() == 0);
  CHECK(of_tables.channels() <= max_fabric_size);
  CHECK_FALSE(of_tables.lists_channels());
  CHECK(reason_of(made("complete:8193").diagnostics()) == Reason::limit);
  limits.channels = most_channels;
  const Fabric largest = made("complete:65536,capacity=3").value();
  CHECK(largest.channels() == 65536U * 65535U);
  CHECK(largest.lanes() == std::uint64_t{3} * 65536 * 65535);
  const ChannelId last(largest.channels() - 1);
  CHECK(largest.channel(last) == Channel{NodeId(65535), NodeId(65534), 3, 0});
  CHECK(largest.reverse(last) == largest.channel_between(NodeId(65534), NodeId(65535)));
  CHECK(largest.channels_from(NodeId(65535)).back() == last);
  CHECK(largest.channels_to(NodeId(65534)).back() == last);
  CHECK(largest.channels_to(NodeId(0)).front() == ChannelId(65535));
  CHECK(largest.lane_number(last, LaneId(2)) == largest.lanes() - 1);
  CHECK(largest.largest_capacity() == 3);
  CHECK(made("complete:1").value().largest_capacity() == 0);
  // Those of no size at all are a mistake.
  CHECK(reason_of(made("complete:65537").diagnostics()) == Reason::none);
}

TEST_CASE("a graph is read within the limits") {
  std::string text = "graph:{\"processors\":1000,\"links\":[[0,1]";
  for (int i = 2; i < 1000; ++i) text += ",[0," + std::to_string(i) + "]";
  text += "]}";
  Limits limits;
  const auto reason = [&] {
    return reason_of(parse_fabric({"", text}, 0, {}, standard_families(), limits).diagnostics());
  };
  CHECK(reason() == Reason::none);
  limits.memory = 100'000;
  CHECK(reason() == Reason::limit);
  limits.memory = default_memory;
  std::stop_source stop;
  stop.request_stop();
  limits.stop = stop.get_token();
  CHECK(reason() == Reason::cancelled);
}

TEST_CASE("lanes are counted in 64 bits") {
  const Fabric fabric = made(CompleteShape{3, 0xffffffff});
  CHECK(fabric.lanes() == std::uint64_t{6} * 0xffffffff);
  CHECK(fabric.lane_number(ChannelId(5), LaneId(0)) == std::uint64_t{5} * 0xffffffff);
}
