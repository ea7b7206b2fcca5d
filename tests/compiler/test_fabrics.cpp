// Fabrics that are written in the language: what a definition means, what is wrong with one, and those that ship.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <future>
#include <set>
#include <string>

#include "compile_text.h"
#include "compiler/front/fabric_definition.h"
#include "dsl/load.h"
#include "model/described.h"
#include "model/distances.h"
#include "model/fabric_notation.h"
#include "model/route.h"
#include "verifier/check.h"

namespace quadrille {
namespace {

Fabric fabric_of(const std::string& notation) {
  const auto fabric = parse_fabric({"", notation}, 0, {}, language_families());
  INFO(notation);
  for (const Diagnostic& diagnostic : fabric.diagnostics()) INFO(diagnostic.message);
  REQUIRE(fabric.ok());
  return *fabric;
}

std::vector<ChannelId> route_of(const Router& router, std::uint32_t source, std::uint32_t target) {
  std::vector<ChannelId> channels;
  REQUIRE(router.append_route(NodeId(source), NodeId(target), channels));
  return channels;
}

// The messages for a schedule on a fabric with that block; empty if there are none.
std::string mistakes(const std::string& header, const std::string& block, const std::string& use) {
  const Compiled compiled =
      compile_text(header + "\n" + block + "fabric " + use + "\ncollective broadcast\nsend 0 -> 1\n", {});
  return compiled.table ? "" : compiled.messages.substr(0, compiled.messages.find('\n'));
}

constexpr char twins[] = "fabric twins(hosts, spines = 2):";
constexpr char twins_block[] =
    "  let half = hosts/2\n  processors hosts\n  switches leaf[2], spine[spines]\n"
    "  for h in processors: link h -- leaf[h/half] lanes 3\n"
    "  for l in 0..1, s in 0..spines-1: link leaf[l] -- spine[s]\n"
    "  route a -> b when a/half != b/half: along leaf[a/half], spine[b mod spines], leaf[b/half]\n";

// Of three processors in a ring each pair is one hop apart; `route` goes by the third.
TEST_CASE("a send takes as many steps as its route, also where that is not a shortest one") {
  for (const char* use : {"long_way(3)", "product(ring(2), long_way(3))"}) {
    const Compiled compiled =
        compile_text(fmt::format("fabric long_way(hosts):\n  processors hosts\n"
                                 "  for h in processors: link h -- (h + 1) mod hosts\n"
                                 "  route a -> b: along 3 - a - b\n"
                                 "fabric {}\ncollective total_exchange\n"
                                 "for d in 1..n-1 in turn:\n  for k in processors in turn: send k -> (k + d) mod n\n",
                                 use),
                     {});
    INFO(compiled.messages);
    REQUIRE(compiled.table);
    const auto rows = all_rows(*compiled.table);
    CHECK(compiled.table->rows->row_count() == rows.size());
    CHECK(compiled.table->rows->last_step() == rows.back().step);
    CHECK(check(*compiled.table).verdict == Verdict::holds);
  }
}

TEST_CASE("a definition is a graph: processors, then switches in order, and its links") {
  const Compiled compiled =
      compile_text(std::string(twins) + "\n" + twins_block +
                       "\nfabric twins(4, ports: single)\ncollective broadcast\nsend 0 -> {1, 2, 3}\n",
                   {});
  INFO(compiled.messages);
  REQUIRE(compiled.table);
  const Fabric& fabric = compiled.table->fabric;
  CHECK(fabric.processors() == 4);
  CHECK(fabric.nodes() == 8);
  CHECK(fabric.channels() == 2 * (4 + 4));
  CHECK(fabric.name(NodeId(5)) == "leaf[1]");
  CHECK(fabric.node_named("spine[1]") == NodeId(7));
  CHECK(fabric.channel(*fabric.channel_between(NodeId(0), NodeId(4))).capacity == 3);
  CHECK(fabric.rules().ports == Ports::single);
  CHECK(described(fabric) == "twins:hosts=4,ports=single");
}

TEST_CASE("what a table's head holds of it reads to an equal fabric, with its title") {
  const Fabric fabric = fabric_of("leaf_spine:hosts=8,leaves=4,spines=2,queue=none");
  const Fabric again = parse_fabric({"", fabric.notation()}, 0).value();
  CHECK(again == fabric);
  CHECK(described(again) == "leaf_spine:hosts=8,leaves=4,spines=2,queue=none");
}

TEST_CASE("its routes are the default ones where a condition holds, and shortest ones elsewhere") {
  const Fabric fabric = fabric_of("leaf_spine:hosts=16,leaves=4,spines=3");
  const Router router(fabric);
  for (std::uint32_t a = 0; a < 16; ++a) {
    for (std::uint32_t b = 0; b < 16; ++b) {
      if (a == b) continue;
      const std::vector<ChannelId> route = route_of(router, a, b);
      const bool near = a / 4 == b / 4;
      REQUIRE(route.size() == (near ? 2 : 4));
      if (!near) CHECK(fabric.name(fabric.channel(route[1]).to) == "spine[" + std::to_string(b % 3) + "]");
    }
  }
}

// Of 3 processors all routes are known when the fabric is made, of 1,500 they are worked out when they are asked for.
TEST_CASE("its routes are the same whichever thread asks for them") {
  for (const std::uint32_t hosts : {3U, 1500U}) {
    CAPTURE(hosts);
    const Compiled compiled = compile_text(fmt::format("fabric hubs(hosts):\n  let hub_of(a, b) = (a + b)/(hosts + 1)\n"
                                                       "  processors hosts\n  switches hub[2]\n"
                                                       "  for h in processors, k in 0..1: link h -- hub[k]\n"
                                                       "  route a -> b: along hub[hub_of(a, b)]\n"
                                                       "fabric hubs({})\ncollective broadcast\nsend 0 -> 1\n",
                                                       hosts),
                                           {});
    INFO(compiled.messages);
    REQUIRE(compiled.table);
    const Fabric& fabric = compiled.table->fabric;
    const Router router(fabric);
    const auto check_routes = [&] {
      std::uint32_t wrong = 0;
      for (std::uint32_t b = 1; b < hosts; ++b) {
        const std::uint32_t a = hosts / 2 == b ? 0 : hosts / 2;
        std::vector<ChannelId> route;
        const bool there = router.append_route(NodeId(a), NodeId(b), route) && route.size() == 2;
        const NodeId hub(hosts + (a + b) / (hosts + 1));
        if (!there || fabric.channel(route[0]).to != hub || router.leaves_choice(NodeId(a), NodeId(b))) ++wrong;
      }
      return wrong;
    };
    CHECK(check_routes() == 0);
    for (int i = 0; i < 2; ++i) CHECK(std::async(std::launch::async, check_routes).get() == 0);
    CHECK(check_routes() == 0);
  }
}

TEST_CASE("a node has its name in a schedule: an array's element, or any name in quotes") {
  const Compiled compiled = compile_text(
      "fabric leaf_spine(4, leaves: 2, spines: 2)\ncollective scatter\nlet s = 1\n"
      "send 0 -> 3 along leaf[0], spine[s], \"leaf[1]\"\n",
      {});
  INFO(compiled.messages);
  REQUIRE(compiled.table);
  CHECK(compiled.table->fabric.nodes() == 8);
}

TEST_CASE("each mistake of a definition has its message") {
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- 1\n", "f(2)") == "");
  CHECK(mistakes("fabric f(h):", "  link 0 -- 1\n", "f(2)") ==
        "test.qd:1:8: error: the fabric 'f' does not say its processors; expected a line such as 'processors 8'");
  CHECK(mistakes("fabric f(h):", "  processors h\n  processors h\n", "f(2)") ==
        "test.qd:1:8: error: the fabric 'f' says its processors twice");
  CHECK(mistakes("fabric ring(h):", "  processors h\n", "ring(2)") ==
        "test.qd:1:8: error: there is a fabric 'ring' already");
  CHECK(mistakes("fabric f(ports):", "  processors ports\n", "f(2)") ==
        "test.qd:1:10: error: 'ports' is a rule of every fabric; a parameter has another name");
  CHECK(mistakes("fabric f(h in 1..9):", "  processors h\n", "f(-2)") == "test.qd:3:10: error: h is -2; expected 1..9");
  CHECK(mistakes("fabric f(h, h):", "  processors h\n", "f(2)") == "test.qd:1:13: error: 'h' is declared twice");
  CHECK(mistakes("fabric f(h):", "  processors h\n  switches h\n", "f(2)") ==
        "test.qd:3:12: error: 'h' is declared twice");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- bus\n", "f(2)") ==
        "test.qd:3:13: error: unknown name 'bus'");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- 2\n", "f(2)") ==
        "test.qd:4:8: error: f: there is no processor 2; the fabric has processors 0 to 1");
  CHECK(mistakes("fabric f(h):", "  processors h\n  switches s[2]\n  link 0 -- s[2]\n", "f(2)") ==
        "test.qd:5:8: error: f: there is no node s[2] in this fabric");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- 1\n  link 1 -- 0\n", "f(2)") ==
        "test.qd:5:8: error: f: there is a link from 1 to 0 already; for more lanes, say 'lanes'");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- 0\n", "f(2)") ==
        "test.qd:4:8: error: f: a link from 0 to itself");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- 1 lanes h - 2\n", "f(2)") ==
        "test.qd:4:8: error: f: a link of 0 lanes; expected at least 1");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- 1 latency 5\n", "f(2)") ==
        "test.qd:3:24: error: expected a unit: ps, ns, us, ms or s after '5', met 'end of line'");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- 1 bandwidth 5 Gb/s\n", "f(2)") ==
        "test.qd:3:27: error: expected a unit, such as GB/s, MB/s or Gbit/s after '5', met 'Gb'");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- 1 bandwidth h - 2 GB/s\n", "f(2)") ==
        "test.qd:4:8: error: f: a bandwidth of 0; expected 1 to 1000000000 of this unit");
  CHECK(mistakes("fabric f(h):", "  processors h - 2\n", "f(2)") ==
        "test.qd:3:8: error: f: the fabric has 0 processors; expected 1 to 67108864");
  CHECK(mistakes("fabric f(h in 3..5):", "  processors h\n", "f(2)") ==
        "test.qd:3:8: error: f: parameter h is 2; expected 3 to 5");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 -- 1\n  route a -> b: along 2\n", "f(3)") ==
        "test.qd:5:8: error: f: the route from 0 to 1 takes a link from 0 to 2; there is none");
  CHECK(mistakes("fabric f(h):", "  switches s\n  processors h\n", "f(2)") ==
        "test.qd:4:8: error: f: the line 'processors' comes before 'switches'");
  CHECK(mistakes("fabric f(h):", "  processors h\n  for i in 0..1: switches s\n", "f(2)") ==
        "test.qd:3:18: error: 'switches' stands in the fabric's own block, not in a loop");
  CHECK(mistakes("fabric f(h):", "  processors 2^27\n", "f(2)") ==
        "test.qd:3:8: error: f: the fabric has 134217728 processors; expected 1 to 67108864");
  CHECK(mistakes("fabric f(h):", "  processors 1\n  switches s[2^20][2^20]\n", "f(2)") ==
        "test.qd:4:8: error: f: a fabric has at most 67108864 nodes");
  CHECK(mistakes("fabric f:", "  processors 2\n  link 0 -- 1\n", "f(2)") ==
        "test.qd:4:10: error: f has no arguments but duplex, ports, queue, switches, timing, paths");
  CHECK(mistakes("fabric f(h):", "  processors h\n  link 0 - 1\n", "f(2)").starts_with("test.qd:3:"));
}

