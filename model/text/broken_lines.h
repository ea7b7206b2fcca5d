// Long notations in lines that are not too long.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

// The text in lines of at most 120 columns, if it is longer, each but the first after `line_start`: they end behind
// commas that stand in no JSON string. A piece without such a comma stays whole.
std::string in_lines(std::string_view text, std::string_view line_start);

}  // namespace quadrille
