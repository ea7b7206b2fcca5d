// Certificates by groups: those that the search writes are judged as they should be, forged ones are refused, and none
// is accepted where a solver finds a schedule.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "model/topologies/graph.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/solve_formula.h"
#include "verifier/certificate/formulas/formula.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

// Two pairs of processors; inside, 9 packets a step, between them one each way.
std::string two_pairs(const std::string& rules = "") {
  return R"(graph:{"processors":4,"switches":[],"channels":[[0,1,9],[1,0,9],[2,3,9],[3,2,9],[1,2,1],[2,1,1]]})" + rules;
}

// Three pairs, each on a switch, which lead to one more switch.
std::string three_pairs(const std::string& rules = "") {
  std::string channels;
  const auto link = [&](const std::string& one, std::string_view other, int lanes) {
    channels += fmt::format("{0}[{1},\"{2}\",{3}],[\"{2}\",{1},{3}]", channels.empty() ? "" : ",", one, other, lanes);
  };
  for (int p = 0; p < 6; ++p) link(fmt::format("{}", p), p < 2 ? "a" : p < 4 ? "b" : "c", 4);
  for (const std::string leaf : {R"("a")", R"("b")", R"("c")"}) link(leaf, "top", 1);
  return R"(graph:{"processors":6,"switches":["a","b","c","top"],"channels":[)" + channels + "]}" + rules;
}

const std::string pairs_in = "evidence groups in\ngroup 0 1: 2->1\ngroup 2 3: 1->2\n";
const std::string three_in = "evidence groups in\ngroup 0 1: top->a\ngroup 2 3: top->b\ngroup 4 5: top->c\n";

std::string text_of(const std::string& fabric, const std::string& collective, std::uint32_t steps,
                    const std::string& evidence) {
  return fmt::format("quadrille certificate 1\nfabric {}\ncollective {}\nsteps {}\ninject many\n{}", fabric, collective,
                     steps, evidence);
}

CertificateReport judged(const std::string& fabric, const std::string& collective, std::uint32_t steps,
                         const std::string& evidence) {
  const std::string text = text_of(fabric, collective, steps, evidence);
  const auto certificate = read_certificate({"", text}, 0);
  REQUIRE_MESSAGE(certificate, (certificate ? "" : certificate.diagnostics().front().message));
  return judge(*certificate, {});
}

// Why it is rejected; "" if it is not.
std::string rejected(const std::string& fabric, const std::string& collective, std::uint32_t steps,
                     const std::string& evidence) {
  const CertificateReport report = judged(fabric, collective, steps, evidence);
  return report.verdict == CertificateVerdict::rejected ? report.why : "";
}

std::string fault(const std::string& fabric, const std::string& evidence) {
  const std::string text = text_of(fabric, "allreduce", 1, evidence);
  const auto certificate = read_certificate({"", text}, 0);
  return certificate ? "none" : certificate.diagnostics().front().message;
}

TEST_CASE("entries into groups are counted against what their channels carry") {
  const CertificateReport report = judged(two_pairs(), "allreduce:parts=5", 4, pairs_in);
  CHECK(report.verdict == CertificateVerdict::accepted);
  CHECK(report.why ==
        "the borders of 2 groups must be crossed 10 times; in 4 steps there is room for 8, which is less");
  CHECK(report.paid == 10U);
  CHECK(report.worth == 8U);
  CHECK(judged(two_pairs(), "allreduce:idempotent,parts=5", 4, pairs_in).paid == 10U);
  CHECK(judged(two_pairs(), "allreduce:ordered,parts=5", 4, pairs_in).paid == 10U);
  CHECK(judged(two_pairs(), "reduce:parts=5", 4, pairs_in).paid == 5U);
  CHECK(judged(two_pairs(), "reduce_scatter:parts=5", 4, pairs_in).paid == 20U);
  CHECK(judged(two_pairs(), "broadcast:parts=5", 4, pairs_in).paid == 5U);
  CHECK(judged(two_pairs(), "allgather:parts=5", 4, pairs_in).paid == 20U);
  CHECK(judged(three_pairs(), "allreduce:parts=3", 3, three_in).verdict == CertificateVerdict::accepted);
  CHECK(judged(three_pairs(",switches=forward"), "allgather", 3, three_in).verdict == CertificateVerdict::accepted);
  CHECK(judged(three_pairs(), "allreduce:parts=3", 3,
               "evidence groups out\ngroup 0 1: a->top\ngroup 2 3: b->top\ngroup 4 5: c->top\n")
            .verdict == CertificateVerdict::accepted);
  CHECK(judged(three_pairs(",duplex=half"), "allreduce:parts=3", 7,
               "evidence groups both\ngroup 0 1: a->top\ngroup 2 3: b->top\ngroup 4 5: c->top\n")
            .verdict == CertificateVerdict::accepted);
}

