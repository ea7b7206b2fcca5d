#include "tests/reference/source_mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "dsl/load.h"

namespace quadrille::reference {
namespace {

// --- the text in pieces ----------------------------------------------------------------------------------------------

struct Token {
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t line = 0;
};

struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;     // after its newline
  std::size_t indent = 0;  // of a line with nothing but a comment: npos
};

struct Text {
  std::string all;
  std::vector<Line> lines;
  std::vector<Token> tokens;  // without comments
};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool digits(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}
bool is_name(const std::string& text) { return in_word(text[0]) && !digits(text.substr(0, 1)); }

std::size_t token_length(std::string_view rest) {
  std::size_t length = 0;
  while (length < rest.size() && in_word(rest[length])) ++length;
  if (length > 0) return length;
  for (const std::string_view longer : {"->", "<=", ">=", "==", "!=", ".."}) {
    if (rest.starts_with(longer)) return longer.size();
  }
  return 1;
}

Text in_pieces(const std::string& all) {
  Text text{all, {}, {}};
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size() - 1) + 1;
    std::string_view code = std::string_view(all).substr(begin, end - begin);
    code = code.substr(0, code.find("//"));
    const std::size_t indent = code.find_first_not_of(" \n");
    for (std::size_t i = indent; i < code.size();) {
      const std::size_t length = token_length(code.substr(i));
      const std::string token(code.substr(i, length));
      if (token != " " && token != "\n")
        text.tokens.push_back({token, begin + i, begin + i + length, text.lines.size()});
      i += length;
    }
    text.lines.push_back({begin, end, indent});
    begin = end;
  }
  return text;
}

// --- changes ---------------------------------------------------------------------------------------------------------

struct Change {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string now;
};

// Operators and words, by kind: each becomes each other.
const std::vector<std::vector<std::string>> kinds = {
    {"+", "-", "*", "/", "mod"},        {"xor", "or", "and"},  {"+", "xor"},   {"^", "*"},         {"shl", "shr"},
    {"==", "!=", "<", "<=", ">", ">="}, {"sum", "min", "max"}, {"all", "any"}, {"ceil_div", "min"}};

class Changes {
 public:
  explicit Changes(const Text& text) : text_(text) { find_variables(); }

  std::vector<Change> all() {
    for (std::size_t i = 0; i < text_.tokens.size(); ++i) {
      const Token& token = text_.tokens[i];
      if (digits(token.text)) numbers(token);
      operators(token);
      ranges(token);
      steps(token, i);
      variables(token, i);
      exchanges(token, i);
      words(token, i);
    }
    for (std::size_t line = 0; line < text_.lines.size(); ++line) statements(line);
    return std::move(changes_);
  }

 private:
  void becomes(const Token& token, const std::string& now) { changes_.push_back({token.begin, token.end, now}); }
  std::string between(std::size_t begin, std::size_t end) const { return text_.all.substr(begin, end - begin); }
  const std::string& word(std::size_t i) const {
    static const std::string none = "\n";
    return i < text_.tokens.size() ? text_.tokens[i].text : none;
  }
  // The first token behind the line of token i.
  std::size_t end_of_line(std::size_t i) const {
    const std::size_t line = text_.tokens[i].line;
    while (i < text_.tokens.size() && text_.tokens[i].line == line) ++i;
    return i;
  }

  // What is named by `x in`, `let x =`, and a procedure's or function's head.
  void find_variables() {
    std::set<std::string> names = {"n"};
    bool head = false;
    for (std::size_t i = 0; i < text_.tokens.size(); ++i) {
      const bool first = i == 0 || text_.tokens[i - 1].line != text_.tokens[i].line;
      if (first) head = word(i) == "let" || word(i) == "procedure";
      if (word(i) == "=" || word(i) == ":") head = false;
      const bool bound = word(i + 1) == "in" && word(i + 2) != "turn";
      const bool formal = head && i > 1 && word(i + 1) != "(" && word(i) != "let" && word(i) != "procedure";
      const bool let = i > 0 && word(i - 1) == "let" && word(i + 1) == "=";
      if (is_name(word(i)) && (bound || formal || let)) names.insert(word(i));
    }
    variables_.assign(names.begin(), names.end());
  }

