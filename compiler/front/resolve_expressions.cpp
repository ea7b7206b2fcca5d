// Operators, sets and folds: each operand is resolved with the type that is wanted of it; a number where a node is
// wanted, and the other way round, is converted. For example, in `distance(0, k) == 2` the literal 0 becomes ToNode{0}.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/evaluate/instance.h"
#include "compiler/front/resolve.h"

namespace quadrille {

using ir::Type;

namespace {

// A mistake is reported once: the stand-in for the mistaken expression has whatever type its place wants.
constexpr std::int64_t mistaken = -1;  // no literal of a file is negative

bool is_stand_in(const ir::Expression& e) {
  const auto* literal = std::get_if<ir::Literal>(&e.node);
  return literal != nullptr && literal->value == mistaken && e.type != Type::boolean;
}

}  // namespace

ir::Expression Resolver::stand_in(Span span, Type type) {
  if (is_set(type)) return {ir::SetLiteral{}, type, span};
  return {ir::Literal{mistaken}, type, span};
}

ir::Expression Resolver::mistake(Span span, std::string message, Code code, Type type) {
  if (context_.diagnostics.size() < most_mistakes)
    context_.diagnostics.push_back(error_at(span, std::move(message), code));
  return stand_in(span, type);
}

ir::Expression Resolver::expression(const ast::Expression& tree) {
  if (context_.pulse.reached()) fail_at_limit(context_.pulse.reason(), "resolving the schedule's names", tree.span);
  return std::visit([&](const auto& e) { return node(e, tree.span); }, tree.node);
}

ir::Expression Resolver::expression(const ast::Expression& tree, Type wanted) {
  return convert(expression(tree), wanted);
}

ir::Expression Resolver::target(const ast::Expression& tree) {
  ir::Expression value = expression(tree);
  const Type wanted = is_set(value.type) ? Type::node_set : Type::node;
  return convert(std::move(value), wanted);
}

ir::Expression Resolver::number_or_set(const ast::Expression& tree) {
  ir::Expression value = expression(tree);
  const Type wanted = is_set(value.type) ? Type::integer_set : Type::integer;
  return convert(std::move(value), wanted);
}

ir::Expression Resolver::wrong_type(const ir::Expression& value, std::string_view expected, Type wanted) {
  if (is_stand_in(value)) return stand_in(value.span, wanted);
  const auto* use = std::get_if<ir::ConstantUse>(&value.node);
  if (use != nullptr && context_.constant_circular[use->constant.value]) {
    const std::string& name = context_.declarations.constants[use->constant.value]->name.text;
    return mistake(value.span, fmt::format("the value of '{}' depends on itself", name), Code::value, wanted);
  }
  return mistake(value.span, fmt::format("this is {}; expected {}", to_string(value.type), expected), Code::type,
                 wanted);
}

// Numbers and processors convert into each other, each way an operation that elaboration checks; nothing else does.
ir::Expression Resolver::convert(ir::Expression value, Type wanted) {
  if (value.type == wanted) return value;
  if (is_stand_in(value)) {
    value.type = wanted;
    return value;
  }
  const Span span = value.span;
  const auto from_to = [&](Type from, Type to) { return value.type == from && wanted == to; };
  if (from_to(Type::integer, Type::node) || from_to(Type::integer_set, Type::node_set))
    return {ir::ToNode{std::move(value)}, wanted, span};
  if (from_to(Type::node, Type::integer) || from_to(Type::node_set, Type::integer_set))
    return {ir::ToInteger{std::move(value)}, wanted, span};
  return wrong_type(value, to_string(wanted), wanted);
}

ir::Expression Resolver::node(const ast::IntegerLiteral& tree, Span span) {
  return {ir::Literal{tree.value}, Type::integer, span};
}

ir::Expression Resolver::node(const ast::BoolLiteral& tree, Span span) {
  return {ir::Literal{tree.value ? 1 : 0}, Type::boolean, span};
}

// --- operators -----------------------------------------------------------------------------------------------------

ir::Expression Resolver::node(const ast::Unary& tree, Span span) {
  const bool negate = tree.op == ast::UnaryOperator::negate;
  const Type type = negate ? Type::integer : Type::boolean;
  const auto op = negate ? ir::UnaryOperator::negate : ir::UnaryOperator::logical_not;
  return {ir::Unary{op, expression(*tree.operand, type)}, type, span};
}

ir::Expression Resolver::equality(ir::BinaryOperator op, Span span, ir::Expression left, ir::Expression right) {
  // Two nodes, two truth values, or two numbers; a number beside a node is the processor of that number.
  Type type = left.type;
  if (left.type == Type::node || right.type == Type::node) type = Type::node;
  if (is_set(type) || type == Type::procedure) {
    return mistake(left.span, fmt::format("{} cannot be compared", to_string(type)), Code::type, Type::boolean);
  }
  ir::Expression first = convert(std::move(left), type);
  return {ir::Binary{op, std::move(first), convert(std::move(right), type)}, Type::boolean, span};
}

namespace {

// Returns the IR's operator for one of the language; `logical`: its operands are truth values.
ir::BinaryOperator operator_of(ast::BinaryOperator op, bool logical) {
  using To = ir::BinaryOperator;
  using enum ast::BinaryOperator;
  switch (op) {
    case or_:
      return logical ? To::logical_or : To::bit_or;
    case xor_:
      return logical ? To::logical_xor : To::bit_xor;
    case and_:
      return logical ? To::logical_and : To::bit_and;
    case equal:
      return To::equal;
    case not_equal:
      return To::not_equal;
    case less:
      return To::less;
    case less_equal:
      return To::less_equal;
    case greater:
      return To::greater;
    case greater_equal:
      return To::greater_equal;
    case shift_left:
      return To::shift_left;
    case shift_right:
      return To::shift_right;
    case add:
      return To::add;
    case subtract:
      return To::subtract;
    case multiply:
      return To::multiply;
    case divide:
      return To::divide;
    case modulo:
      return To::modulo;
    case power:
      return To::power;
  }
  return To::add;
}

bool compares(ir::BinaryOperator op) {
  return op >= ir::BinaryOperator::equal && op <= ir::BinaryOperator::greater_equal;
}

bool connects(ir::BinaryOperator op) {
  return op == ir::BinaryOperator::logical_or || op == ir::BinaryOperator::logical_and ||
         op == ir::BinaryOperator::logical_xor;
}

}  // namespace

// S mod N is {x mod N for x in S}.
ir::Expression Resolver::remainders(ir::Expression set, ir::Expression divisor, Span span) {
  const std::size_t scope = locals_.open_scope();
  const ir::VariableId variable = locals_.declare({"x", span}, Type::integer);
  locals_.close_scope(scope);
  ir::Iteration each;
  each.bindings.push_back({"x", variable, convert(std::move(set), Type::integer_set)});
  each.element = {ir::Binary{ir::BinaryOperator::modulo, ir::Expression{ir::VariableUse{variable}, Type::integer, span},
                             convert(std::move(divisor), Type::integer)},
                  Type::integer, span};
  return {ir::Comprehension{std::move(each)}, Type::integer_set, span};
}

// In claims, the measure.
bool Resolver::is_load(const ast::Expression& tree) const {
  const auto* name = std::get_if<ast::NameUse>(&tree.node);
  return name != nullptr && name->name == "load" && measured_ && locals_.find(name->name) == nullptr &&
         !context_.declarations.globals.contains(name->name);
}

// `load <= 7/2` is load(7/2) <= 0, which is -1, 0 or 1 where the load is less than the exact value of its argument, it,
// or more. Nothing if neither side, or each, is `load`.
std::optional<ir::Expression> Resolver::compared_load(const ast::Binary& tree, Span span) {
  const auto op = operator_of(tree.op, false);
  const bool left = is_load(*tree.left);
  if (!compares(op) || left == is_load(*tree.right)) return std::nullopt;
  const ast::Expression& other = left ? *tree.right : *tree.left;
  const ir::Expression zero{ir::Literal{0}, Type::integer, other.span};
  ir::BuiltinCall load{ir::Builtin::load, {}};
  load.arguments.push_back(expression(other, Type::integer));
  ir::Expression sign{std::move(load), Type::integer, span};
  if (left) return ir::Expression{ir::Binary{op, std::move(sign), zero}, Type::boolean, span};
  return ir::Expression{ir::Binary{op, zero, std::move(sign)}, Type::boolean, span};
}

ir::Expression Resolver::node(const ast::Binary& tree, Span span) {
  if (auto comparison = compared_load(tree, span)) return *std::move(comparison);
  ir::Expression left = expression(*tree.left);
  ir::Expression right = expression(*tree.right);
  if (tree.op == ast::BinaryOperator::modulo && is_set(left.type))
    return remainders(std::move(left), std::move(right), span);
  // `and`, `or` and `xor` work on truths and, bit by bit, on numbers: one truth decides, and the other side is checked.
  const auto op = operator_of(tree.op, left.type == Type::boolean || right.type == Type::boolean);
  if (op == ir::BinaryOperator::equal || op == ir::BinaryOperator::not_equal)
    return equality(op, span, std::move(left), std::move(right));
  const Type operands = connects(op) ? Type::boolean : Type::integer;
  ir::Expression first = convert(std::move(left), operands);
  return {ir::Binary{op, std::move(first), convert(std::move(right), operands)},
          connects(op) || compares(op) ? Type::boolean : Type::integer, span};
}

ir::Expression Resolver::node(const ast::Conditional& tree, Span span) {
  ir::Expression condition = expression(*tree.condition, Type::boolean);
  ir::Expression then = expression(*tree.then);
  ir::Expression otherwise = expression(*tree.otherwise);
  Type type = then.type;
  // A number in one branch and a node in the other: both are nodes.
  if (otherwise.type == Type::node && type == Type::integer) type = Type::node;
  if (otherwise.type == Type::node_set && type == Type::integer_set) type = Type::node_set;
  ir::Expression first = convert(std::move(then), type);
  return {ir::Conditional{std::move(condition), std::move(first), convert(std::move(otherwise), type)}, type, span};
}

// --- sets and folds ------------------------------------------------------------------------------------------------

ir::Expression Resolver::node(const ast::Range& tree, Span span) {
  ir::Expression first = expression(*tree.from, Type::integer);
  return {ir::Range{tree.descending, std::move(first), expression(*tree.to, Type::integer)}, Type::integer_set, span};
}

ir::Expression Resolver::node(const ast::SetLiteral& tree, Span span) {
  std::vector<ir::Expression> elements;
  for (const ast::Expression& element : tree.elements) elements.push_back(expression(element));
  if (elements.size() == 1 && is_set(elements[0].type)) return std::move(elements[0]);  // {1..3} is 1..3
  const bool nodes = std::any_of(elements.begin(), elements.end(), [](const auto& e) { return e.type == Type::node; });
  for (ir::Expression& element : elements) element = convert(std::move(element), nodes ? Type::node : Type::integer);
  return {ir::SetLiteral{std::move(elements)}, nodes ? Type::node_set : Type::integer_set, span};
}

std::vector<ir::Binding> Resolver::bindings(const std::vector<ast::Binding>& trees) {
  std::vector<ir::Binding> result;
  for (const ast::Binding& tree : trees) {
    ir::Expression set = expression(*tree.set);
    if (!is_set(set.type)) {
      set = wrong_type(set, "a set, such as 0..n-1", Type::integer_set);
    }
    if (const auto* other = locals_.find(tree.variable.text)) {
      Diagnostic twice =
          error_at(tree.variable.span, fmt::format("'{}' is already in use here", tree.variable.text), Code::duplicate);
      twice.notes.emplace_back(other->span, "it is declared here");
      context_.diagnostics.push_back(std::move(twice));
    }
    const Type type = set.type == Type::node_set ? Type::node : Type::integer;
    result.push_back({tree.variable.text, locals_.declare(tree.variable, type), std::move(set)});
  }
  return result;
}

ir::Iteration Resolver::iteration(const ast::ExpressionPtr& element, Type wanted,
                                  const std::vector<ast::Binding>& trees, const ast::ExpressionPtr& condition) {
  const std::size_t scope = locals_.open_scope();
  ir::Iteration each{bindings(trees), expression(*element), {}};
  // integer_set stands for a set of either kind here: the element decides.
  if (wanted == Type::integer_set) wanted = each.element.type == Type::node ? Type::node : Type::integer;
  each.element = convert(std::move(each.element), wanted);
  if (condition) each.condition = expression(*condition, Type::boolean);
  locals_.close_scope(scope);
  return each;
}

ir::Expression Resolver::node(const ast::SetComprehension& tree, Span span) {
  ir::Iteration each = iteration(tree.element, Type::integer_set, tree.bindings, tree.condition);
  const Type type = each.element.type == Type::node ? Type::node_set : Type::integer_set;
  return {ir::Comprehension{std::move(each)}, type, span};
}

ir::Expression Resolver::node(const ast::Fold& tree, Span span) {
  const auto kind = ir::fold_named(tree.function.text);
  if (!kind) return unknown("function", tree.function.text, tree.function.span, true);
  const bool truth_result = *kind == ir::FoldKind::all || *kind == ir::FoldKind::any;
  const bool truth = truth_result || *kind == ir::FoldKind::count;
  ir::Iteration each = iteration(tree.element, truth ? Type::boolean : Type::integer, tree.bindings, tree.condition);
  return {ir::Fold{*kind, std::move(each)}, truth_result ? Type::boolean : Type::integer, span};
}

}  // namespace quadrille
