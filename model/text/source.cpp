// From byte offsets to lines and columns, as an editor counts them: a column is a UTF-8 character, not a byte, so after
// "é = " comes column 5 and offset 5. Cost: linear in the text before the place; asked only for messages.
#include "model/text/source.h"

#include <algorithm>

namespace quadrille {
namespace {

// A byte of a UTF-8 character other than its first.
bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

Position position_of(std::string_view text, std::uint32_t offset) {
  std::size_t end = std::min<std::size_t>(offset, text.size());
  while (end > 0 && end < text.size() && continues_character(text[end])) --end;

  const std::string_view before = text.substr(0, end);
  const std::size_t last_break = before.rfind('\n');
  const std::string_view line = last_break == std::string_view::npos ? before : before.substr(last_break + 1);

  Position position;
  position.line += static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
  position.column += static_cast<std::uint32_t>(
      std::count_if(line.begin(), line.end(), [](char byte) { return !continues_character(byte); }));
  return position;
}

Span cover(Span first, Span last) {
  if (!first.known()) return last;
  if (!last.known() || first.source != last.source) return first;
  return {first.source, std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

}  // namespace quadrille
