#include "model/text/broken_lines.h"

#include <cstddef>

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

}  // namespace quadrille
