// What a command answers is read, and what it has written is given to the commands that read it.
#include "tests/cli/crossed_commands.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "cli/run.h"

namespace quadrille::cli::crossed {

Answer run_json(Words words, driver::MemoryEnvironment& environment) {
  words.emplace_back("--json");
  INFO("quadrille ", fmt::format("'{}'", fmt::join(words, "' '")));
  environment.output.clear();
  environment.errors.clear();
  Answer answer;
  answer.status = run(words, environment);
  INFO(environment.output << environment.errors);
  REQUIRE((answer.status >= exit_done && answer.status <= exit_unknown));
  for (const char* fault : {"fault of", "internal"}) {
    CHECK(environment.output.find(fault) == std::string::npos);
    CHECK(environment.errors.find(fault) == std::string::npos);
  }
  answer.said = json::parse(environment.output, nullptr, false);
  REQUIRE_FALSE(answer.said.is_discarded());
  return answer;
}

namespace {

// The length that a search tells, as `check` and `replay` tell it.
void check_length(const Answer& judged, const Answer& searched) {
  CHECK(judged.status == exit_done);
  CHECK(judged.text("verdict") == "holds");
  const bool volume = searched.has("phases") && searched.text("timing") == "rounds";
  CHECK(judged.number(volume ? "volume" : "steps") == searched.number("steps"));
  if (volume) CHECK(*judged.number("rounds") <= *searched.number("phases"));
}

// What another system is given is judged by its rules; what it has no place for is refused.
void check_export(driver::MemoryEnvironment& environment, const std::string& table, const std::string& to,
                  const std::string& what) {
  const std::string file =
      "exported." + std::map<std::string, std::string>{{"goal", "goal"},    {"goal-binary", "bin"}, {"msccl", "xml"},
                                                       {"mscclpp", "json"}, {"mpi-c", "c"},         {"sccl", "json"}}
                        .at(to);
  environment.output.clear();
  environment.errors.clear();
  const int status = run(Words{"export", table, "--to", to, "-o", file}, environment);
  INFO("export --to ", to, " ", environment.errors);
  REQUIRE((status == exit_done || status == exit_unknown));  // unknown: the target has no place for it
  CHECK((status == exit_done || environment.errors.find("error") != std::string::npos));
  CHECK((environment.files.count(file) > 0) == (status == exit_done));
  if (status != exit_done || to == "mpi-c" || to == "mscclpp") return;
  Words check = {"check", file};
  const auto root = what.find("root=");
  if (to == "msccl" && root != what.npos)  // which no file says
    check.insert(check.end(), {"--collective", what.substr(0, what.find(':') + 1) + what.substr(root + 5, 1)});
  const bool disagrees = environment.errors.find("is added up in another order") != std::string::npos;  // as it says
  const Answer judged = run_json(check, environment);
  CAPTURE(judged.said.dump());
  CHECK((judged.text("verdict") == "holds" || disagrees));
}

}  // namespace

void check_certificate(driver::MemoryEnvironment& environment, const std::string& file, const json& of) {
  INFO(file);
  const Answer judged = run_json({"certify", file}, environment);
  CAPTURE(judged.said.dump());
  CHECK(judged.status == exit_done);
  CHECK(judged.text("verdict") == "accepted");
  // Counting may show of all schedules what the proof shows of those without words.
  CHECK((judged.said["words"] == of["words"] || judged.text("about") == "words"));
  CHECK((judged.text("inject") == "many" || of["inject"] == "once"));
  CHECK((judged.text("paths") == "any" || of["paths"] == "kept"));
}

void check_tables(Dice& dice, driver::MemoryEnvironment& environment, const Answer& searched, const Words& files) {
  for (const std::string& file : files) {
    INFO(file);
    REQUIRE(environment.files.count(file) > 0);
    check_length(run_json({"check", file}, environment), searched);
    check_length(run_json({"replay", file}, environment), searched);
  }
  static const Words targets = {"goal", "goal-binary", "msccl", "mscclpp", "mpi-c", "sccl"};
  check_export(environment, dice.pick(files), dice.pick(targets), searched.text("collective"));
}

}  // namespace quadrille::cli::crossed
