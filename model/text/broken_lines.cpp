#include "model/text/broken_lines.h"

#include <algorithm>

namespace quadrille {

std::string in_lines(std::string_view text, std::string_view line_start) {
  constexpr std::size_t columns = 120;
  if (text.size() <= columns) return std::string(text);
  std::string lines;
  std::size_t begin = 0;  // of the line
  std::size_t comma = 0;  // behind the last one in it
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      in_string = !in_string;
    } else if (text[i] == ',' && !in_string) {
      if (i + 1 - begin + line_start.size() > columns && comma > begin) {
        lines.append(text.substr(begin, comma - begin)).append("\n").append(line_start);
        begin = comma;
      }
      comma = i + 1;
    }
  }
  if (text.size() - begin + line_start.size() > columns && comma > begin) {
    lines.append(text.substr(begin, comma - begin)).append("\n").append(line_start);
    begin = comma;
  }
  return lines.append(text.substr(begin));
}

std::string broken_between_words(std::string_view text, std::string_view line_start, std::size_t columns,
                                 std::size_t (*width)(std::string_view word)) {
  std::string result;
  std::size_t column = line_start.size();
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (column > line_start.size() && column + 1 + width(word) > columns) {
      result.append("\n").append(line_start);
      column = line_start.size();
    } else if (!result.empty()) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return result;
}

}  // namespace quadrille
