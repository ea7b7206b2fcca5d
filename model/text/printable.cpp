// Characters that must not be shown are found by their code points, after UTF-8 has been decoded. Bytes that are not
// UTF-8 are among them, because terminals with one byte a character take 0x9b for an escape code.
#include "model/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace quadrille {
namespace {

// Control characters, separators of lines and paragraphs, and marks of direction.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 8> hidden = {{{0x00, 0x1f},
                                                                            {0x7f, 0x9f},
                                                                            {0x061c, 0x061c},
                                                                            {0x200b, 0x200f},
                                                                            {0x2028, 0x202e},
                                                                            {0x2060, 0x206f},
                                                                            {0xfeff, 0xfeff},
                                                                            {0xe0000, 0xe007f}}};

// Of a well-formed character.
std::uint32_t code_point(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first;
  std::uint32_t code = first & (0x7fU >> character.size());
  for (const char byte : character.substr(1)) code = code << 6U | (static_cast<unsigned char>(byte) & 0x3fU);
  return code;
}

bool is_hidden(std::uint32_t code) {
  if (code >= 0x20 && code < 0x7f) return false;
  return std::any_of(hidden.begin(), hidden.end(),
                     [&](const auto& range) { return code >= range.first && code <= range.second; });
}

std::string written_out(std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  if (code < 0x20) return fmt::format("\\x{:02x}", code);
  if (code < 0x10000) return fmt::format("\\u{:04x}", code);
  const std::uint32_t above = code - 0x10000;  // in two halves, as JSON has it
  return fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (above >> 10U), 0xdc00 + (above & 0x3ffU));
}

}  // namespace

std::size_t character_end(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(at);
  if (first < 0x80) return at + 1;
  if (first >= 0xC2 && first < 0xE0 && follows(at + 1)) return at + 2;
  const unsigned second = byte(at + 1);
  if ((first & 0xF0U) == 0xE0U && follows(at + 1) && follows(at + 2)) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second >= 0xA0;
    return overlong || surrogate ? at : at + 3;
  }
  if (first >= 0xF0 && first < 0xF5 && follows(at + 1) && follows(at + 2) && follows(at + 3)) {
    const bool overlong = first == 0xF0 && second < 0x90;
    const bool beyond = first == 0xF4 && second >= 0x90;
    return overlong || beyond ? at : at + 4;
  }
  return at;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::size_t unprintable_at(std::string_view text, std::size_t from) {
  std::size_t at = from;
  while (at < text.size()) {
    const std::size_t end = character_end(text, at);
    if (end == at || is_hidden(code_point(text.substr(at, end - at)))) return at;
    at = end;
  }
  return text.size();
}

std::string printable(std::string_view text) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t next = unprintable_at(text, at);
    result += text.substr(at, next - at);
    if (next == text.size()) return result;
    const std::size_t end = character_end(text, next);
    result += end == next ? fmt::format("\\x{:02x}", static_cast<unsigned char>(text[next]))
                          : written_out(code_point(text.substr(next, end - next)));
    at = std::max(end, next + 1);
  }
}

}  // namespace quadrille
