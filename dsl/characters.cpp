// Which characters may stand in a schedule: well-formed UTF-8 without control characters or tabs, so that columns count
// what an editor shows. The first byte says how long a character is and the others must follow; overlong forms,
// surrogates and what lies above 10FFFF are refused: c3 a9 is é, c0 80 an overlong 0. After a byte that is none of it,
// reading goes on with the next, so every fault has its own place. Cost: linear in the text.
#include "dsl/characters.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/text/byte_order_mark.h"

namespace quadrille {
namespace {

// The length of the well-formed UTF-8 character at the front of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate = first == 0xed && byte(1) >= 0xa0;
  const bool too_large = first == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

// What is wrong with a character of one byte; nothing if it may stand there.
std::string fault(unsigned char c, bool line_end, bool in_indentation) {
  if (c == '\t') return in_indentation ? "tab in the indentation; only spaces indent" : "tab; use spaces";
  if ((c < 0x20 && !line_end) || c == 0x7f) return fmt::format("control character 0x{:02x}", c);
  return {};
}

}  // namespace

void check_characters(std::string_view input,
                      const std::function<void(std::size_t begin, std::size_t end, std::string message)>& error) {
  if (input.starts_with(byte_order_mark)) error(0, 3, "byte order mark; save the file as UTF-8 without one");
  bool indentation = true;
  for (std::size_t i = 0; i < input.size();) {
    const std::size_t length = utf8_length(input.substr(i));
    const auto c = static_cast<unsigned char>(input[i]);
    const bool line_end = c == '\n' || (c == '\r' && i + 1 < input.size() && input[i + 1] == '\n');
    if (length == 0) {
      error(i, i + 1, fmt::format("byte 0x{:02x} is not UTF-8 text", c));
    } else if (std::string message = fault(c, line_end, indentation); !message.empty()) {
      error(i, i + 1, std::move(message));
    }
    indentation = c == '\n' || (indentation && (c == ' ' || c == '\t'));
    i += std::max<std::size_t>(length, 1);
  }
}

}  // namespace quadrille
