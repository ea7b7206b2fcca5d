// Every kind's numbering against its definition, spelt out here name by name for small n.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/collective_family.h"

using namespace quadrille;

namespace {

Collective made(CollectiveDescription description, std::uint32_t n) {
  auto result = Collective::make(std::move(description), n);
  REQUIRE(result.ok());
  return *result;
}

std::string mistake(const std::string& notation, std::uint32_t n = 8) {
  const auto result = parse_collective({"it", notation}, 0, n);
  REQUIRE(!result.ok());
  return result.diagnostics().front().message;
}

using Processors = std::set<std::uint32_t>;

// A copying chunk as the collective's definition has it.
struct Meaning {
  Processors held;
  Processors wanted;
};

using Meanings = std::map<ChunkName, Meaning>;

Meanings copying_meaning(const CollectiveDescription& it, std::uint32_t n) {
  Meanings result;
  Processors everyone;
  for (std::uint32_t p = 0; p < n; ++p) everyone.insert(p);
  for (std::uint32_t part = 0; part < it.parts; ++part) {
    for (std::uint32_t p = 0; p < n; ++p) {
      if (it.kind == CollectiveKind::broadcast && p == it.root) result[{p, {}, part}] = {{p}, everyone};
      if (it.kind == CollectiveKind::allgather) result[{p, {}, part}] = {{p}, everyone};
      for (std::uint32_t q = 0; q < n; ++q) {
        const bool scatter = it.kind == CollectiveKind::scatter && p == it.root;
        const bool gather = it.kind == CollectiveKind::gather && q == it.root;
        if (p != q && (scatter || gather || it.kind == CollectiveKind::total_exchange))
          result[{p, q, part}] = {{p}, {q}};
      }
    }
  }
  return result;
}

std::set<ChunkName> combining_names(std::uint32_t n, std::uint32_t values) {
  std::set<ChunkName> result;
  for (std::uint32_t part = 0; part < values; ++part)
    for (std::uint32_t p = 0; p < n; ++p)
      for (std::uint32_t q = 0; q < n; ++q)
        if (p != q) result.insert({p, q, part});
  return result;
}

// Ids and names are two ways to say the same, and only these names exist.
void check_names(const Collective& collective, const std::set<ChunkName>& names) {
  std::set<ChunkName> found;
  for (std::uint64_t id = 0; id < collective.chunk_ids(); ++id) {
    const ChunkId chunk(id);
    const auto name = collective.name(chunk);
    CHECK(collective.has(chunk) == names.contains(name));
    CHECK(collective.chunk(name) == (names.contains(name) ? std::optional(chunk) : std::nullopt));
    CHECK(collective.first_unknown(std::vector{chunk}) == (names.contains(name) ? 1 : 0));
    if (names.contains(name)) found.insert(name);
  }
  CHECK(found == names);
  CHECK_FALSE(collective.has(ChunkId(collective.chunk_ids())));
  CHECK(collective.first_unknown(std::vector{ChunkId(collective.chunk_ids())}) == 0);
}

void check_demands(const Collective& collective, const Meanings& meanings) {
  std::set<std::uint64_t> numbers;
  std::size_t most = 0;
  for (const auto& [name, meaning] : meanings) {
    const auto chunk = *collective.chunk(name);
    std::size_t here = 0;
    for (std::uint32_t p = 0; p < collective.processors() + 2; ++p) {
      CHECK(collective.starts_at(chunk, NodeId(p)) == meaning.held.contains(p));
      const auto number = collective.demand(chunk, NodeId(p));
      REQUIRE(number.has_value() == (meaning.wanted.contains(p) && !meaning.held.contains(p)));
      if (!number) continue;
      ++here;
      REQUIRE(*number < collective.demands());
      CHECK(numbers.insert(*number).second);
      CHECK(collective.demand_at(*number) == std::pair(chunk, NodeId(p)));
    }
    most = std::max(most, here);
  }
  CHECK(numbers.size() == collective.demands());
  CHECK(collective.unicast() == (most <= 1));
}

void for_each_size(CollectiveKind kind, bool rooted,
                   const std::function<void(const CollectiveDescription&, std::uint32_t)>& body) {
  for (std::uint32_t n = 1; n <= 5; ++n)
    for (std::uint32_t parts = 1; parts <= 3; ++parts)
      for (std::uint32_t root = 0; root < (rooted ? n : 1); ++root) body({kind, root, parts, {}, {}}, n);
}

bool rooted(CollectiveKind kind) {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter || kind == CollectiveKind::gather ||
         kind == CollectiveKind::reduce;
}

CollectiveDescription two_chunks() {
  CollectiveDescription it{CollectiveKind::custom, 0, 1, {}, {}};
  it.chunks = {{{2, {}, 0}, {2, 0}, {3, 0, 1}}, {{0, 1, 0}, {0}, {1, 2}}};
  return it;
}

}  // namespace

