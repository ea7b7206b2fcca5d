// Expressions of a core form as people write them: what is said of a proof that was judged is made of these, and of no
// text that stands in a file.
#pragma once

#include <string>

#include "verifier/proof_reader/core_form.h"

namespace quadrille::proof_reader {

// "rounds == N - 1", "(d + 1) mod N", "floor(N / 2)"; of a comparison, measures stand on the left. It means the same as
// the expression, wherever that is defined.
std::string in_words(const CoreExpression& x);

// "N in 2..65536", "N in 2..".
std::string in_words(const CoreRange& range);

}  // namespace quadrille::proof_reader
