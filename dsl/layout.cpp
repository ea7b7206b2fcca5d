// One pass over the lines, with two stacks: the indentations of the blocks that are open, and the brackets. A line that
// is indented more deeply than the one before opens a block; one that is indented less closes those that are deeper:
//
//     at 1:              at 1:<open>          stacks before the line: {0}
//       send 0 -> 1      send 0 -> 1          {0, 2}
//     send 2 -> 3        <line><close>send 2 -> 3<line>    {0}
//
// Comments wait until the next line of code tells to which block they belong. Cost: linear in the input.
// An open bracket makes the lines up to its end one line, whatever their indentation; so does a line that starts with a
// later part of a statement (`carrying`, `when`, …).
#include "dsl/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dsl/words.h"
#include "model/text/byte_order_mark.h"

namespace quadrille {
namespace {

// --- characters ----------------------------------------------------------------------------------------------------

// A schedule file is made of well-formed UTF-8 without control characters or tabs, so that columns count
// what an editor shows. The first byte says how long a character is and the others must follow; overlong forms,
// surrogates and what lies above 10FFFF are refused: c3 a9 is é, c0 80 an overlong 0. After a byte that is none of it,
// reading goes on with the next, so every fault has its own place. Cost: linear in the text.

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

// Calls error(begin, end, message) for each character that a schedule file cannot contain: bytes that are not UTF-8,
// tabs, control characters, a byte order mark.
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

// --- laying out ----------------------------------------------------------------------------------------------------

// A word that starts a line of its own and occurs in no expression: if one starts a line while a bracket is open, then
// the bracket was forgotten.
bool cannot_continue(std::string_view code) {
  const std::string_view word = first_token(code);
  const auto words = leading_words();
  return word != "for" && word != "if" && word != "then" && word != "else" && word != "run" &&
         std::find(words.begin(), words.end(), word) != words.end();
}

// A word that starts no statement, only a later part of one: its line goes on with the line before.
bool goes_on_with(std::string_view code) {
  const std::string_view word = first_token(code);
  if (word == "held") return first_token(code.substr(std::min(code.size(), code.find_first_not_of(' ', 4)))) != "(";
  return word == "when" || word == "along" || word == "waiting" || word == "carrying" || word == "part" ||
         word == "keeping" || word == "wanted";
}

class LayoutPass {
 public:
  LayoutPass(std::string_view input, std::uint32_t source) : input_(input), source_(source) {}

  Layout run() {
    if (const std::size_t zero = input_.find('\0'); zero != input_.npos) {
      error(zero, zero + 1, "a byte 0: this is no text");  // of a binary file, the first error is enough
      return std::move(layout_);
    }
    check_characters(input_, [&](std::size_t begin, std::size_t end, std::string message) {
      error(begin, end, std::move(message));
    });
    for (std::size_t begin = 0; begin < input_.size();) {
      const std::size_t newline = std::min(input_.find('\n', begin), input_.size());
      std::size_t end = newline;
      if (end > begin && input_[end - 1] == '\r') --end;
      physical_line(begin, end);
      begin = newline + 1;
    }
    finish();
    return std::move(layout_);
  }

 private:
  struct Comment {
    std::string text;
    std::size_t indentation;
    bool blank_before;
  };
  struct Bracket {
    char sign;
    std::size_t place;
  };

