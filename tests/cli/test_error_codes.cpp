// Every mistake has a code in JSON, for programs: what is wrong with a schedule, a table's arguments, files and the
// command line.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::cli {
namespace {

using Json = nlohmann::json;

// The codes of the errors that the command prints, separated by spaces.
std::string codes(std::vector<std::string> command, const std::string& schedule = {}) {
  driver::MemoryEnvironment environment;
  environment.files = {{"it.qd", schedule}, {"circle.qd", "include \"circle.qd\"\n"}};
  command.emplace_back("--json");
  run(command, environment);
  REQUIRE_MESSAGE(Json::accept(environment.output), environment.output << environment.errors);
  const Json printed = Json::parse(environment.output);
  if (!printed.contains("error")) return "no error";
  std::string text;
  for (const Json& error : printed["error"]) {
    text += (text.empty() ? "" : " ") + (error["code"].is_null() ? "null" : error["code"].get<std::string>());
  }
  return text;
}

std::string codes_of(const std::string& lines) { return codes({"check", "it.qd"}, lines); }

// On a ring of four, with what is needed around these lines.
std::string on_ring(const std::string& lines) {
  return codes_of("fabric ring(4)\ncollective scatter(root: 0)\n" + lines + "\n");
}

TEST_CASE("what is wrong with a schedule's text has a code") {
  CHECK(on_ring("send 0") == "syntax");
  CHECK(on_ring("let f(x: integer) = 1") == "name");
  CHECK(on_ring("let x = 9999999999999999999") == "range");
  CHECK(on_ring("at 1: send 0 -> nobody") == "name");
  CHECK(on_ring("at 1: go(0)") == "name");
  CHECK(on_ring("at 1: send 0 -> least(1)") == "name");
  CHECK(on_ring("let a = 1\nlet a = 2") == "duplicate");
  CHECK(on_ring("let a = true + 1") == "type");
  CHECK(on_ring("let a = log2(1, 2)") == "type");
  CHECK(on_ring("let a = a\nat a: send 0 -> 1") == "value");
  CHECK(codes_of("fabric ring(4)\ncollective scater\n") == "name");
  CHECK(codes_of("fabric rign(4)\ncollective scatter\n") == "name");
  CHECK(codes_of("fabric ring(0)\ncollective scatter\n") == "range");
  CHECK(codes_of("fabric ring(4)\ncollective scatter(root: 0, root: 1)\n") == "duplicate");
  CHECK(codes_of("fabric ring(4)\n") == "missing");
  CHECK(codes_of("collective scatter\n") == "missing");
}

TEST_CASE("what goes wrong while a schedule is worked out has a code") {
  CHECK(on_ring("at 1: send 0 -> 7") == "range");
  CHECK(on_ring("at 0: send 0 -> 1") == "range");
  CHECK(on_ring("at 1 / (n - 4): send 0 -> 1") == "value");
  CHECK(on_ring("at log2(n - 4): send 0 -> 1") == "value");
  CHECK(on_ring("at min(i for i in 1..n if i > n): send 0 -> 1") == "value");
  CHECK(on_ring("let f(x) = f(x + 1)\nat f(1): send 0 -> 1") == "value");
  CHECK(on_ring("at 1: send 0 -> 0") == "invalid");
  CHECK(on_ring("at 1: send 1 -> 2 carrying 3 -> 1") == "name");
  CHECK(on_ring("at 1: send 0 -> 2 along 3, 1") == "route");
  CHECK(codes_of("fabric star(4)\ncollective scatter(root: 0)\nat 1: send switch(1, 0) -> 1\n") == "invalid");
}

TEST_CASE("wrong arguments have a code") {
  const std::string sized =
      "param L in 1..3\nparam c: pattern\nfabric fat_tree(levels: L, capacity: c)\n"
      "collective broadcast(root: 0)\nat 1: send 0 -> all\n";
  CHECK(codes({"check", "it.qd", "-D", "L=2"}, sized) == "missing");
  CHECK(codes({"check", "it.qd", "-D", "L=9", "-D", "c=constant"}, sized) == "range");
  CHECK(codes({"check", "it.qd", "-D", "L=two", "-D", "c=constant"}, sized) == "type");
  CHECK(codes({"check", "it.qd", "-D", "L=2", "-D", "c=wide"}, sized) == "type");
  CHECK(codes({"check", "it.qd", "-D", "N=2"}, sized).starts_with("name"));
  CHECK(codes({"check", "it.qd", "-D", "L"}, sized) == "usage");
  CHECK(codes({"check", "it.qd", "-D", "L=1", "-D", "L=2"}, sized) == "usage");
  CHECK(codes({"prove", "it.qd", "--sizes", "3..1"}, sized) == "usage");
}

TEST_CASE("files that cannot be read, or include themselves, have a code") {
  CHECK(codes({"check", "none.qd"}) == "file");
  CHECK(codes({"check", "scater"}) == "name");
  CHECK(codes({"check", "circle.qd"}) == "invalid");
  CHECK(codes_of("include \"none.qd\"\n").starts_with("file"));
}

TEST_CASE("a command line that is not understood has a code") {
  CHECK(codes({"chekc"}) == "usage");
  CHECK(codes({"check"}) == "usage");
  CHECK(codes({"check", "scatter", "--fast"}) == "usage");
  CHECK(codes({"search", "--collective", "allgather", "--on", "ring:4", "--volume", "3"}) == "usage");
  CHECK(codes({"search", "--collective", "allgather", "--on", "ring:4", "--queue", "some"}) == "usage");
}

}  // namespace
}  // namespace quadrille::cli
