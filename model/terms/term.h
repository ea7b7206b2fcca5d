// Terms are small expressions over a packet's source and target, an index, and a topology's parameters. With them a
// topology describes itself for every size at once (model/crossings.h).
//
//   using namespace terms;
//   const Term below = power(2, index() - 1);                         // 2^(i-1)
//   const Term crossed = !equal(source() / below, target() / below);
//   evaluate(crossed, {.source = 1, .target = 2, .index = 2})     // 1: leaves 1 and 2 lie in different pairs
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace quadrille {

// The operations of terms. Truths are numbers: 1 and 0.
enum class TermOp : std::uint8_t {
  number,     // `number`
  parameter,  // the topology's parameter `number`
  source,     // the processor that the packet leaves
  target,     // the processor that it goes to
  index,      // of a class of channels: a level, a dimension, a position in a run
  add,
  subtract,
  multiply,
  divide,  // rounded down; the divisor is positive
  modulo,  // 0 … divisor - 1
  bit_xor,
  bits,   // the number of binary digits: 0 for 0, 3 for 4
  ones,   // the number of binary digits that are 1
  apex,   // of a, b and a base of at least 2: the least h with a div base^h = b div base^h
  power,  // the exponent is not negative
  minimum,
  maximum,
  equal,
  less,
  negation,
  conjunction,
  conditional  // condition, then, otherwise
};

class Term {
 public:
  Term(std::int64_t number = 0);
  Term(TermOp op, std::vector<Term> operands, std::int64_t number = 0);

  TermOp op() const { return node_->op; }
  std::int64_t number() const { return node_->number; }
  const std::vector<Term>& operands() const { return node_->operands; }
  // Whether it is a truth: a comparison, or a combination of these.
  bool is_truth() const;
  // Whether they are written alike, not whether their values are the same.
  bool operator==(const Term& other) const;

 private:
  struct Node {
    TermOp op;
    std::int64_t number;
    std::vector<Term> operands;
  };
  std::shared_ptr<const Node> node_;
};

Term operator+(const Term& a, const Term& b);
Term operator-(const Term& a, const Term& b);
Term operator*(const Term& a, const Term& b);
Term operator/(const Term& a, const Term& b);
Term operator%(const Term& a, const Term& b);
Term operator!(const Term& a);

// The other operations have a namespace of their own, because their names are short.
namespace terms {

Term parameter(std::size_t number);
Term source();
Term target();
Term index();
Term bit_xor(const Term& a, const Term& b);
Term bits(const Term& x);
Term ones(const Term& x);
Term apex(const Term& a, const Term& b, const Term& base);
Term power(const Term& base, const Term& exponent);
Term minimum(const Term& a, const Term& b);
Term maximum(const Term& a, const Term& b);
Term equal(const Term& a, const Term& b);
Term less(const Term& a, const Term& b);
Term at_most(const Term& a, const Term& b);
Term both(const Term& a, const Term& b);
Term either(const Term& a, const Term& b);
Term conditional(const Term& condition, const Term& then, const Term& otherwise);

}  // namespace terms

// The numbers with which a term is evaluated.
struct TermValues {
  std::vector<std::int64_t> parameters = {};
  std::int64_t source = 0;
  std::int64_t target = 0;
  std::int64_t index = 0;
};

// The value of a term. Of a conditional, only the chosen branch is evaluated. Requires the conditions of TermOp
// (positive divisors, exponents of at least 0), and that every intermediate value fits into 64 bits.
std::int64_t evaluate(const Term& term, const TermValues& values);

// Text in a person's notation, "s div 2^(i - 1)"; `parameters` are the names.
std::string to_string(const Term& term, const std::vector<std::string>& parameters = {});

}  // namespace quadrille
