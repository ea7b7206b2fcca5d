// A golden case: a command, its input files, and what it must print. The text of a case file is
//
//     # what the case is about
//     --- file bad-name.qd
//     …the file's text…
//     --- command
//     quadrille check bad-name.qd
//     --- output
//     …standard output…
//     --- errors
//     …standard error…
//     --- status 2
//
// Sections come in this order; files are optional, empty output and errors are left out, and without a status it is 0.
// There may be several commands in a file; each is followed by its own expectations. They run in one temporary folder,
// one after another, through a shell, so pipes and redirections may be used. $TESTS is the folder around the case's
// own, for files that other tests read, too: they are copied first, so that messages do not name it.
//
// In Markdown files the commands are the `$ …` lines of blocks marked ```console; what follows a command is the
// standard output and standard error that it prints, together. A block marked ```quadrille NAME is an input file of
// that name. Its status is not looked at.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quadrille::golden {

// What a command did, or must do.
struct Outcome {
  std::string output;
  std::string errors;
  int status = 0;
  bool operator==(const Outcome&) const = default;
};

// One command of a case file. `begin` and `end` are the byte range of its expectations in the text.
struct Command {
  std::string text;
  Outcome expected;
  std::size_t line = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct CaseFile {
  bool markdown = false;
  std::vector<std::pair<std::string, std::string>> files;  // name, text
  std::vector<Command> commands;
};

// The case in a text, or what is wrong with it ("line 3: …").
struct Parsed {
  CaseFile value;
  std::optional<std::string> error;
};
Parsed parse_case(std::string_view text, bool markdown);

// The text with the expectations of all commands replaced; `actual` is parallel to `file.commands`.
std::string with_expectations(std::string_view text, const CaseFile& file, const std::vector<Outcome>& actual);

}  // namespace quadrille::golden
