// What each family states of its demand, and what a list's chunks tell of it, against who holds and who wants what.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/collective_family.h"
#include "model/families.h"

namespace {
namespace demand_test {

using namespace quadrille;

using Processors = std::vector<std::uint32_t>;
using Range = std::optional<std::pair<std::uint32_t, std::uint32_t>>;

// A unit: who has something of it before, and who wants it, with whose contributions.
struct Unit {
  Processors suppliers;
  std::vector<std::pair<std::uint32_t, Range>> wanters;
  auto operator<=>(const Unit&) const = default;
};

using Units = std::map<Unit, std::uint32_t>;  // how many of each

// By asking about every packet and every demand.
Units units_of(const Collective& collective) {
  const std::uint32_t n = collective.processors();
  std::map<std::uint64_t, Unit> units;
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    const auto [id, processor] = collective.demand_at(i);
    const Range wanted = collective.combining()
                             ? collective.wanted_contributions(static_cast<std::uint32_t>(id.value), processor)
                             : Range();
    units[id.value].wanters.emplace_back(processor.value, wanted);
  }
  Units result;
  for (auto& [id, unit] : units) {
    std::sort(unit.wanters.begin(), unit.wanters.end());
    for (std::uint32_t p = 0; p < n; ++p) {
      // Of a value, everyone who holds a packet with it; alone, one holds none.
      bool supplies = collective.combining() ? n == 1 : collective.starts_at(ChunkId(id), NodeId(p));
      for (std::uint32_t q = 0; q < n && collective.combining(); ++q) {
        const auto packet = collective.chunk({p, q, static_cast<std::uint32_t>(id)});
        supplies = supplies || (packet && collective.starts_at(*packet, NodeId(p)));
      }
      if (supplies) unit.suppliers.push_back(p);
    }
    ++result[unit];
  }
  return result;
}

Processors ends(DemandShape::Ends ends, std::uint32_t root, std::uint32_t n) {
  if (ends == DemandShape::Ends::root) return {root};
  Processors all;
  for (std::uint32_t p = 0; p < n; ++p) all.push_back(p);
  return all;
}

// As one group, or each alone.
std::vector<Processors> groups(const Processors& all, bool each) {
  if (!each) return {all};
  std::vector<Processors> result;
  for (const std::uint32_t p : all) result.push_back({p});
  return result;
}

// What the shape says that there is.
Units units_of(const DemandShape& shape, std::uint32_t n) {
  Units result;
  for (const Processors& suppliers : groups(ends(shape.suppliers, shape.root, n), shape.unit_per_supplier)) {
    for (const Processors& wanters : groups(ends(shape.wanters, shape.root, n), shape.unit_per_wanter)) {
      Unit unit{suppliers, {}};
      for (const std::uint32_t p : wanters) {
        if (!shape.combining()) {
          if (suppliers.front() != p) unit.wanters.emplace_back(p, Range());
          continue;
        }
        const bool below = shape.contributors == DemandShape::Contributors::below_own;
        if (below && p == 0) continue;
        const std::uint32_t last =
            below ? p - 1 : (shape.contributors == DemandShape::Contributors::up_to_own ? p : n - 1);
        unit.wanters.emplace_back(p, std::pair(0U, last));
      }
      if (!unit.wanters.empty()) result[unit] += shape.parts;
    }
  }
  return result;
}

void for_each_standard(const std::function<void(const Collective&)>& body) {
  for (const auto& family : standard_families().collectives) {
    const CollectiveFacts& facts = family->facts();
    if (facts.listed) continue;
    for (std::uint32_t n = 1; n <= 8; ++n) {
      for (std::uint32_t root = 0; root < (facts.rooted ? n : 1); ++root) {
        for (std::uint32_t parts = 1; parts <= (facts.always_idempotent ? 1 : 3); ++parts) {
          const auto made = Collective::make({CollectiveKind(*family), root, parts, Operation::commutative, {}}, n);
          REQUIRE(made.ok());
          CAPTURE(made->notation());
          CAPTURE(n);
          body(*made);
        }
      }
    }
  }
}

std::vector<CustomChunk> listed(const Collective& copying) {
  std::map<ChunkName, CustomChunk> chunks;
  for (std::uint64_t i = 0; i < copying.demands(); ++i) {
    const auto [id, processor] = copying.demand_at(i);
    CustomChunk& chunk = chunks[copying.name(id)];
    chunk.name = copying.name(id);
    chunk.wanted_by.push_back(processor.value);
    chunk.held_by = {};
    for (std::uint32_t p = 0; p < copying.processors(); ++p) {
      if (copying.starts_at(id, NodeId(p))) chunk.held_by.push_back(p);
    }
  }
  std::vector<CustomChunk> all;
  for (auto& [name, chunk] : chunks) all.push_back(std::move(chunk));
  return all;
}

TEST_CASE("what each family states of its demand is what it asks for") {
  std::size_t seen = 0;
  for_each_standard([&](const Collective& collective) {
    REQUIRE(collective.shape());
    const DemandShape& shape = *collective.shape();
    CHECK(shape.rooted() == collective.rooted());
    CHECK(shape.combining() == collective.combining());
    CHECK(units_of(shape, collective.processors()) == units_of(collective));
    bool shared = false;
    for (const auto& [unit, number] : units_of(collective)) shared = shared || unit.wanters.size() > 1;
    if (collective.processors() > 2) CHECK(shape.shared() == shared);
    for (std::uint32_t value = 0; value < collective.values(); ++value) {
      Processors wanters;
      for (std::uint32_t p = 0; p < collective.processors(); ++p) {
        if (collective.wanted_contributions(value, NodeId(p))) wanters.push_back(p);
      }
      if (const auto only = shape.only_wanter(value)) CHECK(wanters == Processors{only->value});
      if (collective.processors() > 2) CHECK(shape.only_wanter(value).has_value() == (wanters.size() == 1));
    }
    ++seen;
  });
  CHECK(seen > 400);
}

TEST_CASE("a collective's mirror in time has its demand with suppliers and wanters exchanged") {
  for_each_standard([](const Collective& collective) {
    const auto dual = Collective::dual(collective.kind());
    if (!dual) {
      CHECK((collective.shape()->by_rank() || collective.kind().facts().always_idempotent));
      return;
    }
    const auto mirror = collective_of_shape(*collective.shape()->mirrored(), collective.processors());
    REQUIRE(mirror);
    CHECK(mirror->kind() == *dual);
    // Who supplies a unit wants it, and the other way round, but for what stays where it is.
    const auto ends = [](const Collective& it, bool turned) {
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pairs;
      for (const auto& [unit, number] : units_of(it)) {
        for (const std::uint32_t s : unit.suppliers) {
          for (const auto& [w, range] : unit.wanters) {
            if (s != w) pairs[turned ? std::pair(w, s) : std::pair(s, w)] += number;
          }
        }
      }
      return pairs;
    };
    CHECK(ends(collective, true) == ends(*mirror, false));
  });
}

TEST_CASE("a list of a copying collective's chunks has its shape") {
  for_each_standard([](const Collective& collective) {
    if (collective.combining() || collective.processors() == 1) return;
    const auto twin = collective_of_chunks(listed(collective), collective.processors());
    REQUIRE(twin.ok());
    REQUIRE(twin->shape());
    CHECK(units_of(*twin->shape(), twin->processors()) == units_of(collective));
    if (collective.processors() > 2) CHECK(twin->shape() == collective.shape());
  });
}

TEST_CASE("a list that lacks a chunk, or has one too many, has no standard collective's shape") {
  for_each_standard([](const Collective& collective) {
    if (collective.combining() || collective.processors() < 4) return;
    std::vector<CustomChunk> chunks = listed(collective);
    std::vector<CustomChunk> more = chunks;
    more.push_back(more.front());
    more.back().name.part += 10;
    if (chunks.size() > 1 && collective.kind() != CollectiveKind::broadcast) {
      chunks.pop_back();
      CHECK_FALSE(collective_of_chunks(chunks, collective.processors())->shape());
      CHECK_FALSE(collective_of_chunks(more, collective.processors())->shape());
    }
    chunks.front().held_by.push_back(chunks.front().wanted_by.front());
    CHECK_FALSE(collective_of_chunks(chunks, collective.processors())->shape());
  });
}

}  // namespace demand_test
}  // namespace
