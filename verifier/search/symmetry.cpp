// Which groups are tried. Trees: digit by digit, k -> k + x in each digit (binary: k xor x), for all digits, then for
// fewer of them, from the lowest up and from the highest down. Grids: shifts along dimensions that wrap, reflections of
// a dimension that does not. Complete fabrics and stars: k -> k + x modulo n, and k xor x. Graphs: all automorphisms,
// if there are few, and what a single one of them generates.
#include "verifier/search/symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <variant>

#include "verifier/search/automorphisms.h"

namespace quadrille::searching {
namespace {

constexpr std::size_t most_elements = 4096;
constexpr std::size_t most_numbers = std::size_t{1} << 24;  // elements x nodes: twice 64 MiB

Permutation identity(std::uint32_t nodes) {
  Permutation permutation(nodes);
  std::iota(permutation.begin(), permutation.end(), 0U);
  return permutation;
}

// What the generators generate; nothing if that is more than a few thousand. One that is there already adds nothing,
// and each other one at least doubles the group, so that few are multiplied with.
std::optional<Group> generated(std::string name, std::uint32_t nodes, const std::vector<Permutation>& generators,
                               Watch* watch) {
  Group group{std::move(name), {identity(nodes)}};
  std::set<Permutation> seen{group.elements.front()};
  std::vector<const Permutation*> useful;
  for (const Permutation& generator : generators) {
    if (seen.contains(generator)) continue;
    useful.push_back(&generator);
    for (std::size_t next = 0; next < group.elements.size(); ++next) {
      require_open(watch);
      for (const Permutation* factor : useful) {
        Permutation product(nodes);
        for (std::uint32_t v = 0; v < nodes; ++v) product[v] = (*factor)[group.elements[next][v]];
        if (!seen.insert(product).second) continue;
        group.elements.push_back(std::move(product));
        if (group.elements.size() > most_elements || group.elements.size() > most_numbers / nodes) return std::nullopt;
      }
    }
  }
  return group;
}

// The processors' permutation, and on a tree what the switches become with them.
template <class Image>
Permutation on_processors(const Fabric& fabric, Image image) {
  Permutation permutation = identity(fabric.nodes());
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) permutation[p] = image(p);
  if (const auto* tree = std::get_if<FatTreeShape>(&fabric.shape())) {
    std::uint32_t size = 1;
    for (std::uint32_t level = 1; level <= tree->capacities.size(); ++level) {
      size *= tree->arity;
      for (std::uint32_t j = 0; j < fabric.processors() / size; ++j) {
        permutation[fabric.switch_at(level, j)->value] = fabric.switch_at(level, permutation[j * size] / size)->value;
      }
    }
  }
  return permutation;
}

// One more in the digit that counts `weight`, of a number system with that many digits' values; k + weight, carried
// off.
Permutation next_digit(const Fabric& fabric, std::uint32_t weight, std::uint32_t values) {
  return on_processors(fabric, [&](std::uint32_t p) {
    const std::uint32_t digit = p / weight % values;
    return p - digit * weight + (digit + 1) % values * weight;
  });
}

// The permutation done twice.
Permutation twice(const Permutation& permutation) {
  Permutation result(permutation.size());
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = permutation[permutation[v]];
  return result;
}

struct Candidate {
  std::string name;
  std::vector<Permutation> generators;
};

std::vector<Candidate> tree_candidates(const Fabric& fabric, const FatTreeShape& tree) {
  std::vector<Permutation> digits;
  std::uint32_t weight = 1;
  for (std::size_t i = 0; i < tree.capacities.size(); ++i, weight *= tree.arity) {
    digits.push_back(next_digit(fabric, weight, tree.arity));
  }
  const std::string one =
      tree.arity == 2 ? "k -> k xor x" : fmt::format("k -> k + x in each base-{} digit", tree.arity);
  std::vector<Candidate> all{{one + ", all x", digits}};
  for (std::size_t some = digits.size() - 1; some > 0; --some) {
    const auto end = static_cast<std::ptrdiff_t>(some);
    std::uint64_t lowest = 1;  // arity^some
    for (std::size_t i = 0; i < some; ++i) lowest *= tree.arity;
    all.push_back({fmt::format("{}, x below {}", one, lowest), {digits.begin(), digits.begin() + end}});
    all.push_back(
        {fmt::format("{}, x a multiple of {}", one, fabric.processors() / lowest), {digits.end() - end, digits.end()}});
  }
  return all;
}

std::vector<Candidate> grid_candidates(const Fabric& fabric, const GridShape& grid) {
  std::vector<Permutation> shifts;
  std::vector<Permutation> reflections;
  std::uint32_t weight = fabric.processors();
  for (const std::uint32_t extent : grid.extents) {
    weight /= extent;
    if (extent < 2) continue;
    if (grid.wraps || extent == 2) {
      shifts.push_back(next_digit(fabric, weight, extent));
    } else {
      reflections.push_back(on_processors(fabric, [&](std::uint32_t p) {
        const std::uint32_t digit = p / weight % extent;
        return p - digit * weight + (extent - 1 - digit) * weight;
      }));
    }
  }
  std::vector<Permutation> both = shifts;
  both.insert(both.end(), reflections.begin(), reflections.end());
  std::vector<Candidate> all{{shifts.empty() ? "reflections" : "shifts along every dimension", both}};
  for (std::size_t i = 0; i < both.size(); ++i) {
    all.push_back({fmt::format("one dimension only, number {}", i), {both[i]}});
    all.push_back({fmt::format("one dimension only, number {}, two at a time", i), {twice(both[i])}});
  }
  for (Permutation& shift : shifts) shift = twice(shift);
  if (shifts.size() > 1) all.push_back({fmt::format("{}, two at a time", all.front().name), std::move(shifts)});
  return all;
}

std::vector<Candidate> exchangeable_candidates(const Fabric& fabric) {
  const std::uint32_t n = fabric.processors();
  const Permutation next = next_digit(fabric, 1, n);
  std::vector<Candidate> all{{"k -> k + x modulo n", {next}}, {"k -> k + 2x modulo n", {twice(next)}}};
  if ((n & (n - 1)) == 0) {
    Candidate candidate{"k -> k xor x", {}};
    for (std::uint32_t bit = 1; bit < n; bit *= 2) candidate.generators.push_back(next_digit(fabric, bit, 2));
    all.push_back(std::move(candidate));
  }
  return all;
}

std::vector<Candidate> graph_candidates(const Fabric& fabric) {
  std::vector<Permutation> automorphisms = automorphisms_of(fabric, most_elements);
  std::vector<Candidate> all;
  for (const Permutation& one : automorphisms) {
    if (all.size() < 16) all.push_back({"the powers of one automorphism", {one}});
  }
  if (!automorphisms.empty()) all.push_back({"all automorphisms", std::move(automorphisms)});
  return all;
}

std::vector<Candidate> candidates(const Fabric& fabric) {
  if (const auto* tree = std::get_if<FatTreeShape>(&fabric.shape())) return tree_candidates(fabric, *tree);
  if (const auto* grid = std::get_if<GridShape>(&fabric.shape())) return grid_candidates(fabric, *grid);
  if (std::holds_alternative<GraphShape>(fabric.shape())) return graph_candidates(fabric);
  return exchangeable_candidates(fabric);
}

bool has_root(CollectiveKind kind) {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter || kind == CollectiveKind::gather ||
         kind == CollectiveKind::reduce;
}

// Whether words of an ordered operation become words again: intervals of contributions, intervals.
bool keeps_intervals(const Collective& collective, const Permutation& permutation) {
  const std::uint32_t n = collective.processors();
  const auto is = [&](auto image) {
    for (std::uint32_t p = 0; p < n; ++p) {
      if (permutation[p] != image(p)) return false;
    }
    return true;
  };
  return is([](std::uint32_t p) { return p; }) || is([&](std::uint32_t p) { return n - 1 - p; });
}

// Whether the permutation maps the collective to itself.
bool keeps(const Collective& collective, const Permutation& permutation) {
  const std::uint32_t root = collective.description().root;
  if (has_root(collective.kind()) && permutation[root] != root) return false;
  return !collective.combining() || !collective.ordered() || keeps_intervals(collective, permutation);
}

// What a half-duplex link carries in a step: its directions' capacities may differ (model/MODEL.md, capacity).
std::uint32_t together(const Fabric& fabric, ChannelId id) {
  return fabric.channel(std::min(id, fabric.reverse(id))).capacity;
}

}  // namespace