TEST_CASE("copying collectives number packets and demands as their definition says") {
  for (const auto kind : {CollectiveKind::broadcast, CollectiveKind::scatter, CollectiveKind::gather,
                          CollectiveKind::allgather, CollectiveKind::total_exchange}) {
    for_each_size(kind, rooted(kind), [](const CollectiveDescription& it, std::uint32_t n) {
      CAPTURE(to_string(it.kind));
      CAPTURE(n);
      const auto collective = made(it, n);
      const auto meanings = copying_meaning(it, n);
      std::set<ChunkName> names;
      for (const auto& [name, meaning] : meanings) names.insert(name);
      check_names(collective, names);
      check_demands(collective, meanings);
      CHECK_FALSE(collective.combining());
    });
  }
}

TEST_CASE("combining collectives: packets between any two, and one demand for each wanted partial reduction") {
  for (const auto kind : {CollectiveKind::reduce, CollectiveKind::reduce_scatter, CollectiveKind::allreduce,
                          CollectiveKind::prefix, CollectiveKind::exclusive_prefix}) {
    for_each_size(kind, rooted(kind), [kind](const CollectiveDescription& it, std::uint32_t n) {
      CAPTURE(to_string(kind));
      const auto collective = made(it, n);
      CHECK(collective.combining());
      const bool exclusive = kind == CollectiveKind::exclusive_prefix;
      CHECK(collective.ordered() == (exclusive || kind == CollectiveKind::prefix));
      CHECK_FALSE(collective.idempotent());
      CHECK(collective.values() == it.parts * (kind == CollectiveKind::reduce_scatter ? n : 1));
      check_names(collective, combining_names(n, collective.values()));
      std::uint64_t demands = 0;
      for (std::uint32_t value = 0; value < collective.values(); ++value) {
        for (std::uint32_t p = 0; p < n; ++p) {
          const auto contributions = collective.wanted_contributions(value, NodeId(p));
          bool wanted = true;
          if (kind == CollectiveKind::reduce) wanted = p == it.root;
          if (kind == CollectiveKind::reduce_scatter) wanted = p == value / it.parts;
          if (exclusive) wanted = p > 0;
          REQUIRE(contributions.has_value() == wanted);
          if (!contributions) continue;
          const std::uint32_t last = exclusive ? p - 1 : kind == CollectiveKind::prefix ? p : n - 1;
          CHECK(*contributions == std::pair(0U, last));
          if (n > 1) {
            const auto packet = *collective.chunk({0, 1, value});
            CHECK(collective.value_of(packet) == value);
            const auto number = collective.demand(packet, NodeId(p));
            REQUIRE(number);
            CHECK(collective.demand_at(*number) == std::pair(ChunkId(value), NodeId(p)));
          }
          ++demands;
        }
        CHECK_FALSE(collective.wanted_contributions(value, NodeId(n)));
      }
      CHECK(collective.demands() == demands);
    });
  }
}

TEST_CASE("a combining packet starts at its origin") {
  const auto collective = made({CollectiveKind::allreduce, 0, 2, Operation::ordered, {}}, 4);
  CHECK(collective.ordered());
  CHECK(collective.starts_at(*collective.chunk({2, 1, 1}), NodeId(2)));
  CHECK_FALSE(collective.starts_at(*collective.chunk({2, 1, 1}), NodeId(1)));
}