TEST_CASE("a program's own fabric takes the place of one of the same name that ships") {
  CHECK(mistakes("fabric nvswitch(gpus):", "  processors gpus\n  link 0 -- 1\n", "nvswitch(2)") == "");
}

constexpr char all_to_all[] =
    "collective total_exchange\nfor d in 1..n-1: at d: for k in processors: send k -> (k + d) mod n\n";

constexpr char unrouted_leaf_spine[] =
    "fabric ls(hosts, leaves, spines):\n  processors hosts\n  switches leaf[leaves], spine[spines]\n"
    "  for h in processors: link h -- leaf[h*leaves/hosts]\n"
    "  for l in 0..leaves-1, s in 0..spines-1: link leaf[l] -- spine[s]\n";

std::uint32_t retimed_steps(const std::string& text, const std::optional<Fabric>& on) {
  ElaborateOptions options;
  options.fabric = on;
  options.retime = true;
  const Compiled compiled = compile_text(text, {}, options);
  INFO(compiled.messages);
  REQUIRE(compiled.table);
  CHECK(check(*compiled.table).verdict == Verdict::holds);
  std::uint32_t last = 0;
  for (const auto& [step, row] : all_rows(*compiled.table)) last = step.value;
  return last;
}

// The lower bounds are those of `quadrille bounds`; all but dgx1's are met.
TEST_CASE("where no route is said, all equal ways are used, and retiming takes the one that is free first") {
  CHECK(retimed_steps(std::string(unrouted_leaf_spine) + "fabric ls(16, leaves: 4, spines: 4)\n" + all_to_all,
                      std::nullopt) == 18);
  CHECK(retimed_steps(std::string(unrouted_leaf_spine) + "fabric ls(32, leaves: 4, spines: 8)\n" + all_to_all,
                      std::nullopt) == 34);
  CHECK(retimed_steps(all_to_all, fabric_of("clos3:4")) == 20);
  CHECK(retimed_steps(all_to_all, fabric_of("dgx2")) == 5);
  CHECK(retimed_steps(all_to_all, fabric_of("nvswitch")) == 2);
  CHECK(retimed_steps(all_to_all, fabric_of("dgx1")) == 4);  // 3
}