bool is_automorphism(const Fabric& fabric, const Permutation& permutation) {
  const bool half = fabric.rules().duplex == Duplex::half;
  return std::all_of(fabric.all_channels().begin(), fabric.all_channels().end(), [&](const Channel& channel) {
    const auto image =
        fabric.channel_between(NodeId{permutation[channel.from.value]}, NodeId{permutation[channel.to.value]});
    return image && fabric.channel(*image).capacity == channel.capacity &&
           (!half || together(fabric, *image) == together(fabric, *fabric.channel_between(channel.from, channel.to)));
  });
}

Group trivial_group(const Fabric& fabric) { return {"none", {identity(fabric.nodes())}}; }

std::uint32_t image_of_value(const Collective& collective, std::uint32_t value, const Permutation& permutation) {
  if (collective.kind() != CollectiveKind::reduce_scatter) return value;
  const std::uint32_t parts = collective.description().parts;
  return permutation[value / parts] * parts + value % parts;
}

std::vector<Group> groups_of(const Fabric& fabric, const Collective& collective, Watch* watch) {
  if (collective.kind() == CollectiveKind::custom || collective.kind() == CollectiveKind::prefix) return {};
  if (fabric.processors() < 2) return {};
  std::vector<Group> groups;
  for (Candidate& candidate : candidates(fabric)) {
    std::erase_if(candidate.generators, [&](const Permutation& generator) {
      return !keeps(collective, generator) || !is_automorphism(fabric, generator);
    });
    std::optional<Group> group = generated(std::move(candidate.name), fabric.nodes(), candidate.generators, watch);
    if (!group || group->elements.size() == 1) continue;
    const bool known = std::any_of(groups.begin(), groups.end(),
                                   [&](const Group& other) { return other.elements == group->elements; });
    if (!known) groups.push_back(std::move(*group));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.elements.size() > b.elements.size(); });
  return groups;
}

}  // namespace quadrille::searching