TEST_CASE("a custom collective has the chunks it lists, sorted by name") {
  const auto collective = made(two_chunks(), 4);
  check_names(collective, {{0, 1, 0}, {2, {}, 0}});
  check_demands(collective, {{{0, 1, 0}, {{0}, {1, 2}}}, {{2, {}, 0}, {{0, 2}, {0, 1, 3}}}});
  CHECK(collective.label(ChunkId(0)) == "0->1");
  CHECK(collective.label(ChunkId(1)) == "2->*");
  CHECK(collective.notation() ==
        R"(custom:{"chunks":[{"origin":0,"target":1,"part":0,"held_by":[0],"wanted_by":[1,2]},)"
        R"({"origin":2,"target":"*","part":0,"held_by":[0,2],"wanted_by":[0,1,3]}]})");
}

TEST_CASE("the largest message has the parts of its collective, or the most chunks of one origin and target") {
  CHECK(parse_collective({"", "allgather:parts=2"}, 0, 3)->message_parts() == 2);
  CHECK(parse_collective({"", "reduce_scatter:parts=4"}, 0, 3)->message_parts() == 4);
  using Name = ChunkName;
  const auto parts = [](std::vector<CustomChunk> chunks) {
    return collective_of_chunks(std::move(chunks), 3)->message_parts();
  };
  CHECK(parts({}) == 1);
  CHECK(parts({{Name{0, 1, 0}, {0}, {1}}, {Name{0, 2, 0}, {0}, {2}}, {Name{1, 2, 0}, {1}, {2}}}) == 1);
  CHECK(parts({{Name{0, 1, 0}, {0}, {1}},
               {Name{2, 1, 7}, {2}, {1}},
               {Name{0, 2, 5}, {0}, {2}},
               {Name{0, 2, 3}, {0}, {2}}}) == 2);
  // An all-gather of two chunks each, whatever their names are.
  std::vector<CustomChunk> all;
  for (std::uint32_t p = 0; p < 3; ++p) {
    all.push_back({Name{p, std::nullopt, 0}, {p}, {0, 1, 2}});
    all.push_back({Name{p, p, 9}, {p}, {0, 1, 2}});
  }
  CHECK(parts(std::move(all)) == 2);
}

TEST_CASE("labels name the part where there are several") {
  CHECK(made({CollectiveKind::total_exchange, 0, 1, {}, {}}, 8).label(ChunkId(3 * 8 + 5)) == "3->5");
  CHECK(made({CollectiveKind::total_exchange, 0, 2, {}, {}}, 8).label(ChunkId((3 * 8 + 5) * 2 + 1)) == "3->5 part 1");
  CHECK(made({CollectiveKind::allgather, 0, 1, {}, {}}, 8).label(ChunkId(3)) == "3->*");
}

TEST_CASE("what a send carries when the schedule does not say") {
  const auto usual = [](const char* notation, std::uint32_t source, std::optional<std::uint32_t> target) {
    const auto collective = parse_collective({"it", notation}, 0, 8);
    REQUIRE(collective.ok());
    const auto chunk = collective->default_chunk(source, target, 0);
    return chunk ? collective->label(*chunk) : "nothing";
  };
  CHECK(usual("total_exchange", 1, 2) == "1->2");
  CHECK(usual("total_exchange", 1, {}) == "nothing");
  CHECK(usual("reduce:root=0", 3, 2) == "3->2");
  CHECK(usual("scatter:root=1", 1, 2) == "1->2");
  CHECK(usual("scatter:root=1", 3, 2) == "nothing");
  CHECK(usual("gather:root=1", 3, 2) == "3->1");
  CHECK(usual("broadcast:root=1", 3, 2) == "1->*");
  CHECK(usual("allgather", 3, {}) == "3->*");
}