TEST_CASE("a schedule without a fabric is for the one that it is given") {
  CHECK(retimed_steps(all_to_all, fabric_of("ring:5")) >= 3);
  const Compiled none = compile_text(all_to_all, {});
  CHECK(none.messages.starts_with(
      "test.qd:3:1: error: the file names no fabric; expected a line such as 'fabric ring(8)', or "
      "one on the command line, such as --on ring:8\n"));
}

TEST_CASE("a link may go one way") {
  const Compiled compiled = compile_text(
      "fabric wheel(n):\n  processors n\n  for p in processors: link p -> (p + 1) mod n lanes 2\n"
      "fabric wheel(5)\ncollective broadcast\nsend 0 -> {1, 4}\n",
      {});
  INFO(compiled.messages);
  REQUIRE(compiled.table);
  CHECK(compiled.table->fabric.channels() == 5);
  CHECK(compiled.table->fabric.has_one_way_links());
}

TEST_CASE("a link may say its latency and its bandwidth") {
  const Compiled compiled = compile_text(
      "fabric pair(hops):\n  processors 3\n  link 0 -- 1 lanes 2 latency 250*hops ns bandwidth 100Gbit/s\n"
      "  link 1 -> 2 bandwidth 25 GB/s\nfabric pair(2)\ncollective broadcast\nsend 0 -> 1\n",
      {});
  INFO(compiled.messages);
  REQUIRE(compiled.table);
  CHECK(compiled.table->fabric.notation() ==
        R"(graph:{"name":"pair:hops=2","processors":3,"switches":[],"channels":[)"
        R"({"from":0,"to":1,"capacity":2,"latency":"500ns","bandwidth":"12500MB/s"},)"
        R"({"from":1,"to":0,"capacity":2,"latency":"500ns","bandwidth":"12500MB/s"},)"
        R"({"from":1,"to":2,"capacity":1,"bandwidth":"25GB/s"}]})");
}

