// Links that go one way: what is reached, how soon, over how much, and what cannot be turned round.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "model/topology.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/hand_tables.h"
#include "tests/verifier/price_certificate.h"
#include "tests/verifier/solve_formula.h"
#include "verifier/bounds.h"
#include "verifier/certificate/formulas/formula.h"
#include "verifier/check.h"
#include "verifier/search.h"
#include "verifier/search/problem/symmetry.h"

namespace quadrille::tests {
namespace {

const std::string directed_ring = R"(graph:{"processors":4,"channels":[[0,1],[1,2],[2,3],[3,0]]})";
const std::string shared_bus =
    R"(graph:{"processors":4,"switches":["in","out"],"channels":[[0,"in"],[1,"in"],[2,"in"],[3,"in"],["in","out"],)"
    R"(["out",0],["out",1],["out",2],["out",3]]})";
const std::string dead_end = R"(graph:{"processors":3,"channels":[[0,1],[1,0],[1,2]]})";

Fabric one_way_fabric(const std::string& notation) { return parse_fabric({"", notation}, 0).value(); }

Collective one_way_collective(const std::string& notation, const Fabric& fabric) {
  return parse_collective({"", notation}, 0, fabric.processors()).value();
}

CertificateReport judged_prices(const Fabric& fabric, const Collective& collective, std::uint32_t steps,
                                const std::vector<PriceList>& lists) {
  const std::string text = tests::price_certificate(fabric, collective, steps, lists);
  CAPTURE(text);
  const Result<Certificate> certificate = read_certificate({"certificate.txt", text}, 0);
  REQUIRE(certificate.ok());
  return judge(*certificate, {});
}

Certificate one_way_question(const Fabric& fabric, const Collective& collective, std::uint32_t steps,
                             ProofFile::About about) {
  return {fabric, collective, steps, false, false, std::nullopt, ProofFile{"proof", std::nullopt, about}};
}

// What the judge says of the evidence that the search has found; and that it refuses it for one step more.
void require_evidence(const Fabric& fabric, const Collective& collective, const Impossibility& found) {
  CAPTURE(found.reason);
  if (found.prices) {
    CHECK(judged_prices(fabric, collective, found.steps, *found.prices).verdict == CertificateVerdict::accepted);
    return;
  }
  REQUIRE_FALSE(found.proof.empty());
  const auto about = found.about == FormulaKind::copies               ? ProofFile::About::copies
                     : found.about == FormulaKind::partial_reductions ? ProofFile::About::partial_reductions
                                                                      : ProofFile::About::time_reversed;
  const Certificate asked = one_way_question(fabric, collective, found.steps, about);
  CHECK(judge_proof(asked, found.proof).verdict == CertificateVerdict::accepted);
  Certificate more = asked;
  ++more.steps;
  CHECK(judge_proof(more, found.proof).verdict == CertificateVerdict::rejected);
}

void require_optimum(const std::string& on, const std::string& what, std::uint32_t steps) {
  CAPTURE(on);
  CAPTURE(what);
  const Fabric fabric = one_way_fabric(on);
  const Collective collective = one_way_collective(what, fabric);
  CHECK(lower_bounds(fabric, collective).front().steps.value() <= steps);
  const SearchResult result = search(fabric, collective, {}, {.evidence = true});
  REQUIRE(result.table);
  CHECK(check(*result.table).verdict == Verdict::holds);
  CHECK(result.steps == steps);
  REQUIRE(result.verdict == SearchVerdict::optimal);
  REQUIRE(result.impossibility);
  CHECK(result.impossibility->steps == steps - 1);
  require_evidence(fabric, collective, *result.impossibility);
}

}  // namespace

TEST_CASE("least numbers of steps where links go one way") {
  for (const std::string rules : {"", ",duplex=half", ",ports=single"}) {
    for (const std::string what : {"allgather", "broadcast", "broadcast:root=2", "scatter", "gather:root=3", "reduce",
                                   "reduce:root=2,ordered", "reduce_scatter", "allreduce", "prefix"}) {
      require_optimum(directed_ring + rules, what, 3);  // once round, to the processor before one's own
    }
    require_optimum(directed_ring + rules, "total_exchange", 6);  // 1 + 2 + 3 hops from each, a hop a step
  }
  require_optimum(shared_bus, "broadcast", 3);
  require_optimum(shared_bus, "allgather", 6);        // 4 chunks cross the bus, a hop before and after it
  require_optimum(shared_bus, "scatter", 5);          // 3 chunks
  require_optimum(shared_bus, "total_exchange", 14);  // 12 chunks
  require_optimum(dead_end, "broadcast", 2);
  require_optimum(dead_end, "gather:root=2", 2);
  require_optimum(dead_end, "reduce:root=2", 2);
}

// In single-port half duplex a processor of the ring sends or receives: at most two of the four channels are in use.
TEST_CASE("a half-duplex port is shared by the links into and out of its processor") {
  const Fabric fabric = one_way_fabric(directed_ring + ",duplex=half,ports=single");
  require_optimum(fabric.notation(), "allgather", 6);
  require_optimum(fabric.notation(), "total_exchange", 12);
}

TEST_CASE("what cannot be reached is impossible, and nothing else") {
  const auto impossible = [](const std::string& on, const std::string& what) {
    CAPTURE(on);
    CAPTURE(what);
    const Fabric fabric = one_way_fabric(on);
    const Collective collective = one_way_collective(what, fabric);
    const std::vector<Bound> bounds = lower_bounds(fabric, collective);
    const SearchResult result = search(fabric, collective, {}, {.evidence = true});
    CHECK(bounds.front().impossible() == (result.verdict == SearchVerdict::impossible));
    if (!bounds.front().impossible()) return false;
    REQUIRE(bounds.front().prices);
    CHECK(judged_prices(fabric, collective, 50, bounds.front().prices(50)).verdict == CertificateVerdict::accepted);
    return true;
  };
  for (const std::string what :
       {"broadcast:root=2", "scatter:root=2", "gather", "gather:root=1", "reduce", "allgather", "total_exchange",
        "reduce_scatter", "allreduce", R"(custom:{"chunks":[{"origin":0,"held_by":[2],"wanted_by":[0]}]})"}) {
    CHECK(impossible(dead_end, what));
  }
  for (const std::string what : {"broadcast", "scatter:root=1", "gather:root=2", "reduce:root=2", "prefix",
                                 R"(custom:{"chunks":[{"origin":0,"held_by":[0,2],"wanted_by":[1]}]})"}) {
    CHECK_FALSE(impossible(dead_end, what));
  }
  const std::string downwards = R"(graph:{"processors":3,"channels":[[1,0],[2,1]]})";
  CHECK(impossible(downwards, "prefix"));
  CHECK_FALSE(impossible(downwards, "reduce"));
}

TEST_CASE("distances have a direction") {
  const Fabric fabric = one_way_fabric(directed_ring);
  const auto distance = [&](const std::string& what) {
    const std::vector<Bound> bounds = lower_bounds(fabric, one_way_collective(what, fabric));
    const auto it =
        std::find_if(bounds.begin(), bounds.end(), [](const Bound& b) { return b.kind == BoundKind::distance; });
    return it == bounds.end() ? 0 : it->steps.value();
  };
  CHECK(distance(R"(custom:{"chunks":[{"origin":0,"held_by":[0],"wanted_by":[1]}]})") == 1);
  CHECK(distance(R"(custom:{"chunks":[{"origin":0,"held_by":[1],"wanted_by":[0]}]})") == 3);
  CHECK(distance("prefix") == 3);
  const Fabric line = one_way_fabric(R"(graph:{"processors":4,"channels":[[0,1],[1,2],[2,3],[3,0],[1,0],[2,0]]})");
  CHECK(lower_bounds(line, one_way_collective("gather", line)).front().steps == 1);
  CHECK(lower_bounds(line, one_way_collective("scatter", line)).front().steps == 3);
}

// --- cuts -----------------------------------------------------------------------------------------------------------

namespace {

// Processors 0 and 1 on the left, 2 and 3 on the right, all of a side linked; between them 1->2 and 2->1, of these
// capacities.
class Strait final : public Topology {
 public:
  Strait(std::uint32_t eastwards, std::uint32_t westwards) : capacities_{eastwards, westwards} {}
  std::string_view family() const override { return "strait"; }
  std::vector<TopologyArgument> arguments() const override { return {{"capacity", capacities_}}; }
  Result<Wiring> wiring(Span) const override {
    Wiring wiring{4, 4, {}, {}, {}};
    const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint32_t capacity) {
      if (capacity > 0) wiring.channels.push_back({NodeId(from), NodeId(to), capacity});
    };
    add(0, 1, 9);
    add(1, 0, 9);
    add(1, 2, capacities_[0]);
    add(2, 1, capacities_[1]);
    add(2, 3, 9);
    add(3, 2, 9);
    return wiring;
  }
  std::vector<CutFamily> cuts(const Fabric& fabric) const override {
    Cut cut{{true, true, false, false}, 0, "the left"};
    if (const auto out = fabric.channel_between(NodeId(1), NodeId(2))) cut.out.push_back(*out);
    if (const auto in = fabric.channel_between(NodeId(2), NodeId(1))) cut.in.push_back(*in);
    return {{1, [cut](std::uint64_t) { return cut; }, [](std::uint32_t) { return std::uint64_t{0}; }}};
  }

