// What is wrong with a table has a code, for programs: no decision reads a message.
#include <doctest/doctest.h>

#include <string>

#include "formats/table_io.h"
#include "model/fabric_notation.h"

using namespace quadrille;

namespace {

Code code_of_table(const std::string& text) {
  const Result<SendTable> table = read_table({"table", text}, 0);
  REQUIRE_FALSE(table.ok());
  return table.diagnostics().front().code;
}

Code code_of_row(const std::string& row) {
  return code_of_table(
      "# quadrille-table 1\n# fabric: ring:4\n# collective: allgather\n"
      "step,from,to,lane,origin,target,part\n" +
      row + "\n");
}

Code code_of_json_row(const std::string& row) {
  return code_of_table(R"({"quadrille_table":1,"fabric":"ring:4","collective":"allgather","rows":[)" + row + "]}");
}

Code code_of_fabric(const std::string& notation) {
  const Result<Fabric> fabric = parse_fabric({"--on", notation}, 0);
  REQUIRE_FALSE(fabric.ok());
  return fabric.diagnostics().front().code;
}

Code code_of_collective(const std::string& notation) {
  const Result<Collective> collective = parse_collective({"--collective", notation}, 0, 4);
  REQUIRE_FALSE(collective.ok());
  return collective.diagnostics().front().code;
}

}  // namespace

TEST_CASE("a row's fault is of syntax, of a name, or of a range") {
  CHECK(code_of_row("1,0,1") == Code::syntax);
  CHECK(code_of_row("one,0,1,0,0,*,0") == Code::syntax);
  CHECK(code_of_row("0,0,1,0,0,*,0") == Code::range);
  CHECK(code_of_row("1,0,9,0,0,*,0") == Code::name);
  CHECK(code_of_row("1,0,2,0,0,*,0") == Code::name);
  CHECK(code_of_row("1,0,1,0,7,*,0") == Code::name);
  CHECK(code_of_json_row("1") == Code::syntax);
  CHECK(code_of_json_row(R"([0,"0","1",0,0,"*",0])") == Code::range);
  CHECK(code_of_json_row(R"([1,"0","x",0,0,"*",0])") == Code::name);
  CHECK(code_of_table("nothing of the kind") == Code::syntax);
}

TEST_CASE("a fabric's fault is of syntax, of a name, or of a range, in a table's head, too") {
  CHECK(code_of_fabric("") == Code::syntax);
  CHECK(code_of_fabric("ring:4,") == Code::syntax);
  CHECK(code_of_fabric("rign:4") == Code::name);
  CHECK(code_of_fabric("ring:4,size=3") == Code::name);
  CHECK(code_of_fabric("ring:0") == Code::range);
  CHECK(code_of_fabric("ring:4,ports=some") == Code::range);
  CHECK(code_of_table("# quadrille-table 1\n# fabric: rign:4\n# collective: allgather\n") == Code::name);
}

TEST_CASE("a collective's fault is of syntax, of a name, or of a range") {
  CHECK(code_of_collective("") == Code::syntax);
  CHECK(code_of_collective("custom") == Code::syntax);
  CHECK(code_of_collective("broadcast:root=x") == Code::syntax);
  CHECK(code_of_collective("brodcast") == Code::name);
  CHECK(code_of_collective("broadcast:rot=1") == Code::name);
  CHECK(code_of_collective("broadcast:root=4") == Code::range);
}
