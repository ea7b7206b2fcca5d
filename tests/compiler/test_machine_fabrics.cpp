// Machines of today among the fabrics that ship, and networks beside them: their links node by node, and the table of
// their sizes in model/FABRICS.md, which is worked out here from the fabrics as built.
//
// A bisection is the least that leaves one half of the processors for the other, switches being on the side that is
// better: a maximum flow between the halves (Edmonds and Karp). Up to 16 processors, every half is tried; beyond, the
// first half of the numbers against the second only, and the page says so.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/language_families.h"
#include "model/distances.h"
#include "model/fabric_notation.h"
#include "model/text/quantity.h"

namespace quadrille {
namespace {

Fabric machine(const std::string& notation) {
  const auto fabric = parse_fabric({"", notation}, 0, {}, language_families());
  INFO(notation);
  REQUIRE(fabric.ok());
  return *fabric;
}

// What channels out of a node carry in all, in lanes: for each kind of node at the other end, by the array's name.
std::map<std::string, std::uint32_t> lanes_from(const Fabric& fabric, NodeId node) {
  std::map<std::string, std::uint32_t> lanes;
  for (const ChannelId id : fabric.channels_from(node)) {
    const Channel& channel = fabric.channel(id);
    const std::string name = channel.to.value < fabric.processors() ? "processor" : fabric.name(channel.to);
    lanes[name.substr(0, name.find('['))] += channel.capacity;
  }
  return lanes;
}

using Lanes = std::map<std::string, std::uint32_t>;

// The different lanes_from of all nodes of a kind.
std::set<Lanes> lanes_of(const Fabric& fabric, const std::string& kind) {
  std::set<Lanes> all;
  for (std::uint32_t node = 0; node < fabric.nodes(); ++node) {
    const std::string name = node < fabric.processors() ? "processor" : fabric.name(NodeId(node));
    if (name.substr(0, name.find('[')) == kind) all.insert(lanes_from(fabric, NodeId(node)));
  }
  return all;
}

// The sizes of channels for a flow: their lanes, or what these carry, in bytes a second.
std::vector<std::uint64_t> in_lanes(const Fabric& fabric) {
  std::vector<std::uint64_t> sizes;
  for (const Channel& channel : fabric.all_channels()) sizes.push_back(channel.capacity);
  return sizes;
}

// Empty where a link says no bandwidth.
std::vector<std::uint64_t> in_bytes(const Fabric& fabric) {
  const std::vector<LinkSpeed> speeds = fabric.link_speeds();
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t id = 0; id < fabric.channels() && !speeds.empty(); ++id) {
    if (!speeds[id].bandwidth) return {};
    sizes.push_back(fabric.channel(ChannelId(id)).capacity * *speeds[id].bandwidth);
  }
  return sizes;
}

// A flow from some processors to the others; a channel and its opposite are each other's way back.
class Flow {
 public:
  Flow(const Fabric& fabric, std::vector<std::uint64_t> sizes) : fabric_(fabric), sizes_(std::move(sizes)) {
    for (const Channel& channel : fabric.all_channels()) {
      opposite_.push_back(fabric.channel_between(channel.to, channel.from).value());
    }
  }

  // The most that flows out of the processors whose bit is set. Requires links that go both ways.
  std::uint64_t out_of(const std::vector<bool>& half) {
    left_ = sizes_;
    std::uint64_t total = 0;
    while (const std::uint64_t more = augment(half)) total += more;
    return total;
  }

 private:
  std::uint64_t augment(const std::vector<bool>& half) {
    const ChannelId none(fabric_.channels());
    std::vector<ChannelId> into(fabric_.nodes(), none);
    std::vector<bool> seen(fabric_.nodes(), false);
    std::vector<NodeId> reached;
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      if (half[p]) reached.emplace_back(p), seen[p] = true;
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const NodeId node = reached[i];
      if (node.value < fabric_.processors() && !half[node.value]) return push(node, into);
      for (const ChannelId id : fabric_.channels_from(node)) {
        const NodeId next = fabric_.channel(id).to;
        if (left_[id.value] == 0 || seen[next.value]) continue;
        seen[next.value] = true;
        into[next.value] = id;
        reached.push_back(next);
      }
    }
    return 0;
  }

