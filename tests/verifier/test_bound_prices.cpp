// Bounds that say what they cost: the judge, who knows nothing of how they came about, accepts their prices.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
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

constexpr std::uint64_t most_rows = 20000;

struct Counts {
  std::map<std::string, int> accepted;  // by the bound's name
  int attained = 0;
};

// All bounds, those of linear programs among them.
std::vector<Bound> all_bounds(const Fabric& fabric, const Collective& collective) {
  std::vector<Bound> bounds = lower_bounds(fabric, collective);
  if (bounds.front().impossible) return bounds;
  if (auto flow = flow_bound(fabric, collective, bounds.front().steps, most_rows)) bounds.push_back(std::move(*flow));
  return bounds;
}

// Where every packet has one source and one target (custom ones may have more), linear programs show all that other
// prices show.
void require_no_less(const Fabric& fabric, const Collective& collective, Counts& counts) {
  if (collective.combining() || !collective.unicast() || collective.kind() == CollectiveKind::custom) return;
  const std::vector<Bound> bounds = lower_bounds(fabric, collective);
  for (const Bound& bound : bounds) {
    if (!bound.prices || bound.impossible || bound.steps < 2 || bound.name == "distance") continue;
    CAPTURE(bound.reason);
    const auto distance =
        std::find_if(bounds.begin(), bounds.end(), [](const Bound& it) { return it.name == "distance"; });
    if (distance != bounds.end() && distance->steps >= bound.steps) continue;
    CHECK(flow_bound(fabric, collective, bound.steps - 1, most_rows));
    ++counts.accepted["others, by linear programs"];
  }
}

// Every bound's prices show that one step less is too few, and fewer still.
void require_accepted(const Fabric& fabric, const Collective& collective, Counts& counts) {
  CAPTURE(fabric.notation());
  CAPTURE(collective.notation());
  for (const Bound& bound : all_bounds(fabric, collective)) {
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
  for (const Bound& bound : all_bounds(fabric, collective)) {
    CAPTURE(bound.reason);
    REQUIRE(bound.steps <= result.steps);
    if (!bound.prices || result.steps == 0) continue;
    REQUIRE(judged(fabric, collective, result.steps, bound.prices(result.steps)).ruling == Ruling::rejected);
  }
}

TEST_CASE("the judge accepts the prices of every bound") {
  Counts counts;
  std::vector<std::string> rules_tried = {"", ",duplex=half,ports=single"};
  if (!sanitized) rules_tried.insert(rules_tried.end(), {",duplex=half", ",ports=single", ",queue=none"});
  for (
      const std::string shape :
      {"line:4", "ring:5", "mesh:2x3", "torus:3x4", "hypercube:3", "complete:4,capacity=2", "star:5",
       "fat_tree:levels=2,capacity=1,3", "fat_tree:levels=3,capacity=exponential", "fat_tree:levels=2,arity=3",
       R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1],[1,2,1],[2,1,1]]})",
       R"(graph:{"processors":4,"switches":[],"channels":[[0,1,2],[1,0,1],[2,3,1],[3,2,1]]})"}) {
    for (const std::string& rules : rules_tried) {
      const Fabric fabric = parse_fabric({"", shape + rules}, 0).value();
      for (const std::string name :
           {"broadcast:root=1", "scatter:parts=2", "gather", "allgather", "total_exchange:parts=2", "reduce:root=1",
            "reduce_scatter", "allreduce:parts=2", "prefix"}) {
        const Collective collective = parse_collective({"", name}, 0, fabric.processors()).value();
        require_accepted(fabric, collective, counts);
        require_no_less(fabric, collective, counts);
      }
    }
  }
  for (const auto& [name, number] : counts.accepted) MESSAGE(name, ": ", number, " accepted");
  CHECK(counts.accepted.size() >= 8);
}

TEST_CASE("so it does on random fabrics, and refuses them where there is a schedule") {
  Counts counts;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (sanitized ? 150 : 400); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    require_accepted(fabric, collective, counts);
    require_no_less(fabric, collective, counts);
    if (!cannot_search(fabric, collective, {})) require_refused(fabric, collective, counts);
  }
  MESSAGE(counts.attained, " with a schedule, from seed ", first);
  CHECK(counts.attained > (sanitized ? 30 : 80));
}

}  // namespace
}  // namespace quadrille::tests
