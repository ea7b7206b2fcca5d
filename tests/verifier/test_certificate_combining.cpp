// The judge's formulas about combining collectives: has each a solution exactly where there is a schedule? Does the
// judge accept a solver's proof, and nothing else?
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/every_combining_schedule.h"
#include "tests/verifier/solve_formula.h"
#include "verifier/certificate/formulas/formula.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

using About = ProofFile::About;

Fabric fabric_of(const std::string& notation) { return parse_fabric({"", notation}, 0).value(); }

Collective collective_of(const std::string& notation, const Fabric& fabric) {
  return parse_collective({"", notation}, 0, fabric.processors()).value();
}

Certificate question(const Fabric& fabric, const Collective& collective, std::uint32_t steps, About about) {
  return {fabric, collective, steps, false, false, std::nullopt, ProofFile{"proof", std::nullopt, about}};
}

// What the judge must refuse: of a claim that is false, any proof; here, those of fewer steps and of the empty clause.
void refuses(const Certificate& claim, const std::string& proof_of_fewer) {
  CHECK(judge_proof(claim, proof_of_fewer).verdict == CertificateVerdict::rejected);
  CHECK(judge_proof(claim, "0\n").verdict == CertificateVerdict::rejected);
  CHECK(judge_proof(claim, "").verdict == CertificateVerdict::rejected);
}

// Compares with the reference for 0 … 4 steps; the number of questions that were not too much work for it.
int compare(const Fabric& fabric, const Collective& collective, About about, std::uint64_t most_work) {
  if (certificate::why_no_formula(fabric, collective, about)) return 0;
  int compared = 0;
  std::string proof_of_fewer = "0\n";
  for (std::uint32_t steps = 0; steps <= 4; ++steps) {
    const auto expected = combining_schedule_exists(fabric, collective, steps, most_work);
    if (!expected) break;
    ++compared;
    const Certificate asked = question(fabric, collective, steps, about);
    CAPTURE(claim_text(asked));
    const Solved answer = solve(asked);
    REQUIRE(answer.solvable == *expected);
    if (answer.solvable) {
      refuses(asked, proof_of_fewer);
      continue;
    }
    const CertificateReport report = judge_proof(asked, answer.proof);
    CAPTURE(report.why);
    REQUIRE(report.verdict == CertificateVerdict::accepted);
    proof_of_fewer = answer.proof;
  }
  return compared;
}

const std::vector<std::string> collectives{"reduce",
                                           "reduce:root=1,ordered",
                                           "reduce:parts=2",
                                           "allreduce",
                                           "allreduce:ordered",
                                           "allreduce:parts=2",
                                           "prefix",
                                           "prefix:parts=2",
                                           "reduce_scatter",
                                           "reduce_scatter:ordered",
                                           "reduce:idempotent",
                                           "barrier",
                                           "allreduce:idempotent,parts=2",
                                           "prefix:idempotent",
                                           "reduce_scatter:idempotent"};

TEST_CASE("the formulas about combining collectives have a solution where there is a schedule, and nowhere else") {
  const std::uint64_t most_work = long_run() ? 100'000 : brief ? 3'000 : 20'000;
  int combining = 0;
  int backwards = 0;
  for (
      const std::string shape :
      {"line:2",
       "line:2,capacity=2",
       "line:3",
       "ring:3",
       "ring:4",
       "star:2",
       "star:3",
       "star:2,capacity=2",
       "complete:4",
       "fat_tree:levels=1,capacity=2",
       "fat_tree:levels=2",
       "hypercube:2",
       R"(graph:{"processors":3,"links":[[0,1],[0,2]]})",  // 1 and 2 by way of 0, which a prefix must not join
       R"(graph:{"processors":2,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1],[0,"b"]]})",
       R"(graph:{"processors":3,"channels":[[0,1,1],[1,0,2],[1,2,3],[2,1,1]]})",
       R"(graph:{"processors":3,"channels":[[0,1,2],[1,0,2],[1,2,1],[2,1,1]]})",
       R"(graph:{"processors":3,"channels":[[0,1,1],[1,0,1]]})",
       R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1],[2,0,1],[0,2,2]]})",
       R"(graph:{"processors":3,"channels":[[0,1],[1,2],[2,0]]})",  // from here on links go one way
       R"(graph:{"processors":3,"channels":[[0,1,2],[1,2,1],[2,1,2],[2,0,1]]})",
       R"(graph:{"processors":3,"channels":[[2,1],[1,0,2],[0,1]]})",
       R"(graph:{"processors":2,"switches":["a","b"],"channels":[[0,"a"],[1,"a"],["a","b"],["b",0],["b",1]]})"}) {
    for (const std::string rules : {"", ",duplex=half", ",ports=single", ",duplex=half,ports=single", ",queue=none",
                                    ",queue=1", ",queue=1,ports=single"}) {
      const Fabric fabric = fabric_of(shape + rules);
      for (const std::string& name : collectives) {
        const Collective collective = collective_of(name, fabric);
        combining += compare(fabric, collective, About::partial_reductions, most_work);
        backwards += compare(fabric, collective, About::time_reversed, most_work);
      }
    }
  }
  MESSAGE(combining, " questions about partial reductions compared, ", backwards, " time-reversed");
  CHECK(combining > (brief ? 500 : 1000));
  CHECK(backwards > (brief ? 100 : 300));
}

