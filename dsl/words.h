// The words of the language and its smallest pieces, as messages need them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace quadrille {

// A word with a meaning of its own; it cannot be a name.
bool is_keyword(std::string_view word);

// The words that can start a line: of a block first (`send`, `for`, …), then those that stand only at the file's own
// level (`param`, `claim`, …).
std::span<const std::string> leading_words();
bool leads_item(std::string_view word);  // only at the file's level

// The words with which a line can go on behind a complete expression: `carrying`, `when`, `mod`, …
std::span<const std::string> clause_words();

// The language's word for what other languages call so: `carrying` for "carry", `processors` for "ranks". Empty if it
// is no such word.
std::string_view word_meant(std::string_view theirs);

// A letter or `_`; the same or a digit.
constexpr bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool continues_name(char c) { return starts_name(c) || is_digit(c); }

// The word, number, string, sign or character with which `text` begins, never empty unless `text` is.
std::string_view first_token(std::string_view text);

}  // namespace quadrille
