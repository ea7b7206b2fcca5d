// Machines of real files: how many processors, switches and channels there are, and what some channels are like. The
// numbers were read off the files by hand.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "model/route.h"
#include "tests/machines/read_machine.h"

namespace quadrille {
namespace {

using tests::machine_of;
using tests::machine_sample;

Fabric sample_fabric(const std::string& kind, const std::string& name) {
  const auto fabric = machine_of(kind, machine_sample(name));
  for (const Diagnostic& diagnostic : fabric.diagnostics()) FAIL(name << ": " << diagnostic.message);
  return *fabric;
}

// "8 processors, 1 switch, 16 channels, 96 lanes out of 0"
std::string counted(const Fabric& fabric) {
  std::uint32_t lanes = 0;
  for (ChannelId c{0}; c.value < fabric.channels(); ++c.value) {
    if (fabric.channel(c).from == NodeId(0)) lanes += fabric.channel(c).capacity;
  }
  return fmt::format("{} processors, {} switches, {} channels, {} lanes out of 0", fabric.processors(),
                     fabric.nodes() - fabric.processors(), fabric.channels(), lanes);
}

// Lanes from one node to another, by their names; 0 without a channel.
std::uint32_t lanes(const Fabric& fabric, const std::string& from, const std::string& to) {
  const auto channel = fabric.channel_between(fabric.node_named(from).value(), fabric.node_named(to).value());
  return channel ? fabric.channel(*channel).capacity : 0;
}

std::optional<std::uint64_t> bandwidth(const Fabric& fabric, const std::string& from, const std::string& to) {
  const auto channel = fabric.channel_between(fabric.node_named(from).value(), fabric.node_named(to).value());
  const auto speeds = fabric.topology().link_speeds(fabric);
  return channel && !speeds.empty() ? speeds[channel->value].bandwidth : std::nullopt;
}

TEST_CASE("a DGX-1 has its NVLinks, and its host when asked") {
  const Fabric links = sample_fabric("smi", "dgx1_topo_m.txt");
  CHECK(counted(links) == "8 processors, 0 switches, 32 channels, 6 lanes out of 0");
  CHECK(lanes(links, "0", "1") == 2);
  CHECK(lanes(links, "0", "2") == 1);
  CHECK(lanes(links, "0", "5") == 0);
  CHECK(lanes(links, "7", "3") == 1);
  const Fabric host = sample_fabric("smi,host=yes", "dgx1_topo_m.txt");
  CHECK(counted(host) == "8 processors, 3 switches, 52 channels, 7 lanes out of 0");
  CHECK(lanes(host, "0", "numa_node") == 1);
  CHECK(lanes(host, "7", "numa_node_2") == 1);
  CHECK(lanes(host, "numa_node", "host") == 1);
}

TEST_CASE("eighteen NVLinks to each of seven others are eighteen to switches") {
  const Fabric fabric = sample_fabric("smi", "dgx_h100_topo_m.txt");
  CHECK(counted(fabric) == "8 processors, 1 switches, 16 channels, 18 lanes out of 0");
  CHECK(lanes(fabric, "nvswitch", "7") == 18);
}

TEST_CASE("a DGX A100 has two links from each GPU to each of six NVSwitches, which are one") {
  const Fabric fabric = sample_fabric("nccl", "dgx_a100_nccl_topo.xml");
  CHECK(counted(fabric) == "8 processors, 1 switches, 16 channels, 12 lanes out of 0");
  CHECK(bandwidth(fabric, "0", "nvswitch") == 20'000'000'000);
  const Fabric host = sample_fabric("nccl,host=yes", "dgx_a100_nccl_topo.xml");
  CHECK(host.processors() == 8);
  CHECK(lanes(host, "cpu3", "cpu1") == 1);
  CHECK_FALSE(host.node_named("cpu0"));  // which has cards only
}

TEST_CASE("files without GPU elements have their PCI devices of that class, in their order") {
  const Fabric two = sample_fabric("nccl", "ndv2-topo.xml");
  CHECK(two.processors() == 8);
  const Fabric four = sample_fabric("nccl", "ndv4-topo.xml");
  // Four processors, a bridge below each, two GPUs below that.
  CHECK(counted(four) == "8 processors, 8 switches, 36 channels, 1 lanes out of 0");
  CHECK(lanes(four, "0", "pci.ffff.ff.01.0") == 1);
  CHECK(lanes(four, "pci.ffff.ff.01.0", "cpu0") == 1);
  CHECK(lanes(four, "cpu0", "cpu3") == 1);
  CHECK(bandwidth(four, "7", "pci.ffff.ff.04.0") == 24'000'000'000);
  CHECK_FALSE(bandwidth(four, "cpu0", "cpu3"));
}

TEST_CASE("eight MI300 are each a link from one another, and chains of bridges are one link") {
  const Fabric fabric = sample_fabric("nccl", "topo_8p_940.xml");
  CHECK(counted(fabric) == "8 processors, 0 switches, 56 channels, 7 lanes out of 0");
  CHECK_FALSE(bandwidth(fabric, "0", "1"));
  const Fabric host = sample_fabric("nccl,host=yes", "topo_8p_940.xml");
  CHECK(counted(host) == "8 processors, 2 switches, 74 channels, 8 lanes out of 0");
  CHECK(bandwidth(host, "0", "cpu0") == 48'000'000'000);
}

TEST_CASE("an InfiniBand network has its adapters in order, and cables side by side as lanes") {
  const Fabric fabric = sample_fabric("ib", "ibnetdiscover.txt");
  CHECK(counted(fabric) == "16 processors, 6 switches, 48 channels, 1 lanes out of 0");
  CHECK(lanes(fabric, "0", "leaf0") == 1);
  CHECK(lanes(fabric, "15", "leaf3") == 1);
  CHECK(lanes(fabric, "10", "leaf2") == 1);
  CHECK(lanes(fabric, "leaf0", "spine0") == 2);
  CHECK(bandwidth(fabric, "leaf0", "spine1") == 1'000'000'000);
}

TEST_CASE("ibsim's description of a network is what ibnetdiscover finds, but for the rates") {
  const Fabric fabric = sample_fabric("ib", "ibsim.net");
  const Fabric found = sample_fabric("ib", "ibnetdiscover.txt");
  REQUIRE(fabric.channels() == found.channels());
  for (ChannelId c{0}; c.value < fabric.channels(); ++c.value) {
    CHECK(fabric.channel(c) == found.channel(c));
    CHECK(fabric.name(fabric.channel(c).to) == found.name(found.channel(c).to));
  }
  CHECK_FALSE(bandwidth(fabric, "leaf0", "spine1"));
}

TEST_CASE("the cuts of a fat tree give the tree again, its root a link") {
  const Fabric fabric = sample_fabric("sccl", "sccl_tree8.json");
  CHECK(counted(fabric) == "8 processors, 6 switches, 26 channels, 1 lanes out of 0");
  CHECK(fabric.in_rounds());
  CHECK(fabric.rules().paths == Paths::shared);
  const Router router(fabric);
  CHECK(router.distance(NodeId(0), NodeId(1)) == 2);
  CHECK(router.distance(NodeId(0), NodeId(2)) == 4);
  CHECK(router.distance(NodeId(0), NodeId(7)) == 5);
}

TEST_CASE("what is read is written out where tables carry it, and read to the same fabric") {
  for (const auto& [kind, name] : {std::pair("smi,host=yes", "dgx1_topo_m.txt"),
                                   {"nccl,host=yes", "topo_8p_940.xml"},
                                   {"ib", "ibnetdiscover.txt"},
                                   {"sccl", "sccl_tree8.json"}}) {
    const Fabric fabric = sample_fabric(kind, name);
    const auto again = parse_fabric({"", fabric.notation()}, 0);
    REQUIRE(again.ok());
    CHECK(again->notation() == fabric.notation());
    CHECK(again->topology().same_as(fabric.topology()));
  }
}

}  // namespace
}  // namespace quadrille
