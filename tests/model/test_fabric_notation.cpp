#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include "model/fabric_notation.h"
#include "tests/model/shapes.h"

namespace {

using namespace quadrille;
using namespace quadrille::test;

std::optional<std::string> read_test_file(const std::string& path) {
  if (path == "pair.json") return R"({"processors": 2, "links": [[0, 1, 3]], "ports": "single", "queue": 2})";
  if (path == "broken.json") return "{\n  \"processors\": 2,\n  ]";
  if (path == "odd name") return R"({"processors": 1})";
  return std::nullopt;
}

Result<Fabric> parsed(const std::string& text) { return parse_fabric({"--on", text}, 0, read_test_file); }

// The canonical notation, or the first error: its columns and message.
std::string read(const std::string& text) {
  const Result<Fabric> fabric = parsed(text);
  if (fabric) return fabric->notation();
  const Diagnostic& error = fabric.diagnostics().front();
  CHECK(error.span.source == 0);
  CHECK(error.span.begin <= error.span.end);
  CHECK(error.span.end <= text.size());
  return fmt::format("{}-{}: {}", error.span.begin, error.span.end, error.message);
}

std::string fault_of(const std::string& text) {
  const Result<Fabric> fabric = parsed(text);
  return fabric ? "none" : fabric.diagnostics().front().message;
}

}  // namespace

TEST_CASE("what a fabric writes of itself reads back to an equal one") {
  for (const Shape& shape : small_shapes()) {
    const Fabric fabric = *fabric_of(shape);
    CAPTURE(fabric.notation());
    const Result<Fabric> again = parsed(fabric.notation());
    REQUIRE(again.ok());
    CHECK(*again == fabric);
  }
  CHECK(rc::check("any shape, any rules", [] {
    const Fabric fabric = *fabric_of(random_shape(), random_rules());
    const Result<Fabric> again = parsed(fabric.notation());
    RC_ASSERT(again.ok());
    RC_ASSERT(*again == fabric);
    RC_ASSERT(again->notation() == fabric.notation());
  }));
}

TEST_CASE("canonical notations stay as they are") {
  for (
      const char* text :
      {"fat_tree:levels=4,capacity=exponential", "fat_tree:levels=4,capacity=constant",
       "fat_tree:levels=3,capacity=1,1,2", "fat_tree:levels=2,arity=3,capacity=exponential", "ring:8",
       "line:8,capacity=2", "mesh:3x4", "torus:4x4x2", "hypercube:4", "complete:8", "star:8",
       "ring:8,duplex=half,ports=single,queue=none", "ring:8,queue=3", "star:4,queue=none,switches=forward",
       "fat_tree:levels=3,capacity=constant,switches=reduce",
       R"(graph:{"processors":2,"switches":["a"],"channels":[[0,"a",1],[1,"a",4],["a",0,2],["a",1,4]]},ports=single)"}) {
    CHECK(read(text) == text);
  }
}

TEST_CASE("other ways to write the same") {
  CHECK(read("fat_tree:4") == "fat_tree:levels=4,capacity=constant");
  CHECK(read("fat_tree:capacity=1,2,4") == "fat_tree:levels=3,capacity=exponential");
  CHECK(read("fat_tree:2,arity=3,capacity=1,3") == "fat_tree:levels=2,arity=3,capacity=exponential");
  CHECK(read("fat_tree:levels=1,capacity=exponential") == "fat_tree:levels=1,capacity=constant");
  CHECK(read("fat_tree:levels=1,capacity=5") == "fat_tree:levels=1,capacity=5");
  CHECK(read("fat_tree:capacity=1,1,duplex=half,levels=2") == "fat_tree:levels=2,capacity=constant,duplex=half");
  CHECK(read("ring:nodes=8") == "ring:8");
  CHECK(read("torus:extents=4x4,capacity=1") == "torus:4x4");
  CHECK(read("mesh:extents=4,3") == "mesh:4x3");
  CHECK(read("hypercube:dimensions=4") == "hypercube:4");
  CHECK(read(" ring : 8 , queue = 0 ") == "ring:8,queue=none");
  CHECK(read("ring:8,queue=unbounded,ports=multi,duplex=full,switches=copy") == "ring:8");
}