TEST_CASE("reversing twice gives the same collective, and the same packet where the reversed one has a name") {
  for (const auto& name : collective_names()) {
    const auto kind = *collective_kind(name);
    if (const auto dual = Collective::dual(kind)) CHECK(Collective::dual(*dual) == kind);
  }
  const auto scatter = made({CollectiveKind::scatter, 2, 2, {}, {}}, 4);
  const auto gather = made({CollectiveKind::gather, 2, 2, {}, {}}, 4);
  const auto there = scatter.dual_chunk(*scatter.chunk({2, 3, 1}), NodeId(2), NodeId(1), gather);
  REQUIRE(there);
  CHECK(gather.name(*there) == ChunkName{3, 2, 1});
  CHECK(gather.dual_chunk(*there, NodeId(1), NodeId(2), scatter) == scatter.chunk({2, 3, 1}));
  const auto exchange = made({CollectiveKind::total_exchange, 0, 2, {}, {}}, 4);
  CHECK(exchange.dual_chunk(*exchange.chunk({1, 3, 1}), NodeId(1), NodeId(3), exchange) == exchange.chunk({3, 1, 1}));
  const auto allgather = made({CollectiveKind::allgather, 0, 2, {}, {}}, 4);
  const auto reduce_scatter = made({CollectiveKind::reduce_scatter, 0, 2, {}, {}}, 4);
  const ChunkId part = *allgather.chunk({2, std::nullopt, 1});
  CHECK(allgather.dual_value(part) == 5);
  CHECK(allgather.dual_chunk(part, NodeId(0), NodeId(3), reduce_scatter) == reduce_scatter.chunk({3, 0, 5}));
  CHECK_FALSE(reduce_scatter.dual_chunk(ChunkId(0), NodeId(3), NodeId(0), allgather));
}

TEST_CASE("the largest total exchanges have their ids; larger ones are refused") {
  const auto collective = made({CollectiveKind::total_exchange, 0, 1024, {}, {}}, 1U << 26);
  CHECK(collective.chunk_ids() == std::uint64_t{1} << 62);
  const ChunkName last{(1U << 26) - 1, (1U << 26) - 2, 1023};
  CHECK(collective.name(*collective.chunk(last)) == last);
  CHECK(collective.has(*collective.chunk(last)));
  CHECK_FALSE(collective.has(ChunkId(collective.chunk_ids() - 1)));
  CHECK_FALSE(Collective::make({CollectiveKind::total_exchange, 0, 1025, {}, {}}, 1U << 26).ok());
  CHECK_FALSE(Collective::make({CollectiveKind::reduce_scatter, 0, 1, {}, {}}, 1U << 26).ok());
  CHECK_FALSE(Collective::make({CollectiveKind::reduce_scatter, 0, 0xffffffff, {}, {}}, 2).ok());
}

TEST_CASE("many ids are judged at once as they are one by one") {
  CHECK(rc::check([] {
    const auto kind = *rc::gen::element(CollectiveKind::total_exchange, CollectiveKind::scatter,
                                        CollectiveKind::allreduce, CollectiveKind::allgather);
    const auto n = *rc::gen::inRange<std::uint32_t>(2, 70000);
    const auto parts = *rc::gen::inRange<std::uint32_t>(1, 5);
    const auto collective = made({kind, 0, parts, {}, {}}, n);
    std::vector<ChunkId> chunks;
    for (int i = 0; i < 50; ++i) {
      const auto origin = *rc::gen::inRange<std::uint64_t>(0, n);
      const auto near = *rc::gen::inRange<std::uint64_t>(0, 3) * parts;
      chunks.emplace_back((origin * (n + 1) + 1) * parts - *rc::gen::inRange<std::uint64_t>(0, parts + 1) + near);
    }
    const auto first = std::find_if(chunks.begin(), chunks.end(), [&](ChunkId id) { return !collective.has(id); });
    RC_ASSERT(collective.first_unknown(chunks) == static_cast<std::size_t>(first - chunks.begin()));
  }));
}

TEST_CASE("what is written is read again") {
  CHECK(rc::check([] {
    const auto names = collective_names();
    const auto kind = *collective_kind(*rc::gen::elementOf(names));
    const auto n = *rc::gen::inRange<std::uint32_t>(1, 20);
    CollectiveDescription it{kind, 0, 1, {}, {}};
    const auto processors = rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, n)));
    if (rooted(kind)) it.root = *rc::gen::inRange(0U, n);
    if (kind != CollectiveKind::custom && kind != CollectiveKind::barrier) it.parts = *rc::gen::inRange(1U, 9U);
    if (kind == CollectiveKind::reduce || kind == CollectiveKind::allreduce)
      it.operation = *rc::gen::element(Operation::commutative, Operation::ordered, Operation::idempotent);
    if (kind == CollectiveKind::custom) {
      const auto count = *rc::gen::inRange(0U, 5U);
      for (std::uint32_t part = 0; part < count; ++part) {
        ChunkName name{*rc::gen::inRange(0U, n), std::nullopt, part};
        if (*rc::gen::arbitrary<bool>()) name.target = *rc::gen::inRange(0U, n);
        it.chunks.push_back({name, *processors, *processors});
      }
    }
    const auto collective = Collective::make(it, n);
    RC_ASSERT(collective.ok());
    const auto again = parse_collective({"it", collective->notation()}, 0, n);
    RC_ASSERT(again.ok());
    RC_ASSERT(again->notation() == collective->notation());
    RC_ASSERT(again->demands() == collective->demands());
    RC_ASSERT(again->description().root == it.root);
    RC_ASSERT(again->description().parts == it.parts);
    RC_ASSERT(again->operation() == collective->operation());
  }));
}

