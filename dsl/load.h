// The loader parses a schedule file together with everything that it includes.
//
// For: the language: grammar (Boost.Spirit, in `grammar_*.cpp` alone), tree, formatter, shipped `schedules/` and
// `fabrics/`.
// Face: this header, dsl/parse.h, dsl/format.h.
// Keeps: printing a tree and parsing that gives the same tree.
// Read first: dsl/LANGUAGE.md, dsl/ast.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dsl/ast.h"
#include "model/limits/limits.h"
#include "model/text/file_text.h"
#include "model/text/result.h"

namespace quadrille {

// Parses `source` and, recursively, what it includes. A path is relative to the including file; a bare name without
// `.qd` or slash (`include "scatter"`) means a shipped schedule. A file is read once; files may not include each other
// in a circle. `sources` receives every text read, also when the result is an error, so that diagnostics can be
// rendered. A limit ends the reading with an error of Code::timeout or Code::cancelled.
Result<ast::SourceFiles> load(Source source, const ReadFile& read, Sources& sources, const Limits& limits = {});

// --- the schedules and fabrics that ship ------------------------------------------------------------------------

struct ShippedFile {
  std::string_view name;  // "total_exchange"
  std::string summary;    // the first sentence of its leading comment
  std::string_view text;
};

// The comment up to its first point. A point within parentheses ends no sentence, nor one that neither a capital nor a
// parenthesis follows. All of it, if there is none.
std::string first_sentence(std::string_view comment);

const std::vector<ShippedFile>& shipped_schedules();  // by name
std::optional<ShippedFile> shipped_schedule(std::string_view name);

// Each defines the fabric that it is named after.
const std::vector<ShippedFile>& shipped_fabric_files();  // by name
std::optional<ShippedFile> shipped_fabric_file(std::string_view name);

}  // namespace quadrille