TEST_CASE("a machine is known by its name") {
  const Fabric dgx1 = parse_fabric({"", "dgx1"}, 0).value();
  CHECK(dgx1.processors() == 8);
  for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
    std::uint32_t links = 0;
    for (const ChannelId id : dgx1.channels_from(NodeId{gpu})) links += dgx1.channel(id).capacity;
    CHECK(links == 6);
  }
  CHECK(read("dgx1") == "dgx1");
  CHECK(read("dgx1:ports=single,queue=2") == "dgx1:ports=single,queue=2");
  CHECK(read("dgx1:8") == "5-6: dgx1 has no arguments but duplex, ports, queue, switches, timing, paths");
}

TEST_CASE("graphs from files and in place") {
  const std::string pair = R"(graph:{"processors":2,"switches":[],"channels":[[0,1,3],[1,0,3]]})";
  CHECK(read("pair.json") == pair + ",ports=single,queue=2");
  CHECK(read("graph:pair.json") == pair + ",ports=single,queue=2");
  CHECK(read("graph:file=pair.json") == pair + ",ports=single,queue=2");
  CHECK(read(R"(graph:{"processors":1,"switches":["s"],"links":[["s",0]],"switching":"forward"})")
            .ends_with(",switches=forward"));
  CHECK(read("pair.json,ports=multi,queue=none") == pair + ",queue=none");  // the notation's own rules come first
  CHECK(read("graph:odd name") == R"(graph:{"processors":1,"switches":[],"channels":[]})");
  CHECK(read(R"(graph: {"processors": 2, "channels": [{"from": 0, "to": "1", "capacity": 3}, [1, 0, 3]]} )") == pair);
  CHECK(read(R"(graph:{"processors":1,"switches":["s"],"links":[{"from":"s","to":0}],"duplex":"half"})") ==
        R"(graph:{"processors":1,"switches":["s"],"channels":[[0,"s",1],["s",0,1]]},duplex=half)");
}

TEST_CASE("mistakes are told with their place") {
  CHECK(read("") == "0-0: no fabric is named; expected one such as `ring:8`");
  CHECK(read("rng:8") == "0-3: unknown fabric `rng`; did you mean `ring`?");
  CHECK(read("zzzzzz") == "0-6: unknown fabric `zzzzzz`; `quadrille fabrics` names the kinds");
  CHECK(read("RING:8") == "0-4: unknown fabric `RING`; did you mean `ring`?");
  CHECK(read("ring") == "0-4: `ring` needs `nodes`");
  CHECK(read("ring:") == "0-4: `ring` needs `nodes`");
  CHECK(read("ring:8,capcity=2") == "7-16: ring has no `capcity`; did you mean `capacity`?");
  CHECK(read("ring:0") == "5-6: nodes is 0; expected 1 to 67108864");
  CHECK(read("ring:-3") == "5-7: nodes is -3; expected 1 to 67108864");
  CHECK(read("ring:abc") == "5-8: nodes is `abc`; expected a number");
  CHECK(read("ring:99999999999999999999") == "5-25: `99999999999999999999` is too large a number");
  CHECK(read("ring:8,nodes=8") == "7-14: nodes is given twice");
  CHECK(read("ring:8,capacity=1,capacity=1") == "18-28: capacity is given twice");
  CHECK(read("ring:8,capacity=1,2") == "7-19: capacity has 2 values; expected 1");
  CHECK(read("ring:8,half") == "7-11: `half` has no key; expected `key=value`");
  CHECK(read("ring:8,9") == "7-8: `9` has no key; expected `key=value`");
  CHECK(read("ring:8,,queue=1") == "7-7: an argument is empty; expected `key=value`");
  CHECK(read("ring:8,=1") == "7-9: a value has no key; expected `key=value`");
  CHECK(read("ring:8,capacity=1x2") == "7-19: capacity is `1x2`; expected a number");
  CHECK(read("torus:4x") == "6-8: extents is `4x`; expected numbers joined by x, such as 4x4");
  CHECK(read("ring:8,ports=many") == "7-17: ports is `many`; expected multi or single");
  CHECK(read("ring:8,duplex=2") == "7-15: duplex is 2; expected full or half");
  CHECK(read("ring:8,queue=some") == "7-17: queue is `some`; expected unbounded, none or a number");
}