  void error(std::size_t begin, std::size_t end, std::string message) {
    if (layout_.errors.size() >= most_errors) return;
    const Span span{source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    layout_.errors.push_back(error_at(span, std::move(message), Code::syntax));
  }

  // One line of the input, without its newline.
  void physical_line(std::size_t begin, std::size_t end) {
    std::size_t first = begin;
    while (first < end && (input_[first] == ' ' || input_[first] == '\t')) ++first;
    if (first == end) {
      blank_seen_ = blank_seen_ || brackets_.empty();
      return;
    }
    const bool comment_only = input_.substr(first, end - first).starts_with("//");
    if (!brackets_.empty() && !comment_only && cannot_continue(input_.substr(first, end - first))) {
      report_open_brackets();
    }
    // A line goes on with the one before it if a bracket is open, or if it starts with what can only follow.
    const bool part = brackets_.empty() && !layout_.text.empty() && goes_on_with(input_.substr(first, end - first));
    if (part) comments_inside_line();
    const bool goes_on = part || !brackets_.empty();
    if (!comment_only && !goes_on) start_line(first, first - begin);
    const std::size_t code_end = scan_code(first, end);
    if (!comment_only) append_code(first, code_end, goes_on);
    if (code_end < end) comment_on_line(code_end, end, first - begin, comment_only);
  }

  // Follows brackets and strings up to the line's end or its comment, whose place it returns.
  std::size_t scan_code(std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      const char c = input_[i];
      if (c == '/' && i + 1 < end && input_[i + 1] == '/') return i;
      if (c == '"') {
        const std::size_t close = input_.find('"', i + 1);
        if (close >= end) {
          error(i, end, "this string is not closed on its line");
          return end;
        }
        i = close;
      } else if (c == '(' || c == '[' || c == '{') {
        brackets_.push_back({c, i});
      } else if (c == ')' || c == ']' || c == '}') {
        close_bracket(c, i);
      }
    }
    return end;
  }

  void close_bracket(char c, std::size_t place) {
    const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (brackets_.empty()) {
      error(place, place + 1, fmt::format("'{}' closes nothing", c));
    } else if (brackets_.back().sign != wanted) {
      error(place, place + 1, fmt::format("'{}' does not close '{}'", c, brackets_.back().sign));
      brackets_.pop_back();
    } else {
      brackets_.pop_back();
    }
  }

  void report_open_brackets() {
    const Bracket& open = brackets_.back();
    error(open.place, open.place + 1, fmt::format("'{}' is never closed", open.sign));
    brackets_.clear();
  }

  // A comment from `begin` to `end`: a line of its own, or after code.
  void comment_on_line(std::size_t begin, std::size_t end, std::size_t indentation, bool alone) {
    while (input_[end - 1] == ' ') --end;
    std::string text(input_.substr(begin + 2, end - begin - 2));
    if (!brackets_.empty()) {
      comments_here().before.push_back(std::move(text));  // inside a line that goes on: moved before it
    } else if (alone) {
      pending_.push_back({std::move(text), indentation, blank_seen_});
      blank_seen_ = false;
    } else {
      comments_here().after = std::move(text);
    }
  }

  // The comments since the line's last piece turn out to stand inside it: they go before the line.
  void comments_inside_line() {
    blank_seen_ = false;
    if (const auto found = layout_.comments.find(line_offset_);
        found != layout_.comments.end() && found->second.after) {
      found->second.before.push_back(std::move(*found->second.after));
      found->second.after.reset();
    }
    for (Comment& comment : pending_) comments_here().before.push_back(std::move(comment.text));
    pending_.clear();
  }

  ast::Comments& comments_here() { return layout_.comments[line_offset_]; }

  // Ends the line before, opens or closes blocks, and hands out the comments met since.
  void start_line(std::size_t place, std::size_t indentation) {
    const bool first_line = layout_.text.empty();
    bool first_of_block = first_line;
    if (first_line && indentation > 0) error(place, place, "the first line must not be indented");
    if (!first_line && indentation > indentations_.back()) {
      indentations_.push_back(indentation);
      mark(Mark::open);
      first_of_block = true;
    } else if (!first_line) {
      mark(Mark::line);
      close_blocks(indentation);
      if (indentations_.back() != indentation) {
        error(place, place, "this line's indentation is that of no block around it");
      }
    }
    line_offset_ = layout_.text.size();
    place_comments(first_of_block);
  }

