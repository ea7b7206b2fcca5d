// Nodes are found by a search from each processor that no node has yet, over the links of least latency.
#include "model/layout/servers.h"

#include <algorithm>
#include <optional>
#include <span>

#include "model/distances.h"
#include "model/route.h"

namespace quadrille {
namespace {

// How many processors the links of least latency join; nothing if no link is slower, or nodes are not alike.
std::optional<std::uint32_t> joined_by_fast_links(const Fabric& fabric) {
  const std::vector<LinkSpeed> speeds = fabric.link_speeds();
  if (speeds.empty()) return std::nullopt;
  const auto all = std::ranges::minmax(speeds, {}, &LinkSpeed::latency);
  if (!all.min.latency || all.min.latency == all.max.latency) return std::nullopt;
  const auto fast = [&](ChannelId id) { return speeds[id.value].latency == all.min.latency; };
  std::uint32_t size = 0;
  for (std::uint32_t first = 0; first < fabric.processors(); first += size) {
    const NodeId end(first);
    const std::vector<std::uint32_t> far = distances(fabric, std::span(&end, 1), Direction::from, fast);
    const std::span processors = std::span(far).first(fabric.processors());
    const auto joined = fabric.processors() - std::ranges::count(processors, unreachable);
    const auto alien = std::ranges::find(processors.subspan(first), unreachable);
    const auto next = static_cast<std::uint32_t>(alien - processors.subspan(first).begin());
    if (next != joined || (size != 0 && next != size)) return std::nullopt;
    size = next;
  }
  return size;
}

}  // namespace

std::vector<std::uint32_t> proper_divisors(std::uint32_t n) {
  std::vector<std::uint32_t> divisors;
  for (std::uint32_t d = 2; d <= n / 2; ++d) {
    if (n % d == 0) divisors.push_back(d);
  }
  return divisors;
}

std::vector<std::uint32_t> server_sizes(const Fabric& fabric) {
  const Router router(fabric);
  const std::vector<std::uint32_t> divisors = proper_divisors(fabric.processors());
  const auto reach = [&](std::uint32_t processors) {
    std::uint32_t farthest = 0;
    for (std::uint32_t p = 1; p < processors; ++p) {
      farthest = std::max(farthest, router.distance(NodeId(0), NodeId(p)).value_or(0));
    }
    return farthest;
  };
  std::vector<std::uint32_t> sizes;
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    const std::uint32_t next = i + 1 < divisors.size() ? divisors[i + 1] : fabric.processors();
    if (reach(divisors[i]) < reach(next)) sizes.push_back(divisors[i]);
  }
  return sizes;
}

std::uint32_t processors_of_a_node(const Fabric& fabric) {
  if (const auto joined = joined_by_fast_links(fabric)) return *joined;
  const std::vector<std::uint32_t> sizes = fabric.has_switches() ? server_sizes(fabric) : std::vector<std::uint32_t>();
  return sizes.empty() ? fabric.processors() : sizes.front();
}

}  // namespace quadrille
