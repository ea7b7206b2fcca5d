// number_in reads a number that is the whole of a text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace quadrille {

// Nothing if the text is empty, goes on behind the number, begins with a plus or a blank, or holds a number that does
// not fit. Leading zeros are read. `Number`: any integer, or double.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, number);
  return fault == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

}  // namespace quadrille