TEST_CASE("a tree's capacities fit its levels") {
  CHECK(read("fat_tree:levels=4,capacity=1,1,2") == "18-32: capacity has 3 values; the tree has 4 levels");
  CHECK(
      read("fat_tree:levels=4,capacity=2") ==
      "18-28: capacity has 1 value; the tree has 4 levels (expected constant, exponential or a number for each level)");
  CHECK(fault_of("fat_tree:levels=2,capacity=2,1") ==
        "capacity of level 2 is 1; expected at least 2, the capacity of level 1");
  CHECK(fault_of("fat_tree:levels=2,capacity=fast") ==
        "capacity is `fast`; expected constant, exponential or a number for each level");
  CHECK(fault_of("fat_tree:capacity=exponential") == "`fat_tree` needs `levels`");
  CHECK(fault_of("fat_tree:levels=0") == "levels is 0; expected 1 to 26");
  CHECK(fault_of("fat_tree:levels=1000000000,capacity=exponential") == "levels is 1000000000; expected 1 to 26");
  CHECK(fault_of("fat_tree:levels=25,capacity=exponential")
            .starts_with("a fat tree of arity 2 with 25 levels is too large"));
  CHECK(fault_of("fat_tree:levels=26,arity=60000000,capacity=exponential").find("too large") != std::string::npos);
  CHECK(fault_of("hypercube:1000000000") == "dimensions is 1000000000; expected 1 to 26");
}

TEST_CASE("a fabric as a schedule writes it is answered with the notation") {
  const auto answer = [](const std::string& text) {
    const std::string fault = fault_of(text);
    const std::string before = "`" + text + "` is how a schedule writes it; here it is `";
    return fault.starts_with(before) ? fault.substr(before.size(), fault.size() - before.size() - 1) : fault;
  };
  CHECK(answer("torus(4x4)") == "torus:4x4");
  CHECK(answer("torus([4, 4])") == "torus:4x4");
  CHECK(answer("ring(8)") == "ring:8");
  CHECK(answer("fat_tree(levels: 2, capacity: [1, 2])") == "fat_tree:levels=2,capacity=1,2");
  CHECK(answer("fat_tree(levels: 3, capacity: exponential, ports: single)") ==
        "fat_tree:levels=3,capacity=exponential,ports=single");
  CHECK(answer("torus(extents: [4, 4, 2], capacity: 2)") == "torus:extents=4x4x2,capacity=2");
  CHECK(answer("dgx1()") == "dgx1");
  CHECK(answer("torus(4x4),ports=single") == "torus:4x4,ports=single");
  CHECK(answer("torus(4") == "torus:4");
}

TEST_CASE("a comma for the colon is told") {
  CHECK(fault_of("dgx1,ports=single,duplex=half") ==
        "unknown fabric `dgx1,ports=single,duplex=half`; arguments stand behind a colon: "
        "`dgx1:ports=single,duplex=half`");
}

