// The canonical layout: by example, and parse ∘ format = identity on random programs.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dsl/format.h"
#include "dsl/parse.h"
#include "tests/dsl/generate_program.h"
#include "tests/dsl/tree_text.h"

namespace quadrille {
namespace {

using testing::Choices;
using testing::tree_text;

std::string formatted(const std::string& text) {
  const Source source{"test.qd", text};
  const auto file = parse(source);
  REQUIRE_MESSAGE(file.ok(), render(file.diagnostics(), {source}));
  return format(*file);
}

std::string formatted_expression(const std::string& text) {
  const std::string line = formatted("let x = " + text);
  return line.substr(8, line.size() - 9);
}

TEST_CASE("the clauses of a link are put in one order") {
  CHECK(formatted("fabric two:\n processors 2\n link 0 -- 1 bandwidth 25GB/s lanes 2 latency 1us\n") ==
        "fabric two:\n  processors 2\n  link 0 -- 1 lanes 2 latency 1 us bandwidth 25 GB/s\n");
}

TEST_CASE("a whole file") {
  CHECK(formatted(R"(

// Scatter.
//
// Farthest first.

param L in 1..62         // n = 2^L
param capacity:pattern=constant
fabric fat_tree ( levels : L , capacity( i ):capacity(i) )

collective scatter(root: 0)


let f(a, b : node)=a+b
procedure phase(h):
      for i in 0 .. 2^h - 1 :
            at i+1 :
                  send i->f(i,
                            h)     // here
            // done


      then phase( h-1 )
// not in the procedure
phase(L)
claim steps==2*L when L>=2
// the end
)") == R"(// Scatter.
//
// Farthest first.

param L in 1..62  // n = 2^L
param capacity: pattern = constant
fabric fat_tree(levels: L, capacity(i): capacity(i))

collective scatter(root: 0)

let f(a, b: node) = a + b
procedure phase(h):
  for i in 0..2^h-1:
    at i + 1:
      send i -> f(i, h)  // here
    // done

  then phase(h - 1)
// not in the procedure
phase(L)
claim steps == 2*L when L >= 2
// the end
)");
}

TEST_CASE("a block of one short statement stands on its header's line, at most two headers on one") {
  CHECK(formatted("at 3:\n  send a -> b\n") == "at 3: send a -> b\n");
  CHECK(formatted("for x in S:\n  at x:\n    f(x)\n") == "for x in S: at x: f(x)\n");
  CHECK(formatted("for x in S: at x: if x: f(x)\n") == "for x in S:\n  at x: if x: f(x)\n");
  CHECK(formatted("at 3: then f()\n") == "at 3:\n  then f()\n");
  CHECK(formatted("at 3: f()  // why\n") == "at 3: f()  // why\n");
  CHECK(formatted("at 3:\n  f()  // why\n") == "at 3:\n  f()  // why\n");
  CHECK(formatted("procedure p(): f()\n") == "procedure p():\n  f()\n");
  const std::string long_name(90, 'x');
  CHECK(formatted("at 12: " + long_name + "()\n") == "at 12: " + long_name + "()\n");
  CHECK(formatted("at 1234: " + long_name + "()\n") == "at 1234:\n  " + long_name + "()\n");
}

TEST_CASE("else") {
  CHECK(formatted("if a: f()\nelse:\n  if b: g()\n  else: h()\n") == "if a: f()\nelse if b: g()\nelse: h()\n");
  CHECK(formatted("if a: if b: f()\nelse: g()\n") == "if a: if b: f()\nelse: g()\n");
  CHECK(formatted("if a: f()\n// one\n\nelse:  // two\n  // three\n  g()\n  h()\n") ==
        "if a:\n  f()\n  // one\nelse:\n  // two\n  // three\n  g()\n  h()\n");
  CHECK(formatted("if a: f()\nelse if b: g()  // why\n") == "if a: f()\nelse if b: g()  // why\n");
  CHECK(formatted("if a: f()\nelse: g()  // why\n") == "if a: f()\nelse:\n  g()  // why\n");
  CHECK(formatted("if a: f()\nelse:\n  then if b: g()\n") == "if a: f()\nelse:\n  then if b: g()\n");
}

TEST_CASE("as few parentheses as the operators need") {
  for (const char* text : {"a + b + c",
                           "a - (b - c)",
                           "-2^2",
                           "(-2)^2",
                           "2^-1",
                           "2^3^4",
                           "(2^3)^4",
                           "a*b/c",
                           "a*(b/c)",
                           "not (a and b)",
                           "not a and b",
                           "(not a) == b",
                           "a and not b",
                           "a or b xor c and d",
                           "(a or b) and c",
                           "(a < b) == c",
                           "if a then b else c + 1",
                           "(if a then b else c) + 1",
                           "a mod b*c",
                           "a mod (b*c)",
                           "a shl 2 + b",
                           "--a",
                           "a - -b",
                           "-(a + b)",
                           "(1..3)",
                           "{a for x in 1..3, y in S if x < y}",
                           "sum(if a then b else c for x in S)",
                           "{}"}) {
    const std::string bare = std::string(text) == "(1..3)" ? "1..3" : text;
    CHECK(formatted_expression(text) == bare);
  }
  CHECK(formatted_expression("((a)+((b*c)))") == "a + b*c");
}

TEST_CASE("spaces in ranges and exponents") {
  CHECK(formatted_expression("0 .. 2 ^ (h - 1) - 1") == "0..2^(h-1)-1");
  CHECK(formatted_expression("f(i - 1)..f(i, j + 1)") == "f(i-1)..f(i, j+1)");
  CHECK(formatted_expression("k mod 2..k+1") == "k mod 2 .. k + 1");
  CHECK(formatted_expression("n-1 downto 0") == "n - 1 downto 0");
  CHECK(formatted_expression("2^(a mod (b-1))") == "2^(a mod (b - 1))");
}

TEST_CASE("long claims and sends are broken before a clause") {
  const std::string name(60, 'x');
  CHECK(formatted("claim " + name + " when " + name + "\n") == "claim " + name + "\n  when " + name + "\n");
  CHECK(formatted("send a -> " + name + " along " + name + " carrying b\n") ==
        "send a -> " + name + "\n  along " + name + "\n  carrying b\n");
}

TEST_CASE("formatting and parsing give back random programs") {
  CHECK(rc::check("parse(format(tree)) == tree, and format is stable", [](const std::vector<std::uint32_t>& list) {
    Choices choices(list);
    const ast::File file = testing::generate_program(choices);
    const std::string text = format(file);
    const Source source{"random.qd", text};
    const auto again = parse(source);
    RC_LOG() << text;
    if (!again.ok()) RC_LOG() << render(again.diagnostics(), {source});
    RC_ASSERT(again.ok());
    RC_ASSERT(tree_text(*again) == tree_text(file));
    RC_ASSERT(format(*again) == text);
  }));
}

TEST_CASE("formatting and parsing give back random expressions") {
  CHECK(rc::check("parse(format(expression)) == expression", [](const std::vector<std::uint32_t>& list) {
    Choices choices(list);
    const ast::Expression expression = testing::generate_expression(choices, 5);
    const auto file = parse({"random.qd", "let x = " + format(expression)});
    RC_ASSERT(file.ok());
    RC_ASSERT(tree_text(*std::get<ast::Let>(file->items.front().node).value) == tree_text(expression));
  }));
}

}  // namespace
}  // namespace quadrille
