// A DRAT proof in text, read line by line from a file that may be larger than memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "model/limits/work.h"
#include "verifier/certificate.h"

namespace quadrille::certificate {

class ProofText {
 public:
  // Both must outlive it.
  ProofText(const ReadBytes& read, Work& work) : read_(read), work_(work), buffer_(std::size_t{1} << 16) {}

  enum class Line : std::uint8_t { lemma, deletion, end, malformed, unreadable };

  // The next line; its literals without the 0 that ends them. Empty lines and comments (`c …`) are passed over. Throws
  // Ended, also in the middle of a line.
  Line next(std::pmr::vector<std::int32_t>& literals);

  std::uint64_t line_number() const { return line_number_; }  // of the line last read, from 1
  std::uint64_t clauses() const { return clauses_; }          // lemmas and deletions so far

 private:
  static constexpr int no_more = -1;
  int peek();
  void skip() { ++at_; }
  void skip_blanks();
  bool read_literals(std::pmr::vector<std::int32_t>& literals);
  bool read_literal(std::int32_t& literal);
  bool end_of_line();

  const ReadBytes& read_;
  Work& work_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
  bool failed_ = false;
  std::uint64_t line_number_ = 0;
  std::uint64_t clauses_ = 0;
};

}  // namespace quadrille::certificate
