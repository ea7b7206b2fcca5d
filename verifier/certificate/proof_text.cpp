// A DRAT proof in text, by characters from a buffer of 64 KiB: proofs may be larger than memory.
//
//   "1 -2 0" is a lemma, "d 1 -2 0" a deletion, "c …" a comment; "1 -2" without its 0 is malformed
//
// Cost: linear in the text.
#include "verifier/certificate/proof_text.h"

#include <limits>
#include <span>

namespace quadrille::certificate {

// The next character, which stays; no_more at the end and after an error.
int ProofText::peek() {
  if (at_ == end_ && !ended_) {
    work_.spend(buffer_.size());
    const std::optional<std::size_t> got = read_(std::span(buffer_));
    failed_ = !got;
    at_ = 0;
    end_ = got.value_or(0);
    ended_ = end_ == 0;
  }
  return ended_ ? no_more : static_cast<unsigned char>(buffer_[at_]);
}

void ProofText::skip_blanks() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\r') skip();
}

// True if the line's end, or the text's, is next; it is taken.
bool ProofText::end_of_line() {
  skip_blanks();
  if (peek() == no_more) return true;
  if (peek() != '\n') return false;
  skip();
  return true;
}

bool ProofText::read_literal(std::int32_t& literal) {
  const bool negative = peek() == '-';
  if (negative) skip();
  std::int64_t number = 0;
  int digits = 0;
  for (; peek() >= '0' && peek() <= '9'; skip(), ++digits) {
    number = number * 10 + (peek() - '0');
    if (number > std::numeric_limits<std::int32_t>::max()) return false;
  }
  literal = static_cast<std::int32_t>(negative ? -number : number);
  return digits > 0 && !(negative && number == 0);
}

// Literals to the 0 that ends them, and the line's end.
bool ProofText::read_literals(std::pmr::vector<std::int32_t>& literals) {
  literals.clear();
  while (true) {
    skip_blanks();
    std::int32_t literal = 0;
    if (!read_literal(literal)) return false;
    if (literal == 0) return end_of_line();
    literals.push_back(literal);
    if (peek() != ' ' && peek() != '\t') return false;
  }
}

ProofText::Line ProofText::next(std::pmr::vector<std::int32_t>& literals) {
  while (true) {
    ++line_number_;
    if (end_of_line()) {
      if (failed_) return Line::unreadable;
      if (ended_) return Line::end;
      continue;
    }
    if (peek() != 'c') break;
    while (peek() != '\n' && peek() != no_more) skip();
    end_of_line();
  }
  const bool deletion = peek() == 'd';
  if (deletion) skip();
  if (deletion && peek() != ' ' && peek() != '\t') return Line::malformed;
  const bool good = read_literals(literals);
  if (failed_) return Line::unreadable;
  if (!good) return Line::malformed;
  ++clauses_;
  return deletion ? Line::deletion : Line::lemma;
}

}  // namespace quadrille::certificate
