// The characters that a schedule file is made of.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace quadrille {

// Calls error(begin, end, message) for each character that a schedule file cannot contain: bytes that are not UTF-8,
// tabs, control characters, a byte order mark.
void check_characters(std::string_view input,
                      const std::function<void(std::size_t begin, std::size_t end, std::string message)>& error);

}  // namespace quadrille