  void numbers(const Token& token) {
    const long value = std::stol(token.text);
    std::set<long> others = {value + 1, value - 1, value + 2, value - 2, 2 * value, 0};
    others.erase(value);
    for (const long other : others) {
      if (other >= -1) becomes(token, other < 0 ? "(0 - 1)" : std::to_string(other));
    }
  }

  void operators(const Token& token) {
    for (const auto& kind : kinds) {
      if (std::find(kind.begin(), kind.end(), token.text) == kind.end()) continue;
      for (const std::string& other : kind) {
        if (other != token.text) becomes(token, fmt::format(" {} ", other));
      }
    }
  }

  void ranges(const Token& token) {
    if (token.text != ".." && token.text != "downto") return;
    for (const char* by : {"+ 1", "- 1", "+ 2", "- 2"}) {
      becomes(token, fmt::format(" {} {} ", by, token.text));
      becomes(token, fmt::format(" {} 0 {} + ", token.text, by));
    }
    becomes(token, token.text == ".." ? " downto " : " .. ");
  }

  void steps(const Token& token, std::size_t i) {
    if (token.text == "at") {
      for (const char* by : {"1", "2", "-1", "-2"}) becomes(token, fmt::format("at {} + ", by));
      for (const std::string& variable : variables_) {
        becomes(token, fmt::format("at (if {} == 1 then 1 else 0) + ", variable));
        becomes(token, fmt::format("at (if {} == 2 then -1 else 0) + ", variable));
      }
    }
    if (token.text != "send") return;
    if (i > 0 && text_.tokens[i - 1].line == token.line && word(i - 1) != ":") return;
    becomes(token, "at 2: send");
    for (const std::string& variable : variables_) becomes(token, fmt::format("if {} != 2: send", variable));
  }

  void variables(const Token& token, std::size_t i) {
    const bool known = std::binary_search(variables_.begin(), variables_.end(), token.text);
    if (!known || word(i + 1) == "in" || (i > 0 && (word(i - 1) == "let" || word(i - 1) == "param"))) return;
    for (const std::string& other : variables_) {
      if (other != token.text) becomes(token, other);
    }
  }

  void exchange(std::size_t a, std::size_t a_end, std::size_t b, std::size_t b_end) {
    changes_.push_back({a, b_end, between(b, b_end) + between(a_end, b) + between(a, a_end)});
  }

  void exchanges(const Token& token, std::size_t i) {
    if (token.text == "send") {
      std::size_t arrow = i;
      while (arrow < text_.tokens.size() && word(arrow) != "->") ++arrow;
      std::size_t last = arrow;
      const std::size_t end = end_of_line(i);
      while (last + 1 < end && word(last + 1) != "carrying") ++last;
      if (last > arrow && last < text_.tokens.size()) {
        exchange(text_.tokens[i + 1].begin, text_.tokens[arrow - 1].end, text_.tokens[arrow + 1].begin,
                 text_.tokens[last].end);
      }
    }
    if (token.text != "(" || i == 0 || !is_name(word(i - 1))) return;
    std::size_t depth = 0;
    std::size_t comma = 0;
    std::size_t close = i;
    for (; close < text_.tokens.size(); ++close) {
      depth += word(close) == "(" ? 1U : 0U;
      if (word(close) == ")" && --depth == 0) break;
      if (word(close) == "," && depth == 1) comma = close;
    }
    if (comma == 0 || close >= text_.tokens.size()) return;
    exchange(text_.tokens[i + 1].begin, text_.tokens[comma - 1].end, text_.tokens[comma + 1].begin,
             text_.tokens[close - 1].end);
  }

  void words(const Token& token, std::size_t i) {
    if (token.text == "in" && word(i + 1) == "turn") changes_.push_back({token.begin, text_.tokens[i + 1].end, ""});
    if (token.text == "reverse") becomes(token, "if true");
    if (token.text == "when") {
      changes_.push_back({token.begin, text_.tokens[end_of_line(i) - 1].end, ""});
      becomes(token, "when not");
    }
  }