 private:
  std::vector<std::uint32_t> capacities_;
};

std::uint64_t cut_steps(const Fabric& fabric, const std::string& what) {
  for (const Bound& bound : lower_bounds(fabric, one_way_collective(what, fabric))) {
    if (bound.kind == BoundKind::cut) return bound.steps.value();
  }
  return 0;
}

}  // namespace

TEST_CASE("a cut carries each way what leads that way") {
  const Fabric fabric = Fabric::make(Strait(6, 1), {}).value();
  CHECK(cut_steps(fabric, "scatter:parts=3") == 1);  // 6 packets outwards, 6 a step
  CHECK(cut_steps(fabric, "gather:parts=3") == 6);   // 6 packets inwards, 1 a step
  CHECK(cut_steps(fabric, "scatter:root=3,parts=3") == 6);
  CHECK(cut_steps(fabric, "allgather") == 2);
  CHECK(cut_steps(fabric, "total_exchange") == 4);
  CHECK(cut_steps(fabric, "allreduce:parts=2") == 2);
  const Fabric one_way = Fabric::make(Strait(2, 0), {}).value();
  CHECK(cut_steps(one_way, "scatter:parts=3") == 3);
  CHECK(cut_steps(one_way, "gather:root=3,parts=3") == 3);
  CHECK(lower_bounds(one_way, one_way_collective("gather", one_way)).front().impossible());
  // In half duplex both ways share what the channel of the lower number carries.
  const Fabric half = Fabric::make(Strait(2, 1), {.duplex = Duplex::half}).value();
  CHECK(cut_steps(half, "allgather") == 2);
  CHECK(cut_steps(half, "total_exchange:parts=2") == 8);
  CHECK(cut_steps(Fabric::make(Strait(2, 0), {.duplex = Duplex::half}).value(), "scatter:parts=3") == 3);
}

