// Files that are not MSCCL XML: one message, at its line and column.
#include <doctest/doctest.h>

#include <string>

#include "model/limits/memory_use.h"
#include "programs/msccl/xml.h"

namespace quadrille::programs {
namespace {

const std::string head =
    R"(<algo name="a" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="0" )"
    R"(outofplace="1" minBytes="0" maxBytes="0">)";
const std::string gpu = R"(<gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0">)";
const std::string block = R"(<tb id="0" send="1" recv="-1" chan="0">)";
const std::string step =
    R"(<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>)";
const std::string whole = head + "\n" + gpu + "\n" + block + "\n" + step + "\n</tb>\n</gpu>\n</algo>\n";

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const std::size_t at = text.find(old);
  REQUIRE(at != text.npos);
  return text.replace(at, old.size(), with);
}

// "line:column: message" of the only error.
std::string error_of(const std::string& text) {
  const Source source{"x.xml", text};
  const Result<MscclFile> file = read_msccl_xml(source, 0);
  REQUIRE(!file);
  REQUIRE(file.diagnostics().size() == 1);
  const Diagnostic& error = file.diagnostics()[0];
  REQUIRE(error.span.known());
  const Position at = position_of(text, error.span.begin);
  return std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + error.message;
}

TEST_CASE("a sound file is read") {
  const Result<MscclFile> file = read_msccl_xml({"x.xml", whole}, 0);
  REQUIRE(file);
  CHECK(file->members[0].blocks[0].steps.size() == 1);
  CHECK(file->read_errors.empty());
}

TEST_CASE("what is wrong in a file is told once, with line and column") {
  CHECK(error_of("<algo") == "1:1: not XML: unclosed token");
  CHECK(error_of("") == "1:1: the file ends before its first element does");
  CHECK(error_of(whole.substr(0, whole.size() - 9)) == "6:7: the file ends before its first element does");
  CHECK(error_of(replaced(whole, "</tb>", "")) == "6:3: not XML: mismatched tag");
  CHECK(error_of("<system/>") == "1:1: expected an element algo, not system");
  CHECK(error_of(replaced(whole, "type=\"s\" ", "")) == "4:1: step has no type");
  CHECK(error_of(replaced(whole, " cnt=\"1\"", "")) == "4:1: step has no cnt");
  CHECK(error_of(replaced(whole, " ngpus=\"2\"", "")) == "1:1: algo has no ngpus");
  CHECK(error_of(replaced(whole, "type=\"s\"", "type=\"sr\"")) == "4:1: type: no step is called `sr`");
  CHECK(error_of(replaced(whole, "srcbuf=\"i\"", "srcbuf=\"x\"")) == "4:1: srcbuf: expected i, o or s, not `x`");
  CHECK(error_of(replaced(whole, "proto=\"Simple\"", "proto=\"simple\"")) ==
        "1:1: proto: expected Simple, LL or LL128, not `simple`");
  CHECK(error_of(replaced(whole, gpu, gpu + "</gpu>" + gpu)) == "2:58: gpu 0 is there twice");
  CHECK(error_of(replaced(whole, block, block + "</tb>" + block)) == "3:45: thread block 0 of gpu 0 is there twice");
  CHECK(error_of(replaced(whole, "<step s=\"0\"", "<step s=\"0\" s=\"0\"")) == "4:13: not XML: duplicate attribute");
  CHECK(error_of(replaced(whole, "<step", "<gpu id=\"0\"/><step")) ==
        "4:1: gpu does not stand in the element that it belongs to");
}

TEST_CASE("numbers are whole, in range, and not octal by accident") {
  CHECK(error_of(replaced(whole, "cnt=\"1\"", "cnt=\"one\"")) == "4:1: cnt: expected a whole number, not `one`");
  CHECK(error_of(replaced(whole, "cnt=\"1\"", "cnt=\"1.5\"")) == "4:1: cnt: expected a whole number, not `1.5`");
  CHECK(error_of(replaced(whole, "cnt=\"1\"", "cnt=\"99999999999999999999\"")) ==
        "4:1: cnt=99999999999999999999: expected -2147483648 to 2147483647");
  CHECK(error_of(replaced(whole, "cnt=\"1\"", "cnt=\"010\"")) ==
        "4:1: cnt=010: executors read a number that begins with 0 as octal");
  CHECK(error_of(replaced(whole, "ngpus=\"2\"", "ngpus=\"-2\"")) == "1:1: ngpus=-2: expected 1 to 65536");
  CHECK(error_of(replaced(whole, "s_chunks=\"0\"", "s_chunks=\"-1\"")) == "2:1: s_chunks=-1: expected 0 to 2147483647");
  CHECK(error_of(replaced(whole, "gpu id=\"0\"", "gpu id=\"2\"")) == "2:1: gpu 2 of 2: they are numbered from 0");
}

TEST_CASE("bombs and deep nesting are refused in little memory") {
  const std::string bomb = "<!DOCTYPE algo [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>\n" + whole;
  CHECK(error_of(bomb) == "1:16: a document type is declared, and MSCCL XML has none");
  std::string deep = head;
  for (int i = 0; i < 1000000; ++i) deep += "<x>";
  CHECK(error_of(deep).find("elements are nested too deeply") != std::string::npos);
  const std::string huge = replaced(whole, "name=\"a\"", "name=\"" + std::string(10000000, 'a') + "\"");
  CHECK(read_msccl_xml({"x.xml", huge}, 0).ok());
}

TEST_CASE("other encodings than UTF-8 are read where expat knows them, and refused where not") {
  CHECK(error_of("<?xml version=\"1.0\" encoding=\"none\"?>" + whole) == "1:31: not XML: unknown encoding");
  CHECK(error_of(replaced(whole, "name=\"a\"", "name=\"\xff\"")).find("not XML: not well-formed") != std::string::npos);
  std::string wide = "\xff\xfe";
  for (const char c : whole) wide += std::string{c, '\0'};
  const Result<MscclFile> file = read_msccl_xml({"x.xml", wide}, 0);
  REQUIRE(file);
  CHECK(file->read_errors.size() == 1);
}

TEST_CASE("what the executors' own reader does not get over is found") {
  const auto read_errors = [](const std::string& text) {
    const Result<MscclFile> file = read_msccl_xml({"x.xml", text}, 0);
    REQUIRE(file);
    return file->read_errors.size();
  };
  CHECK(read_errors("<?xml version=\"1.0\"?>\n" + whole) == 1);
  CHECK(read_errors(replaced(whole, "\n<gpu", "\n\t<gpu")) == 1);
  CHECK(read_errors(replaced(whole, " id=\"0\"", "\n id=\"0\"")) == 1);
  CHECK(read_errors(replaced(whole, "name=\"a\"", "name='a'")) == 1);
  CHECK(read_errors(replaced(whole, "name=\"a\"", "name=\"a&amp;b\"")) == 1);
  CHECK(read_errors(replaced(whole, "\n<gpu", "text\n<gpu")) == 1);
  CHECK(read_errors(replaced(whole, "\n<gpu", "<!-- a\ttab -->\n<gpu")) == 0);
}

TEST_CASE("what begins with an element is taken for XML, and nothing else") {
  CHECK(is_msccl_xml(whole));
  CHECK(is_msccl_xml("\xef\xbb\xbf \n<algo"));
  CHECK(!is_msccl_xml("# quadrille-table 1\n"));
  CHECK(!is_msccl_xml("fabric ring(4)\n"));
  CHECK(!is_msccl_xml(""));
}

}  // namespace
}  // namespace quadrille::programs
