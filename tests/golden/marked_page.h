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

// The text of a file; throws if it cannot be read.
std::string contents(const std::string& path);

// Compares that part of the page with what is to stand there, and prints the lines that differ; or writes it. Brief,
// where tests are (tests/environment.h), unless it writes. Returns 1 if the page differs, else 0; throws if the page
// has no such part.
int renew_part(const std::string& path, const MarkedPart& marked, bool update);

// The main function of a program `PROGRAM [--update] PAGE`: renew_part. Returns its exit status: 0; 1 if the page
// differs, or on an error; 2 for other arguments.
int run_marked_page(int count, char** arguments, const MarkedPart& marked);

}  // namespace quadrille::golden
