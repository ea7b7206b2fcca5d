// Text in lines that are not too long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quadrille::cli {

// The text in lines of at most 120 columns, broken between words; `indent` spaces begin each but the first, which is
// that much shorter. A longer word stays whole.
std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace quadrille::cli