TEST_CASE("single ports and half duplex leave less room") {
  const std::string singles = "evidence groups in\ngroup 0: 1->0\ngroup 1: 0->1 2->1\ngroup 2: 1->2\n";
  CHECK(judged("line:3,capacity=5", "allreduce", 1, singles).worth == 20U);
  CHECK(judged("line:3,capacity=5,ports=single", "allreduce", 1, singles).worth == 3U);
  CHECK(judged(two_pairs(",ports=single"), "allreduce", 1, pairs_in).worth == 2U);
  // Of a link whose directions differ, both together carry what the lower-numbered channel could.
  const std::string uneven = R"(graph:{"processors":2,"switches":[],"channels":[[0,1,2],[1,0,7]]})";
  const std::string in = "evidence groups in\ngroup 0: 1->0\ngroup 1: 0->1\n";
  CHECK(judged(uneven, "allreduce", 1, in).worth == 9U);
  CHECK(judged(uneven + ",duplex=half", "allreduce", 1, in).worth == 4U);
  const std::string both = "evidence groups both\ngroup 0: 0->1\ngroup 1: 0->1\n";
  CHECK(judged(uneven + ",duplex=half", "allreduce", 1, both).worth == 4U);
  CHECK(judged(uneven + ",duplex=half", "allreduce", 1, both).paid == 4U);
}

TEST_CASE("forged groups are refused, each with its reason") {
  const auto pairs = [](const std::string& lines, std::uint32_t steps = 4) {
    return rejected(two_pairs(), "allreduce:parts=5", steps, "evidence groups in\n" + lines);
  };
  CHECK(pairs("group 0 1: 2->1\ngroup 2 3: 1->2\n").empty());
  CHECK(pairs("group 0 1: 2->1\ngroup 2 3: 1->2\n", 5) ==
        "the borders of 2 groups must be crossed 10 times; in 5 steps there is room for 10, which is not less");
  CHECK(pairs("group 0 1: 2->1\ngroup 1 2 3: 1->2\n") == "processor 1 is named twice");
  CHECK(pairs("group 0 1 1: 2->1\ngroup 2 3: 1->2\n") == "processor 1 is named twice");
  CHECK(pairs("group 0 1: 2->1\ngroup 2: 1->2 3->2\n") == "processor 3 is in no group");
  CHECK(pairs("group 0 1: 2->1\ngroup 2 3: 1->2\ngroup :\n") == "group 3 has no processors");
  CHECK(pairs("group 0 1 2 3:\n") ==
        "the borders of 1 group must be crossed 0 times; in 4 steps there is room for 0, which is not less");
  CHECK(pairs("") == "there are no groups");
  CHECK(pairs("group 0 1: 1->2\ngroup 2 3: 1->2\n") ==
        "the channels of group 1 do not cut it off: there is another way from processor 2");
  CHECK(pairs("group 0 1: 2->1\ngroup 2 3:\n") ==
        "the channels of group 2 do not cut it off: there is another way from processor 1");
  CHECK(rejected(two_pairs(), "allreduce:parts=5", 4, "evidence groups out\ngroup 0 1: 2->1\ngroup 2 3: 1->2\n") ==
        "the channels of group 1 do not cut it off: there is another way to processor 2");
  CHECK(rejected(two_pairs(",duplex=half"), "allreduce:parts=5", 4,
                 "evidence groups both\ngroup 0 1: 1->2\ngroup 2 3: 0->1\n") ==
        "the channels of group 2 do not cut it off: there is another way from processor 1");
  CHECK(rejected(two_pairs(), "allreduce:parts=5", 4, "evidence groups both\ngroup 0 1: 1->2\ngroup 2 3: 1->2\n") ==
        "links have a capacity of their own in half duplex only");
  // A cut behind a switch that another way leads into.
  CHECK(rejected(three_pairs(), "allreduce:parts=3", 1,
                 "evidence groups in\ngroup 0: a->0\ngroup 1: top->a\ngroup 2 3: top->b\ngroup 4 5: top->c\n") ==
        "the channels of group 2 do not cut it off: there is another way from processor 0");
}