TEST_CASE("so they have on random fabrics") {
  const std::uint64_t most_work = long_run() ? 100'000 : brief ? 1'000 : 6'000;
  const std::uint64_t seeds = long_run() ? 3'000 : brief ? 100 : 500;
  int compared = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    if (fabric.nodes() > 6 || fabric.processors() < 2) continue;
    const Collective collective = collective_of(dice.pick(collectives), fabric);
    compared += compare(fabric, collective, About::partial_reductions, most_work);
    compared += compare(fabric, collective, About::time_reversed, most_work);
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > (brief ? 50 : 300));
}

// The proof that the search finds that one step less than the least number is too few.
Certificate claim_of(const std::string& on, const std::string& what, std::string& proof) {
  const Fabric fabric = fabric_of(on);
  const Collective collective = collective_of(what, fabric);
  const SearchResult result = search(fabric, collective, {}, {.evidence = true});
  REQUIRE(result.verdict == SearchVerdict::optimal);
  REQUIRE(result.impossibility);
  REQUIRE(result.impossibility->by_formula);
  CHECK(result.impossibility->steps == result.steps - 1);
  proof = result.impossibility->proof;
  const About about =
      result.impossibility->about == FormulaKind::time_reversed ? About::time_reversed : About::partial_reductions;
  CHECK(to_string(result.impossibility->about) == to_string(about));
  return question(fabric, collective, result.steps - 1, about);
}

TEST_CASE("the judge accepts what the search finds, and no proof of more") {
  struct Known {
    std::string on;
    std::string what;
  };
  for (const Known& known :
       {Known{"star:4", "allreduce"}, Known{"star:4", "reduce"}, Known{"complete:4,ports=single,duplex=half", "prefix"},
        Known{"ring:4,duplex=half", "allreduce"}, Known{"star:4", "barrier"}, Known{"star:4", "reduce:idempotent"},
        Known{"ring:4,duplex=half", "allreduce:idempotent"}, Known{"complete:4,ports=single", "prefix:idempotent"},
        Known{"fat_tree:levels=2,queue=1", "reduce"}, Known{"ring:5,ports=single,duplex=half", "reduce"}}) {
    CAPTURE(known.on);
    CAPTURE(known.what);
    std::string proof;
    Certificate claim = claim_of(known.on, known.what, proof);
    const CertificateReport report = judge_proof(claim, proof);
    CHECK(report.verdict == CertificateVerdict::accepted);
    CHECK(report.variables > 0);
    ++claim.steps;
    refuses(claim, proof);
  }
}

TEST_CASE("time reversal is for some collectives and fabrics only") {
  const auto why = [](const std::string& on, const std::string& what) {
    const Fabric fabric = fabric_of(on);
    return certificate::why_no_formula(fabric, collective_of(what, fabric), About::time_reversed).value_or("");
  };
  CHECK(why("ring:4", "reduce:parts=2").empty());
  CHECK(why("torus:3x3,capacity=2,duplex=half,ports=single,queue=1", "reduce_scatter").empty());
  CHECK(why("ring:4", "reduce:ordered") == "the operation of reduce:root=0,ordered is not commutative");
  CHECK(why("ring:4", "allreduce") == "allreduce is no copying collective time-reversed");
  CHECK(why("ring:4", "prefix") == "prefix is no copying collective time-reversed");
  CHECK(why("ring:4", "broadcast") == "broadcast is no combining collective");
  CHECK(why("star:4", "reduce") == "the fabric has switches that do not reduce");
  CHECK(why("star:4,switches=forward", "reduce") == "the fabric has switches that do not reduce");
  CHECK(why("star:4,switches=reduce", "reduce").empty());
  CHECK(why(R"(graph:{"processors":2,"channels":[[0,1,1],[1,0,2]]})", "reduce") ==
        "channel 0->1 has another capacity than its reverse");
}

TEST_CASE("where channels differ from their reverses, a reduction is not a broadcast on the same fabric") {
  const Fabric fabric = fabric_of(R"(graph:{"processors":2,"channels":[[0,1,1],[1,0,2]]})");
  const Certificate reduction = question(fabric, collective_of("reduce:parts=2", fabric), 1, About::partial_reductions);
  const Certificate broadcast = question(fabric, collective_of("broadcast:parts=2", fabric), 1, About::copies);
  CHECK(solve(reduction).solvable);
  const Solved answer = solve(broadcast);
  CHECK_FALSE(answer.solvable);
  Certificate claim = reduction;
  std::get<ProofFile>(claim.evidence).about = About::time_reversed;
  const CertificateReport report = judge_proof(claim, answer.proof);
  CHECK(report.verdict == CertificateVerdict::rejected);
  CHECK(report.why == "channel 0->1 has another capacity than its reverse");
}

