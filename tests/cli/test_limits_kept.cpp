// What `--memory` and `--timeout` promise of the program itself, whatever the command: the resident memory of a process
// stays below M · 1.1 + 32 MiB, and work that cannot be done within it ends with status 3, and does not blame the
// machine.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/verdict.h"
#include "tests/cli/workshop.h"
#include "tests/environment.h"

namespace quadrille::cli {
namespace {

// The memory that a command takes where it may take all, and what becomes of it with half and a quarter of that.
void check_memory(const Workshop& shop, std::vector<std::string> arguments) {
  CAPTURE(fmt::format("{}", fmt::join(arguments, " ")));
  arguments.insert(arguments.end(), {"--memory", "12"});
  const Finished free = shop.run(arguments);
  CHECK(free.status < 3);
  for (const double part : {2.0, 4.0}) {
    const double limit = free.peak / part;
    arguments.back() = fmt::format("{:.6f}", limit / 1024);
    const Finished ended = shop.run(arguments);
    CAPTURE(limit);
    CAPTURE(ended.errors);
    CHECK(ended.peak <= limit * 1.1 + 32);
    CHECK((ended.status == exit_unknown || ended.status == free.status));
    CHECK(ended.errors.find("the machine") == std::string::npos);
  }
}

// A table of JSON that is not laid out as ours are: a row to a number of lines.
std::string loose_table(int steps) {
  std::string text =
      "{\"quadrille_table\": 1, \"fabric\": \"ring:2\", \"collective\": \"broadcast:root=0\", \"rows\": [";
  for (int i = 0; i < steps; ++i)
    text += fmt::format("{}[\n  {},\n  \"0\",\n  \"1\",\n  0,\n  0,\n  \"*\",\n  0\n]", i == 0 ? "" : ",", i + 1);
  return text + "]}\n";
}

// A row a step: in the binary form each has an entry in the index, too. Written row by row: what the process that
// starts another has in memory would count as that one's.
void write_long_table(const std::string& path, int steps) {
  std::ofstream file(path);
  file << "# quadrille-table 1\n# fabric: ring:2\n# collective: broadcast:root=0\n"
       << "step,from,to,lane,origin,target,part\n";
  for (int i = 0; i < steps; ++i) file << i + 1 << ",0,1,0,0,*,0\n";
}

// A plan of one block that copies a chunk again and again: more often than an executor takes.
std::string plan_of_copies(int copies) {
  std::string text =
      R"({"name": "p", "collective": "allreduce", "protocol": "Simple", "inplace": false, "gpus": [{"id": 0,
"input_chunks": 1, "output_chunks": 1, "scratch_chunks": 0, "channels": [], "remote_buffers": [], "threadblocks": [{"id": 0,
"channels": [], "remote_buffer_refs": [], "ops": [)";
  for (int i = 0; i < copies; ++i) {
    text += i == 0 ? "" : ",\n";
    text += R"({"name": "copy", "src_buff": [{"type": "i", "index": 0, "size": 1}],)"
            R"( "dst_buff": [{"type": "o", "index": 0, "size": 1}]})";
  }
  return text + "]}]}]}\n";
}

// Two ranks; the first sends, the second receives, all with one tag.
std::string chain_of_sends(int sends) {
  std::string text = "num_ranks 2\nrank 0 {\n";
  for (int i = 0; i < sends; ++i) text += fmt::format("a{}: send 8b to 1 tag 1\n", i);
  for (int i = 1; i < sends; ++i) text += fmt::format("a{} requires a{}\n", i, i - 1);
  text += "}\nrank 1 {\n";
  for (int i = 0; i < sends; ++i) text += fmt::format("b{}: recv 8b from 0 tag 1\n", i);
  for (int i = 1; i < sends; ++i) text += fmt::format("b{} requires b{}\n", i, i - 1);
  return text + "}\n";
}

TEST_CASE("every command keeps its memory within the limit") {
  if (tests::sanitized) return;
  const Workshop shop;
  shop.write("one.csv",
             "# quadrille-table 1\n# fabric: line:2\n# collective: broadcast:root=0,parts=8000000\n"
             "step,from,to,lane,origin,target,part\n1,0,1,0,0,*,0\n");
  shop.write("fifo.qd",
             "fabric ring(160)\ncollective total_exchange\n"
             "by fifo: for k in processors, d in 1..n-1: send k -> (k + d) mod n\n");
  shop.write("loose.json", loose_table(2'000'000));
  shop.write("races.xml", racing_program(20, 500));
  check_memory(shop, {"compile", "one.csv", "--rank", "1", "-o", "out.csv"});
  check_memory(shop, {"compile", "one.csv", "--by-rank", "programs"});
  check_memory(shop, {"compile", "fifo.qd", "-o", "out.qdb"});
  check_memory(shop, {"check", "total_exchange_pairwise", "-D", "N=200", "--on", "ring:200"});
  check_memory(shop, {"check", "loose.json"});
  check_memory(shop, {"check", "races.xml"});
  check_memory(shop, {"replay", "allreduce_rabenseifner", "-D", "N=256", "--on", "hypercube:8"});
  check_memory(shop, {"export", "allgather_ring", "-D", "N=256", "--on", "ring:256", "--to", "mpi-c", "-o", "out.c"});
  check_memory(shop, {"export", "allgather_ring", "-D", "N=64", "--on", "ring:64", "--to", "msccl", "-o", "out.xml"});
}

TEST_CASE("a program of more chunks than there is time for ends when its time does") {
  if (tests::sanitized) return;
  const Workshop shop;
  shop.write("one.csv",
             "# quadrille-table 1\n# fabric: line:2\n# collective: broadcast:root=0,parts=4294967295\n"
             "step,from,to,lane,origin,target,part\n1,0,1,0,0,*,0\n");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"compile", "one.csv", "--rank", "1"},
                                             {"compile", "one.csv", "--by-rank", "programs"},
                                             {"export", "one.csv", "--to", "mpi-c", "--anyway"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--timeout", "0.1", "--memory", "1"});
    const Finished ended = shop.run(arguments);
    CAPTURE(fmt::format("{}", fmt::join(arguments, " ")));
    CAPTURE(ended.errors);
    CHECK(ended.status == exit_unknown);
    CHECK(ended.errors.find("timeout") != std::string::npos);
    CHECK(ended.peak < 1024 * 1.1 + 32);
  }
}

TEST_CASE("retiming keeps no hops of sends that take their default routes") {
  if (tests::sanitized) return;
  const Workshop shop;
  // 261,632 sends of some 16 hops: 34 MB if each hop takes 8 bytes, twice, besides the 12 MB of the program itself.
  const Finished ended =
      shop.run({"check", "total_exchange", "-D", "L=9", "--on", "fat_tree:levels=9,capacity=constant", "--retime"});
  CHECK(ended.status == exit_violated);  // what it claims of its steps
  CHECK(ended.output.find("steps       87385") != std::string::npos);
  CHECK(ended.peak < 75);
}

TEST_CASE("a table in the binary form is read within the memory, however large its file is") {
  if (tests::sanitized) return;
  const Workshop shop;
  write_long_table(shop.path("long.csv"), 3'000'000);
  REQUIRE(shop.run({"compile", "long.csv", "-o", "long.bin", "--format", "binary"}).status == exit_done);
  CHECK(std::filesystem::file_size(shop.path("long.bin")) > 60'000'000);
  for (const std::string command : {"check", "replay", "compile"}) {
    std::vector<std::string> arguments{command, "long.bin", "--memory", "0.01"};
    if (arguments.front() == "compile") arguments.insert(arguments.end(), {"-o", "again.csv"});
    const Finished ended = shop.run(arguments);
    CAPTURE(command);
    CAPTURE(ended.errors);
    CHECK(ended.peak <= 0.01 * 1024 * 1.1 + 32);
  }
}

TEST_CASE("where memory is used up there is a report of what is known, and not an error") {
  if (tests::sanitized) return;
  const Workshop shop;
  shop.write("races.xml", racing_program(50, 2000));
  // Enough to read it (29 MiB), and too little to judge it (41).
  const Finished ended = shop.run({"check", "races.xml", "--json", "--memory", "0.034"});
  CAPTURE(ended.errors);
  CHECK(ended.status == exit_violated);  // it has too many steps for an executor
  const auto json = nlohmann::json::parse(ended.output, nullptr, false);
  REQUIRE_FALSE(json.is_discarded());
  REQUIRE(json.contains("properties"));
  CHECK(json["properties"]["limits"]["verdict"] == "violated");
  CHECK(json["properties"]["race"]["verdict"] == "unknown");
  CHECK(json["properties"]["race"]["reason"] == "limit");
}

TEST_CASE("a large program of another system is judged as far as its time allows") {
  const Workshop shop;
  shop.write("large.xml", racing_program(50, 4000));
  shop.write("large.goal", chain_of_sends(400'000));
  shop.write("large.json", plan_of_copies(100'000));
  for (const std::string name : {"large.xml", "large.goal", "large.json"}) {
    const Finished ended = shop.run({"check", name, "--timeout", "0.2"});
    CAPTURE(name);
    CAPTURE(ended.errors);
    CHECK(ended.status != exit_bad_input);
  }
}

}  // namespace
}  // namespace quadrille::cli
