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

std::uint64_t size_of(const std::vector<CoreExpression>& operands) {
  std::uint64_t size = 1;
  for (const CoreExpression& each : operands) size = std::min(most_size, size + each.size());
  return size;
}

// Those parts that are not `neutral`; one that is its contrary decides.
CoreExpression connected(Op op, std::vector<CoreExpression> parts, bool neutral) {
  for (const CoreExpression& part : parts) {
    if (part.is(!neutral)) return truth(!neutral);
  }
  std::erase_if(parts, [&](const CoreExpression& part) { return part.is(neutral); });
  if (parts.empty()) return truth(neutral);
  return parts.size() == 1 ? parts[0] : CoreExpression(op, std::move(parts));
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

  Value of(const CoreExpression& x) const {
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
  Value of_operands(const CoreExpression& x) const {
    std::vector<std::int64_t> operands;
    for (const CoreExpression& each : x.operands()) {
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
      case Op::lowest:
        return of[0] >= 0 ? Value(of[0] & -of[0]) : Value();
      case Op::xor_of:
        return of[0] >= 0 && of[1] >= 0 ? Value(of[0] ^ of[1]) : Value();
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

CoreExpression::CoreExpression(std::int64_t number) : CoreExpression(Op::number, {}, number) {}

CoreExpression::CoreExpression(Op op, std::vector<CoreExpression> operands, std::int64_t number, std::string name) {
  const std::uint64_t size = size_of(operands);
  node_ = std::make_shared<const Node>(Node{op, number, std::move(name), std::move(operands), size});
}

CoreExpression variable(std::string name) { return {Op::variable, {}, 0, std::move(name)}; }
CoreExpression truth(bool value) { return {Op::truth, {}, value ? 1 : 0}; }
CoreExpression operator+(const CoreExpression& a, const CoreExpression& b) { return {Op::add, {a, b}}; }
CoreExpression operator-(const CoreExpression& a, const CoreExpression& b) { return a + CoreExpression(-1) * b; }
CoreExpression operator*(const CoreExpression& a, const CoreExpression& b) { return {Op::multiply, {a, b}}; }
CoreExpression choice(const CoreExpression& condition, const CoreExpression& then, const CoreExpression& otherwise) {
  return {Op::choice, {condition, then, otherwise}};
}
CoreExpression equal(const CoreExpression& a, const CoreExpression& b) { return {Op::equal, {a, b}}; }
CoreExpression at_most(const CoreExpression& a, const CoreExpression& b) { return {Op::at_least, {b, a}}; }
CoreExpression less(const CoreExpression& a, const CoreExpression& b) { return at_most(a + CoreExpression(1), b); }
CoreExpression negated(const CoreExpression& a) {
  return a.op() == Op::truth ? truth(a.number() == 0) : CoreExpression(Op::negation, {a});
}
CoreExpression all_of(std::vector<CoreExpression> parts) { return connected(Op::conjunction, std::move(parts), true); }
CoreExpression any_of(std::vector<CoreExpression> parts) { return connected(Op::disjunction, std::move(parts), false); }

std::optional<std::int64_t> evaluate(const CoreExpression& x, const Values& values) { return Evaluation(values).of(x); }

CoreExpression substituted(const CoreExpression& x, const CoreSubstitution& by) {
  if (x.op() == Op::variable) {
    const auto found = by.find(x.name());
    return found == by.end() ? x : found->second;
  }
  if (x.operands().empty()) return x;
  std::vector<CoreExpression> operands;
  for (const CoreExpression& each : x.operands()) operands.push_back(substituted(each, by));
  return {x.op(), std::move(operands), x.number(), x.name()};
}

void collect_names(const CoreExpression& x, std::set<std::string>& names) {
  if (x.op() == Op::variable) names.insert(x.name());
  for (const CoreExpression& each : x.operands()) collect_names(each, names);
}

CoreExpression defined(const CoreExpression& x) {
  const auto& of = x.operands();
  if (x.op() == Op::choice) {
    const CoreExpression then = defined(of[1]);
    const CoreExpression otherwise = defined(of[2]);
    const bool always = then.is(true) && otherwise.is(true);
    return all_of(
        {defined(of[0]), always ? truth(true) : all_of({any_of({negated(of[0]), then}), any_of({of[0], otherwise})})});
  }
  std::vector<CoreExpression> parts;
  for (const CoreExpression& each : of) parts.push_back(defined(each));
  if (x.op() == Op::divide || x.op() == Op::modulo) parts.push_back(less(0, of[1]));
  if (x.op() == Op::power || x.op() == Op::digits || x.op() == Op::lowest) parts.push_back(at_most(0, of[0]));
  if (x.op() == Op::xor_of) parts.push_back(all_of({at_most(0, of[0]), at_most(0, of[1])}));
  return all_of(std::move(parts));
}

}  // namespace quadrille::proof_reader