// --- rules ----------------------------------------------------------------------------------------------------------

TEST_CASE("in half duplex a link that goes one way has its lanes to itself") {
  const std::string text = R"(graph:{"processors":3,"channels":[[0,1,2],[1,2,1],[2,1,1]]},duplex=half)";
  const Fabric fabric = one_way_fabric(text);
  const Collective two = one_way_collective(R"(custom:{"chunks":[{"origin":0,"part":0,"held_by":[0],"wanted_by":[1]},)"
                                            R"({"origin":0,"part":1,"held_by":[0],"wanted_by":[1]}]})",
                                            fabric);
  const ChunkName first{0, std::nullopt, 0};
  const ChunkName second{0, std::nullopt, 1};
  const SendTable both = table_of(fabric, two, {{1, "0", "1", first, 0}, {1, "0", "1", second, 1}});
  CHECK(check(both).verdict == Verdict::holds);
  // Beyond its capacity, it is a violation of the channel alone.
  const SendTable thrice =
      table_of(fabric, two, {{1, "0", "1", first, 0}, {1, "0", "1", second, 1}, {1, "0", "1", second, 1}});
  CHECK(check(thrice).of(Property::capacity).violations == 1);
  const SearchResult result = search(fabric, two, {}, {});
  CHECK(result.verdict == SearchVerdict::optimal);
  CHECK(result.steps == 1);
}

