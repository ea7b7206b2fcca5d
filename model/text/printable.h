// Makes foreign text fit to be shown: no character of it moves the cursor, breaks the line, or is invisible.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quadrille {

// The end of the UTF-8 character that begins at `at`; `at` if there is none.
std::size_t character_end(std::string_view text, std::size_t at);

// How many UTF-8 characters there are.
std::size_t characters(std::string_view text);

// The position of the first character, from `from` on, that must not be shown: a control character, a mark that
// changes the direction of writing, a separator of lines, or a byte that is not UTF-8. The size if there is none.
std::size_t unprintable_at(std::string_view text, std::size_t from = 0);

// The text with these characters escaped: "\n", "\x1b", "\u202e"; characters that JSON strings can escape have JSON's
// form. Cost: linear.
std::string printable(std::string_view text);

}  // namespace quadrille
