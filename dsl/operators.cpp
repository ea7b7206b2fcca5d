// The table of infix operators, and precedence climbing over it: from the chain that the grammar reads to a tree.
//
// An operand is followed by operators that bind at least as tightly as `least`; each takes for its right side the
// longest expression of tighter ones. For example, `a - b - c * d` with least = sum: after a, `-` takes b (the next `-`
// is not tighter than a sum), giving (a - b); the second `-` takes c * d. For `^`, which groups to the right, the right
// side may have another `^`: 2^3^2 is 2^(3^2). The grammar stays flat so, and one table serves parser and formatter.
// Cost: linear in the chain.
#include "dsl/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "dsl/words.h"

namespace quadrille {
namespace {

using Op = ast::BinaryOperator;

constexpr auto table = std::to_array<InfixOperator>({
    {"..", Tightness::range, {}, true, false},
    {"downto", Tightness::range, {}, true, true},
    {"or", Tightness::or_, Op::or_},
    {"xor", Tightness::xor_, Op::xor_},
    {"and", Tightness::and_, Op::and_},
    {"==", Tightness::comparison, Op::equal},
    {"!=", Tightness::comparison, Op::not_equal},
    {"<", Tightness::comparison, Op::less},
    {"<=", Tightness::comparison, Op::less_equal},
    {">", Tightness::comparison, Op::greater},
    {">=", Tightness::comparison, Op::greater_equal},
    {"shl", Tightness::shift, Op::shift_left},
    {"shr", Tightness::shift, Op::shift_right},
    {"+", Tightness::sum, Op::add},
    {"-", Tightness::sum, Op::subtract},
    {"*", Tightness::product, Op::multiply},
    {"/", Tightness::product, Op::divide},
    {"mod", Tightness::product, Op::modulo},
    {"^", Tightness::power, Op::power},
});

Tightness tighter(Tightness tightness) { return static_cast<Tightness>(static_cast<int>(tightness) + 1); }

ast::ExpressionPtr boxed(ast::Expression expression) {
  return std::make_unique<ast::Expression>(std::move(expression));
}

ast::Expression joined(const InfixUse& use, ast::Expression left, ast::Expression right) {
  const Span span = cover(left.span, right.span);
  if (use.op->range) return {ast::Range{boxed(std::move(left)), boxed(std::move(right)), use.op->descending}, span};
  return {ast::Binary{use.op->op, use.span, boxed(std::move(left)), boxed(std::move(right))}, span};
}

// Precedence climbing over the chain.
class Folder {
 public:
  explicit Folder(Chain chain) : chain_(std::move(chain)) {}

  Result<ast::Expression> run() {
    ast::Expression tree = expression(Tightness::range);
    if (!errors_.empty()) return std::move(errors_);
    return tree;
  }

 private:
  // The longest expression at the place reached whose operators bind at least as tightly as `least`.
  ast::Expression expression(Tightness least) {
    ast::Expression left = operand(least);
    while (const InfixUse* next = next_infix(least)) {
      const InfixUse use = *next;
      ++at_;
      left = joined(use, std::move(left), expression(use.op->least_on_right()));
      reject_chaining(use);
    }
    return left;
  }

  ast::Expression operand(Tightness least) {
    const auto* prefix = std::get_if<PrefixUse>(&chain_[at_]);
    if (!prefix) return std::get<ast::Expression>(std::move(chain_[at_++]));
    const PrefixUse use = *prefix;
    ++at_;
    const bool negation = use.op == ast::UnaryOperator::negate;
    if (!negation && least > Tightness::not_) error(use.span, "'not' needs parentheses after this operator");
    ast::Expression inner = expression(negation ? Tightness::negation : Tightness::not_);
    const Span span = cover(use.span, inner.span);
    return {ast::Unary{use.op, boxed(std::move(inner))}, span};
  }

  const InfixUse* next_infix(Tightness least) const {
    if (at_ == chain_.size()) return nullptr;
    const auto& use = std::get<InfixUse>(chain_[at_]);
    return use.op->tightness >= least ? &use : nullptr;
  }

  void reject_chaining(const InfixUse& use) {
    if (use.op->associativity() != Associativity::none || at_ == chain_.size()) return;
    const auto& next = std::get<InfixUse>(chain_[at_]);
    if (next.op->tightness != use.op->tightness) return;
    error(next.span, use.op->range ? "a range cannot be the end of another range"
                                   : "comparisons do not chain; join two of them by 'and'");
  }

  void error(Span span, std::string message) {
    if (errors_.empty()) errors_.push_back(error_at(span, std::move(message), Code::syntax));
  }

  Chain chain_;
  std::size_t at_ = 0;
  Diagnostics errors_;
};

}  // namespace

Associativity InfixOperator::associativity() const {
  if (tightness == Tightness::power) return Associativity::right;
  return tightness == Tightness::comparison || tightness == Tightness::range ? Associativity::none
                                                                             : Associativity::left;
}

Tightness InfixOperator::least_on_left() const {
  return associativity() == Associativity::left ? tightness : tighter(tightness);
}

Tightness InfixOperator::least_on_right() const {
  return associativity() == Associativity::right ? Tightness::negation : tighter(tightness);
}

bool InfixOperator::is_word() const { return starts_name(spelling.front()); }

std::span<const InfixOperator> infix_operators() { return table; }

const InfixOperator& infix_operator(ast::BinaryOperator op) {
  return *std::find_if(table.begin(), table.end(),
                       [&](const InfixOperator& row) { return !row.range && row.op == op; });
}

const InfixOperator& range_operator(bool descending) { return table[descending ? 1 : 0]; }

Result<ast::Expression> fold(Chain chain) { return Folder(std::move(chain)).run(); }

}  // namespace quadrille