TEST_CASE("the link of a channel that goes one way can be priced, by its own name") {
  const Fabric fabric = one_way_fabric(R"(graph:{"processors":2,"channels":[[1,0,2]]},duplex=half)");
  const Collective reduce = one_way_collective("gather:parts=5", fabric);
  CHECK(judged_prices(fabric, reduce, 2, {{"link 1->0", 1, {1, 1}}}).verdict == CertificateVerdict::accepted);
  CHECK(judged_prices(fabric, reduce, 3, {{"link 1->0", 1, {1, 1, 1}}}).verdict == CertificateVerdict::rejected);
}

TEST_CASE("a reduction is a time-reversed broadcast only where all links go both ways") {
  const Fabric fabric = one_way_fabric(dead_end);
  const Collective reduce = one_way_collective("reduce:root=2", fabric);
  CHECK(certificate::why_no_formula(fabric, reduce, ProofFile::About::time_reversed) ==
        "the link 1->2 goes one way only");
  // There is no broadcast from 2, but there is a reduction to 2.
  const Collective broadcast = one_way_collective("broadcast:root=2", fabric);
  const std::string proof = solve(one_way_question(fabric, broadcast, 2, ProofFile::About::copies)).proof;
  const Certificate claim = one_way_question(fabric, reduce, 2, ProofFile::About::time_reversed);
  CHECK(judge_proof(claim, proof).verdict == CertificateVerdict::rejected);
  CHECK(solve(one_way_question(fabric, reduce, 2, ProofFile::About::partial_reductions)).solvable);
}

TEST_CASE("automorphisms keep the direction of links") {
  const Fabric fabric = one_way_fabric(directed_ring);
  CHECK(searching::is_automorphism(fabric, {1, 2, 3, 0}));
  CHECK_FALSE(searching::is_automorphism(fabric, {3, 2, 1, 0}));
  std::size_t most = 0;
  for (const auto& group : searching::groups_of(fabric, one_way_collective("allgather", fabric))) {
    most = std::max(most, group.elements.size());
    for (const auto& element : group.elements) CHECK(searching::is_automorphism(fabric, element));
  }
  CHECK(most == 4);  // the rotations, and no reflection
}

// --- random ---------------------------------------------------------------------------------------------------------

namespace {

// reached[u][v]: some way leads from u to v, by closing the channels under transitivity.
std::vector<std::vector<bool>> reached(const Fabric& fabric) {
  std::vector<std::vector<bool>> all(fabric.nodes(), std::vector<bool>(fabric.nodes()));
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) all[v][v] = true;
  for (const Channel& channel : fabric.all_channels()) all[channel.from.value][channel.to.value] = true;
  for (std::uint32_t w = 0; w < fabric.nodes(); ++w) {
    for (std::uint32_t u = 0; u < fabric.nodes(); ++u) {
      for (std::uint32_t v = 0; v < fabric.nodes() && all[u][w]; ++v) all[u][v] = all[u][v] || all[w][v];
    }
  }
  return all;
}

bool all_can_be_met(const Fabric& fabric, const Collective& collective) {
  const auto ways = reached(fabric);
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, to] = collective.demand_at(number);
    bool some = false;
    bool every = true;
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
      if (collective.combining()) {
        const auto word = collective.wanted_contributions(static_cast<std::uint32_t>(chunk.value), to);
        every = every && (p < word->first || p > word->second || ways[p][to.value]);
      } else {
        some = some || (collective.starts_at(chunk, NodeId{p}) && ways[p][to.value]);
      }
    }
    if (collective.combining() ? !every : !some) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("bounds say impossible exactly where there is no way") {
  int impossible = 0;
  int possible = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (brief ? 300 : 2000); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (!fabric.has_one_way_links()) continue;
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    const bool can = all_can_be_met(fabric, collective);
    CHECK(lower_bounds(fabric, collective).front().impossible() == !can);
    ++(can ? possible : impossible);
  }
  MESSAGE(possible, " possible, ", impossible, " impossible, from seed ", first);
  CHECK(possible > 10);
  CHECK(impossible > (brief ? 1 : 5));
}

}  // namespace quadrille::tests
