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
  choice,  // condition, then, otherwise
  truth,   // `number` is 1 or 0
  equal,   // of two numbers
  at_least,
  negation,
  conjunction,
  disjunction
};

class Expression {
 public:
  Expression(std::int64_t number = 0);
  Expression(Op op, std::vector<Expression> operands, std::int64_t number = 0, std::string name = {});

  Op op() const { return node_->op; }
  std::int64_t number() const { return node_->number; }
  const std::string& name() const { return node_->name; }
  const std::vector<Expression>& operands() const { return node_->operands; }
  bool is_truth() const { return node_->op >= Op::truth; }
  bool is(bool value) const { return op() == Op::truth && (number() != 0) == value; }
  // How large it is when it is written out, up to a few thousand million.
  std::uint64_t size() const { return node_->size; }

 private:
  struct Node {
    Op op;
    std::int64_t number;
    std::string name;
    std::vector<Expression> operands;
    std::uint64_t size;
  };
  std::shared_ptr<const Node> node_;
};

Expression variable(std::string name);
Expression truth(bool value);
Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression choice(const Expression& condition, const Expression& then, const Expression& otherwise);
Expression equal(const Expression& a, const Expression& b);
Expression at_most(const Expression& a, const Expression& b);
Expression less(const Expression& a, const Expression& b);
Expression negated(const Expression& a);
Expression all_of(std::vector<Expression> parts);
Expression any_of(std::vector<Expression> parts);

using Values = std::map<std::string, std::int64_t>;
using Substitution = std::map<std::string, Expression>;

// The value (of truths 1 or 0); nothing if it is undefined, a variable has no value, or a number does not fit into 64
// bits.
std::optional<std::int64_t> evaluate(const Expression& x, const Values& values);

Expression substituted(const Expression& x, const Substitution& by);
void collect_names(const Expression& x, std::set<std::string>& names);

// A truth that holds exactly where x is defined, and is itself defined everywhere where what it speaks of is: every
// divisor is positive; of a choice, in the branch that is taken.
Expression defined(const Expression& x);

// As SMT-LIB. Where it is defined, it has the same value there, if the functions power.of.two and digits.of are what
// their names say.
std::string smt(const Expression& x);
// As core forms have it: "(+ N -1)".
std::string plain(const Expression& x);
// Whether products of variables, or divisions by them, occur in it.
bool is_nonlinear(const Expression& x);

}  // namespace quadrille::proof_reader
