// Pages of which a part is worked out anew by a program: what stands between two marks.
#pragma once

#include <functional>
#include <string>

namespace quadrille::golden {

// The part of a page between `<!-- PART: written by PROGRAM --update -->` and `<!-- end of PART -->`.
struct MarkedPart {
  std::string part;
  std::string program;
  std::function<std::string()> text;  // what is to stand there; throws if that cannot be worked out
};

// The main function of a program `PROGRAM [--update] PAGE`: compares the part of the page, or writes it. Returns its
// exit status: 0; 1 if the page differs, or on an error; 2 for other arguments.
int run_marked_page(int count, char** arguments, const MarkedPart& marked);

}  // namespace quadrille::golden