TEST_CASE("nothing is said where a row may serve several entries, or these need not be made") {
  CHECK(rejected(three_pairs(",switches=reduce"), "allreduce:parts=3", 1, three_in) ==
        "switches may join what makes several entries");
  CHECK(rejected(three_pairs(), "broadcast:parts=9", 1, three_in) == "switches may copy what makes several entries");
  CHECK(rejected(three_pairs(",switches=reduce"), "allgather", 1, three_in) ==
        "switches may copy what makes several entries");
  for (const std::string prefix : {"prefix:parts=5", "prefix:ordered,parts=5", "prefix:idempotent,parts=5"}) {
    CHECK(rejected(two_pairs(), prefix, 1, pairs_in) == "not all want the contributions of all");
  }
  CHECK(judged(two_pairs(), "exclusive_prefix:parts=5", 1, pairs_in).verdict == CertificateVerdict::unknown);
  for (const std::string own : {"scatter:parts=5", "gather:parts=5", "total_exchange:parts=5"}) {
    CHECK(rejected(two_pairs(), own, 1, pairs_in) == "each chunk is for one processor");
  }
  CHECK(judged(two_pairs(",switches=reduce"), "allreduce:parts=5", 1, pairs_in).verdict ==
        CertificateVerdict::accepted);  // there are no switches
}

TEST_CASE("faults in lines of groups have their places, and no other evidence takes them") {
  CHECK(fault(two_pairs(), pairs_in) == "none");
  CHECK(fault(two_pairs(), "evidence groups\n") ==
        "`evidence groups `; expected `evidence groups in`, `evidence groups out` or `evidence groups both`");
  CHECK(
      fault(two_pairs(), "evidence group in\n") ==
      "unknown evidence `group`; expected `prices`, `groups in`, `doublings` or `proof FILE`; did you mean `groups`?");
  CHECK(fault(two_pairs(), "evidence groups in\ngroup 0 1\n") ==
        "expected `group PROCESSOR …: CHANNEL …`, such as `group 0 1: 2->0 3->1`");
  CHECK(fault(two_pairs(), "evidence groups in\ngroup 0 7: 2->1\n") == "the fabric has no node `7`");
  CHECK(fault(two_pairs(), "evidence groups in\ngroup 0 1: 0->2\n") == "the fabric has no channel from 0 to 2");
  CHECK(fault(three_pairs(), "evidence groups in\ngroup 0 top: a->0\n") == "top is a switch; expected a processor");
  CHECK(fault(two_pairs(",duplex=half"), "evidence groups both\ngroup 0 1: 2->1\n") ==
        "a link is named by its channel with the lower number, 1->2");
  CHECK(fault(two_pairs(), pairs_in + "price channel 0->1 1: 1\n") ==
        "a line `price` belongs to `evidence prices` only");
  CHECK(fault(two_pairs(), "evidence prices\ngroup 0 1: 2->1\n") == "a line `group` belongs to `evidence groups` only");
  CHECK(fault(two_pairs(), pairs_in + "about words\n") == "a line `about` belongs to `evidence proof` only");
  CHECK(fault(two_pairs(",timing=rounds"), pairs_in) == "groups are of steps, and the fabric counts rounds");
}

// --- of searches, and of solvers ----------------------------------------------------------------------------------

// Written by hand: nothing of the product's writer is in it. "" if the search has no groups to show.
std::string certificate_of(const std::string& on, const std::string& what, std::uint32_t steps) {
  const Fabric fabric = parse_fabric({"", on}, 0).value();
  const Collective collective = parse_collective({"", what}, 0, fabric.processors()).value();
  SearchOptions options;
  options.evidence = true;
  const SearchResult result = search(fabric, collective, {.steps = steps}, options);
  CHECK(result.verdict == SearchVerdict::impossible);
  if (!result.impossibility || !result.impossibility->groups) return "";
  std::string evidence = fmt::format("evidence groups {}\n", result.impossibility->groups->border);
  for (const GroupBorders::NamedGroup& group : result.impossibility->groups->groups) {
    evidence += fmt::format("group {}: {}\n", fmt::join(group.processors, " "), fmt::join(group.channels, " "));
  }
  return text_of(on, what, result.impossibility->steps, evidence);
}