  std::uint64_t push(NodeId end, const std::vector<ChannelId>& into) {
    std::vector<ChannelId> way;
    for (NodeId node = end; into[node.value].value < fabric_.channels();
         node = fabric_.channel(into[node.value]).from) {
      way.push_back(into[node.value]);
    }
    std::uint64_t least = left_[way.front().value];
    for (const ChannelId id : way) least = std::min(least, left_[id.value]);
    for (const ChannelId id : way) {
      left_[id.value] -= least;
      left_[opposite_[id.value].value] += least;
    }
    return least;
  }

  const Fabric& fabric_;
  std::vector<std::uint64_t> sizes_, left_;
  std::vector<ChannelId> opposite_;
};

struct Bisection {
  std::uint64_t least = 0;
  bool every_half = false;
};

Bisection bisection(const Fabric& fabric, std::vector<std::uint64_t> sizes) {
  const std::uint32_t n = fabric.processors();
  Flow flow(fabric, std::move(sizes));
  std::vector<bool> half(n, false);
  std::fill_n(half.begin(), n / 2, true);
  Bisection result{flow.out_of(half), n <= 16};
  if (!result.every_half) return result;
  // Processor 0 is in the half, which is no loss where links are the same both ways.
  for (std::uint32_t bits = 1; bits < 1U << n; bits += 2) {
    if (static_cast<std::uint32_t>(std::popcount(bits)) != n / 2) continue;
    for (std::uint32_t p = 0; p < n; ++p) half[p] = (bits >> p) & 1;
    result.least = std::min(result.least, flow.out_of(half));
  }
  return result;
}

std::uint32_t diameter(const Fabric& fabric) {
  std::uint32_t longest = 0;
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    const auto hops = distances(fabric, NodeId(p), Direction::from);
    longest = std::max(longest, *std::max_element(hops.begin(), hops.begin() + fabric.processors()));
  }
  return longest;
}

TEST_CASE("the GPUs and switches of machines have the links that their makers say") {
  const Fabric h100 = machine("dgx_h100");
  CHECK(lanes_of(h100, "processor") == std::set<Lanes>{{{"nvswitch", 18}}});
  CHECK(lanes_of(h100, "nvswitch") == std::set<Lanes>{{{"processor", 40}}, {{"processor", 32}}});
  for (std::uint32_t g = 0; g < 8; ++g) {
    for (std::uint32_t s = 0; s < 4; ++s) {
      const Channel& channel = h100.channel(h100.channel_between(NodeId(g), NodeId(8 + s)).value());
      CHECK(channel.capacity == (s == 0 || s == 3 ? 5 : 4));
    }
  }
  const Fabric rails = machine("dgx_h100_rails:3");
  CHECK(lanes_of(rails, "processor") == std::set<Lanes>{{{"nvswitch", 18}, {"rail", 1}}});
  CHECK(lanes_of(rails, "nvswitch") == std::set<Lanes>{{{"processor", 40}}, {{"processor", 32}}});
  CHECK(lanes_of(rails, "rail") == std::set<Lanes>{{{"processor", 3}}});
  for (const ChannelId id : rails.channels_from(rails.node_named("rail[5]").value())) {
    CHECK(rails.channel(id).to.value % 8 == 5);
  }
  const Fabric b200 = machine("dgx_b200");
  CHECK(lanes_of(b200, "processor") == std::set<Lanes>{{{"nvswitch", 18}}});
  CHECK(lanes_of(b200, "nvswitch") == std::set<Lanes>{{{"processor", 72}}});
  const Fabric nvl72 = machine("nvl72");
  CHECK(lanes_of(nvl72, "processor") == std::set<Lanes>{{{"nvswitch", 18}}});
  CHECK(lanes_of(nvl72, "nvswitch") == std::set<Lanes>{{{"processor", 72}}});
  CHECK(lanes_of(machine("mi300x"), "processor") == std::set<Lanes>{{{"processor", 7}}});
}