TEST_CASE("notations: defaults are left out, other traditions' names are understood") {
  const auto again = [](const char* notation) {
    const auto result = parse_collective({"it", notation}, 0, 8);
    REQUIRE(result.ok());
    return result->notation();
  };
  CHECK(again("alltoall") == "total_exchange");
  CHECK(again("all_to_all:parts=1") == "total_exchange");
  CHECK(again("multinode_broadcast:parts=2") == "allgather:parts=2");
  CHECK(again("all_gather") == "allgather");
  CHECK(again("scan") == "prefix");
  CHECK(again("prefix:ordered") == "prefix");
  CHECK(again("prefix:idempotent") == "prefix:idempotent");
  CHECK(again("allreduce:idempotent,parts=2") == "allreduce:parts=2,idempotent");
  CHECK(again("barrier") == "barrier");
  CHECK(again("all_reduce:ordered") == "allreduce:ordered");
  CHECK(again("allreduce:operation=ordered") == "allreduce:ordered");
  CHECK(again("reduce: root=1, operation = idempotent") == "reduce:root=1,idempotent");
  CHECK(again("allreduce:operation=commutative") == "allreduce");
  CHECK(again("allreduce:commutative") == "allreduce");
  CHECK(again("product") == "reduce:root=0");
  CHECK(again(" scatter : parts=2 , root = 3 ") == "scatter:root=3,parts=2");
  CHECK(again(R"(custom:{"chunks":[{"origin":2,"target":3}]})") ==
        R"(custom:{"chunks":[{"origin":2,"target":3,"part":0,"held_by":[2],"wanted_by":[3]}]})");
}

TEST_CASE("mistakes in a notation are named, with the nearest word") {
  CHECK(mistake("totl_exchange") == "unknown collective `totl_exchange`; did you mean `total_exchange`?");
  CHECK(mistake("total_exchange:rot=1") == "total_exchange has no argument `rot`; expected parts");
  CHECK(mistake("scatter:rot=1") == "scatter has no argument `rot`; did you mean `root`?");
  CHECK(mistake("scatter:root=8") == "root 8: the processors are 0 to 7");
  CHECK(mistake("scatter:root=x") == "`x` is not a number below 2^32");
  CHECK(mistake("scatter:root=4294967296") == "`4294967296` is not a number below 2^32");
  CHECK(mistake("scatter:root") == "`root` needs a value: root=…");
  CHECK(mistake("scatter:root=1,root=2") == "`root` is given twice");
  CHECK(mistake("broadcast:parts=0") == "broadcast in 0 parts: at least 1 is needed");
  CHECK(mistake("broadcast:ordered") == "broadcast combines nothing, so it cannot be ordered");
  CHECK(mistake("reduce:ordered=1") == "`ordered` takes no value");
  CHECK(mistake(R"(custom:{"chunks":[{"origin":3E0487}]})") == "a number of the custom collective is too large");
  CHECK(mistake("reduce:operation=sum") == "`sum`; expected commutative, ordered or idempotent");
  CHECK(mistake("reduce:operation=ordered,idempotent") == "the operation is either ordered or idempotent");
  CHECK(mistake("broadcast:operation=ordered") == "broadcast has no argument `operation`; expected parts, root");
  CHECK(mistake("reduce:ordered,idempotent") == "the operation is either ordered or idempotent");
  CHECK(mistake("gather:idempotent") == "gather combines nothing, so it cannot be idempotent");
  CHECK(mistake("barrier:ordered") == "barrier has no argument `ordered`: it takes none");
  CHECK(mistake("allreduce:root=0") ==
        "allreduce has no argument `root`; expected parts, operation, ordered, idempotent, commutative");
  CHECK(mistake("custom") == "a custom collective lists its chunks: custom:{\"chunks\":[…]}");
  CHECK(mistake("custom:[]") == "a custom collective is written {\"chunks\":[…]}");
  CHECK(mistake("custom:{\"chunks\":[}") == "the custom collective is not correct JSON here");
  CHECK(mistake(R"(custom:{"chunks":[{"origin":1,"helt_by":[]}]})") ==
        "chunk number 1 of the list: unknown key \"helt_by\"; did you mean `held_by`?");
  CHECK(mistake(R"(custom:{"chunks":[{"origin":1,"held_by":[9]}]})") ==
        "chunk 1->* names processor 9: the processors are 0 to 7");
  CHECK(mistake(R"(custom:{"chunks":[{"origin":1,"held_by":[]}]})") == "chunk 1->* is held by nobody");
  CHECK(mistake(R"(custom:{"chunks":[{"origin":1},{"origin":1}]})") == "chunk 1->* part 0 is listed twice");
}

