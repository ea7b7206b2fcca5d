// The files of `compile --by-rank`: a manifest says whether they are all of one run.
#include <doctest/doctest.h>

#include <set>
#include <stop_token>
#include <string>

#include "driver/compile.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

const std::string manifest = "out/manifest.txt";
const std::string unfinished = "out/manifest.unfinished.txt";

// Writes the programs of an all-gather among so many; `most`: the run is ended when it has written so many. Returns
// the error, or "".
std::string write_programs(MemoryEnvironment& environment, const std::string& processors, std::uint64_t most = 99,
                           const std::string& format = "") {
  environment.files["ring.qd"] =
      "param N in 2..\nfabric ring(N)\ncollective allgather\n"
      "for t in 1..n-1: for k in processors: at t: send k -> (k + 1) mod n carrying (k - t + 1 + n) mod n\n";
  std::stop_source end;
  Context context{environment};
  context.limits.stop = end.get_token();
  context.limits.progress = [&](const Progress& progress) {
    if (progress.stage == "writing" && progress.done == most) end.request_stop();
  };
  const auto outcome = run(
      CompileRequest{.input = {.file = "ring.qd", .defines = {"N=" + processors}}, .format = format, .by_rank = "out"},
      context);
  return outcome.ok() ? "" : outcome.diagnostics().front().message;
}

std::set<std::string> names_in_folder(const MemoryEnvironment& environment) {
  std::set<std::string> names;
  for (const auto& [path, text] : environment.files) {
    if (path.starts_with("out/")) names.insert(path.substr(4));
  }
  return names;
}

TEST_CASE("the manifest names the files of a whole set") {
  MemoryEnvironment environment;
  CHECK(write_programs(environment, "3").empty());
  CHECK(environment.files[manifest] == "# quadrille-files 1\n0.csv\n1.csv\n2.csv\n");
  CHECK(names_in_folder(environment) == std::set<std::string>{"0.csv", "1.csv", "2.csv", "manifest.txt"});
}

TEST_CASE("files of an earlier run go, and files of others stay") {
  MemoryEnvironment environment;
  CHECK(write_programs(environment, "4").empty());
  environment.files["out/7.csv"] = environment.files["out/notes.txt"] = "mine";
  CHECK(write_programs(environment, "2", 99, "json").empty());
  CHECK(names_in_folder(environment) ==
        std::set<std::string>{"0.json", "1.json", "7.csv", "manifest.txt", "notes.txt"});
}

TEST_CASE("a set that was ended has no manifest, and the next run knows what it left") {
  MemoryEnvironment environment;
  CHECK(write_programs(environment, "3").empty());
  CHECK(write_programs(environment, "6", 4) == "the programs have not been made: cancelled");
  CHECK(environment.files.count(manifest) == 0);
  CHECK(environment.files[unfinished] == "# quadrille-files 1\n0.csv\n1.csv\n2.csv\n3.csv\n4.csv\n5.csv\n");
  CHECK(write_programs(environment, "2").empty());
  CHECK(names_in_folder(environment) == std::set<std::string>{"0.csv", "1.csv", "manifest.txt"});
}

TEST_CASE("a run that writes nothing leaves the earlier set whole") {
  MemoryEnvironment environment;
  CHECK(write_programs(environment, "3").empty());
  const auto before = environment.files;
  CHECK(write_programs(environment, "2", 0) == "the programs have not been made: cancelled");
  CHECK(environment.files == before);
}

TEST_CASE("another's manifest is no manifest, and stays") {
  MemoryEnvironment environment;
  environment.files[manifest] = "bread\nbutter\n";
  CHECK(write_programs(environment, "3") ==
        "cannot write out/manifest.txt: it is there, and no manifest (its first line is not `# quadrille-files 1`)");
  CHECK(names_in_folder(environment) == std::set<std::string>{"manifest.txt"});
  environment.files[manifest] = "# quadrille-files 1\n../ring.qd\n..\n\n";
  CHECK(write_programs(environment, "2").empty());
  CHECK(environment.files.count("ring.qd") == 1);
}

}  // namespace
}  // namespace quadrille::driver
