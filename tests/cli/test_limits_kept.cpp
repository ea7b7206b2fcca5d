// What `--memory` and `--timeout` promise of the program itself, whatever the command: the resident memory of a process
// stays below M · 1.1 + 32 MiB, and work that cannot be done within it ends with status 3, and does not blame the
// machine.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "model/verdict.h"
#include "tests/environment.h"

namespace quadrille::cli {
namespace {

constexpr double bytes_of_a_mib = 1 << 20;

// The program beside this one.
std::filesystem::path program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "quadrille";
}

struct Finished {
  int status = -1;
  double peak = 0;  // resident, in MiB
  std::string errors = {};
};

// A folder in which commands run, and that goes with this.
class Workshop {
 public:
  Workshop() {
    std::string name = (std::filesystem::temp_directory_path() / "quadrille-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Workshop() { std::filesystem::remove_all(folder_); }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // `input`: a descriptor for standard input; -1: it is closed.
  Finished run(const std::vector<std::string>& arguments, int input) const {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) become(arguments, input);
    int status = 0;
    struct rusage usage {};
    REQUIRE(::wait4(child, &status, 0, &usage) == child);
    REQUIRE(WIFEXITED(status));
    std::ifstream errors(path("errors"));
    return {WEXITSTATUS(status), static_cast<double>(usage.ru_maxrss) * 1024 / bytes_of_a_mib,
            std::string(std::istreambuf_iterator<char>(errors), {})};
  }
  Finished run(const std::vector<std::string>& arguments) const {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    Finished ended = run(arguments, nothing);
    ::close(nothing);
    return ended;
  }

 private:
  [[noreturn]] void become(const std::vector<std::string>& arguments, int input) const {
    const std::string name = program().string();
    std::vector<char*> words{const_cast<char*>(name.c_str())};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    ::dup2(::open(path("errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), STDERR_FILENO);
    if (::chdir(folder_.c_str()) != 0) ::_exit(127);
    if (input >= 0) ::dup2(input, STDIN_FILENO);
    if (input < 0) ::close(STDIN_FILENO);
    ::execv(name.c_str(), words.data());
    ::_exit(127);
  }

  std::filesystem::path folder_;
};

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

std::string racing_program(int blocks, int steps) {
  std::string text =
      "<algo name=\"r\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"1\" ngpus=\"1\" coll=\"allreduce\" "
      "inplace=\"0\">\n<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"1\">\n";
  for (int b = 0; b < blocks; ++b) {
    text += fmt::format("<tb id=\"{}\" send=\"-1\" recv=\"-1\" chan=\"0\">\n", b);
    for (int s = 0; s < steps; ++s) {
      text += fmt::format(
          "<step s=\"{}\" type=\"cpy\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"-1\" "
          "deps=\"-1\" hasdep=\"0\"/>\n",
          s);
    }
    text += "</tb>\n";
  }
  return text + "</gpu>\n</algo>\n";
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
                                             {"export", "one.csv", "--to", "mpi-c"},
                                             {"export", "one.csv", "--to", "msccl"}}) {
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

TEST_CASE("standard input that is closed is an error, and one that never ends is waited for within the limits") {
  const Workshop shop;
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"check", "-"}, {"fmt", "-"}, {"prove", "-"}, {"compile", "-"}}) {
    const Finished closed = shop.run(command, -1);
    CAPTURE(command.front());
    CAPTURE(closed.errors);
    CHECK(closed.status == exit_bad_input);
    CHECK(closed.errors.find("cannot read standard input") != std::string::npos);
  }
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  const Finished waiting = shop.run({"check", "-", "--timeout", "0.2"}, ends[0]);
  CAPTURE(waiting.errors);
  CHECK(waiting.status == exit_unknown);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace quadrille::cli
