// Certificates of every kind: what a search writes is judged, for every collective, timing, ports, duplex, switches,
// queue and goal on small fabrics. None is passed over unless the search itself refuses the question, or says why it
// writes none.
//
// QUADRILLE_LONG=1 asks every question, else one in twelve, or in 24; a sanitizer watches one in a hundred.
// QUADRILLE_SEED chooses them.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"

namespace {

using namespace quadrille;

const std::vector<std::string> collectives = {"broadcast",
                                              "scatter",
                                              "gather",
                                              "allgather",
                                              "total_exchange",
                                              "reduce",
                                              "reduce:root=1,ordered",
                                              "reduce:idempotent",
                                              "reduce_scatter",
                                              "reduce_scatter:ordered",
                                              "allreduce",
                                              "allreduce:ordered",
                                              "allreduce:idempotent",
                                              "prefix",
                                              "prefix:idempotent",
                                              "exclusive_prefix",
                                              "exclusive_prefix:idempotent",
                                              "barrier"};
const std::vector<std::string> fabrics = {"complete:4", "line:3", "star:3", "ring:4"};
const std::vector<std::string> rules = {"",
                                        ",ports=single",
                                        ",duplex=half",
                                        ",queue=none",
                                        ",switches=forward",
                                        ",switches=reduce",
                                        ",timing=rounds",
                                        ",timing=rounds,ports=single",
                                        ",timing=rounds,paths=shared",
                                        ",timing=rounds,switches=forward",
                                        ",timing=rounds,switches=reduce",
                                        ",timing=rounds,switches=reduce,ports=single"};
const std::vector<std::vector<std::string>> goals = {{},
                                                     {"--pareto"},
                                                     {"--inject", "once"},
                                                     {"--paths", "kept"},
                                                     {"--inject", "once", "--paths", "kept"},
                                                     {"--steps", "1"},
                                                     {"--steps", "1", "--volume", "2"}};

struct Counts {
  std::map<std::string, std::size_t> of;  // by what was written, or why nothing was
};

// Why the search refuses a question: one of these is said.
bool is_refusal(const std::string& errors) {
  for (const char* why : {"rules about injecting and paths are for", "steps of more volume than one are for",
                          "is always idempotent", "cannot be idempotent", "takes no", "--volume", "--pareto"}) {
    if (errors.find(why) != std::string::npos) return true;
  }
  return false;
}

bool is_reason_for_none(const std::string& note) {
  for (const char* why :
       {"no number of steps is known to be too few", "no number of rounds is known to be too few",
        "no number of steps is enough, and no prices show it", "no prices show this bound, and no formula is about"}) {
    if (note.find(why) != std::string::npos) return true;
  }
  return false;
}

// The certificate says what narrows its claim: that is what JSON says, and the words.
void judge(const std::string& file, const std::string& collective, driver::MemoryEnvironment& environment,
           Counts& counts) {
  CAPTURE(file);
  CAPTURE(environment.files.at(file));
  environment.output.clear();
  environment.errors.clear();
  const int status = cli::run(std::vector<std::string>{"certify", file, "--json"}, environment);
  CAPTURE(environment.errors);
  REQUIRE(status == 0);
  const auto json = nlohmann::json::parse(environment.output);
  const std::string evidence = json["evidence"];
  const std::string about = json.value("about", "");
  const bool of_copies = evidence == "proof" && about == "copies";
  CHECK((of_copies || json["inject"] == "many"));
  CHECK((of_copies || json["paths"] == "any"));
  const bool idempotent = collective.find("idempotent") != std::string::npos || collective == "barrier";
  const bool words_matter = !idempotent || collective.starts_with("prefix");  // else more is never wrong
  CHECK((json["words"] == "one") == (about == "words" && words_matter));
  environment.output.clear();
  cli::run(std::vector<std::string>{"certify", file}, environment);
  std::string words = environment.output;  // as one line
  while (words.find("\n ") != std::string::npos) words.replace(words.find("\n "), 2, " ");
  while (words.find("  ") != std::string::npos) words.replace(words.find("  "), 2, " ");
  CHECK((words.find("in one step only") != std::string::npos) == (json["inject"] == "once"));
  CHECK((words.find("keep to the paths") != std::string::npos) == (json["paths"] == "kept"));
  CHECK((words.find("keep no words") != std::string::npos) == (json["words"] == "one"));
  ++counts.of[evidence + (about.empty() ? "" : " about " + about) + (json["volume"].is_null() ? "" : " of volume")];
}

void ask(const std::string& collective, const std::string& fabric, const std::vector<std::string>& goal,
         Counts& counts) {
  driver::MemoryEnvironment environment;
  std::vector<std::string> words = {"search",        "--collective", collective, "--on",      fabric,
                                    "--certificate", "evidence",     "--json",   "--timeout", "20"};
  words.insert(words.end(), goal.begin(), goal.end());
  CAPTURE(fmt::format("{}", fmt::join(words, " ")));
  const int status = cli::run(words, environment);
  CAPTURE(environment.errors);
  if (status == 2) {
    CHECK(is_refusal(environment.errors));
    ++counts.of["refused"];
    return;
  }
  const auto json = nlohmann::json::parse(environment.output);
  std::vector<std::string> written;
  for (const auto& [path, text] : environment.files) {
    if (path.ends_with("certificate.txt")) written.push_back(path);
  }
  const std::size_t questions = json.contains("points") ? json["points"].size() : 1;
  const auto& notes = json["notes"];
  for (const auto& each : notes) {
    const std::string note = each;
    CAPTURE(note);
    const bool late = json.dump().find("timeout") != std::string::npos;
    CHECK((is_reason_for_none(note) || late));
    ++counts.of["none"];
  }
  CHECK(written.size() + notes.size() >= questions);
  for (const std::string& file : written) judge(file, collective, environment, counts);
}

TEST_CASE("every certificate that a search writes is accepted, and says what narrows it and nothing else") {
  const std::uint64_t seed = reference::first_seed();
  CAPTURE(seed);
  reference::Dice dice(seed);
  Counts counts;
  const std::uint32_t chances = tests::sanitized ? 100 : tests::long_run() ? 1 : tests::brief ? 24 : 12;
  for (const std::string& collective : collectives) {
    for (const std::string& fabric : fabrics) {
      for (const std::string& rule : rules) {
        for (const auto& goal : goals) {
          if (!dice.one_in(chances)) continue;
          ask(collective, fabric + rule, goal, counts);
        }
      }
    }
  }
  for (const auto& [what, count] : counts.of) fmt::print("{}: {}\n", what, count);
  if (tests::sanitized) return;  // too few for every kind
  for (const char* kind : {"prices", "doublings", "proof about copies", "proof about words"}) {
    CAPTURE(kind);
    CHECK(counts.of[kind] > 0);
  }
}

TEST_CASE("a volume that doublings rule out is no volume of the certificate's") {
  Counts counts;
  ask("exclusive_prefix:idempotent", "complete:4,timing=rounds,ports=single", {"--pareto"}, counts);
  ask("allgather", "complete:5,timing=rounds,ports=single", {"--steps", "2", "--volume", "9"}, counts);
  CHECK(counts.of["doublings"] > 0);
}

}  // namespace
