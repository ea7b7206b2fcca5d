// A smallest cut separates the nodes, and no cut between sets of nodes has a smaller rate: all are tried.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "driver/search/any_rounds.h"
#include "model/route.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"

namespace quadrille::driver {
namespace {

constexpr std::uint32_t most_nodes = 12;

// The rate of the channels from a set with the source, and without the target, to the other nodes.
double least_rate(const Fabric& fabric, NodeId source, NodeId target, const std::vector<double>& rates) {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t set = 0; set < 1U << fabric.nodes(); ++set) {
    const auto has = [&](NodeId node) { return (set >> node.value & 1U) != 0; };
    if (!has(source) || has(target)) continue;
    double rate = 0;
    for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
      const Channel& channel = fabric.channel(ChannelId(id));
      if (has(channel.from) && !has(channel.to)) rate += rates[id];
    }
    least = std::min(least, rate);
  }
  return least;
}

// Whether a path leads from the source to the target by channels that are not in the cut.
bool leads_past(const Fabric& fabric, NodeId source, NodeId target, const std::vector<ChannelId>& cut) {
  std::vector<NodeId> reached{source};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
      const Channel& channel = fabric.channel(ChannelId(id));
      const bool onward = channel.from == reached[i] && std::ranges::find(cut, ChannelId(id)) == cut.end();
      if (onward && std::ranges::find(reached, channel.to) == reached.end()) reached.push_back(channel.to);
    }
  }
  return std::ranges::find(reached, target) != reached.end();
}

TEST_CASE("a smallest cut separates its nodes at the least rate") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::share(600);
  std::uint64_t several = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    if (fabric.processors() < 2 || fabric.nodes() > most_nodes) continue;
    INFO("QUADRILLE_SEED=" << seed << " " << fabric.notation());
    const NodeId source(dice.below(fabric.processors()));
    const NodeId target(dice.below(fabric.processors()));
    if (source == target || !Router(fabric).distance(source, target)) continue;
    std::vector<ChannelId> all;
    std::vector<double> rates;
    for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
      all.push_back(ChannelId(id));
      rates.push_back(dice.from_to(1, 5) / 3.0);
    }
    const auto rate = [&](ChannelId id) { return rates[id.value]; };
    const std::vector<ChannelId> cut = smallest_cut(fabric, all, source, target, rate);
    double sum = 0;
    for (const ChannelId id : cut) sum += rate(id);
    CHECK(sum == doctest::Approx(least_rate(fabric, source, target, rates)));
    CHECK_FALSE(leads_past(fabric, source, target, cut));
    several += cut.size() > 1;
  }
  CHECK(several > count / 10);
}

}  // namespace
}  // namespace quadrille::driver
