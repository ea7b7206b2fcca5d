// Long texts in lines that are not too long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quadrille {

// The text in lines of at most 120 columns, if it is longer, each but the first after `line_start`: they end behind
// commas that stand in no JSON string. A piece without such a comma stays whole.
std::string in_lines(std::string_view text, std::string_view line_start);

// The text in lines of at most so many columns, broken between words. Each but the first begins with `line_start`; the
// first is as much shorter. A longer word stays whole. `width` gives the columns of a word.
std::string broken_between_words(std::string_view text, std::string_view line_start, std::size_t columns,
                                 std::size_t (*width)(std::string_view word));

}  // namespace quadrille
