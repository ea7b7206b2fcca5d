// Folders with proofs for every size of which only texts are changed: what `certify` then says to be accepted is what
// it says of the folder as it was written, word for word.
//
// QUADRILLE_LONG=1 tries each text of each schedule with every forgery, else one schedule with three each;
// QUADRILLE_SEED chooses them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/run.h"
#include "model/text/printable.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/written_proofs.h"

namespace {

using namespace quadrille;

struct Said {
  int status;
  std::string output, errors;
};

Said said(driver::MemoryEnvironment& environment, const std::vector<std::string>& words) {
  environment.output.clear();
  environment.errors.clear();
  const int status = cli::run(words, environment);
  return {status, environment.output, environment.errors};
}

// Nothing but a text is changed, so what a solver would be asked is what it was.
driver::MemoryEnvironment with_proof_of(const std::string& schedule) {
  driver::MemoryEnvironment environment;
  environment.on_program = [](const std::vector<std::string>&, const std::string&) {
    return driver::ProgramRun{true, true, "unsat\n"};
  };
  REQUIRE(said(environment, {"prove", schedule, "--certificate", "folder"}).status == 0);
  return environment;
}

// Where the texts of a file stand, without their quotation marks.
std::vector<std::pair<std::size_t, std::size_t>> texts_of(const std::string& file) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t at = file.find('"'); at != std::string::npos; at = file.find('"', at)) {
    const std::size_t end = file.find('"', at + 1);
    all.emplace_back(at + 1, end);
    at = end + 1;
  }
  return all;
}

const std::vector<std::string>& forgeries() {
  static const std::vector<std::string> all = {"rounds == log2(N)",
                                               "verdict      accepted",
                                               "x\nverdict      accepted",
                                               "x\r\x1b[2Kverdict",
                                               "\x1b[32maccepted\x1b[0m",
                                               "\xc2\x9b"
                                               "2K",
                                               "\xe2\x80\xaex",
                                               "\x9b"
                                               "2Kx",
                                               "",
                                               "optimal everything",
                                               "rounds",
                                               "single",
                                               "allreduce",
                                               "9"};
  return all;
}

bool fit_to_show(std::string text) {
  std::erase(text, '\n');
  return unprintable_at(text) == text.size();
}

// Each forgery in place of each text, or some of them.
template <class Check>
void forge(driver::MemoryEnvironment& environment, const std::string& file, std::size_t each, reference::Dice& dice,
           const Check& check) {
  const std::string genuine = environment.files.at(file);
  for (const auto& [begin, end] : texts_of(genuine)) {
    for (std::size_t i = 0; i < std::min(each, forgeries().size()); ++i) {
      const std::string& forgery = forgeries()[each < forgeries().size() ? dice.below(forgeries().size()) : i];
      CAPTURE(genuine.substr(begin, end - begin));
      CAPTURE(printable(forgery));
      environment.files[file] = genuine.substr(0, begin) + forgery + genuine.substr(end);
      check(forgery);
    }
  }
  environment.files[file] = genuine;
}

TEST_CASE("no text of a proof's files that is changed is printed as though it had been judged") {
  const std::uint64_t seed = reference::first_seed();
  CAPTURE(seed);
  reference::Dice dice(seed);
  std::vector<std::string> schedules = {"scatter_linear"};
  if (tests::long_run()) schedules = reference::plain_schedules();
  std::size_t accepted = 0;
  for (const std::string& schedule : schedules) {
    CAPTURE(schedule);
    driver::MemoryEnvironment environment = with_proof_of(schedule);
    for (const char* form : {"--color=never", "--json"}) {
      const Said genuine = said(environment, {"certify", "folder", form});
      REQUIRE(genuine.status == 0);
      for (const char* file : {"folder/core.txt", "folder/proof.txt"}) {
        forge(environment, file, tests::long_run() ? 1000 : 3, dice, [&](const std::string& forgery) {
          const Said it = said(environment, {"certify", "folder", form});
          CHECK(fit_to_show(it.output));
          CHECK(fit_to_show(it.errors));
          if (it.status == 0) CHECK(it.output == genuine.output);
          if (!fit_to_show(forgery) || forgery.find('\n') != std::string::npos) {
            CHECK(it.status == 2);
            CHECK(it.errors.starts_with(fmt::format("{}:", file)));
          }
          accepted += it.status == 0 ? 1 : 0;
        });
      }
    }
  }
  CHECK(accepted > 3);
}

TEST_CASE("what stands beside a text in a core form is refused unless it is judged") {
  driver::MemoryEnvironment environment = with_proof_of("scatter_linear");
  const std::string genuine = environment.files.at("folder/core.txt");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"(numbers \"\" N)", "(numbers \"\" N) (numbers \"nodes\" N)"},
           {"(numbers \"\" N)", "(numbers \"\" N) (numbers \"nodes\" 5)"},
           {"(numbers \"\" N)", "(numbers \"\" N) (word \"capacity\" \"infinite\")"},
           {"(numbers \"\" N)", "(numbers \"\" N) (word \"queue\" \"verdict accepted\")"},
           {"(collective scatter (root root))", "(collective allgather (root root))"},
           {"(unjudged \"optimal volume\")", "(unjudged \"optimal everything\")"},
           {"(parameter N 2 none)", "(parameter volume 2 none)"}}) {
    CAPTURE(to);
    environment.files["folder/core.txt"] = genuine;
    std::string& core = environment.files["folder/core.txt"];
    const std::size_t at = core.find(from);
    REQUIRE(at != std::string::npos);
    core.replace(at, from.size(), to);
    CHECK(said(environment, {"certify", "folder"}).status == 2);
  }
}

}  // namespace
