// cli/JSON.md names every key that the commands print, and no other.
#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run.h"
#include "model/text/diagnostic.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::cli {
namespace {

using Json = nlohmann::json;
using Paths = std::set<std::string>;

// Objects whose keys are names of the schedule's own, or of properties.
bool named_by_others(const std::string& key) {
  return key == "properties" || key == "arguments" || key == "variables" || key == "range" || key == "asked";
}

// The paths of all values: "violations[].source.line".
void collect(const Json& value, const std::string& path, bool free, Paths& paths) {
  if (!path.empty()) paths.insert(path);
  if (value.is_array()) {
    for (const Json& element : value) collect(element, path + "[]", false, paths);
  }
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items()) {
    collect(inner, (path.empty() ? "" : path + ".") + (free ? "*" : key), !free && named_by_others(key), paths);
  }
}

// Those that no other begins with.
Paths leaves(const Paths& paths) {
  Paths result;
  for (const std::string& path : paths) {
    const auto has = [&](const std::string& more) {
      const auto next = paths.lower_bound(path + more);
      return next != paths.end() && next->starts_with(path + more);
    };
    if (!has(".") && !has("[]")) result.insert(path);
  }
  return result;
}

// The paths between backticks before the colon of each item, by section.
std::map<std::string, Paths> page() {
  std::ifstream file(QUADRILLE_SOURCE_FOLDER "/cli/JSON.md");
  std::map<std::string, Paths> sections;
  std::string section;
  std::string line;
  bool naming = false;
  while (std::getline(file, line)) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (line.starts_with("* ")) naming = true;
    if (section.empty() || !naming) continue;
    const std::size_t end = line.find("`: ");
    std::istringstream names(line.substr(0, end == line.npos ? end : end + 1));
    std::string piece;
    for (bool inside = false; std::getline(names, piece, '`'); inside = !inside) {
      if (inside) sections[section].insert(piece);
    }
    naming = end == line.npos;
  }
  return sections;
}

const std::string late_sample =
    "param L in 1..20\nfabric fat_tree(levels: L)\ncollective broadcast(root: 0)\nat 1: send 0 -> all\n"
    "claim steps == 2\n";
const std::string colliding_sample =
    "fabric fat_tree(levels: 2)\ncollective total_exchange\nfor k in processors, d in 1..3:\n  at d: send k -> k xor "
    "d\n";
const std::string flooded_sample =
    "param L in 1..20\nfabric fat_tree(levels: L)\ncollective multinode_broadcast\n"
    "by fifo: for k in processors: send k -> all\nclaim steps == 3\n";
const std::string rounds =
    "fabric ring(4, timing: rounds)\ncollective allgather\nfor k in processors: send k -> {(k + 1) mod 4, (k + 3) mod "
    "4}\n";
const std::string twice = "param L in 1..3\nparam L in 1..3\nfabric ring(4)\ncollective allgather\n";
const std::string invariant_sample =
    "param N in 3..\nfabric ring(N)\ncollective allgather\n"
    "for t in 1..n-1: at t: for k in processors: send k -> (k + 1) mod n carrying (k - t + 1 + n) mod n\n"
    "invariant after t in 0..n-1: for k in processors: held(k) == {k-t..k} mod n\n";
// A row that takes a packet from where it is not.
const std::string wrong_table =
    "# quadrille-table 1\n# fabric: line:3\n# collective: scatter:root=0\n# schedule: wrong\n"
    "step,from,to,lane,origin,target,part\n1,1,2,0,0,2,0\n";
// A processor that keeps a word, and sends two as one.
const std::string worded_table =
    "# quadrille-table 1\n# fabric: line:3\n# collective: exclusive_prefix\n"
    "step,from,to,lane,origin,target,part,words,arrival\n1,0,1,0,0,1,0,,keep\n2,1,2,0,1,2,0,1+0,keep\n";
const std::string proof_certificate =
    "quadrille certificate 1\nfabric line:2\ncollective scatter:parts=3\nsteps 2\ninject many\n"
    "evidence proof proof.drat\n";

// A tag that nobody receives; and sends that have to be eager.
const std::string wrong_tag =
    "num_ranks 2\nrank 0 {\na: send 8b to 1 tag 1\nb: recv 8b from 1\n}\nrank 1 {\na: recv 8b from 0 tag 2\nb: send 8b "
    "to 0\n"
    "b requires a\n}\n";