TEST_CASE("a mistake's place is the word concerned") {
  const auto result = parse_collective({"it", "scatter:rot=1"}, 4, 8);
  REQUIRE(!result.ok());
  CHECK(result.diagnostics().front().span == Span{4, 8, 11});
  const auto json = parse_collective({"it", "custom:{\"chunks\":[}"}, 0, 8);
  REQUIRE(!json.ok());
  CHECK(json.diagnostics().front().span == Span{0, 18, 19});
}

// --- linked families ------------------------------------------------------------------------------------------------

namespace {

// Closed forms that contradict each other: there is a demand, and nobody asks for it. The checker would accept any
// table.
class Contradictory final : public CollectiveFamily {
 public:
  Contradictory() : CollectiveFamily({.name = "contradictory", .summary = "", .example = "", .listed = true}) {}
  std::optional<std::uint64_t> ids(const CollectiveDescription&, std::uint64_t) const override { return 1; }
  void number(CollectiveNumbers& it) const override { it.demands = 0; }
  std::optional<ChunkId> chunk(const CollectiveNumbers&, const ChunkName&) const override { return ChunkId(0); }
  ChunkName name(const CollectiveNumbers&, ChunkId) const override { return {0, 1, 0}; }
  bool starts_at(const CollectiveNumbers&, std::uint64_t, std::uint64_t) const override { return true; }
  std::optional<std::uint64_t> demand(const CollectiveNumbers&, std::uint64_t, std::uint64_t) const override {
    return std::nullopt;
  }
  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers&, std::uint64_t) const override {
    return {ChunkId(0), NodeId(1)};
  }
};

// A list that says of itself what no list can answer for.
class Boasting final : public ListedCollective {
 public:
  Boasting()
      : ListedCollective({.name = "boasting",
                          .summary = "",
                          .example = "",
                          .combining = true,
                          .always_ordered = true,
                          .demand = DemandShape{}}) {}
  std::vector<CustomChunk> chunks(const CollectiveDescription&, std::uint32_t) const override {
    return {{{0, 1, 0}, {0}, {1}}};
  }
};

}  // namespace

TEST_CASE("a linked collective with closed forms of its own is refused, whatever it says of itself") {
  const Contradictory family;
  const auto made_of_it = Collective::make({.kind = CollectiveKind(family), .chunks = {}}, 2);
  REQUIRE_FALSE(made_of_it.ok());
  CHECK(made_of_it.diagnostics().front().message == "the family contradictory does not list its chunks");
}

TEST_CASE("a linked list is a copying collective with no more symmetry than its chunks have") {
  const Boasting family;
  const Collective it = made({.kind = CollectiveKind(family), .chunks = {}}, 3);
  CHECK(it.listed());
  CHECK_FALSE(it.combining());
  CHECK_FALSE(it.ordered());
  CHECK_FALSE(it.symmetric());
  CHECK(it.demands() == 1);
  CHECK(it.demand(ChunkId(0), NodeId(1)) == 0U);
  CHECK(it.demand_at(0) == std::pair(ChunkId(0), NodeId(1)));
}
