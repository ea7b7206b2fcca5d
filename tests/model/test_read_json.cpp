// JSON: a key that stands twice in one object is refused where it stands, in every reader.
#include <doctest/doctest.h>

#include <string>

#include "model/fabric_notation.h"
#include "model/text/read_json.h"

namespace quadrille {
namespace {

std::string fault_of(const std::string& text) {
  const JsonRead read = read_json(text);
  if (!read.fault) return "none";
  const std::string at = read.fault->byte ? std::to_string(*read.fault->byte) : "?";
  return at + ": " + read.fault->why;
}

TEST_CASE("a key stands in an object once, at any depth") {
  CHECK(fault_of(R"({"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]})") == "none");
  CHECK(fault_of(R"({"a": 1, "a": 2})") == "11: a second \"a\"");
  CHECK(fault_of(R"({"x": [{"b": 1}, {"b": 1, "b": 1}]})") == "28: a second \"b\"");
  CHECK(fault_of(R"({"\u0061": 1, "a": 1})") == "16: a second \"a\"");
  CHECK(fault_of("{\"\x1b\": 1, \"\\u001b\": 1}").find('\x1b') == std::string::npos);
}

TEST_CASE("what is no JSON, and numbers that are too large, are faults of their own") {
  CHECK(read_json("{").fault.value().kind == JsonFault::Kind::syntax);
  CHECK(read_json("").fault.value().kind == JsonFault::Kind::syntax);
  CHECK(read_json("[1e999]").fault.value().kind == JsonFault::Kind::large_number);
  CHECK(fault_of("[1, 1e999]") == "9: number overflow parsing '1e999'");
}

TEST_CASE("graphs and custom collectives with a key twice are refused at that place") {
  const auto graph = parse_fabric({"", R"(graph:{"processors":2,"links":[],"links":[[0,1]]})"}, 0);
  REQUIRE_FALSE(graph);
  CHECK(graph.diagnostics().front().message.find("a second \"links\"") != std::string::npos);
  const auto custom =
      parse_collective({"", R"(custom:{"chunks":[],"chunks":[{"origin":0,"held_by":[0],"wanted_by":[1]}]})"}, 0, 2);
  REQUIRE_FALSE(custom);
  CHECK(custom.diagnostics().front().message == "a second \"chunks\"");
}

}  // namespace
}  // namespace quadrille
