// Bounds that say what they cost: the judge, who knows nothing of how they came about, accepts their prices.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/reference/random_tables.h"
#include "verifier/bounds.h"
#include "verifier/certificate.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

std::string certificate_text(const Fabric& fabric, const Collective& collective, std::uint32_t steps,
                             const std::vector<PriceList>& lists) {
  std::string text = "quadrille certificate 1\nfabric " + fabric.notation() + "\ncollective " + collective.notation() +
                     "\nsteps " + std::to_string(steps) + "\ninject many\nevidence prices\n";
  for (const PriceList& list : lists) {
    text += "price " + list.resource + " " + std::to_string(list.first) + ":";
    for (const std::uint64_t price : list.prices) text += " " + std::to_string(price);
    text += "\n";
  }
  return text;
}

// What the judge says of the claim that so many steps are too few, shown by these prices.
Judgement judged(const Fabric& fabric, const Collective& collective, std::uint32_t steps,
                 const std::vector<PriceList>& lists) {
  const std::string text = certificate_text(fabric, collective, steps, lists);
  CAPTURE(text);
  const Result<Certificate> certificate = read_certificate({"certificate.txt", text}, 0);
  for (const Diagnostic& diagnostic : certificate.diagnostics()) INFO(diagnostic.message);
  REQUIRE(certificate.ok());
  return judge(*certificate, {});
}

struct Counts {
  std::map<std::string, int> accepted;  // by the bound's name
  int attained = 0;
};

// Every bound's prices show that one step less is too few, and fewer still.
void require_accepted(const Fabric& fabric, const Collective& collective, Counts& counts) {
  CAPTURE(fabric.notation());
  CAPTURE(collective.notation());
  for (const Bound& bound : lower_bounds(fabric, collective)) {
    if (!bound.prices || bound.steps == 0) continue;
    CAPTURE(bound.name);
    CAPTURE(bound.reason);
    const auto most = static_cast<std::uint32_t>(bound.impossible ? 100 : bound.steps - 1);
    for (const std::uint32_t steps : {most, most / 2, std::uint32_t{0}}) {
      CAPTURE(steps);
      const Judgement judgement = judged(fabric, collective, steps, bound.prices(steps));
      CAPTURE(judgement.reason);
      CHECK(judgement.ruling == Ruling::accepted);
      if (judgement.ruling == Ruling::accepted) ++counts.accepted[bound.name];
    }
  }
}

// Where there is a schedule, no bound's prices show that there is none.
void require_refused(const Fabric& fabric, const Collective& collective, Counts& counts) {
  CAPTURE(fabric.notation());
  CAPTURE(collective.notation());
  int looks = 0;
  SearchOptions options;
  options.cancelled = [&looks] { return ++looks > 40; };
  const SearchResult result = search(fabric, collective, {}, options);
  if (!result.table) return;
  ++counts.attained;
  for (const Bound& bound : result.bounds) {
    CAPTURE(bound.reason);
    REQUIRE(bound.steps <= result.steps);
    if (!bound.prices || result.steps == 0) continue;
    REQUIRE(judged(fabric, collective, result.steps, bound.prices(result.steps)).ruling == Ruling::rejected);
  }
}

TEST_CASE("the judge accepts the prices of every bound") {
  Counts counts;
  for (
      const std::string shape :
      {"line:4", "ring:5", "mesh:2x3", "torus:3x4", "hypercube:3", "complete:4,capacity=2", "star:5",
       "fat_tree:levels=2,capacity=1,3", "fat_tree:levels=3,capacity=exponential", "fat_tree:levels=2,arity=3",
       R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1],[1,2,1],[2,1,1]]})",
       R"(graph:{"processors":4,"switches":[],"channels":[[0,1,2],[1,0,1],[2,3,1],[3,2,1]]})"}) {
    for (const std::string rules : {"", ",duplex=half", ",ports=single", ",duplex=half,ports=single", ",queue=none"}) {
      const Fabric fabric = parse_fabric({"", shape + rules}, 0).value();
      for (const std::string name :
           {"broadcast:root=1", "scatter:parts=2", "gather", "allgather", "total_exchange:parts=2", "reduce:root=1",
            "reduce_scatter", "allreduce:parts=2", "prefix"}) {
        require_accepted(fabric, parse_collective({"", name}, 0, fabric.processors()).value(), counts);
      }
    }
  }
  for (const auto& [name, number] : counts.accepted) MESSAGE(name, ": ", number, " accepted");
  CHECK(counts.accepted.size() >= 7);
}

TEST_CASE("so it does on random fabrics, and refuses them where there is a schedule") {
  Counts counts;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 400; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    require_accepted(fabric, collective, counts);
    if (!cannot_search(fabric, collective, {})) require_refused(fabric, collective, counts);
  }
  MESSAGE(counts.attained, " with a schedule, from seed ", first);
  CHECK(counts.attained > 80);
}

}  // namespace
}  // namespace quadrille::tests