TEST_CASE("a pod has a leaf for each rack and rail, under every spine") {
  const Fabric pod = machine("rail_pod:racks=3,servers=2,gpus=4,spines=5,uplinks=2");
  CHECK(lanes_of(pod, "processor") == std::set<Lanes>{{{"nvswitch", 18}, {"leaf", 1}}});
  CHECK(lanes_of(pod, "nvswitch") == std::set<Lanes>{{{"processor", 18 * 4}}});
  CHECK(lanes_of(pod, "leaf") == std::set<Lanes>{{{"processor", 2}, {"spine", 2 * 5}}});
  CHECK(lanes_of(pod, "spine") == std::set<Lanes>{{{"leaf", 2 * 3 * 4}}});
  for (std::uint32_t r = 0; r < 3; ++r) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      for (const ChannelId id : pod.channels_from(pod.node_named(fmt::format("leaf[{}][{}]", r, i)).value())) {
        const NodeId gpu = pod.channel(id).to;
        if (gpu.value < pod.processors()) CHECK((gpu.value / 8 == r && gpu.value % 4 == i));
      }
    }
  }
}

TEST_CASE("a slice of whole cubes is the torus, a smaller one the grid") {
  const std::pair<const char*, const char*> same[] = {{"tpu_slice:x=4,y=4,z=8", "torus:4x4x8"},
                                                      {"tpu_slice:x=4,y=8,z=4", "torus:4x8x4"},
                                                      {"tpu_slice:x=2,y=4,z=4", "mesh:2x4x4"},
                                                      {"tpu_slice:x=2,y=2,z=1", "mesh:2x2"},
                                                      {"tpu_slice:x=4,y=4,z=6", "mesh:4x4x6"}};
  for (const auto& slice_and_grid : same) {
    CAPTURE(slice_and_grid.first);
    const Fabric one = machine(slice_and_grid.first), other = machine(slice_and_grid.second);
    CHECK(one.processors() == other.processors());
    CHECK(one.channels() == other.channels());
    for (const Channel& channel : one.all_channels()) CHECK(other.channel_between(channel.from, channel.to));
  }
}

TEST_CASE("Slim Fly's routers are alike in degree, and two links apart at most") {
  for (const std::uint32_t q : {5U, 13U, 17U, 29U}) {
    CAPTURE(q);
    const Fabric fabric = machine(fmt::format("slim_fly:q={},hosts=1", q));
    CHECK(fabric.nodes() == 2 * 2 * q * q);
    CHECK(lanes_of(fabric, "router") == std::set<Lanes>{{{"processor", 1}, {"router", (3 * q - 1) / 2}}});
    CHECK(diameter(fabric) == 4);
  }
  CHECK(lanes_of(machine("slim_fly:q=5,hosts=4"), "router") == std::set<Lanes>{{{"processor", 4}, {"router", 7}}});
}

TEST_CASE("groups of dragonfly_plus are leaves under spines, with one link between any two") {
  const Fabric fabric = machine("dragonfly_plus:leaves=3,spines=2,hosts=2,global=2");
  CHECK(lanes_of(fabric, "leaf") == std::set<Lanes>{{{"processor", 2}, {"spine", 2}}});
  CHECK(lanes_of(fabric, "spine") == std::set<Lanes>{{{"leaf", 3}, {"spine", 2}}});
  const std::uint32_t first = fabric.node_named("spine[0][0]").value().value;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Channel& channel : fabric.all_channels()) {
    if (channel.from.value < first || channel.to.value < first) continue;
    const std::uint32_t from = (channel.from.value - first) / 2, to = (channel.to.value - first) / 2;
    CHECK(from != to);
    CHECK(pairs.insert({from, to}).second);
  }
  CHECK(pairs.size() == 5 * 4);
}

