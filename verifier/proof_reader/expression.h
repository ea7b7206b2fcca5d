// Whole numbers and truths over named variables: what a core form says of every size at once.
//
//   const Expression next = choice(less(k, n), k, k - n);
//   evaluate(next, {{"k", 3}, {"n", 4}})        // 3
//   smt(next)                                   // (ite (>= v.n (+ v.k 1)) v.k (+ v.k (* (- 1) v.n)))
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace quadrille::proof_reader {

enum class Op : std::uint8_t {
  number,
  variable,
  add,  // any number of operands, as of `multiply`, `conjunction` and `disjunction`
  multiply,
  divide,  // rounded down; undefined unless the divisor is positive
  modulo,  // 0 … divisor - 1; likewise
  power,   // of two; undefined unless the exponent is 0 or more
  digits,  // how many binary digits: 0 for 0, 3 for 4; undefined unless the number is 0 or more
  lowest,  // of x the power of two that is its lowest binary digit: 4 of 12, 0 of 0; undefined unless x is 0 or more
  xor_of,  // of binary digits, one by one; undefined unless both numbers are 0 or more
  choice,  // condition, then, otherwise
  truth,   // `number` is 1 or 0
  equal,   // of two numbers
  at_least,
  negation,
  conjunction,
  disjunction
};

class CoreExpression {
 public:
  CoreExpression(std::int64_t number = 0);
  CoreExpression(Op op, std::vector<CoreExpression> operands, std::int64_t number = 0, std::string name = {});

  Op op() const { return node_->op; }
  std::int64_t number() const { return node_->number; }
  const std::string& name() const { return node_->name; }
  const std::vector<CoreExpression>& operands() const { return node_->operands; }
  bool is_truth() const { return node_->op >= Op::truth; }
  bool is(bool value) const { return op() == Op::truth && (number() != 0) == value; }
  // How large it is when it is written out, up to a few thousand million.
  std::uint64_t size() const { return node_->size; }

 private:
  struct Node {
    Op op;
    std::int64_t number;
    std::string name;
    std::vector<CoreExpression> operands;
    std::uint64_t size;
  };
  std::shared_ptr<const Node> node_;
};

CoreExpression variable(std::string name);
CoreExpression truth(bool value);
CoreExpression operator+(const CoreExpression& a, const CoreExpression& b);
CoreExpression operator-(const CoreExpression& a, const CoreExpression& b);
CoreExpression operator*(const CoreExpression& a, const CoreExpression& b);
CoreExpression choice(const CoreExpression& condition, const CoreExpression& then, const CoreExpression& otherwise);
CoreExpression equal(const CoreExpression& a, const CoreExpression& b);
CoreExpression at_most(const CoreExpression& a, const CoreExpression& b);
CoreExpression less(const CoreExpression& a, const CoreExpression& b);
CoreExpression negated(const CoreExpression& a);
CoreExpression all_of(std::vector<CoreExpression> parts);
CoreExpression any_of(std::vector<CoreExpression> parts);

using Values = std::map<std::string, std::int64_t>;
using CoreSubstitution = std::map<std::string, CoreExpression>;

// The value (of truths 1 or 0); nothing if it is undefined, a variable has no value, or a number does not fit into 64
// bits.
std::optional<std::int64_t> evaluate(const CoreExpression& x, const Values& values);

CoreExpression substituted(const CoreExpression& x, const CoreSubstitution& by);
void collect_names(const CoreExpression& x, std::set<std::string>& names);

// A truth that holds exactly where x is defined, and is itself defined everywhere where what it speaks of is: every
// divisor is positive; of a choice, in the branch that is taken.
CoreExpression defined(const CoreExpression& x);

// As SMT-LIB. Where it is defined, it has the same value there, if the functions power.of.two, digits.of, lowest.of and
// xor.of are what their names say.
std::string smt(const CoreExpression& x);
// As core forms have it: "(+ N -1)".
std::string plain(const CoreExpression& x);
// Whether products of variables, or divisions by them, occur in it.
bool is_nonlinear(const CoreExpression& x);

}  // namespace quadrille::proof_reader
