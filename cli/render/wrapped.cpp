#include "cli/render/wrapped.h"

#include <algorithm>

namespace quadrille::cli {

std::string wrapped(std::string_view text, std::size_t indent) {
  constexpr std::size_t columns = 120;
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const auto width = static_cast<std::size_t>(
        std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xc0) != 0x80; }));  // characters, not bytes
    if (column > indent && column + 1 + width > columns) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!result.empty()) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width;
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return result;
}

}  // namespace quadrille::cli
