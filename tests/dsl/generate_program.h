// Random schedule files: every construct of the language, well-formed as text but not in meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dsl/ast.h"

namespace quadrille::testing {

// A list of choices read one by one; after its end every choice is 0, the simplest. A shorter list or smaller numbers
// make a simpler program, so that shrinking the list shrinks the program.
class Choices {
 public:
  explicit Choices(std::span<const std::uint32_t> list) : list_(list) {}

  // The next choice, in 0 … count-1.
  std::uint32_t pick(std::uint32_t count) { return at_ < list_.size() ? list_[at_++] % count : 0; }
  bool often() { return pick(2) == 1; }
  bool rarely() { return pick(6) == 5; }

 private:
  std::span<const std::uint32_t> list_;
  std::size_t at_ = 0;
};

// A file as the parser could have made it (places apart): comments and blank lines only where it would keep them.
ast::File generate_program(Choices& choices);

ast::Expression generate_expression(Choices& choices, int depth = 4);

}  // namespace quadrille::testing