  void close_blocks(std::size_t indentation) {
    while (indentations_.back() > indentation) {
      // Comments that are indented like the block that closes are its last lines; from the first that is less, they
      // belong outside.
      const auto outer = std::find_if(pending_.begin(), pending_.end(),
                                      [&](const Comment& c) { return c.indentation < indentations_.back(); });
      set_trailing(outer);
      indentations_.pop_back();
      mark(Mark::close);
    }
  }

  // The pending comments up to `end` are the last lines of the block that closes here.
  void set_trailing(std::vector<Comment>::iterator end) {
    if (end == pending_.begin()) return;
    TrailingComments& trailing = layout_.trailing[layout_.text.size()];
    trailing.blank_line_before = pending_.front().blank_before;
    trailing.texts = texts_until(end);
    pending_.erase(pending_.begin(), end);
  }

  std::vector<std::string> texts_until(std::vector<Comment>::iterator end) {
    std::vector<std::string> texts;
    for (auto comment = pending_.begin(); comment != end; ++comment) {
      if (comment->blank_before && !texts.empty()) texts.emplace_back(ast::blank_line);
      texts.push_back(std::move(comment->text));
    }
    return texts;
  }

  void place_comments(bool first_of_block) {
    if (pending_.empty() && (first_of_block || !blank_seen_)) {
      blank_seen_ = false;
      return;
    }
    ast::Comments& comments = comments_here();
    comments.blank_line_before = !first_of_block && (pending_.empty() ? blank_seen_ : pending_.front().blank_before);
    comments.blank_line_after_comments = !pending_.empty() && blank_seen_;
    comments.before = texts_until(pending_.end());
    pending_.clear();
    blank_seen_ = false;
  }

  void append_code(std::size_t begin, std::size_t end, bool goes_on) {
    while (end > begin && input_[end - 1] == ' ') --end;
    if (goes_on && end > begin) add_place(line_end_), layout_.text += ' ';
    add_place(begin);
    layout_.text.append(input_.substr(begin, end - begin));
    line_end_ = std::max(end, begin);
  }

  void mark(char sign) {
    add_place(line_end_);
    layout_.text += sign;
  }

  void add_place(std::size_t place) {
    layout_.places.emplace_back(static_cast<std::uint32_t>(layout_.text.size()), static_cast<std::uint32_t>(place));
  }

  void finish() {
    if (!brackets_.empty()) report_open_brackets();
    // A text without lines is an empty file: no mark, and its comments are trailing ones.
    const bool no_line = layout_.text.empty();
    if (!no_line) {
      mark(Mark::line);
      close_blocks(0);
    }
    if (no_line && !pending_.empty()) pending_.front().blank_before = false;
    set_trailing(pending_.end());
    add_place(input_.size());
  }

  std::string_view input_;
  std::uint32_t source_;
  Layout layout_;
  std::vector<std::size_t> indentations_ = {0};
  std::vector<Bracket> brackets_;
  std::vector<Comment> pending_;  // whole-line comments since the last line of code
  bool blank_seen_ = false;       // since the last line of code or comment
  std::size_t line_offset_ = 0;   // where the current line begins in layout_.text
  std::size_t line_end_ = 0;      // where its code ends in the input
};

}  // namespace

std::uint32_t Layout::original(std::size_t offset) const {
  const auto after = std::upper_bound(places.begin(), places.end(), offset,
                                      [](std::size_t wanted, const auto& place) { return wanted < place.first; });
  if (after == places.begin()) return 0;
  const auto& [start, place] = *std::prev(after);
  return place + static_cast<std::uint32_t>(offset) - start;
}

ast::Comments Layout::comments_at(std::size_t offset) const {
  const auto found = comments.find(offset);
  return found == comments.end() ? ast::Comments{} : found->second;
}

TrailingComments Layout::trailing_at(std::size_t offset) const {
  const auto found = trailing.find(offset);
  return found == trailing.end() ? TrailingComments{} : found->second;
}

Layout lay_out(std::string_view input, std::uint32_t source_number) { return LayoutPass(input, source_number).run(); }

}  // namespace quadrille