const std::string eager_only =
    "num_ranks 2\nrank 0 {\na: send 8b to 1\nb: recv 8b from 1\nb requires a\n}\nrank 1 {\na: send 8b to 0\n"
    "b: recv 8b from 0\nb requires a\n}\n";

// A plan that says this of sizes, and copies to that chunk of an output of one.
std::string plan_of(const std::string& sizes, int target) {
  return R"({"name": "p", "collective": "allreduce", "protocol": "Simple", "inplace": false, )" + sizes +
         R"(, "gpus": [{"id": 0, "input_chunks": 1, "output_chunks": 1, "scratch_chunks": 0, "channels": [],
"remote_buffers": [], "threadblocks": [{"id": 0, "ops": [{"name": "copy", "src_buff": [{"type": "i", "index": 0, "size": 1}],
"dst_buff": [{"type": "o", "index": )" +
         std::to_string(target) + R"(, "size": 1}]}], "channels": [], "remote_buffer_refs": []}]}]})";
}

std::string plan_file(const std::string& name) {
  std::ifstream file(QUADRILLE_SOURCE_FOLDER "/tests/programs/plans/" + name + ".json");
  return {std::istreambuf_iterator<char>(file), {}};
}

// What the section of the page is about, printed by these commands.
struct Section {
  std::string name;
  std::vector<std::vector<std::string>> commands;
};

std::vector<Section> all_sections() {
  const std::string file = "short/certificate.txt";
  return {
      {"errors", {{"check", "none.qd"}, {"check", "twice.qd"}, {"search", "--steps", "0"}}},
      {"check",
       {{"check", "rounds.qd", "--size", "64"},
        {"check", "colliding.qd"},
        {"check", "late.qd", "-D", "L=2"},
        {"check", "allreduce_one_shot", "-D", "N=4"},
        {"check", "ring_multinode_broadcast_half_even", "-D", "N=4"},
        {"check", "ring_multinode_broadcast", "-D", "N=4", "--on", "line:4", "--retime"},
        {"check", "wrong.csv"},
        {"check", "rounds.qd", "--rows", "all"},
        {"check", "colliding.qd", "--rows", "all"},
        {"check", "worded.csv", "--rows", "1"}}},
      {"check FILE.xml",
       {{"check", "race.xml"},
        {"check", "mendable.xml", "--mend", "out.xml", "--operations"},
        {"check", "hang.xml", "--operations"}}},
      {"check FILE.json",
       {{"check", "plan.json", "--operations"},
        {"check", "unlimited.json"},
        {"check", "wait_first.json"},
        {"check", "gather.json", "--operations"}}},
      {"check FILE.goal", {{"check", "tag.goal"}, {"check", "eager.goal", "--operations"}}},
      {"replay",
       {{"replay", "ring_multinode_broadcast", "-D", "N=4", "--show", "buffers", "--worst-link"},
        {"replay", "colliding.qd"},
        {"replay", "colliding.qd", "--size", "1KiB"},
        {"replay", "total_exchange", "-D", "L=2", "--size", "1KiB", "--sync", "dependency"},
        {"replay", "allgather_bruck", "-D", "N=4", "--retime"},
        {"replay", "late.qd", "-D", "L=2"},
        {"replay", "wrong.csv"}}},
      {"replay FILE.xml",
       {{"replay", "mendable.xml", "--on", "line:1", "--size", "1KiB"},
        {"replay", "hot.xml", "--on", "line:3", "--size", "1KiB"}}},
      {"replay --pattern",
       {{"replay", "--pattern", "bit_reversal", "--on", "hypercube:4"},
        {"replay", "--pattern", "bit_reversal", "--on", "hypercube:4", "--cycles", "1"}}},
      {"prove",
       {{"prove", "late.qd"},
        {"prove", "flooded.qd", "-D", "L=2"},
        {"prove", "exchange.qd"},
        {"prove", "invariant.qd"}}},
      {"prove --all-shipped", {{"prove", "--all-shipped"}}},
      {"prove --sizes", {{"prove", "late.qd", "--sizes", "1..2"}}},
      {"compare", {{"compare", "--collective", "broadcast", "--on", "ring:8", "--size", "1KiB,1GiB"}}},
      {"bounds",
       {{"bounds", "--collective", "total_exchange", "--on", "fat_tree:levels=3"},
        {"bounds", "--collective", "allgather", "--on", "ring:4"},
        {"bounds", "--collective", "allgather", "--on", "ring:4,timing=rounds"}}},
      {"search",
       {{"search", "--collective", "allgather", "--on", "ring:4", "--certificate", "short"},
        {"search", "--collective", "allgather", "--on", "ring:4", "--steps", "1", "--volume", "5"},
        {"search", "--collective", "broadcast", "--on", "ring:1", "--certificate", "none"},
        {"search", "--collective", "allgather", "--on", "ring:4", "--certificate", "late.qd"}}},
      {"search --size", {{"search", "--collective", "allgather", "--on", "complete:4,ports=single", "--size", "1KiB"}}},
      {"search --pareto",
       {{"search", "--collective", "allgather", "--on", "line:3", "--pareto", "--certificate", "x"}}},
      {"certify", {{"certify", file}, {"certify", "proof.txt"}}},
      {"certify FOLDER", {{"certify", "folder"}}},
      {"diff",
       {{"diff", "allgather_ring", "allgather_bruck", "-D", "N=4"}, {"diff", "scatter", "scatter", "-D", "L=2"}}},
      {"list", {{"list"}}},
      {"fabrics", {{"fabrics"}}},
      {"fabrics --hamiltonian", {{"fabrics", "--hamiltonian", "ring:3"}}},
      {"show", {{"show", "scatter"}}},
  };
}

// Two blocks that touch the same chunk, and a flag without a fence; and two ranks that send more than fits before they
// receive.
const std::string algo =
    R"(<algo name="a" proto="LL" nchannels="1" nchunksperloop="10" ngpus="2" coll="allgather" inplace="0" outofplace="1" )"
    R"(minBytes="0" maxBytes="0"><gpu id="0" i_chunks="5" o_chunks="10" s_chunks="1">)";
const std::string plain_step =
    R"(srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1"/>)";
const std::string racing =
    algo + R"(<tb id="0" send="-1" recv="-1" chan="0"><step s="0" type="cpy" )" + plain_step +
    R"(</tb><tb id="1" send="-1" recv="-1" chan="0"><step s="0" type="cpy" )" + plain_step +
    R"(<step s="1" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="0" deps="0" hasdep="0"/></tb>)" +
    R"(</gpu><gpu id="1" i_chunks="5" o_chunks="10" s_chunks="0"></gpu></algo>)";
// Block 1 copies on what block 0 has copied, and does not wait.
const std::string mendable =
    R"(<algo name="a" proto="LL" nchannels="1" nchunksperloop="1" ngpus="1" coll="allgather" inplace="0" outofplace="1" )"
    R"(minBytes="0" maxBytes="0"><gpu id="0" i_chunks="1" o_chunks="1" s_chunks="1">)"
    R"(<tb id="0" send="-1" recv="-1" chan="0"><step s="0" type="cpy" )" +
    plain_step +
    R"(</tb><tb id="1" send="-1" recv="-1" chan="0"><step s="0" type="cpy" srcbuf="s" srcoff="0" dstbuf="o" dstoff="0" )"
    R"(cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu></algo>)";
// Ranks 0 and 1 send to rank 2 at once: on a line, both cross the link from 1.
std::string crowded() {
  const auto step = [](const std::string& type) {
    return R"(<step s="0" type=")" + type +
           R"(" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb>)";
  };
  const auto rank = [](int id) {
    return R"(<gpu id=")" + std::to_string(id) + R"(" i_chunks="1" o_chunks="3" s_chunks="0">)";
  };
  std::string text =
      R"(<algo name="a" proto="Simple" nchannels="1" nchunksperloop="3" ngpus="3" coll="allgather" inplace="0" )"
      R"(outofplace="1" minBytes="0" maxBytes="0">)";
  for (int id = 0; id < 2; ++id) text += rank(id) + R"(<tb id="0" send="2" recv="-1" chan="0">)" + step("s") + "</gpu>";
  return text + rank(2) + R"(<tb id="0" send="-1" recv="0" chan="0">)" + step("r") +
         R"(<tb id="1" send="-1" recv="1" chan="0">)" + step("r") + "</gpu></algo>";
}
std::string hanging() {
  std::string text = algo;
  for (const char* block : {R"(<tb id="0" send="1" recv="1" chan="0">)",
                            R"(</tb></gpu><gpu id="1" i_chunks="5" o_chunks="10" s_chunks="1">)"
                            R"(<tb id="0" send="0" recv="0" chan="0">)"}) {
    text += block;
    for (const char* type : {"s", "s", "r", "r"}) {
      text += std::string(R"(<step s="0" type=")") + type +
              R"(" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="5" depid="-1" deps="-1" hasdep="0"/>)";
    }
  }
  return text + "</tb></gpu></algo>";
}

driver::MemoryEnvironment with_files() {
  driver::MemoryEnvironment environment;
  environment.files = {{"late.qd", late_sample},
                       {"rounds.qd", rounds},
                       {"colliding.qd", colliding_sample},
                       {"flooded.qd", flooded_sample},
                       {"twice.qd", twice},
                       {"invariant.qd", invariant_sample},
                       {"wrong.csv", wrong_table},
                       {"worded.csv", worded_table},
                       {"race.xml", racing},
                       {"mendable.xml", mendable},
                       {"hang.xml", hanging()},
                       {"hot.xml", crowded()},
                       {"plan.json", plan_of(R"("max_message_size": 64)", 1)},
                       {"unlimited.json", plan_of(R"("min_message_size": 16)", 0)},
                       {"wait_first.json", plan_file("wait_first")},
                       {"gather.json", plan_file("allgather")},
                       {"tag.goal", wrong_tag},
                       {"eager.goal", eager_only},
                       {"proof.txt", proof_certificate},
                       {"proof.drat", "-1 0\n0\n"},
                       {"exchange.qd",
                        "param L in 1..20\nfabric fat_tree(levels: L)\ncollective total_exchange\n"
                        "for k in processors, d in 1..n-1:\n  at d: send k -> k xor d\n"}};
  return environment;
}

// With a proof that is there, and a solver that takes everything for shown.
void add_proof(driver::MemoryEnvironment& environment) {
  const std::vector<std::string> prove = {"prove", "scatter_linear", "--certificate", "folder"};
  REQUIRE(run(prove, environment) == 0);
  environment.output.clear();
  environment.on_program = [](const std::vector<std::string>&, const std::string&) {
    return driver::ProgramRun{true, true, "unsat\n"};
  };
}

// `failures[]` stands for the whole diagnostic where the page has it so.
Paths without_diagnostics(const Paths& paths) {
  Paths result;
  for (const std::string& path : paths) result.insert(path.starts_with("failures[].") ? "failures" : path);
  return result;
}

Paths plain(Paths paths) {
  Paths result;
  for (std::string path : paths) {
    while (path.ends_with("[]") || path.ends_with(".*")) path.resize(path.size() - 2);
    result.insert(path);
  }
  return result;
}

// The kinds of mistake that the page lists: "- `syntax`: …".
std::vector<std::string> codes_on_page() {
  std::ifstream file(QUADRILLE_SOURCE_FOLDER "/cli/JSON.md");
  std::vector<std::string> codes;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("- `")) codes.push_back(line.substr(3, line.find("`: ") - 3));
  }
  return codes;
}