TEST_CASE("the servers around a switch of a BCube differ in its level's digit alone") {
  const Fabric fabric = machine("bcube:n=3,levels=3");
  CHECK(lanes_of(fabric, "processor") == std::set<Lanes>{{{"switch", 3}}});
  CHECK(lanes_of(fabric, "switch") == std::set<Lanes>{{{"processor", 3}}});
  for (std::uint32_t level = 0, power = 1; level < 3; ++level, power *= 3) {
    for (std::uint32_t s = 0; s < 9; ++s) {
      std::set<std::uint32_t> digits, rests;
      for (const ChannelId id :
           fabric.channels_from(fabric.node_named(fmt::format("switch[{}][{}]", level, s)).value())) {
        const std::uint32_t server = fabric.channel(id).to.value;
        digits.insert(server / power % 3);
        rests.insert(server - server / power % 3 * power);
      }
      CHECK(digits.size() == 3);
      CHECK(rests.size() == 1);
    }
  }
}

TEST_CASE("links say the makers' bandwidths, one way, and latencies that can be given") {
  const auto speeds = [](const std::string& notation) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> all;  // nanoseconds, GB/s
    for (const LinkSpeed& speed : machine(notation).link_speeds()) {
      all.emplace(speed.latency.value() / 1'000, speed.bandwidth.value() / 1'000'000'000);
    }
    return all;
  };
  using Speeds = std::set<std::pair<std::uint64_t, std::uint64_t>>;
  CHECK(speeds("dgx_h100") == Speeds{{250, 25}});
  CHECK(speeds("dgx_h100_rails:nvlink_ns=300,network_ns=2000") == Speeds{{300, 25}, {2000, 50}});
  CHECK(speeds("dgx_b200:nvlink_ns=0") == Speeds{{0, 50}});
  CHECK(speeds("nvl72:nvlink_ns=400") == Speeds{{400, 50}});
  CHECK(speeds("mi300x:link_ns=700") == Speeds{{700, 64}});
  CHECK(speeds("rail_pod:racks=2,servers=2") == Speeds{{250, 25}, {1000, 50}});
  CHECK(speeds("tpu_slice:x=4,y=4,z=4,gigabytes=100") == Speeds{{500, 100}});
}

// A row of the page's table.
std::string row_of(const std::string& notation) {
  const Fabric fabric = machine(notation);
  const Bisection links = bisection(fabric, in_lanes(fabric));
  std::string speed = "";
  if (const auto sizes = in_bytes(fabric); !sizes.empty()) {
    speed = fmt::format("{}", bisection(fabric, sizes).least / 1'000'000'000);
  }
  return fmt::format("| `{}` | {} | {} | {} | {}{} | {} |", notation, fabric.processors(), fabric.channels(),
                     diameter(fabric), links.least, links.every_half ? "" : " *", speed);
}

TEST_CASE("the page on fabrics has the sizes of machines and networks as they are built") {
  std::ifstream file(QUADRILLE_SOURCE_FOLDER "/model/FABRICS.md");
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.insert(line);
  std::string missing;
  for (const char* notation :
       {"dgx_h100", "dgx_h100_rails:servers=2", "dgx_h100_rails:servers=4", "dgx_b200", "nvl72", "mi300x",
        "rail_pod:racks=2,servers=2,gpus=4,spines=2", "rail_pod:racks=4,servers=4", "tpu_slice:x=2,y=2,z=4",
        "tpu_slice:x=4,y=4,z=2", "tpu_slice:x=4,y=4,z=4", "tpu_slice:x=8,y=4,z=4,gigabytes=100",
        "dragonfly_plus:leaves=2,spines=2,hosts=1,global=1", "dragonfly_plus:leaves=4,spines=4,hosts=4,global=1",
        "slim_fly:q=5,hosts=4", "slim_fly:q=13,hosts=10", "bcube:n=4,levels=2", "bcube:n=4,levels=3"}) {
    const std::string row = row_of(notation);
    if (!lines.contains(row)) missing += row + "\n";
  }
  CHECK(missing == "");
}

}  // namespace
}  // namespace quadrille
