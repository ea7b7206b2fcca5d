// What statements are lowered to: scopes, clocks, and families of sends.
#include <doctest/doctest.h>

#include <string>

#include "compiler/ir.h"
#include "tests/reference/compiled.h"

namespace quadrille {
namespace {

// The core of a schedule's body, each node by its name, its body in parentheses; families are marked by a star.
std::string text(const ir::Block& block);

struct Text {
  std::string operator()(const ir::At& at) const { return "at(" + text(at.body) + ")"; }
  std::string operator()(const ir::Parts& parts) const {
    std::string result;
    for (const ir::Block& part : parts.parts) result += (result.empty() ? "" : " | ") + text(part);
    return "parts(" + result + ")";
  }
  std::string operator()(const ir::Turns& turns) const {
    const bool alike = std::holds_alternative<ir::Expression>(turns.over);
    return (alike ? "times(" : "turns(") + text(turns.body) + ")";
  }
  std::string operator()(const ir::Reverse& reverse) const { return "reverse(" + text(reverse.body) + ")"; }
  std::string operator()(const ir::Discipline& discipline) const { return "queue(" + text(discipline.body) + ")"; }
  std::string operator()(const ir::For& loop) const { return "for(" + text(loop.body) + ")"; }
  std::string operator()(const ir::If& branch) const {
    return "if(" + text(branch.then) + ", " + text(branch.otherwise) + ")";
  }
  std::string operator()(const ir::Let&) const { return "let"; }
  std::string operator()(const ir::Call&) const { return "call"; }
  std::string operator()(const ir::Run& run) const { return "run(" + std::to_string(run.schedule) + ")"; }
  std::string operator()(const ir::Relabel& relabel) const { return "relabel(" + text(relabel.body) + ")"; }
  std::string operator()(const ir::Send&) const { return "send"; }
};

std::string text(const ir::Block& block) {
  std::string result;
  for (const ir::Statement& statement : block)
    result +=
        (result.empty() ? "" : " ") + std::string(statement.family ? "*" : "") + std::visit(Text(), statement.node);
  return result;
}

std::string core(const std::string& body) {
  const auto compiled = reference::compiled("fabric complete(4)\ncollective total_exchange\n" + body);
  REQUIRE_MESSAGE(compiled.schedule, compiled.errors);
  return text(compiled.schedule->body);
}

}  // namespace

TEST_CASE("then divides a block into parts, and only from the second statement on") {
  CHECK(core("send 0 -> 1\nsend 0 -> 2\nthen send 1 -> 2\nsend 2 -> 3\nthen send 3 -> 0\n") ==
        "parts(*send *send | *send *send | *send)");
  CHECK(core("then send 0 -> 1\nsend 1 -> 2\n") == "*send *send");
  CHECK(core("for k in 1..2:\n  let x = k\n  then send 0 -> x\n") == "for(parts(*let | *send))");
}

TEST_CASE("loops in turn and repetitions are turns") {
  CHECK(core("for k in 1..2 in turn: send 0 -> k\n") == "turns(*send)");
  CHECK(core("repeat 3 times: send 0 -> 1\n") == "times(*send)");
}

TEST_CASE("what starts together is a family; clocks, calls and relabellings are none") {
  CHECK(core("for k in 1..2:\n  let x = k\n  if x > 1: send 0 -> x\n  else: send x -> 0\n") ==
        "*for(*let *if(*send, *send))");
  CHECK(core("for k in 1..2: at k: send 0 -> k\n") == "for(at(*send))");
  CHECK(core("for k in 1..2: if k > 1: reverse: send 0 -> k\n") == "for(if(reverse(*send), ))");
  CHECK(core("procedure p(): send 0 -> 1\nfor k in 1..2: p()\n") == "for(call)");
  CHECK(core("relabel x -> x: send 0 -> 1\nby fifo: send 0 -> 1\n") == "relabel(*send) queue(*send)");
}

}  // namespace quadrille
