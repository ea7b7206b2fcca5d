// What has to be waited for: standard input and named pipes. They are read once, and no longer than the limits allow.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "model/verdict.h"
#include "tests/cli/workshop.h"

namespace quadrille::cli {
namespace {

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

// A pipe with that name, which nobody writes.
void make_pipe(const Workshop& shop, const std::string& name) { REQUIRE(::mkfifo(shop.path(name).c_str(), 0600) == 0); }

TEST_CASE("a pipe that nobody writes is waited for within the limits, whatever reads it") {
  const Workshop shop;
  for (const char* const name : {"pipe", "p.xml", "p.csv", "p.json", "p.qd"}) make_pipe(shop, name);
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"check", "pipe"},
                                             {"check", "p.xml"},
                                             {"check", "p.csv"},
                                             {"check", "p.json"},
                                             {"replay", "pipe"},
                                             {"prove", "p.qd"},
                                             {"compile", "p.qd"},
                                             {"certify", "pipe"},
                                             {"check", "allgather_ring", "--on", "graph:file=p.json"},
                                             {"bounds", "--collective", "allgather", "--on", "graph:file=p.json"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--timeout", "0.1"});
    const Finished ended = shop.run(arguments);
    CAPTURE(fmt::format("{}", fmt::join(arguments, " ")));
    CAPTURE(ended.errors);
    CHECK(ended.status == exit_unknown);
    CHECK(ended.errors.find("it has not been read to its end: timeout") != std::string::npos);
  }
}

TEST_CASE("what is written into a pipe is read once, and judged as a file's text is") {
  const Workshop shop;
  make_pipe(shop, "p.xml");
  make_pipe(shop, "p.csv");
  const std::string table =
      "# quadrille-table 1\n# fabric: line:2\n# collective: broadcast:root=0\nstep,from,to,lane,origin,target,part\n"
      "1,0,1,0,0,*,0\n";
  for (const auto& [name, text] :
       {std::pair<std::string, std::string>{"p.xml", racing_program(2, 2)}, {"p.csv", table}}) {
    shop.write("file", text);
    std::thread writer([&, it = name, what = text] { shop.write(it, what); });
    const Finished piped = shop.run({"check", name});
    writer.join();
    const Finished whole = shop.run({"check", "file"});
    CAPTURE(piped.errors);
    CHECK(piped.status == whole.status);
    CHECK(piped.status < exit_bad_input);
  }
}

}  // namespace
}  // namespace quadrille::cli
