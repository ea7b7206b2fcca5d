// Pages of which a part is worked out anew by a program: what stands between two marks.
#pragma once

#include <functional>
#include <string>

namespace quadrille::golden {

// The part of a page between `<!-- PART: written by PROGRAM --update -->` and `<!-- end of PART -->`.
struct MarkedPart {
  std::string part;
  std::string program;
  // What is to stand there; throws if that cannot be worked out. Brief: it may leave out what takes long.
  std::function<std::string(bool brief)> text;
};

// In the text of a brief run, what is left out: the page may have any cell in the place of such a cell of a table, and
// any lines in the place of such a line.
inline const std::string left_out = "…";

// The main function of a program `PROGRAM [--update] PAGE`: compares the part of the page, or writes it. Brief, where
// tests are (tests/environment.h), unless it writes. Returns its exit status: 0; 1 if the page differs, or on an error;
// 2 for other arguments.
int run_marked_page(int count, char** arguments, const MarkedPart& marked);

}  // namespace quadrille::golden
