// Schedules that differ from a given one in a word of their text, or in two.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/reference/random_tables.h"

namespace quadrille::reference {

struct SourceMutant {
  std::string what;  // "line 12, column 7: '+' becomes '-'"
  std::string text;
};

// Every text with one change:
//   * a number one or two more or less, doubled, or 0;
//   * an operator, comparison or fold that is another of its kind; xor and + exchanged;
//   * an end of a range one or two more or less; a range that runs the other way;
//   * a step one or two earlier or later, for all iterations or where a variable is 1 or 2;
//   * a variable in place of another;
//   * the arguments of a call, or a send's source and target, the other way round;
//   * a statement left out, there twice, or for some iterations only; a loop no longer in turn; nothing reversed;
//   * a claim without its condition.
// Many of them do not compile.
std::vector<SourceMutant> source_mutants(const std::string& text);

// That many texts (fewer if they are hard to find) with two of these changes.
std::vector<SourceMutant> twofold_mutants(const std::string& text, std::size_t count, Dice& dice);

// A shipped schedule's text with what it includes written out.
std::string whole_text(const std::string& shipped);

}  // namespace quadrille::reference