std::string product_notation(const std::string& header, const std::string& product) {
  const Compiled compiled = compile_text(header + "fabric " + product + "\ncollective broadcast\nsend 0 -> 1\n", {});
  return compiled.table ? compiled.table->fabric.notation() : compiled.messages.substr(0, compiled.messages.find('\n'));
}

TEST_CASE("a product of fabrics is said in the language as on the command line") {
  CHECK(product_notation("param N in 2..5 = 3\n", "product(ring(N + 1), line(N), ports: single)") ==
        "product(ring:4,line:3),ports=single");
  CHECK(product_notation("", "product(torus(3, 4), product(ring(3), \"complete:2,capacity=3\"))") ==
        "product(torus:3x4,product(ring:3,complete:2,capacity=3))");
  CHECK(product_notation("", "product(dgx1, hypercube(1))") == "product(dgx1,hypercube:1)");
  CHECK(product_notation("fabric pair(k):\n  processors 2\n  link 0 -- 1 lanes k\n", "product(pair(3), line(2))") ==
        R"(product(graph:{"name":"pair:k=3","processors":2,"switches":[],"channels":[[0,1,3],[1,0,3]]},line:2))");
  CHECK(product_notation("", "product(ring(4), 3)") ==
        "test.qd:1:25: error: a product's factor is a fabric, such as ring(4) or \"torus:4x4,capacity=2\"");
  CHECK(product_notation("", "product(ring(4), star(3))") ==
        "test.qd:1:16: error: the factor `star:3` has switches; a product is of fabrics of processors alone");
  CHECK(product_notation("", "product(ring(4), rong(3))") ==
        "test.qd:1:16: error: the factor `rong:3`: unknown fabric `rong`; did you mean `ring`?");
  CHECK(described(fabric_of("product(k_ary_n_cube:k=3,dimensions=1,ring:4)")) ==
        "product(k_ary_n_cube:k=3,dimensions=1,ring:4)");
}

