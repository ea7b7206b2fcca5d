// Includes, and the schedules that ship.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "dsl/format.h"
#include "dsl/load.h"
#include "dsl/parse.h"

namespace quadrille {
namespace {

struct Files {
  std::map<std::string, std::string> texts;
  std::vector<std::string> read;
  Sources sources;

  Result<ast::SourceFiles> load(const std::string& name) {
    const auto reader = [this](const std::string& path) -> std::optional<std::string> {
      read.push_back(path);
      const auto found = texts.find(path);
      if (found == texts.end()) return std::nullopt;
      return found->second;
    };
    return quadrille::load({name, texts.at(name)}, reader, sources);
  }
};

TEST_CASE("a file and what it includes, each read once, in the order first met") {
  Files files{{{"a/main.qd", "include \"b.qd\"\ninclude \"../c.qd\"\nf()\n"},
               {"a/b.qd", "include \"../c.qd\"\n"},
               {"c.qd", "let x = 1\n"}},
              {},
              {}};
  const auto program = files.load("a/main.qd");
  REQUIRE(program.ok());
  CHECK(files.read == std::vector<std::string>{"a/b.qd", "c.qd"});
  REQUIRE(program->files.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(program->files[i].source == i);
  CHECK(program->sources.size() == 3);
  CHECK(program->sources[2].name == "c.qd");
}

TEST_CASE("sources that were there before keep their numbers") {
  Files files{{{"main.qd", "f()\n"}}, {}, {{"--on", "torus"}}};
  const auto program = files.load("main.qd");
  REQUIRE(program.ok());
  CHECK(program->files[0].source == 1);
  CHECK(program->files[0].items[0].span.source == 1);
}

TEST_CASE("a file that cannot be read") {
  Files files{{{"main.qd", "include \"x.qd\"\n"}}, {}, {}};
  const auto program = files.load("main.qd");
  REQUIRE(!program.ok());
  CHECK(program.diagnostics()[0].message == "cannot read 'x.qd'");
  CHECK(program.diagnostics()[0].span == Span{0, 8, 14});
}

TEST_CASE("the reason why a file cannot be read is told") {
  Sources sources;
  const auto program = load(
      {"main.qd", "include \"x.qd\"\n"}, [](const std::string&) { return FileText(std::nullopt, "Permission denied"); },
      sources);
  REQUIRE(!program.ok());
  CHECK(program.diagnostics()[0].message == "cannot read 'x.qd': Permission denied");
}

TEST_CASE("files that include each other in a circle") {
  Files files{{{"a.qd", "include \"b.qd\"\n"}, {"b.qd", "\ninclude \"./a.qd\"\n"}}, {}, {}};
  const auto program = files.load("a.qd");
  REQUIRE(!program.ok());
  const Diagnostic& error = program.diagnostics()[0];
  CHECK(error.message == "'a.qd' includes itself");
  CHECK(error.span == Span{1, 9, 17});
  REQUIRE(error.notes.size() == 2);
  CHECK(error.notes[0].second == "'a.qd' includes 'b.qd'");
  CHECK(error.notes[1].second == "'b.qd' includes 'a.qd'");
}

TEST_CASE("errors of every file are told, and all texts kept") {
  Files files{{{"a.qd", "include \"b.qd\"\ninclude \"c.qd\"\n"}, {"b.qd", "sned\n"}, {"c.qd", "let\n"}}, {}, {}};
  const auto program = files.load("a.qd");
  CHECK(program.diagnostics().size() == 2);
  CHECK(files.sources.size() == 3);
  CHECK(render(program.diagnostics(), files.sources).find("c.qd:1:4") != std::string::npos);
}

TEST_CASE("at most 50 files") {
  Files files;
  for (int i = 0; i < 60; ++i) {
    files.texts[std::to_string(i) + ".qd"] = "include \"" + std::to_string(i + 1) + ".qd\"\n";
  }
  const auto program = files.load("0.qd");
  REQUIRE(program.diagnostics().size() == 1);
  CHECK(program.diagnostics()[0].message == "more than 50 files");
}

TEST_CASE("shipped schedules") {
  REQUIRE(!shipped_schedules().empty());
  for (const ShippedFile& schedule : shipped_schedules()) {
    CAPTURE(schedule.name);
    CHECK(shipped_schedule(schedule.name)->text == schedule.text);
    CHECK(!schedule.summary.empty());
    Sources sources;
    const auto program = load(
        {std::string(schedule.name), std::string(schedule.text)}, [](const std::string&) { return std::nullopt; },
        sources);
    CHECK_MESSAGE(program.ok(), render(program.diagnostics(), sources));
  }
  CHECK(!shipped_schedule("no such schedule"));
}

TEST_CASE("including a shipped schedule by its name") {
  const std::string name(shipped_schedules().front().name);
  Files files{{{"a.qd", "include \"" + name + "\"\n"}, {"b.qd", "include \"" + name + "x\"\n"}}, {}, {}};
  const auto program = files.load("a.qd");
  REQUIRE(program.ok());
  CHECK(program->sources[1].name == "shipped:" + name);
  CHECK(files.read.empty());
  const auto misspelt = files.load("b.qd");
  REQUIRE(!misspelt.ok());
  CHECK(misspelt.diagnostics()[0].message == "no schedule named '" + name + "x' ships; did you mean '" + name + "'?");
}

}  // namespace
}  // namespace quadrille