TEST_CASE("the page on JSON lists every kind of mistake, in the order of the codes") {
  std::vector<std::string> codes;
  for (auto code = static_cast<std::uint8_t>(Code::syntax); code <= static_cast<std::uint8_t>(Code::usage); ++code) {
    codes.emplace_back(to_string(static_cast<Code>(code)));
  }
  CHECK(codes_on_page() == codes);
}

TEST_CASE("the page on JSON names every key that is printed, and no other") {
  std::map<std::string, Paths> written = page();
  driver::MemoryEnvironment environment = with_files();
  add_proof(environment);
  for (const Section& section : all_sections()) {
    CAPTURE(section.name);
    Paths paths;
    for (std::vector<std::string> command : section.commands) {
      command.emplace_back("--json");
      environment.output.clear();
      // Of all that ships the first proof is enough: standard output takes no more.
      environment.room = section.name == "prove --all-shipped" ? 1 : std::string::npos;
      run(command, environment);
      REQUIRE(Json::accept(environment.output));
      collect(Json::parse(environment.output), "", false, paths);
    }
    const Paths printed = plain(without_diagnostics(leaves(paths)));
    const Paths named = plain(without_diagnostics(written[section.name]));
    for (const std::string& path : printed) {
      CAPTURE(path);
      CHECK_MESSAGE(named.contains(path), "is printed, but not on the page");
    }
    for (const std::string& path : named) {
      CAPTURE(path);
      CHECK_MESSAGE(printed.contains(path), "is on the page, but not printed");
    }
    written.erase(section.name);
  }
  CHECK(written.empty());
}

}  // namespace
}  // namespace quadrille::cli