TEST_CASE("a fabric that takes too long says so, and not that the schedule does") {
  Limits limits;
  limits.deadline = Limits::Clock::now() - std::chrono::hours(1);
  const auto fabric = parse_fabric({"", "dragonfly:routers=64,hosts=64,global=2"}, 0, {}, language_families(), limits);
  REQUIRE_FALSE(fabric.ok());
  CHECK(fabric.diagnostics().front().message.find("building the fabric") != std::string::npos);
}

struct Size {
  std::string notation;
  std::uint32_t processors, switches, links, diameter;  // the diameter: of the processors, in hops
  bool one_way = false;
};

// Sizes as the papers give them; the diameters are worked out by hand.
TEST_CASE("the fabrics that ship have the nodes, links and diameters that their papers say") {
  const std::vector<Size> sizes = {
      {"leaf_spine:hosts=16,leaves=4,spines=3", 16, 7, 16 + 12, 4},
      {"clos3:4", 16, 20, 16 + 16 + 16, 6},
      {"clos3:6", 54, 45, 54 * 3, 6},
      {"dragonfly:routers=4,hosts=2,global=2", 72, 36, 72 + 9 * 6 + 36, 5},
      {"dragonfly:routers=1,hosts=1,global=3", 4, 4, 4 + 6, 3},
      {"hyperx:side=3,dimensions=2,hosts=2", 18, 9, 18 + 18, 4},
      {"k_ary_n_cube:k=4,dimensions=3", 64, 0, 192, 6},
      {"k_ary_n_cube:k=2,dimensions=4", 16, 0, 32, 4},
      {"k_ary_n_cube:k=5,dimensions=1", 5, 0, 5, 2},
      {"cube_connected_cycles:3", 24, 0, 36, 6},
      {"cube_connected_cycles:4", 64, 0, 96, 8},
      {"butterfly:3", 32, 0, 48, 6},
      {"wrapped_butterfly:3", 24, 0, 48, 4},
      {"wrapped_butterfly:4", 64, 0, 128, 6},
      {"butterfly_fat_tree:4", 16, 32, 64, 8},
      {"butterfly_fat_tree:levels=5,pruning=2", 32, 40, 80, 10},
      {"nvswitch", 8, 6, 48, 2},
      {"dgx2", 16, 12, 16 * 6 + 6, 3},
      {"dgx_a100", 8, 6, 48, 2},
      {"rails:4", 32, 12, 64, 4},
      {"de_bruijn:3", 8, 0, 16 - 2, 3, true},
      {"de_bruijn:digits=2,base=3", 9, 0, 27 - 3, 2, true},
      {"de_bruijn:digits=4,base=3", 81, 0, 243 - 3, 4, true},
      {"omega:3", 8, 12, 8 * 4, 4, true},
      {"omega:4", 16, 32, 16 * 5, 5, true},
      {"clos:m=3,n=2,r=4", 8, 11, 2 * 8 + 2 * 12, 4, true},
      {"clos:m=5,n=3,r=2", 6, 9, 2 * 6 + 2 * 10, 4, true},
      {"crossbar:6", 6, 1, 6, 2},
      {"shared_bus:6", 6, 2, 13, 3, true},
      {"dgx1_rails", 16, 12, 2 * 16 + 16 + 8, 6},
      {"dgx1_rails:4", 32, 20, 4 * 16 + 32 + 16, 6},
      {"dgx2_rails", 32, 24 + 16 + 8, 2 * 102 + 32 + 16, 7},
      {"dgx2_rails:4", 64, 48 + 32 + 8, 4 * 102 + 64 + 32, 7},
      {"dgx_a100_rails", 16, 12 + 8, 96 + 16, 4},
      {"dgx_a100_rails:4", 32, 24 + 8, 192 + 32, 4},
      {"connection_machine:dimensions=3,processors=2", 16, 8, 16 + 12, 5},
      {"dgx_h100", 8, 4, 32, 2},
      {"dgx_h100_rails:3", 24, 12 + 8, 96 + 24, 4},
      {"dgx_b200", 8, 2, 16, 2},
      {"nvl72", 72, 18, 72 * 18, 2},
      {"mi300x", 8, 0, 28, 1},
      {"rail_pod:racks=2,servers=3,gpus=4,spines=2", 24, 6 + 8 + 2, 24 + 24 + 16, 4},
      {"tpu_slice:x=4,y=4,z=8", 128, 0, 3 * 128, 2 + 2 + 4},
      {"tpu_slice:x=2,y=2,z=4", 16, 0, 8 + 8 + 12, 1 + 1 + 3},
      {"dragonfly_plus:leaves=3,spines=2,hosts=2,global=1", 18, 3 * 5, 18 + 3 * 6 + 3, 5},
      {"slim_fly", 50, 50, 50 + 175, 4},
      {"slim_fly:13", 338, 338, 338 + 338 * 19 / 2, 4},
      {"bcube:n=3,levels=2", 9, 6, 18, 4},
  };
  std::set<std::string> seen;
  for (const Size& size : sizes) {
    CAPTURE(size.notation);
    seen.insert(size.notation.substr(0, size.notation.find(':')));
    const Fabric fabric = fabric_of(size.notation);
    CHECK(fabric.processors() == size.processors);
    CHECK(fabric.nodes() - fabric.processors() == size.switches);
    CHECK(fabric.channels() == (size.one_way ? 1 : 2) * size.links);
    std::uint32_t diameter = 0;
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
      const auto hops = distances(fabric, NodeId(p), Direction::from);
      for (std::uint32_t q = 0; q < fabric.processors(); ++q) {
        REQUIRE(hops[q] != unreachable);
        diameter = std::max(diameter, hops[q]);
      }
    }
    CHECK(diameter == size.diameter);
  }
  for (const ShippedFile& file : shipped_fabric_files()) CHECK(seen.contains(std::string(file.name)));
}

