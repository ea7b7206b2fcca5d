// A declaration read back is the same machine: nodes, channels, lanes and speeds, in the same order.
#include <doctest/doctest.h>

#include "compiler/decompile/declaration.h"
#include "driver/catalogue.h"
#include "driver/inputs/context.h"
#include "driver/inputs/notations.h"
#include "model/topologies/graph.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

Fabric named(const std::string& notation, const std::map<std::string, std::string>& files = {}) {
  MemoryEnvironment environment;
  environment.files = files;
  Context context{environment};
  const Result<Fabric> fabric = fabric_on(notation, context);
  REQUIRE_MESSAGE(fabric.ok(), render(fabric.diagnostics(), context.sources));
  return *fabric;
}

void check_read_back(const Fabric& fabric) {
  const Result<std::string> text = declaration(fabric, "again", "a fabric");
  REQUIRE(text.ok());
  CAPTURE(*text);
  const Fabric again = named("again.qd", {{"again.qd", *text}});
  CHECK(again.processors() == fabric.processors());
  REQUIRE(again.nodes() == fabric.nodes());
  REQUIRE(again.channels() == fabric.channels());
  for (std::uint32_t i = 0; i < fabric.channels(); ++i) {
    const Channel& channel = fabric.channel(ChannelId(i));
    const Channel& read = again.channel(ChannelId(i));
    CHECK(read.from == channel.from);
    CHECK(read.to == channel.to);
    CHECK(read.capacity == channel.capacity);
  }
  CHECK(again.link_speeds() == fabric.link_speeds());
}

std::string shown(const std::string& name) {
  MemoryEnvironment environment;
  Context context{environment};
  const Result<ShowOutcome> outcome = run(ShowRequest{name}, context);
  return outcome ? outcome->text : render(outcome.diagnostics(), context.sources);
}

TEST_CASE("a declaration read back has the same nodes, channels, lanes and speeds") {
  for (const char* notation :
       {"fat_tree:levels=3,capacity=exponential", "fat_tree:levels=2,arity=3", "torus:3x4", "mesh:2x2x2", "ring:5",
        "complete:4", "star:6", "hypercube:3", "dgx1", "leaf_spine:hosts=8,leaves=4,spines=2", "dgx2",
        "omega:dimensions=3", "dgx1_rails:servers=2", "cube_connected_cycles:dimensions=3",
        "dgx_h100_rails:servers=2,nvlink_ns=300", "mi300x", "tpu_slice:x=2,y=2,z=4", "product(ring:3,complete:3)"}) {
    CAPTURE(notation);
    check_read_back(named(notation));
  }
}

TEST_CASE("links that differ in their directions, and speeds, are declared each way") {
  check_read_back(named("two.qd", {{"two.qd",
                                    "fabric two:\n"
                                    "  processors 2\n"
                                    "  switches middle\n"
                                    "  link 0 -> middle lanes 2 latency 500 ns bandwidth 25 GB/s\n"
                                    "  link middle -> 0 lanes 3 latency 500 ns bandwidth 25 GB/s\n"
                                    "  link 1 -- middle latency 0 ns\n"
                                    "  link 0 -> 1 bandwidth 1 GB/s\n"}}));
}

TEST_CASE("switches keep their names as far as the language has such names, and no two get one name") {
  const Fabric fabric = named("g.json", {{"g.json",
                                          R"({"processors": 2, "switches": ["for", "a-b", "a_b", "leaf[0]", "leaf[1]",
                                              "x[1]", "x[0]", "n"],
                                              "links": [[0, "for"], ["for", "a-b"], ["a-b", "a_b"], ["a_b", "leaf[0]"],
                                              ["leaf[0]", "leaf[1]"], ["leaf[1]", "x[1]"], ["x[1]", "x[0]"],
                                              ["x[0]", "n"], ["n", 1]]})"}});
  check_read_back(fabric);
  const Result<std::string> text = declaration(fabric, "for", "g.json");
  REQUIRE(text.ok());
  CHECK(text->find("fabric cluster:") != std::string::npos);
  CHECK(text->find("switches switch_for, a_b, a_b_, leaf[2], x_1, x_0, switch_n\n") != std::string::npos);
}

TEST_CASE("a fabric that no file defines is shown link by link, with the rules it was named with") {
  CHECK(shown("star:3,ports=single") ==
        "// star:3,ports=single, link by link; without routes of its own, so that a send takes a shortest one.\n"
        "// A fabric's rules stand where it is named: (ports: single).\n"
        "fabric star_links:\n"
        "  processors 3\n"
        "  switches level1[1]\n"
        "  link 0 -- level1[0]\n"
        "  link 1 -- level1[0]\n"
        "  link 2 -- level1[0]\n");
  CHECK(shown("dgx1").find("  link 0 -- 1 lanes 2\n") != std::string::npos);
  CHECK(shown("leaf_spine").find("fabric leaf_spine(") != std::string::npos);
  CHECK(shown("torus:0x4").find("error") != std::string::npos);
  CHECK(shown("toruss:4x4").find("error") != std::string::npos);
}

TEST_CASE("what is shown can be used as it is") {
  const std::string file = shown("hypercube:3");
  CHECK(named("cube.qd", {{"cube.qd", file}}).channels() == 24);
  CHECK(named("cube.qd:ports=single", {{"cube.qd", file}}).rules().ports == Ports::single);
}

TEST_CASE("a fabric of too many channels is not declared") {
  const Result<std::string> text = declaration(named("complete:400"), "complete", "complete:400");
  REQUIRE_FALSE(text.ok());
  CHECK(text.diagnostics().front().code == Code::limit);
}

}  // namespace
}  // namespace quadrille::driver
