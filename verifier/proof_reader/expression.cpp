// Expressions are immutable trees that share their branches; nothing is simplified but sums and conjunctions of nothing
// and truths that are written down, so that what is asked of a solver is what the text says.
#include "verifier/proof_reader/expression.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace quadrille::proof_reader {
namespace {

constexpr std::uint64_t most_size = std::uint64_t{1} << 32;

std::uint64_t size_of(const std::vector<Expression>& operands) {
  std::uint64_t size = 1;
  for (const Expression& each : operands) size = std::min(most_size, size + each.size());
  return size;
}

// Those parts that are not `neutral`; one that is its contrary decides.
Expression connected(Op op, std::vector<Expression> parts, bool neutral) {
  for (const Expression& part : parts) {
    if (part.is(!neutral)) return truth(!neutral);
  }
  std::erase_if(parts, [&](const Expression& part) { return part.is(neutral); });
  if (parts.empty()) return truth(neutral);
  return parts.size() == 1 ? parts[0] : Expression(op, std::move(parts));
}

// --- values ----------------------------------------------------------------------------------------------------------

using Value = std::optional<std::int64_t>;

Value added(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? Value() : Value(result);
}

Value multiplied(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? Value() : Value(result);
}

std::int64_t rest_of(std::int64_t a, std::int64_t b) { return a % b < 0 ? a % b + b : a % b; }

Value quotient_of(std::int64_t a, std::int64_t b) {
  const std::int64_t towards_zero = a / b;
  return a % b < 0 ? towards_zero - 1 : towards_zero;
}

class Evaluation {
 public:
  explicit Evaluation(const Values& values) : values_(values) {}

  Value of(const Expression& x) const {
    switch (x.op()) {
      case Op::number:
      case Op::truth:
        return x.number();
      case Op::variable: {
        const auto found = values_.find(x.name());
        return found == values_.end() ? Value() : Value(found->second);
      }
      case Op::choice: {
        const Value condition = of(x.operands()[0]);
        return condition ? of(x.operands()[*condition != 0 ? 1 : 2]) : Value();
      }
      default:
        return of_operands(x);
    }
  }

 private:
  Value of_operands(const Expression& x) const {
    std::vector<std::int64_t> operands;
    for (const Expression& each : x.operands()) {
      const Value value = of(each);
      if (!value) return std::nullopt;
      operands.push_back(*value);
    }
    return applied(x.op(), operands);
  }

  static Value folded(const std::vector<std::int64_t>& operands, std::int64_t first,
                      Value (*step)(std::int64_t, std::int64_t)) {
    Value result = first;
    for (const std::int64_t each : operands) result = result ? step(*result, each) : result;
    return result;
  }

  static Value applied(Op op, const std::vector<std::int64_t>& of) {
    const auto nonzero = [](std::int64_t x) { return x != 0; };
    switch (op) {
      case Op::add:
        return folded(of, 0, added);
      case Op::multiply:
        return folded(of, 1, multiplied);
      case Op::divide:
        return of[1] > 0 ? quotient_of(of[0], of[1]) : Value();
      case Op::modulo:
        return of[1] > 0 ? Value(rest_of(of[0], of[1])) : Value();
      case Op::power:
        return of[0] >= 0 && of[0] <= 62 ? Value(std::int64_t{1} << of[0]) : Value();
      case Op::digits:
        return of[0] >= 0 ? Value(std::bit_width(static_cast<std::uint64_t>(of[0]))) : Value();
      case Op::equal:
        return of[0] == of[1] ? 1 : 0;
      case Op::at_least:
        return of[0] >= of[1] ? 1 : 0;
      case Op::negation:
        return of[0] == 0 ? 1 : 0;
      case Op::conjunction:
        return std::all_of(of.begin(), of.end(), nonzero) ? 1 : 0;
      default:
        return std::any_of(of.begin(), of.end(), nonzero) ? 1 : 0;
    }
  }

  const Values& values_;
};

}  // namespace

Expression::Expression(std::int64_t number) : Expression(Op::number, {}, number) {}

Expression::Expression(Op op, std::vector<Expression> operands, std::int64_t number, std::string name) {
  const std::uint64_t size = size_of(operands);
  node_ = std::make_shared<const Node>(Node{op, number, std::move(name), std::move(operands), size});
}

Expression variable(std::string name) { return {Op::variable, {}, 0, std::move(name)}; }
Expression truth(bool value) { return {Op::truth, {}, value ? 1 : 0}; }
Expression operator+(const Expression& a, const Expression& b) { return {Op::add, {a, b}}; }
Expression operator-(const Expression& a, const Expression& b) { return a + Expression(-1) * b; }
Expression operator*(const Expression& a, const Expression& b) { return {Op::multiply, {a, b}}; }
Expression choice(const Expression& condition, const Expression& then, const Expression& otherwise) {
  return {Op::choice, {condition, then, otherwise}};
}
Expression equal(const Expression& a, const Expression& b) { return {Op::equal, {a, b}}; }
Expression at_most(const Expression& a, const Expression& b) { return {Op::at_least, {b, a}}; }
Expression less(const Expression& a, const Expression& b) { return at_most(a + Expression(1), b); }
Expression negated(const Expression& a) {
  return a.op() == Op::truth ? truth(a.number() == 0) : Expression(Op::negation, {a});
}
Expression all_of(std::vector<Expression> parts) { return connected(Op::conjunction, std::move(parts), true); }
Expression any_of(std::vector<Expression> parts) { return connected(Op::disjunction, std::move(parts), false); }

std::optional<std::int64_t> evaluate(const Expression& x, const Values& values) { return Evaluation(values).of(x); }

Expression substituted(const Expression& x, const Substitution& by) {
  if (x.op() == Op::variable) {
    const auto found = by.find(x.name());
    return found == by.end() ? x : found->second;
  }
  if (x.operands().empty()) return x;
  std::vector<Expression> operands;
  for (const Expression& each : x.operands()) operands.push_back(substituted(each, by));
  return {x.op(), std::move(operands), x.number(), x.name()};
}

void collect_names(const Expression& x, std::set<std::string>& names) {
  if (x.op() == Op::variable) names.insert(x.name());
  for (const Expression& each : x.operands()) collect_names(each, names);
}

Expression defined(const Expression& x) {
  const auto& of = x.operands();
  if (x.op() == Op::choice) {
    const Expression then = defined(of[1]);
    const Expression otherwise = defined(of[2]);
    const bool always = then.is(true) && otherwise.is(true);
    return all_of(
        {defined(of[0]), always ? truth(true) : all_of({any_of({negated(of[0]), then}), any_of({of[0], otherwise})})});
  }
  std::vector<Expression> parts;
  for (const Expression& each : of) parts.push_back(defined(each));
  if (x.op() == Op::divide || x.op() == Op::modulo) parts.push_back(less(0, of[1]));
  if (x.op() == Op::power || x.op() == Op::digits) parts.push_back(at_most(0, of[0]));
  return all_of(std::move(parts));
}

}  // namespace quadrille::proof_reader
