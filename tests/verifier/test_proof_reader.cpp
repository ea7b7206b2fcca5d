// The second reader of proofs for every size: what it demands, and what it refuses to read.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/run.h"
#include "tests/driver/memory_environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/proof_asker.h"
#include "tests/reference/source_mutants.h"
#include "tests/reference/written_proofs.h"
#include "verifier/proof_reader/cases.h"
#include "verifier/proof_reader/expression.h"
#include "verifier/proof_reader/power_axioms.h"

namespace {

using namespace quadrille;

WrittenProof of(const std::string& shipped) { return reference::written_proof(reference::whole_text(shipped)); }

int run(const std::vector<std::string>& words, driver::Environment& environment) {
  return cli::run(words, environment);
}

SolverAnswer always(const std::string&) { return {SolverAnswer::Word::unsat, ""}; }

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

std::string why_not_read(const WrittenProof& proof) {
  const auto read = reference::reread(proof);
  return read ? "" : read.diagnostics().front().message;
}

ReaderVerdict verdict_of(const WrittenProof& proof) {
  const auto read = reference::reread(proof);
  REQUIRE(read);
  tests::ProofAsker asker;
  return judge(*read, [&](const std::string& smt2) { return asker(smt2); }).verdict;
}

TEST_CASE("proofs of plain loops are accepted, and what they speak of is right at small sizes") {
  for (const std::string& name : reference::plain_schedules()) {
    CAPTURE(name);
    const WrittenProof proof = of(name);
    CHECK(why_not_read(proof) == "");
    CHECK(reference::faults_at_small_sizes(proof) == "");
    if (tests::ProofAsker::there()) CHECK(verdict_of(proof) == ReaderVerdict::accepted);
  }
}

TEST_CASE("steps, several statements, rings and meshes are judged, too") {
  if (!tests::ProofAsker::there()) return;
  for (const char* text :
       {"param N in 3..100\nfabric ring(N)\ncollective allgather\n"
        "for k in processors: send k -> (k + 1) mod n\n",
        "param N in 2..100\nfabric complete(N, ports: single)\ncollective scatter(root: 0)\n"
        "for d in 1..n-1: at d: send 0 -> d\nclaim steps == N - 1\nclaim messages == N - 1\n",
        "param N in 2..100\nparam P in 1..50\nfabric complete(N, ports: single, timing: rounds)\n"
        "collective scatter(root: 0, parts: P)\nfor d in 1..n-1: at d: send 0 -> d carrying part 0..P-1\n"
        "claim volume == P * (N - 1)\nclaim hops == N - 1\n",
        "param N in 2..100\nfabric line(N)\ncollective scatter(root: 0)\n"
        "for d in 1..n-1: at n - d: send 0 -> d\nclaim steps == N - 1\n"}) {
    CAPTURE(text);
    const auto compiled = reference::compiled(text);
    REQUIRE(compiled.schedule);
    const auto proof = write_proof(*compiled.schedule, {});
    REQUIRE(proof);
    CHECK(why_not_read(*proof) == "");
    const bool right = reference::faults_at_small_sizes(*proof).empty();
    const ReaderVerdict verdict = verdict_of(*proof);
    CAPTURE(proof->core);
    CHECK(right == (verdict == ReaderVerdict::accepted));
  }
}

TEST_CASE("a proof has every application that its core form needs, each once, and no other") {
  const WrittenProof proof = of("total_exchange_pairwise");
  for (const std::string application : {"(formed parameters)", "(formed message m1)", "(apart m1 m1)", "(ports m1 m1)",
                                        "(own m1)", "(no_waiting)", "(wanted m1)", "(once m1 m1)"}) {
    CAPTURE(application);
    WrittenProof without = proof;
    without.proof = replaced(proof.proof, application, "");
    CHECK(why_not_read(without).starts_with("the proof leaves out "));
    WrittenProof twice = proof;
    twice.proof = replaced(proof.proof, application, application + application);
    CHECK(why_not_read(twice).ends_with(" stands there twice"));
    WrittenProof more = proof;
    more.proof = replaced(proof.proof, application, application + "(trusted m1)");
    CHECK(why_not_read(more).find("(trusted m1) is no rule of proof") != std::string::npos);
  }
  WrittenProof lanes = proof;
  lanes.proof = replaced(proof.proof, "(ports m1 m1)", "(own_lanes)");
  CHECK(why_not_read(lanes) == "the proof leaves out capacity (ports m1 m1)");
}

TEST_CASE("texts that end early, or are too large, are refused") {
  const WrittenProof proof = of("scatter_linear");
  for (std::size_t size = 0; size < proof.proof.size() - 2; size += 7) {
    WrittenProof cut = proof;
    cut.proof.resize(size);
    CHECK_FALSE(reference::reread(cut).ok());
  }
  for (std::size_t size = 0; size < proof.core.size() - 2; size += 7) {
    WrittenProof cut = proof;
    cut.core.resize(size);
    CHECK_FALSE(reference::reread(cut).ok());
  }
  WrittenProof deep = proof;
  deep.core += std::string(100'000, '(');
  CHECK(why_not_read(deep).find("200 deep") != std::string::npos);
  WrittenProof large = proof;
  large.core += std::string(std::size_t{1} << 25, ' ');
  CHECK(why_not_read(large).find("16 MiB") != std::string::npos);
}

TEST_CASE("texts of the core form are no part of what a solver is asked, and none of them breaks a line") {
  WrittenProof proof = of("scatter_linear");
  const std::string plain = proof.core;
  proof.core = replaced(plain, "(condition \"", "(condition \"(assert false)");
  const auto read = reference::reread(proof);
  REQUIRE(read);
  judge(*read, [](const std::string& smt2) {
    CHECK(smt2.find("(assert false)") == std::string::npos);
    return always(smt2);
  });
  proof.core = replaced(plain, "(condition \"", "(condition \"\n(assert false)\n");
  CHECK(why_not_read(proof) == "a character that cannot be shown, \\n");
}

TEST_CASE("a solver that does not answer leaves it unknown, one that finds values rejects") {
  const auto read = reference::reread(of("scatter_linear"));
  REQUIRE(read);
  const auto with = [&](SolverAnswer::Word word) {
    return judge(*read, [word](const std::string&) { return SolverAnswer{word, "no answer"}; }).verdict;
  };
  CHECK(with(SolverAnswer::Word::unsat) == ReaderVerdict::accepted);
  CHECK(with(SolverAnswer::Word::none) == ReaderVerdict::unknown);
  CHECK(with(SolverAnswer::Word::sat) == ReaderVerdict::rejected);
}

TEST_CASE("expressions have the values that SMT-LIB gives them, where they are defined") {
  using namespace proof_reader;
  const CoreExpression x = variable("x");
  const CoreExpression y = variable("y");
  const std::vector<CoreExpression> all = {
      {Op::divide, {x, y}}, {Op::modulo, {x, y}}, x * y - x, choice(less(x, y), CoreExpression(Op::divide, {x, y}), x)};
  for (const CoreExpression& each : all) {
    for (std::int64_t a = -7; a <= 7; ++a) {
      for (std::int64_t b = -3; b <= 3; ++b) {
        const auto value = evaluate(each, {{"x", a}, {"y", b}});
        CHECK(value.has_value() == (evaluate(defined(each), {{"x", a}, {"y", b}}) == 1));
      }
    }
  }
  CHECK(evaluate(all[0], {{"x", -7}, {"y", 3}}) == -3);
  CHECK(evaluate(all[1], {{"x", -7}, {"y", 3}}) == 2);
  CHECK(smt(x - CoreExpression(3)) == "(+ v.x (* (- 1) 3))");
}

TEST_CASE("the axioms of powers of two and binary digits are true") {
  using namespace proof_reader;
  const CoreExpression x = variable("x");
  const CoreExpression y = variable("y");
  Terms terms;
  for (const CoreExpression& e : {x, y, x + 1, x + y}) collect_terms(CoreExpression(Op::power, {e}), terms);
  for (const CoreExpression& e : {x, y, y - 1}) collect_terms(CoreExpression(Op::digits, {e}), terms);
  const CoreExpression difference(Op::xor_of, {x, y});
  for (const CoreExpression& z : {difference, CoreExpression(Op::xor_of, {difference, y}),
                                  CoreExpression(Op::xor_of, {x + 1, difference - y + x + 15}),
                                  CoreExpression(Op::lowest, {x}), CoreExpression(7), CoreExpression(8)})
    collect_terms(z, terms);
  CHECK(terms.differences.size() == 3);
  CHECK(terms.powers == std::set<std::int64_t>{1, 2, 8, 16});
  const std::vector<CoreExpression> axioms = axioms_of(terms);
  CHECK(axioms.size() > 150);
  for (std::int64_t a = 0; a <= 15; ++a) {
    for (std::int64_t b = 1; b <= 15; ++b) {  // y - 1 has digits
      const Values values = {{"x", a}, {"y", b}};
      for (const CoreExpression& axiom : axioms) {
        CAPTURE(smt(axiom));
        REQUIRE(axiom.op() == Op::disjunction);
        // The condition is false, or what follows is true.
        const bool follows = evaluate(axiom.operands()[0], values) == 1 || evaluate(axiom.operands()[1], values) == 1;
        CHECK(follows);
      }
    }
  }
}

TEST_CASE("what is told of products is true of every values, and enough for rows and columns") {
  using namespace proof_reader;
  if (!tests::ProofAsker::there()) return;
  tests::ProofAsker asker;
  const auto names = Names{"a", "b", "c", "d", "e"};
  const auto truth_of = [&](const std::string& text) { return read_truth(read_items({"", text}, 0).at(0), names); };
  const auto word_of = [&](const QuestionCase& it) {
    std::string text = "(set-logic QF_LIA)\n";
    for (const CoreRange& each : it.scope) text += fmt::format("(declare-const {} Int)\n", smt(variable(each.name)));
    for (const CoreExpression& each : it.asserted) text += fmt::format("(assert {})\n", smt(each));
    return asker(text + "(check-sat)\n").word;
  };
  CoreRanges scope;
  for (const std::string& name : names) scope.push_back({name, 0, std::nullopt});
  const std::string rows =
      "(and (>= c 1) (>= a 0) (>= c (+ a 1)) (>= b 0) (>= c (+ b 1)) (= (+ (* d c) a) (+ (* e c) b)) (not (= d e)))";
  const auto linear = without_products({scope, {truth_of(rows)}});
  REQUIRE(linear);
  CHECK(word_of(*linear) == SolverAnswer::Word::unsat);
  for (const std::string& text :
       {std::string("(= (* a b) (+ (* c (div d c)) e))"), std::string("(>= (mod (* a b) c) (* (ite (>= a b) c d) e))"),
        std::string("(= (* a b c) (* (mod (+ d e) c) a))")}) {
    for (int number = 0; number < 12; ++number) {
      const Values values = {
          {"a", number % 3 - 1}, {"b", number % 5}, {"c", number % 4 + 1}, {"d", number - 4}, {"e", 2}};
      const CoreExpression either = truth_of(text);
      std::vector<CoreExpression> asserted = {evaluate(either, values) == 1 ? either : negated(either)};
      for (const auto& [name, value] : values) asserted.push_back(equal(variable(name), value));
      const auto told = without_products({scope, asserted});
      REQUIRE(told);
      CHECK(word_of(*told) == SolverAnswer::Word::sat);
    }
  }
}

TEST_CASE("without a solver nothing is accepted, and the status says so") {
  driver::MemoryEnvironment environment;
  CHECK(run({"prove", "scatter_linear", "--certificate", "folder"}, environment) == 0);
  CHECK(environment.files.count("folder/core.txt") == 1);
  CHECK(run({"certify", "folder"}, environment) == 3);
  CHECK(environment.output.find("neither cvc5 nor z3") != std::string::npos);
  environment.on_program = [](const std::vector<std::string>&, const std::string&) {
    return driver::ProgramRun{true, true, "unsat\n"};
  };
  CHECK(run({"certify", "folder"}, environment) == 0);
  CHECK(run({"certify", "folder", "--schedule", "scatter_linear"}, environment) == 0);
  CHECK(run({"certify", "folder", "--schedule", "gather_linear"}, environment) == 1);
  environment.files["folder/size-2.csv"] = environment.files["folder/size-3.csv"];
  CHECK(run({"certify", "folder"}, environment) == 1);
  environment.files.erase("folder/size-2.csv");
  CHECK(run({"certify", "folder"}, environment) == 2);
}

TEST_CASE("what has no rules of proof is refused by name, and nothing is written") {
  driver::MemoryEnvironment environment;
  CHECK(run({"prove", "broadcast_by_levels", "--certificate", "folder"}, environment) == 2);
  CHECK(environment.errors.find("no proof can be written: ") != std::string::npos);
  CHECK(environment.files.empty());
}

}  // namespace