  // The lines of the statement that begins here: this one, and those with more space before them.
  void statements(std::size_t first) {
    const Line& line = text_.lines[first];
    if (line.indent == std::string::npos) return;
    const std::string head = between(line.begin + line.indent, line.end);
    for (const std::string_view other : {"param", "include", "fabric", "collective", "let", "procedure", "else"}) {
      if (head.starts_with(other)) return;
    }
    std::size_t end = first + 1;
    while (end < text_.lines.size() && text_.lines[end].indent != std::string::npos &&
           text_.lines[end].indent > line.indent) {
      ++end;
    }
    const std::string all = between(line.begin, text_.lines[end - 1].end);
    changes_.push_back({line.begin, line.begin + all.size(), ""});
    if (head.starts_with("claim") || head.starts_with("when")) return;
    changes_.push_back({line.begin, line.begin + all.size(), all + all});
    const std::string space(line.indent, ' ');
    changes_.push_back({line.begin, line.begin + all.size(), all + space + "then " + all.substr(line.indent)});
  }

  const Text& text_;
  std::vector<std::string> variables_;
  std::vector<Change> changes_;
};

std::string described(const Text& text, const Change& change) {
  std::size_t line = 0;
  while (line + 1 < text.lines.size() && text.lines[line].end <= change.begin) ++line;
  const std::string old = text.all.substr(change.begin, change.end - change.begin);
  return fmt::format("line {}, column {}: '{}' becomes '{}'", line + 1, change.begin - text.lines[line].begin + 1, old,
                     change.now);
}

std::string changed(std::string text, const Change& change) {
  return text.replace(change.begin, change.end - change.begin, change.now);
}

}  // namespace

std::vector<SourceMutant> source_mutants(const std::string& text) {
  const Text pieces = in_pieces(text);
  std::set<std::string> seen = {text};
  std::vector<SourceMutant> mutants;
  for (const Change& change : Changes(pieces).all()) {
    SourceMutant mutant{described(pieces, change), changed(text, change)};
    if (seen.insert(mutant.text).second) mutants.push_back(std::move(mutant));
  }
  return mutants;
}

std::vector<SourceMutant> twofold_mutants(const std::string& text, std::size_t count, Dice& dice) {
  const Text pieces = in_pieces(text);
  const std::vector<Change> changes = Changes(pieces).all();
  std::set<std::string> seen = {text};
  std::vector<SourceMutant> mutants;
  for (std::size_t i = 0; i < 10 * count && mutants.size() < count; ++i) {
    const Change* first = &dice.pick(changes);
    const Change* second = &dice.pick(changes);
    if (first->begin > second->begin) std::swap(first, second);
    if (first->end > second->begin) continue;
    SourceMutant mutant{described(pieces, *first) + "; " + described(pieces, *second),
                        changed(changed(text, *second), *first)};
    if (seen.insert(mutant.text).second) mutants.push_back(std::move(mutant));
  }
  return mutants;
}

// --- what is included ------------------------------------------------------------------------------------------------

namespace {

// The parts of a text that begin without space, with their indented lines.
std::vector<std::string> items(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const bool inside = text[begin] == ' ' && !result.empty();
    if (inside) {
      result.back() += text.substr(begin, end - begin);
    } else {
      result.push_back(text.substr(begin, end - begin));
    }
    begin = end;
  }
  return result;
}

std::string first_words(const std::string& item) { return item.substr(0, item.find_first_of(":(", 0)); }

}  // namespace

std::string whole_text(const std::string& shipped) {
  const auto found = shipped_schedule(shipped);
  if (!found) return "";
  const std::string text(found->text);
  std::string result;
  for (const std::string& item : items(text)) {
    if (!item.starts_with("include \"")) {
      result += item;
      continue;
    }
    const std::size_t begin = item.find('"') + 1;
    for (const std::string& inner : items(whole_text(item.substr(begin, item.find('"', begin) - begin)))) {
      bool given = false;
      for (const std::string_view word : {"param ", "let ", "procedure ", "fabric "}) {
        given = given || inner.starts_with(word);
      }
      const bool again = inner.starts_with("param ") && text.find(first_words(inner)) != std::string::npos;
      if (given && !again) result += inner;
    }
  }
  return result;
}

}  // namespace quadrille::reference
