// Text in lines that are not too long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/text/broken_lines.h"
#include "model/text/printable.h"

namespace quadrille::cli {

// The text in lines of at most 120 columns, broken between words; `indent` spaces begin each but the first, which is
// that much shorter. A longer word stays whole.
inline std::string wrapped(std::string_view text, std::size_t indent) {
  return broken_between_words(text, std::string(indent, ' '), 120, characters);
}

}  // namespace quadrille::cli
