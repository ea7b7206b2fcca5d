// The language's words and signs, as lists: what cannot be a name, what can start a line, and how the next token of a
// text is cut off for a message. The grammar itself has its own rules for tokens (grammar_config.h).
#include "dsl/words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

constexpr auto keywords = std::to_array<std::string_view>(
    {"along", "and",   "at",   "by",      "carrying",  "chunk",   "claim",     "collective", "downto", "else", "fabric",
     "false", "for",   "held", "if",      "in",        "include", "invariant", "keeping",    "let",    "mod",  "not",
     "or",    "param", "part", "pattern", "procedure", "relabel", "repeat",    "reverse",    "send",   "shl",  "shr",
     "then",  "times", "true", "turn",    "waiting",   "wanted",  "when",      "xor"});

constexpr std::array<std::string_view, 7> item_words = {"claim",     "collective", "fabric",   "include",
                                                        "invariant", "param",      "procedure"};

// What other languages write for a word of this one.
constexpr auto elsewhere = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"carry", "carrying"},   {"carries", "carrying"}, {"with", "carrying"},
     {"payload", "carrying"}, {"via", "along"},        {"through", "along"},
     {"where", "when"},

     {"round", "at"},         {"step", "at"},          {"time", "at"},
     {"foreach", "for"},      {"forall", "for"},       {"while", "repeat"},
     {"loop", "for"},         {"def", "procedure"},    {"function", "procedure"},
     {"proc", "procedure"},   {"import", "include"},   {"use", "include"},
     {"transfer", "send"},    {"recv", "send"},        {"receive", "send"},
     {"copy", "send"},        {"put", "send"},         {"topology", "fabric"},
     {"network", "fabric"},   {"machine", "fabric"},   {"parameter", "param"},
     {"var", "let"},          {"const", "let"},        {"set", "let"},
     {"assert", "claim"},     {"ranks", "processors"}, {"nodes", "processors"},
     {"procs", "processors"}, {"gpus", "processors"},  {"devices", "processors"},
     {"nranks", "n"},         {"world_size", "n"},     {"num_ranks", "n"},
     {"len", "size"},         {"length", "size"},      {"log", "log2"}});

constexpr std::array<std::string_view, 8> signs = {"->", "..", "==", "!=", "<=", ">=", "//", "**"};

std::size_t length_of_character(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

std::size_t length_while(std::string_view text, bool (*holds)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), holds) - text.begin());
}

}  // namespace

bool is_keyword(std::string_view word) { return std::find(keywords.begin(), keywords.end(), word) != keywords.end(); }

std::span<const std::string> leading_words() {
  static const std::vector<std::string> words = {
      "at",   "for",   "if",         "let",    "send",    "repeat", "reverse",   "relabel", "by",   "run",
      "then", "claim", "collective", "fabric", "include", "param",  "procedure", "chunk",   "else", "invariant"};
  return words;
}

std::span<const std::string> clause_words() {
  static const std::vector<std::string> words = {
      "along",  "waiting", "carrying", "part", "when", "if",     "lanes", "latency", "bandwidth", "held",    "keeping",
      "wanted", "mod",     "and",      "or",   "xor",  "downto", "shl",   "shr",     "after",     "contains"};
  return words;
}

std::string_view word_meant(std::string_view theirs) {
  for (const auto& [word, ours] : elsewhere) {
    if (word == theirs) return ours;
  }
  return {};
}

bool leads_item(std::string_view word) {
  return std::find(item_words.begin(), item_words.end(), word) != item_words.end();
}

std::string_view first_token(std::string_view text) {
  if (text.empty()) return text;
  const char c = text.front();
  if (starts_name(c)) return text.substr(0, length_while(text, continues_name));
  if (is_digit(c)) return text.substr(0, length_while(text, is_digit));
  if (c == '"') {
    const std::size_t close = text.find('"', 1);
    return close == text.npos ? text : text.substr(0, close + 1);
  }
  for (std::string_view sign : signs) {
    if (text.starts_with(sign)) return text.substr(0, sign.size());
  }
  return text.substr(0, length_of_character(static_cast<unsigned char>(c)));
}

}  // namespace quadrille
