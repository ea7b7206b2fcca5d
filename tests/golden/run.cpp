// Runs golden cases (case_file.h says what they are):
//
//     golden [--update] --commands FOLDER CASE…
//
// FOLDER holds the commands to test. Prints what differs and ends with 1 if anything does; --update rewrites the cases
// instead.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/golden/case_file.h"
#include "tests/golden/execute.h"
#include "tests/golden/verdicts.h"

namespace quadrille::golden {
namespace {

struct Options {
  bool update = false;
  std::filesystem::path commands;
  std::vector<std::filesystem::path> cases;
};

// The two texts as diff shows them.
std::string difference(const std::string& expected, const std::string& actual) {
  const TemporaryFolder folder;
  write_file(folder.path() / "expected", expected);
  write_file(folder.path() / "actual", actual);
  return execute("diff -u expected actual | tail -n +3", folder.path(), "/usr/bin", true).output;
}

std::string difference(const Outcome& expected, const Outcome& actual) {
  std::string text;
  if (expected.output != actual.output) text += "output:\n" + difference(expected.output, actual.output);
  if (expected.errors != actual.errors) text += "errors:\n" + difference(expected.errors, actual.errors);
  if (expected.status != actual.status)
    text += fmt::format("status: expected {}, got {}\n", expected.status, actual.status);
  return text;
}

// A file keeps a newline at its end, so an expected text has one even where the command printed none.
std::string with_newline(std::string text) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

struct Ran {
  std::vector<Outcome> outcomes;  // of a page without statuses
  std::vector<int> statuses;
};

Ran run_commands(const CaseFile& file, const std::filesystem::path& path) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : file.files) write_file(folder.path() / name, text);
  Ran ran;
  for (const Command& command : file.commands) {
    Outcome outcome = execute(command.text, folder.path(), path, file.markdown);
    outcome.output = with_newline(std::move(outcome.output));
    outcome.errors = with_newline(std::move(outcome.errors));
    ran.statuses.push_back(outcome.status);
    if (file.markdown) outcome.status = 0;
    ran.outcomes.push_back(std::move(outcome));
  }
  return ran;
}

// The page with its verdicts (verdicts.h); a case has none.
std::string with_verdicts(const std::string& text, const Ran& ran) {
  const Parsed parsed = parse_case(text, true);
  return with_verdicts(text, parsed.value, ran.statuses);
}

// True if the case came out as expected, or was rewritten.
bool run_case(const std::filesystem::path& path, const Options& options) {
  const std::string text = read_file(path);
  const auto [file, error] = parse_case(text, path.extension() == ".md");
  if (error) {
    fmt::print("{}: {}\n", path.string(), *error);
    return false;
  }
  ::setenv("TESTS", path.parent_path().parent_path().c_str(), 1);
  const Ran ran = run_commands(file, options.commands);
  const std::vector<Outcome>& outcomes = ran.outcomes;
  if (options.update) {
    std::string updated = with_expectations(text, file, outcomes);
    if (file.markdown) updated = with_verdicts(updated, ran);
    if (updated != text) {
      write_file(path, updated);
      fmt::print("rewrote {}\n", path.string());
    }
    return true;
  }
  bool good = !file.commands.empty() || file.markdown;
  if (!good) fmt::print("{}: there is no command in this case\n", path.string());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i] == file.commands[i].expected) continue;
    fmt::print("{}:{}: {}\n{}", path.string(), file.commands[i].line, file.commands[i].text,
               difference(file.commands[i].expected, outcomes[i]));
    good = false;
  }
  if (const std::string judged = file.markdown ? with_verdicts(text, ran) : text; judged != text) {
    fmt::print("{}: verdicts are not what the commands say:\n{}", path.string(), difference(text, judged));
    good = false;
  }
  return good;
}

Options read_options(int count, char** values) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = values[i];
    if (argument == "--update") {
      options.update = true;
    } else if (argument == "--commands" && i + 1 < count) {
      options.commands = std::filesystem::absolute(values[++i]);
    } else {
      options.cases.push_back(std::filesystem::absolute(argument));
    }
  }
  return options;
}

}  // namespace
}  // namespace quadrille::golden

int main(int count, char** values) {
  const auto options = quadrille::golden::read_options(count, values);
  bool good = true;
  for (const auto& path : options.cases) good = quadrille::golden::run_case(path, options) && good;
  if (good && !options.update) fmt::print("{} as expected\n", options.cases.size());
  return good ? 0 : 1;
}