// By the one path: input p, stage by stage; the switch of stage s is that of the line whose bits come from both ends.
TEST_CASE("an omega network has one way between any two, and some permutations block") {
  const Fabric fabric = fabric_of("omega:3");
  const Router router(fabric);
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = 0; b < 8; ++b) {
      if (a == b) continue;
      CHECK(router.shortest_routes(NodeId(a), NodeId(b), 2).size() == 1);
      const auto route = route_of(router, a, b);
      REQUIRE(route.size() == 4);
      for (std::uint32_t s = 0; s < 3; ++s) {
        const std::uint32_t line = ((a << (s + 1)) | (b >> (2 - s))) & 7;  // after stage s
        CHECK(fabric.name(fabric.channel(route[s]).to) == fmt::format("stage[{}][{}]", s, line / 2));
      }
    }
  }
}

TEST_CASE("between two processors a Clos network has a way by every switch in the middle") {
  const Fabric fabric = fabric_of("clos:m=5,n=3,r=2");
  CHECK(Router(fabric).shortest_routes(NodeId(0), NodeId(5), 9).size() == 5);
}

TEST_CASE("a shared bus carries one packet a step, and all hear it") {
  CHECK(retimed_steps(all_to_all, fabric_of("shared_bus:5")) == 5 * 4 + 2);
  CHECK(retimed_steps("collective broadcast\nsend 0 -> all\n", fabric_of("shared_bus:5")) == 3);
}

TEST_CASE("the GPUs of a DGX-1 among rails are linked as those of a DGX-1") {
  const Fabric alone = fabric_of("dgx1");
  const Fabric rails = fabric_of("dgx1_rails:3");
  for (const Channel& channel : alone.all_channels()) {
    for (const std::uint32_t server : {0U, 16U}) {
      const auto found = rails.channel_between(NodeId(channel.from.value + server), NodeId(channel.to.value + server));
      REQUIRE(found);
      CHECK(rails.channel(*found).capacity == channel.capacity);
    }
  }
}

TEST_CASE("a dragonfly has exactly one link between any two groups") {
  const Fabric fabric = fabric_of("dragonfly:routers=3,hosts=1,global=2");
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Channel& channel : fabric.all_channels()) {
    if (channel.from.value < 21 || channel.to.value < 21) continue;
    const std::uint32_t from = (channel.from.value - 21) / 3;
    const std::uint32_t to = (channel.to.value - 21) / 3;
    if (from != to) CHECK(pairs.insert({from, to}).second);
  }
  CHECK(pairs.size() == 7 * 6);
}

TEST_CASE("the routes of clos3 are shortest, and go to different cores for different targets") {
  const Fabric fabric = fabric_of("clos3:4");
  const Router router(fabric);
  std::set<std::string> cores;
  for (std::uint32_t a = 0; a < 16; ++a) {
    for (std::uint32_t b = 0; b < 16; ++b) {
      if (a == b) continue;
      const std::vector<ChannelId> route = route_of(router, a, b);
      CHECK(route.size() == router.distance(NodeId(a), NodeId(b)));
      if (route.size() == 6) cores.insert(fabric.name(fabric.channel(route[2]).to));
    }
  }
  CHECK(cores.size() == 4);
}

}  // namespace
}  // namespace quadrille