TEST_CASE("a search shows groups where their bound is the best, and the judge accepts them") {
  for (const auto& [on, what, steps] : {std::tuple(std::string("star:4"), "allreduce:parts=6", 8U),
                                        std::tuple(std::string("star:4"), "allreduce:idempotent,parts=6", 8U),
                                        std::tuple(std::string("star:4,duplex=half"), "reduce_scatter:parts=2", 11U),
                                        std::tuple(three_pairs(), "allreduce:parts=18", 23U),
                                        std::tuple(three_pairs(",duplex=half"), "allreduce:parts=18", 47U)}) {
    const std::string text = certificate_of(on, what, steps);
    CAPTURE(text);
    const auto certificate = read_certificate({"", text}, 0);
    REQUIRE(certificate);
    CHECK(certificate->steps == steps);
    CHECK(judge(*certificate, {}).verdict == CertificateVerdict::accepted);
    Certificate longer = *certificate;
    longer.steps = longer.steps + 1;
    CHECK(judge(longer, {}).verdict == CertificateVerdict::rejected);
  }
}

// Any groups, and the channels of a random cut for each, some of which may be missing.
GroupCuts random_groups(const Fabric& fabric, reference::Dice& dice) {
  GroupCuts groups;
  const bool half = fabric.rules().duplex == Duplex::half;
  groups.border = dice.pick(std::vector<GroupCuts::Crossed>{GroupCuts::Crossed::in, GroupCuts::Crossed::out,
                                                            half ? GroupCuts::Crossed::both : GroupCuts::Crossed::in});
  const std::uint32_t most = dice.from_to(2, fabric.processors());
  std::vector<std::uint32_t> group_of;
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) group_of.push_back(p < most ? p : dice.below(most));
  for (std::uint32_t g = 0; g < most; ++g) {
    std::vector<bool> inside;
    GroupCuts::GroupCut group;
    for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
      inside.push_back(v < fabric.processors() ? group_of[v] == g : dice.one_in(2));
      if (v < fabric.processors() && inside.back()) group.processors.emplace_back(v);
    }
    for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
      const Channel channel = fabric.channel(ChannelId(e));
      const bool from = inside[channel.from.value];
      const bool to = inside[channel.to.value];
      const bool across = groups.border == GroupCuts::Crossed::both ? from != to && fabric.link(ChannelId(e)).value == e
                          : groups.border == GroupCuts::Crossed::in ? !from && to
                                                                    : from && !to;
      if (across && !dice.one_in(40)) group.channels.emplace_back(e);
    }
    groups.groups.push_back(std::move(group));
  }
  return groups;
}

TEST_CASE("no groups are accepted for steps in which a solver finds a schedule") {
  constexpr std::uint32_t most_steps = 4;
  const std::vector<std::string> names{
      "allreduce",      "allreduce:ordered", "allreduce:idempotent", "allreduce:parts=2", "reduce",
      "reduce:parts=2", "reduce_scatter",    "broadcast:parts=3",    "allgather",         "prefix",
      "total_exchange", "scatter:parts=2"};
  const std::uint64_t first = reference::first_seed();
  int accepted = 0;
  int refused = 0;
  for (std::uint64_t seed = first; seed < first + (brief ? 500 : 5000); ++seed) {
    reference::Dice dice(seed);
    Fabric fabric = reference::random_fabric(dice);
    if (fabric.processors() < 2 || fabric.processors() > 4 || fabric.nodes() > 6 || fabric.channels() > 14) continue;
    Rules rules = fabric.rules();
    rules.timing = Timing::steps;
    rules.paths = Paths::held;
    fabric = fabric.with_rules(rules);
    const Collective collective = parse_collective({"", dice.pick(names)}, 0, fabric.processors()).value();
    const auto about = collective.combining() ? ProofFile::About::partial_reductions : ProofFile::About::copies;
    if (certificate::why_no_formula(fabric, collective, about)) continue;
    Certificate claim{fabric, collective, most_steps, false, false, std::nullopt, {}};
    for (int turn = 0; turn < 8; ++turn) {
      claim.evidence = random_groups(fabric, dice);
      claim.steps = most_steps + 1;
      CertificateReport report;
      while (claim.steps > 1 && report.verdict != CertificateVerdict::accepted) {
        --claim.steps;
        report = judge(claim, {});
      }
      if (report.verdict != CertificateVerdict::accepted) {
        ++refused;
        continue;
      }
      ++accepted;
      INFO("QUADRILLE_SEED=" << seed << " " << claim_text(claim) << ": " << report.why);
      claim.evidence = ProofFile{"proof", std::nullopt, about};
      CHECK_FALSE(solve(claim).solvable);
      break;
    }
  }
  MESSAGE(accepted, " accepted, and ", refused, " not, from seed ", first);
  CHECK(accepted > (brief ? 15 : 150));
  CHECK(refused > (brief ? 100 : 1000));
}

}  // namespace
}  // namespace quadrille::tests
