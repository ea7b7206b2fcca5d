// Sends to several along the links of a tree: their rows, in steps and in rounds, retimed, and the mistakes in them.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "dsl/format.h"
#include "dsl/parse.h"
#include "tests/reference/compiled.h"
#include "verifier/check.h"
#include "verifier/prove.h"

namespace quadrille {
namespace {

const std::string spines = "fabric leaf_spine(hosts: 4, leaves: 2, spines: 2)\ncollective broadcast(root: 0)\n";
const std::string in_rounds =
    "fabric leaf_spine(hosts: 4, leaves: 2, spines: 2, timing: rounds)\ncollective broadcast(root: 0)\n";
const std::string links = "along 0 -> leaf[0], leaf[0] -> {1, spine[1]}, spine[1] -> leaf[1], leaf[1] -> {2, 3}";

Result<SendTable> table_of(const std::string& text, const ElaborateOptions& options = {}) {
  const auto compiled = reference::compiled(text, "tree");
  REQUIRE_MESSAGE(compiled.schedule, compiled.errors);
  return elaborate(compiled.schedule, {}, options);
}

// "1 0->leaf[0], 2 leaf[0]->1": by step, then by channel.
std::string rows(const Result<SendTable>& table) {
  REQUIRE_MESSAGE(table.ok(), table.diagnostics().front().message);
  std::vector<std::tuple<StepId, ChannelId>> all;
  for (const auto& [step, row] : all_rows(*table)) all.emplace_back(step, row.channel);
  std::ranges::sort(all);
  std::string text;
  for (const auto& [step, channel] : all)
    text += (text.empty() ? "" : ", ") + std::to_string(step.value) + " " + table->fabric.name(channel);
  return text;
}

std::string fault(const std::string& text) {
  const auto compiled = reference::compiled(text, "tree");
  if (!compiled.schedule) return compiled.errors;
  const Result<SendTable> table = elaborate(compiled.schedule, {});
  return table ? std::string() : table.diagnostics().front().message;
}

TEST_CASE("a packet crosses the links of its tree one step after another, and later where it waits") {
  CHECK(rows(table_of(spines + "send 0 -> {1, 2, 3} " + links + "\n")) ==
        "1 0->leaf[0], 2 leaf[0]->1, 2 leaf[0]->spine[1], 3 spine[1]->leaf[1], 4 leaf[1]->2, 4 leaf[1]->3");
  CHECK(rows(table_of(spines + "send 0 -> {1, 2, 3} " + links + " waiting 1 at leaf[0], 2 at leaf[1] -> 3\n")) ==
        "1 0->leaf[0], 3 leaf[0]->1, 3 leaf[0]->spine[1], 4 spine[1]->leaf[1], 5 leaf[1]->2, 7 leaf[1]->3");
  // A processor on the way may be a target, too.
  CHECK(rows(table_of("fabric line(3)\ncollective broadcast(root: 0)\nsend 0 -> {1, 2} along 0 -> 1, 1 -> 2\n")) ==
        "1 0->1, 2 1->2");
  // A path may say before which node it waits.
  CHECK(rows(table_of(spines + "send 0 -> 1 along leaf[0] waiting 2 at leaf[0] -> 1\n")) ==
        "1 0->leaf[0], 4 leaf[0]->1");
}

TEST_CASE("in rounds a tree is one message") {
  const Result<SendTable> table = table_of(in_rounds + "send 0 -> {1, 2, 3} " + links + "\n");
  CHECK(rows(table) ==
        "1 0->leaf[0], 1 leaf[0]->1, 1 leaf[0]->spine[1], 1 leaf[1]->2, 1 leaf[1]->3, 1 spine[1]->leaf[1]");
  const Report report = check(*table);
  CHECK(report.verdict == Verdict::holds);
  CHECK(report.messages == 1);
  CHECK(rows(table_of("fabric star(3, switches: forward, timing: rounds)\ncollective broadcast(root: 0)\n"
                      "send 0 -> {1, 2} along 0 -> switch(1, 0), switch(1, 0) -> {1, 2}\n")) ==
        "1 0->1.0, 1 0->1.0, 1 1.0->1, 1 1.0->2");
}

TEST_CASE("retiming on its own fabric keeps the tree") {
  ElaborateOptions retime;
  retime.retime = true;
  const std::string late = "at 3: send 0 -> {1, 2, 3} " + links;
  const std::string wait = " waiting 1 at leaf[1] -> 3\n";
  CHECK(rows(table_of(spines + late + wait, retime)) == rows(table_of(spines + "send 0 -> {1, 2, 3} " + links + wait)));
  CHECK(rows(table_of(in_rounds + late + "\n", retime)) ==
        rows(table_of(in_rounds + "send 0 -> {1, 2, 3} " + links + "\n")));
}

TEST_CASE("where switches forward each processor has a row of its own") {
  CHECK(rows(table_of("fabric star(3, switches: forward)\ncollective broadcast(root: 0)\n"
                      "send 0 -> {1, 2} along 0 -> switch(1, 0), switch(1, 0) -> {1, 2}\n")) ==
        "1 0->1.0, 1 0->1.0, 2 1.0->1, 2 1.0->2");
}

TEST_CASE("mistakes in trees are told") {
  const auto has = [](const std::string& said, const std::string& what) {
    CAPTURE(said);
    CHECK(said.find(what) != std::string::npos);
  };
  has(fault(spines + "send 0 -> {1, 2} along 0 -> leaf[0], leaf[0] -> 1\n"), "no link of the tree leads to 2");
  has(fault(spines + "send 0 -> {1} along 0 -> leaf[0], leaf[0] -> {1, spine[0]}\n"),
      "the packet ends at spine[0], which is no target");
  has(fault(spines + "send 0 -> {1} along 0 -> leaf[0], leaf[0] -> {0, 1}\n"), "the tree leads back to its source 0");
  has(fault(spines + "send 0 -> {1} along 0 -> leaf[0], leaf[0] -> 1, leaf[0] -> {1}\n"),
      "two links of the tree lead to 1");
  has(fault(spines + "send 0 -> {2} along 0 -> leaf[0], leaf[1] -> 2\n"), "no link of the tree leads to leaf[1]");
  has(fault(spines + "send 0 -> {1} along 0 -> 1\n"), "there is no channel from 0 to 1");
  has(fault(spines + "send 0 -> {1} along 0 -> leaf[0], leaf[0] -> 1 waiting 2 at leaf[0] -> spine[0]\n"),
      "the packet does not go from leaf[0] to spine[0]");
  has(fault(spines + "send 0 -> {1, 2} along leaf[0]\n"), "list the links of its tree");
  has(fault(spines + "send 0 -> 1 along 0 -> leaf[0], leaf[0] -> 1\n"), "list the nodes between");
  has(fault("fabric line(3, timing: rounds)\ncollective broadcast(root: 0)\nsend 0 -> {1, 2} along 0 -> 1, 1 -> 2\n"),
      "a message passes 1, and cannot end there, too");
  has(fault("fabric line(3, timing: rounds)\ncollective broadcast(root: 1)\nsend 1 -> {0, 2} along 1 -> {0, 2}\n"),
      "a message cannot part at 1");
}

TEST_CASE("the formatter prints links and waits before a node as they are") {
  const std::string text = spines +
                           "\nsend 0 -> {1, 2}\n  along 0 -> leaf[0], leaf[0] -> {1, leaf[1]}, leaf[1] -> 2\n"
                           "  waiting 1 at leaf[0] -> leaf[1], 2 at leaf[1]\n  carrying 0 -> *\n";
  const auto once = format(*parse({"tree.qd", text}, 0));
  CHECK(format(*parse({"tree.qd", once}, 0)) == once);
  CHECK(once.find("along 0 -> leaf[0], leaf[0] -> {1, leaf[1]}, leaf[1] -> 2") != std::string::npos);
  CHECK(once.find("waiting 1 at leaf[0] -> leaf[1], 2 at leaf[1]") != std::string::npos);
}

TEST_CASE("the prover refuses trees that are given") {
  const auto compiled = reference::compiled(
      "param L in 2..8\nfabric fat_tree(levels: L)\ncollective broadcast(root: 0)\n"
      "send 0 -> {1} along 0 -> switch(1, 0), switch(1, 0) -> 1\n");
  REQUIRE_MESSAGE(compiled.schedule, compiled.errors);
  const Proof proof = prove(*compiled.schedule, {});
  CHECK(proof.verdict == ProofVerdict::unknown);
  CHECK(proof.why == "a tree of links that is given");
}

}  // namespace
}  // namespace quadrille
