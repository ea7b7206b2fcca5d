// cli/COMMANDS.md names every command and every option, and no other; model/FABRICS.md and model/COLLECTIVES.md name
// every family with its arguments and other names.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "cli/command.h"
#include "cli/option_summary.h"
#include "model/families.h"

namespace quadrille::cli {
namespace {

using Names = std::set<std::string>;

std::string page(const std::string& path) {
  std::ifstream file(QUADRILLE_SOURCE_FOLDER "/" + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The long names of options that the text has.
Names options_in(const std::string& text) {
  static const std::regex option("--[a-z][a-z0-9-]*");
  return {std::sregex_token_iterator(text.begin(), text.end(), option), std::sregex_token_iterator()};
}

// The text below each `## heading`; a heading of several commands stands for each of them.
std::map<std::string, std::string> sections(const std::string& text) {
  std::map<std::string, std::string> result;
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) {
      names.clear();
      std::istringstream heading(line.substr(3));
      for (std::string name; std::getline(heading >> std::ws, name, ',');) names.push_back(name);
    }
    for (const std::string& name : names) result[name] += line + "\n";
  }
  return result;
}

// The rows of the page's tables, by what stands first between backticks; the first of each.
std::map<std::string, std::string> rows(const std::string& text) {
  std::map<std::string, std::string> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| `")) result.emplace(line.substr(3, line.find('`', 3) - 3), line);
  }
  return result;
}

bool names(const std::string& text, const std::string& word) { return text.find("`" + word + "`") != text.npos; }

}  // namespace

TEST_CASE("the page on commands names every command with its options, and no other option") {
  const std::map<std::string, std::string> written = sections(page("cli/COMMANDS.md"));
  const std::string& shared = written.at("What the commands share");
  const Registry registry;
  Names all{"--version"};
  for (const CommandSummary& command : summaries(make_commands(registry))) {
    CAPTURE(command.name);
    REQUIRE(written.contains(command.name));
    const Names own = options_in(written.at(command.name) + shared);
    for (const OptionSummary& option : command.options) {
      CAPTURE(option.names.back());
      if (!option.positional()) CHECK(own.contains(option.names.back()));
      all.insert(option.names.back());
    }
  }
  for (const std::string& option : options_in(page("cli/COMMANDS.md"))) {
    CAPTURE(option);
    CHECK(all.contains(option));
  }
}

TEST_CASE("the page on fabrics has a row for every topology and rule, with every argument") {
  const std::string text = page("model/FABRICS.md");
  const std::map<std::string, std::string> table = rows(text);
  for (const TopologyFamily& family : language_families().topologies) {
    CAPTURE(family.name);
    REQUIRE(table.contains(family.name));
    for (const FabricParameter& parameter : family.parameters) {
      CAPTURE(parameter.name);
      CHECK(names(table.at(family.name), parameter.name));
    }
    for (const std::string& alias : family.aliases) CHECK(names(table.at(family.name), alias));
  }
  for (const FabricParameter& rule : rule_parameters()) {
    CAPTURE(rule.name);
    REQUIRE(table.contains(rule.name));
    for (const std::string& word : rule.words) CHECK(names(table.at(rule.name), word));
  }
}

TEST_CASE("the page on collectives has a row for every one, with its other names and arguments") {
  const std::map<std::string, std::string> table = rows(page("model/COLLECTIVES.md"));
  for (const auto& family : standard_families().collectives) {
    const CollectiveFacts& facts = family->facts();
    CAPTURE(facts.name);
    REQUIRE(table.contains(facts.name));
    const std::string& row = table.at(facts.name);
    for (const std::string& alias : facts.aliases) CHECK(names(row, alias));
    CHECK(names(row, "root") == facts.rooted);
    CHECK(names(row, "ordered") == (facts.combining && !facts.always_ordered && !facts.always_idempotent));
    CHECK(names(row, "idempotent") == (facts.combining && !facts.always_idempotent));
    CHECK(names(row, "parts") == (facts.name != "custom" && !facts.always_idempotent));
  }
}

}  // namespace quadrille::cli
