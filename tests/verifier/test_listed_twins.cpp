// A collective that lists the chunks of a standard copying one, chunk by chunk, gets the same bounds and verdicts: what
// it is called is of no consequence.
#include <doctest/doctest.h>

#include <bit>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "verifier/bounds.h"
#include "verifier/check.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {
namespace listed_twins {

// Who holds and who wants each chunk, as the collective says.
Collective twin_of(const Collective& copying) {
  std::map<ChunkName, CustomChunk> chunks;
  for (std::uint64_t i = 0; i < copying.demands(); ++i) {
    const auto [id, processor] = copying.demand_at(i);
    const ChunkName name = copying.name(id);
    chunks[name].name = name;
    chunks[name].held_by = {name.origin};
    chunks[name].wanted_by.push_back(processor.value);
  }
  std::vector<CustomChunk> all;
  for (auto& [name, chunk] : chunks) all.push_back(std::move(chunk));
  return collective_of_chunks(std::move(all), copying.processors()).value();
}

std::vector<std::string> copying_collectives(std::uint32_t n) {
  const std::string last = std::to_string(n - 1);
  return {"broadcast:parts=2",
          "broadcast:root=" + last,
          "scatter:root=" + last,
          "scatter:parts=2",
          "gather:root=" + last,
          "gather:parts=2",
          "allgather",
          "allgather:parts=2",
          "total_exchange",
          "total_exchange:parts=2"};
}

using Steps = std::map<std::string, std::optional<std::uint64_t>>;

Steps steps_of(const std::vector<Bound>& bounds) {
  Steps all;
  for (const Bound& bound : bounds) all[std::string(to_string(bound.kind))] = bound.steps;
  return all;
}

void compare_bounds(const Fabric& fabric, const Collective& original, const Collective& twin) {
  const auto same = [&](const std::vector<Bound>& own, const std::vector<Bound>& of_twin) {
    CHECK(own.front().steps == of_twin.front().steps);
    // Among two processors a list is several collectives at once.
    if (fabric.processors() > 2) CHECK(steps_of(own) == steps_of(of_twin));
  };
  if (fabric.in_rounds()) {
    same(round_bounds(fabric, original, {}), round_bounds(fabric, twin, {}));
    same(volume_bounds(fabric, original, {}), volume_bounds(fabric, twin, {}));
  } else {
    same(lower_bounds(fabric, original, {}), lower_bounds(fabric, twin, {}));
  }
}

void compare_searches(const Fabric& fabric, const Collective& original, const Collective& twin) {
  const SearchResult own = search(fabric, original, {}, {});
  const SearchResult of_twin = search(fabric, twin, {}, {});
  CHECK(own.verdict == of_twin.verdict);
  CHECK(own.steps == of_twin.steps);
  CHECK(own.lower_bound == of_twin.lower_bound);
  REQUIRE(own.table.has_value() == of_twin.table.has_value());
  if (of_twin.table) CHECK(check(*of_twin.table).verdict == Verdict::holds);
}

// The shape for n processors; nothing where there is none.
using Shape = std::string (*)(std::uint32_t n);

std::string tree(std::uint32_t n) {
  return std::has_single_bit(n) ? "fat_tree:" + std::to_string(std::countr_zero(n)) : std::string();
}

const std::vector<Shape> shapes{
    [](std::uint32_t n) { return n < 3 ? std::string() : "ring:" + std::to_string(n); },
    [](std::uint32_t n) { return "star:" + std::to_string(n); },
    [](std::uint32_t n) { return "complete:" + std::to_string(n) + ",ports=single"; },
    [](std::uint32_t n) { return "line:" + std::to_string(n) + ",duplex=half"; },
    tree,
};

template <class Compare>
void for_each_twin(std::uint32_t most, const Compare& compare) {
  for (std::uint32_t n = 2; n <= most; ++n) {
    for (const Shape shape : shapes) {
      const std::string notation = shape(n);
      if (notation.empty()) continue;
      for (const std::string timing : {"", ",timing=rounds"}) {
        const Fabric fabric = parse_fabric({"", notation + timing}, 0).value();
        for (const std::string& name : copying_collectives(n)) {
          CAPTURE(fabric.notation());
          CAPTURE(name);
          const Collective original = parse_collective({"", name}, 0, n).value();
          compare(fabric, original, twin_of(original));
        }
      }
    }
  }
}

TEST_CASE("a list of a copying collective's chunks has its lower bounds") { for_each_twin(8, compare_bounds); }

TEST_CASE("a list of a copying collective's chunks has its verdicts") {
  for_each_twin(sanitized ? 4 : 8, [](const Fabric& fabric, const Collective& original, const Collective& twin) {
    if (original.demands() <= 56) compare_searches(fabric, original, twin);
  });
}

TEST_CASE("on eight processors as well") {
  if (sanitized) return;
  for (const std::string on : {"ring:8", "star:8", "fat_tree:3", "complete:8,ports=single", "ring:8,timing=rounds"}) {
    const Fabric fabric = parse_fabric({"", on}, 0).value();
    for (const std::string what : {"broadcast:root=3", "scatter:root=3", "gather:root=3", "allgather"}) {
      CAPTURE(on);
      CAPTURE(what);
      const Collective original = parse_collective({"", what}, 0, 8).value();
      compare_searches(fabric, original, twin_of(original));
    }
  }
}

}  // namespace listed_twins
}  // namespace
}  // namespace quadrille::tests
