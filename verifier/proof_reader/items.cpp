// Reading parentheses: one pass, with the lists that are open on a stack of their own, so that no text can make it run
// out of the program's.
#include "verifier/proof_reader/items.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/text/number_in.h"
#include "model/text/printable.h"

namespace quadrille::proof_reader {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool ends_word(char c) { return is_blank(c) || c == '(' || c == ')' || c == '"' || c == ';'; }

class ItemReader {
 public:
  ItemReader(const Source& source, std::uint32_t number) : text_(source.text), number_(number) {}

  std::vector<ProofItem> read() {
    if (text_.size() > most_bytes) throw Refused{span(0, 0), "the text is longer than 16 MiB"};
    while (skip_blanks()) read_one();
    if (open_.size() > 1) throw Refused{open_.back().span, "a parenthesis that is not closed"};
    return std::move(open_.front().items);
  }

 private:
  Span span(std::size_t begin, std::size_t end) const {
    return {number_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  // Blanks and comments; whether anything is left.
  bool skip_blanks() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == ';')) {
      at_ = text_[at_] == ';' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    }
    return at_ < text_.size();
  }

  void read_one() {
    if (text_[at_] == '(') return begin_list();
    if (text_[at_] == ')') return end_list();
    if (text_[at_] == '"') return read_text();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
    check_characters(begin, at_);
    add({span(begin, at_), false, false, std::string(text_.substr(begin, at_ - begin)), {}});
  }

  void begin_list() {
    if (open_.size() > most_nested) throw Refused{span(at_, at_ + 1), "lists are nested more than 200 deep"};
    open_.push_back({span(at_, at_ + 1), true, false, {}, {}});
    ++at_;
  }

  void end_list() {
    if (open_.size() == 1) throw Refused{span(at_, at_ + 1), "a parenthesis that closes nothing"};
    ProofItem list = std::move(open_.back());
    open_.pop_back();
    list.span.end = static_cast<std::uint32_t>(++at_);
    add(std::move(list));
  }

  void read_text() {
    const std::size_t begin = at_;
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) throw Refused{span(begin, begin + 1), "a text that does not end"};
    check_characters(begin, end);
    at_ = end + 1;
    add({span(begin, at_), false, true, std::string(text_.substr(begin + 1, end - begin - 1)), {}});
  }

  // Words and texts may be shown: they break no lines, and have no escape codes.
  void check_characters(std::size_t begin, std::size_t end) const {
    const std::size_t at = unprintable_at(text_.substr(0, end), begin);
    if (at == end) return;
    const std::size_t after = std::max(character_end(text_, at), at + 1);
    throw Refused{span(at, after),
                  fmt::format("a character that cannot be shown, {}", printable(text_.substr(at, after - at)))};
  }

  void add(ProofItem item) { open_.back().items.push_back(std::move(item)); }

  std::string_view text_;
  std::uint32_t number_;
  std::size_t at_ = 0;
  std::vector<ProofItem> open_ = {ProofItem{{}, true, false, {}, {}}};
};

}  // namespace

std::vector<ProofItem> read_items(const Source& source, std::uint32_t number) {
  return ItemReader(source, number).read();
}

const ProofItem& item(const ProofItem& list, std::size_t index) {
  if (!list.list) throw Refused{list.span, fmt::format("`{}` where a list is expected", list.word)};
  if (index >= list.size()) throw Refused{list.span, fmt::format("a list of {} items is too short", list.size())};
  return list.items[index];
}

const std::string& word(const ProofItem& item) {
  if (item.list || item.text) throw Refused{item.span, "a word is expected here"};
  return item.word;
}

const std::string& text(const ProofItem& item) {
  if (!item.text) throw Refused{item.span, "a text in quotation marks is expected here"};
  return item.word;
}

bool is_whole_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t whole_number(const ProofItem& item) {
  const std::string& digits = word(item);
  if (const auto value = number_in<std::int64_t>(digits)) return *value;
  throw Refused{item.span, fmt::format("`{}` is no whole number of 64 bits", digits)};
}

const std::string& head(const ProofItem& list) { return word(item(list, 0)); }

void expect_size(const ProofItem& list, std::size_t least, std::size_t most) {
  item(list, 0);
  if (list.size() < least || list.size() > most)
    throw Refused{list.span, fmt::format("`{}` has {} items", head(list), list.size() - 1)};
}

const ProofItem* optional_field(const ProofItem& list, std::string_view name) {
  const ProofItem* found = nullptr;
  item(list, 0);
  for (const ProofItem& each : list.items) {
    if (!each.list || each.items.empty() || each.items[0].list || each.items[0].word != name) continue;
    if (found != nullptr) throw Refused{each.span, fmt::format("`{}` stands here twice", name)};
    found = &each;
  }
  return found;
}

const ProofItem& field(const ProofItem& list, std::string_view name) {
  const ProofItem* found = optional_field(list, name);
  if (found == nullptr) throw Refused{list.span, fmt::format("`{}` is missing here", name)};
  return *found;
}

}  // namespace quadrille::proof_reader