TEST_CASE("a proof is about the formula that the certificate names") {
  const Fabric fabric = fabric_of("ring:4,duplex=half");
  const Collective reduce = collective_of("reduce", fabric);
  const Certificate combining = question(fabric, reduce, 1, About::partial_reductions);
  const Certificate backwards = question(fabric, reduce, 1, About::time_reversed);
  CHECK(judge_proof(combining, solve(combining).proof).verdict == CertificateVerdict::accepted);
  CHECK(judge_proof(backwards, solve(backwards).proof).verdict == CertificateVerdict::accepted);
  const CertificateReport copies = judge_proof(question(fabric, reduce, 1, About::copies), "0\n");
  CHECK(copies.verdict == CertificateVerdict::rejected);
  CHECK(copies.why == "reduce is no copying collective");
  const Collective broadcast = collective_of("broadcast", fabric);
  CHECK(judge_proof(question(fabric, broadcast, 1, About::partial_reductions), "0\n").why ==
        "broadcast is no combining collective");
}

TEST_CASE(
    "rules about injecting and paths make no difference to combining, and phases are those of what is time-reversed") {
  const Fabric fabric = fabric_of("ring:4");
  for (const About about : {About::partial_reductions, About::time_reversed}) {
    for (std::uint32_t steps = 1; steps <= 2; ++steps) {
      Certificate asked = question(fabric, collective_of("reduce", fabric), steps, about);
      asked.inject_once = true;
      asked.paths_kept = true;
      CHECK(solve(asked).solvable == (steps == 2));
      if (about == About::partial_reductions) continue;
      asked.phases = 1;  // the farthest is two hops away
      CHECK_FALSE(solve(asked).solvable);
      CHECK(judge_proof(asked, solve(asked).proof).verdict == CertificateVerdict::accepted);
    }
  }
  // Of three that send to both others in one phase no formula is right.
  const Fabric three = fabric_of("complete:3,ports=single");
  Certificate asked = question(three, collective_of("allreduce", three), 2, About::partial_reductions);
  const std::string proof = solve(asked).proof;
  CHECK(judge_proof(asked, proof).verdict == CertificateVerdict::accepted);
  asked.phases = 1;
  CHECK(judge_proof(asked, proof).verdict == CertificateVerdict::rejected);
}

TEST_CASE("a processor alone has all in no step") {
  const Fabric fabric = fabric_of("ring:1");
  for (const std::string what : {"reduce", "allreduce", "prefix", "reduce_scatter:parts=2"}) {
    CHECK(compare(fabric, collective_of(what, fabric), About::partial_reductions, 1000) == 5);
  }
  CHECK(solve(question(fabric, collective_of("reduce", fabric), 0, About::time_reversed)).solvable);
}

TEST_CASE("the formula over partial reductions is numbered as COMBINING_FORMULA.md says") {
  // 1 -> 0 on a line of two, one step: hop 1; hold 2; come 3 and 4.
  const Fabric fabric = fabric_of("line:2");
  CHECK(formula_text(question(fabric, collective_of("reduce", fabric), 1, About::partial_reductions),
                     About::partial_reductions) ==
        "p cnf 4 7\n"
        "-1 -3 0\n"  // 1's partial reduction is without 0
        "-1 4 0\n"   // and with 1
        "1 -3 0\n"   // without a hop nothing comes
        "1 -4 0\n"
        "-4 2 0\n"  // what comes is joined
        "4 -2 0\n"  // and nothing else
        "2 0\n");   // the demand
}

TEST_CASE("a formula over partial reductions that is too large is unknown") {
  const Fabric ring = fabric_of("ring:8");
  const Certificate asked = question(ring, collective_of("allreduce", ring), 4, About::partial_reductions);
  std::size_t at = 0;
  const std::string proof = "0\n";
  CHECK(judge(asked, {.proof = reader_of(proof, at), .limits = {.memory = 100'000}}).reason == Reason::limit);
  CHECK(judge(asked, {.proof = reader_of(proof, at), .limits = stopped_limits()}).verdict ==
        CertificateVerdict::unknown);
  Certificate long_one = asked;
  long_one.steps = 0x7ffffffe;
  CHECK(judge_proof(long_one, proof).verdict == CertificateVerdict::unknown);
  const Fabric torus = fabric_of("torus:30x30");
  CHECK(judge_proof(question(torus, collective_of("allreduce", torus), 3, About::partial_reductions), proof).verdict ==
        CertificateVerdict::unknown);
}

}  // namespace
}  // namespace quadrille::tests