TEST_CASE("links of a graph may say how fast they are") {
  const std::string fast =
      R"(graph:{"processors":2,"switches":["s"],"channels":[{"from":0,"to":"s","capacity":2,"latency":"500ns"},)"
      R"([1,"s",1],{"from":"s","to":0,"capacity":2,"latency":"500ns"},)"
      R"({"from":"s","to":1,"capacity":1,"latency":"0ps","bandwidth":"12500MB/s"}]})";
  CHECK(read(fast) == fast);
  CHECK(read(R"(graph:{"processors":2,"switches":["s"],"links":[{"from":0,"to":"s","capacity":2,"latency":"0.5us"}],)"
             R"("channels":[[1,"s"],{"from":"s","to":1,"bandwidth":"100Gbit/s","latency":"0"}]})") == fast);
  const Fabric fabric = *parsed(fast);
  const std::vector<LinkSpeed> speeds = fabric.link_speeds();
  REQUIRE(speeds.size() == 4);
  CHECK(speeds[0] == LinkSpeed{500'000, std::nullopt});
  CHECK(speeds[1] == LinkSpeed{});
  CHECK(speeds[3] == LinkSpeed{0, 12'500'000'000});
  CHECK(!(fabric == *parsed(R"(graph:{"processors":2,"switches":["s"],"links":[[0,"s",2],[1,"s",1]]})")));
  CHECK(parsed("ring:4")->link_speeds().empty());

  const auto fault = [](const std::string& rest) {
    return fault_of(R"(graph:{"processors":2,"links":[{"from":0,"to":1,)" + rest + "}]}");
  };
  CHECK(fault(R"("latency":5)") == "the latency of links[0] is 5; expected a time, such as 500ns");
  CHECK(fault(R"("latency":"5")") == "the latency of links[0] is \"5\"; expected a time, such as 500ns");
  CHECK(fault(R"("latency":"-5ns")") == "the latency of links[0] is \"-5ns\"; expected a time, such as 500ns");
  CHECK(fault(R"("latency":"1e30s")") == "the latency of links[0] is \"1e30s\"; expected a time, such as 500ns");
  CHECK(fault(R"("bandwidth":"0")") == "the bandwidth of links[0] is \"0\"; expected bytes a second, such as 25GB/s");
  CHECK(fault(R"("bandwith":"1GB/s")") == "links[0] has no `bandwith`; did you mean `bandwidth`?");
}

TEST_CASE("a product's links are as fast as its factors'") {
  const Fabric product =
      *parsed(R"(product(line:2,graph:{"processors":2,"links":[{"from":0,"to":1,"latency":"3us"}]}))");
  const std::vector<LinkSpeed> speeds = product.link_speeds();
  for (std::uint32_t c = 0; c < product.channels(); ++c) {
    const Channel& channel = product.channel(ChannelId(c));
    const bool second = channel.from.value / 2 == channel.to.value / 2;
    CHECK(speeds[c].latency == (second ? std::optional<std::uint64_t>(3'000'000) : std::nullopt));
  }
}

TEST_CASE("mistakes in graphs") {
  const auto graph = [](const std::string& rest) {
    return fault_of(R"(graph:{"processors":2,"switches":["mid"],)" + rest);
  };
  CHECK(fault_of("graph") == "a graph needs the name of a file, or the graph itself in JSON");
  CHECK(fault_of("none.json") == "cannot read `none.json`");
  CHECK(fault_of("broken.json").starts_with("broken.json:3:3: this is not JSON: "));
  CHECK(parse_fabric({"--on", "pair.json"}, 0).diagnostics().front().message ==
        "cannot read `pair.json`: a graph must stand here in full");
  CHECK(read(R"(graph:{"processors":2 5})").starts_with("22-22: this is not JSON: "));
  CHECK(read(R"(graph:{"processors":2})"
             "x") == "22-23: text follows the graph; expected `,` or the end");
  CHECK(fault_of(R"(graph:{"processors":2)").starts_with("this is not JSON: "));
  CHECK(fault_of("graph:{}") == "a graph does not say its `processors`; expected their number");
  CHECK(fault_of(R"(graph:{"processors":0})") == "processors is 0; expected a number, 1 to 67108864");
  CHECK(fault_of(R"(graph:{"processors":1e9})").starts_with("processors is 1"));
  CHECK(fault_of(R"(graph:{"processors":18446744073709551615})").starts_with("processors is 18446744073709551615;"));
  CHECK(fault_of(R"(graph:{"processors":1e999})").starts_with("this JSON cannot be read: "));
  CHECK(fault_of(R"(graph:{"processors":1,"chanels":[]})") == "a graph has no `chanels`; did you mean `channels`?");
  CHECK(graph(R"("links":[[0]]})") == "links[0] is a list of 1; expected [from, to] or [from, to, capacity]");
  CHECK(graph(R"("links":[[0,2]]})") == "links[0] names processor 2; the processors are 0 to 1");
  CHECK(graph(R"("links":[[0,"midd"]]})") == "links[0] names `midd`; there is no such node, did you mean `mid`?");
  CHECK(graph(R"("links":[[0,"9"]]})") == "links[0] names processor 9; the processors are 0 to 1");
  CHECK(graph(R"("links":[[0,null]]})") ==
        "links[0] has a node null; expected a processor's number or a switch's name");
  CHECK(graph(R"("links":[[0,1,0]]})") == "the capacity of links[0] is 0; expected a number, 1 to 4294967295");
  CHECK(graph(R"("channels":[[0,"mid"],[0,"mid",2]]})") == "channel 0->mid is listed twice");
  CHECK(graph(R"("channels":[[0,"mid"]],"links":[["mid",0]]})") == "channel 0->mid is listed twice");
  CHECK(graph(R"("ports":"several"})") == "ports is `several`; expected multi or single");
  CHECK(graph(R"("switching":"join"})") == "switches is `join`; expected copy or forward or reduce");
  CHECK(graph(R"("ports":[]})") == "ports is an array; expected a word or a number");
  CHECK(graph(R"("queue":-1})") == "queue is -1; expected 0 to 4294967295");
}

TEST_CASE("deep nesting and odd bytes are only wrong") {
  CHECK(fault_of("graph:{" + std::string(1000000, '[')).starts_with("this is not JSON: "));
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  CHECK(fault_of("graph:{\"processors\":" + deep + "}") == "processors is an array; expected a number, 1 to 67108864");
  CHECK(fault_of("graph:{\"\xff\":1}").starts_with("this is not JSON: "));
  CHECK(fault_of(std::string("ring:\0", 6)) != "none");
}

TEST_CASE("no text breaks the reader") {
  CHECK(rc::check("pieces of notations, in any order", [] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "ring", "fat_tree", "graph", ":", ",", "=", "{", "}", "\"", "[", "8", "x", "capacity", "levels", "queue", " ",
        "-", "99999999999", ".json", "\\", "processors", "\xc3"));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    const Result<Fabric> fabric = parsed(text);
    if (fabric) return;
    RC_ASSERT(!fabric.diagnostics().empty());
    RC_ASSERT(!render(fabric.diagnostics(), {{"--on", text}}).empty());
  }));
}

TEST_CASE("descriptions as a schedule builds them") {
  const auto entry = [](FabricDescription::Argument value) { return FabricDescription::Entry{std::move(value), {}}; };
  FabricDescription tree{
      "fat_tree", {}, {{"levels", entry(std::vector<std::int64_t>{3})}, {"capacity", entry("exponential")}}};
  CHECK(build_fabric(tree)->notation() == "fat_tree:levels=3,capacity=exponential");
  tree.arguments["capacity"] = entry(std::vector<std::int64_t>{1, 1, 7});
  CHECK(build_fabric(tree)->notation() == "fat_tree:levels=3,capacity=1,1,7");
  tree.arguments["capacity"] = entry(std::vector<std::int64_t>{});
  CHECK(build_fabric(tree).diagnostics().front().message == "capacity is empty; expected a number");
  const FabricDescription torus{"torus", {}, {{"", entry(std::vector<std::int64_t>{4, 5})}, {"queue", entry("none")}}};
  CHECK(build_fabric(torus)->notation() == "torus:4x5,queue=none");
}

TEST_CASE("the families that are listed can be read as their examples say") {
  for (const TopologyFamily& family : standard_families().topologies) {
    CAPTURE(family.name);
    CHECK_FALSE(family.summary.empty());
    for (const FabricParameter& parameter : family.parameters) CHECK_FALSE(parameter.meaning.empty());
    if (family.name != "graph") CHECK(read(family.example) == family.example);
  }
}
