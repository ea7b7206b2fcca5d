#include <fmt/format.h>

#include <algorithm>

#include "compiler/resolve.h"

namespace quadrille {

using ir::Op;
using ir::Type;

namespace {

ir::Expression make(Op op, Type type, Span span, std::int64_t number = 0) {
  ir::Expression e;
  e.op = op;
  e.type = type;
  e.span = span;
  e.number = number;
  return e;
}

}  // namespace

ir::Expression Resolver::mistake(Span span, std::string message, Type type) {
  if (context_.diagnostics.size() < most_mistakes) context_.diagnostics.push_back(error_at(span, std::move(message)));
  ir::Expression stand_in = make(is_set(type) ? Op::set_literal : Op::literal, type, span);
  stand_in.number = -1;  // never evaluated: the compilation has failed
  return stand_in;
}

ir::Expression Resolver::unknown(std::string_view what, std::string_view name, Span span, bool functions) {
  if (context_.diagnostics.size() >= most_mistakes) return mistake(span, {});
  std::vector<std::string> candidates;
  for (const auto& local : locals_.in_scope()) candidates.push_back(local.name);
  for (const auto& [global, entry] : context_.declarations.globals) candidates.push_back(global);
  for (const auto& signature : ir::builtin_signatures()) {
    if (signature.arguments.empty() != functions) candidates.emplace_back(signature.name);
  }
  std::string message = fmt::format("unknown {} '{}'", what, name);
  if (const auto near = nearest(name, candidates)) message += fmt::format("; did you mean '{}'?", *near);
  return mistake(span, std::move(message));
}

ir::Expression Resolver::expression(const ast::Expression& tree) {
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

ir::Expression Resolver::wrong_type(const ir::Expression& value, std::string_view expected, Type wanted) {
  if (value.op == Op::constant && context_.constant_circular[static_cast<std::size_t>(value.number)]) {
    const std::string& name = context_.declarations.constants[static_cast<std::size_t>(value.number)]->name.text;
    return mistake(value.span, fmt::format("the value of '{}' depends on itself", name), wanted);
  }
  return mistake(value.span, fmt::format("this is {}; expected {}", to_string(value.type), expected), wanted);
}

// Numbers and processors convert into each other, each way an operation that elaboration checks; nothing else does.
ir::Expression Resolver::convert(ir::Expression value, Type wanted) {
  if (value.type == wanted) return value;
  if (value.op == Op::literal && value.number == -1 && value.type != Type::boolean) {  // a stand-in
    value.type = wanted;
    return value;
  }
  const bool to_node = value.type == Type::integer && wanted == Type::node;
  const bool to_integer = value.type == Type::node && wanted == Type::integer;
  const bool set_to_node = value.type == Type::integer_set && wanted == Type::node_set;
  const bool set_to_integer = value.type == Type::node_set && wanted == Type::integer_set;
  if (!to_node && !to_integer && !set_to_node && !set_to_integer) {
    return wrong_type(value, to_string(wanted), wanted);
  }
  ir::Expression converted = make(to_node || set_to_node ? Op::to_node : Op::to_integer, wanted, value.span);
  converted.operands.push_back(std::move(value));
  return converted;
}

ir::Expression Resolver::node(const ast::IntegerLiteral& tree, Span span) {
  return make(Op::literal, Type::integer, span, tree.value);
}

ir::Expression Resolver::node(const ast::BoolLiteral& tree, Span span) {
  return make(Op::literal, Type::boolean, span, tree.value ? 1 : 0);
}

ir::Expression Resolver::node(const ast::NameUse& tree, Span span) {
  if (const auto* local = locals_.find(tree.name)) return make(Op::local, local->type, span, local->slot);
  const auto& globals = context_.declarations.globals;
  if (const auto found = globals.find(tree.name); found != globals.end()) return global(found->second, tree.name, span);
  if (const auto* builtin = ir::find_builtin(tree.name)) {
    if (builtin->claims_only && !measured_)
      return mistake(span, fmt::format("'{}' is known only in claims", tree.name));
    if (!builtin->arguments.empty()) {
      return mistake(span, fmt::format("'{}' is a function; expected its arguments in parentheses", tree.name),
                     builtin->result);
    }
    return make(Op::call_builtin, builtin->result, span, static_cast<std::int64_t>(builtin->builtin));
  }
  return unknown("name", tree.name, span, false);
}

ir::Expression Resolver::global(const Global& global, std::string_view name, Span span) {
  switch (global.kind) {
    case Global::Kind::parameter:
      context_.used_parameters[global.index] = true;
      return make(Op::parameter, Type::integer, span, global.index);
    case Global::Kind::constant:
      return make(Op::constant, context_.constant_types[global.index], span, global.index);
    case Global::Kind::procedure:
      return make(Op::procedure_name, Type::procedure, span, global.index);
    case Global::Kind::pattern:
      return mistake(span, fmt::format("'{0}' is a pattern; expected a level, as in {0}(1)", name));
    case Global::Kind::function:
      return mistake(span, fmt::format("'{}' is a function; expected its arguments in parentheses", name));
  }
  return mistake(span, "unknown name");
}

ir::Expression Resolver::node(const ast::Unary& tree, Span span) {
  const bool negate = tree.op == ast::UnaryOperator::negate;
  const Type type = negate ? Type::integer : Type::boolean;
  ir::Expression result = make(negate ? Op::negate : Op::logical_not, type, span);
  result.operands.push_back(expression(*tree.operand, type));
  return result;
}

ir::Expression Resolver::equality(ir::Expression result, ir::Expression left, ir::Expression right) {
  // Two nodes, two truth values, or two numbers; a number beside a node is the processor of that number.
  Type type = left.type;
  if (left.type == Type::node || right.type == Type::node) type = Type::node;
  if (is_set(type) || type == Type::procedure) {
    return mistake(left.span, fmt::format("{} cannot be compared", to_string(type)), Type::boolean);
  }
  result.operands.push_back(convert(std::move(left), type));
  result.operands.push_back(convert(std::move(right), type));
  return result;
}

ir::Expression Resolver::node(const ast::Binary& tree, Span span) {
  using enum ast::BinaryOperator;
  ir::Expression left = expression(*tree.left);
  ir::Expression right = expression(*tree.right);
  const bool logical = left.type == Type::boolean || right.type == Type::boolean;
  Type type = Type::integer;
  Type result = Type::integer;
  Op op = Op::add;
  switch (tree.op) {
    case or_:
      op = logical ? Op::logical_or : Op::bit_or;
      break;
    case xor_:
      op = logical ? Op::logical_xor : Op::bit_xor;
      break;
    case and_:
      op = logical ? Op::logical_and : Op::bit_and;
      break;
    case equal:
      return equality(make(Op::equal, Type::boolean, span), std::move(left), std::move(right));
    case not_equal:
      return equality(make(Op::not_equal, Type::boolean, span), std::move(left), std::move(right));
    case less:
      op = Op::less, result = Type::boolean;
      break;
    case less_equal:
      op = Op::less_equal, result = Type::boolean;
      break;
    case greater:
      op = Op::greater, result = Type::boolean;
      break;
    case greater_equal:
      op = Op::greater_equal, result = Type::boolean;
      break;
    case shift_left:
      op = Op::shift_left;
      break;
    case shift_right:
      op = Op::shift_right;
      break;
    case add:
      op = Op::add;
      break;
    case subtract:
      op = Op::subtract;
      break;
    case multiply:
      op = Op::multiply;
      break;
    case divide:
      op = Op::divide;
      break;
    case modulo:
      op = Op::modulo;
      break;
    case power:
      op = Op::power;
      break;
  }
  if (logical && (tree.op == or_ || tree.op == xor_ || tree.op == and_)) type = result = Type::boolean;
  ir::Expression binary = make(op, result, span);
  binary.operands.push_back(convert(std::move(left), type));
  binary.operands.push_back(convert(std::move(right), type));
  return binary;
}

ir::Expression Resolver::node(const ast::Conditional& tree, Span span) {
  ir::Expression condition = expression(*tree.condition, Type::boolean);
  ir::Expression then = expression(*tree.then);
  ir::Expression otherwise = expression(*tree.otherwise);
  Type type = then.type;
  if (otherwise.type == Type::node && type == Type::integer) type = Type::node;
  if (otherwise.type == Type::node_set && type == Type::integer_set) type = Type::node_set;
  ir::Expression result = make(Op::conditional, type, span);
  result.operands.push_back(std::move(condition));
  result.operands.push_back(convert(std::move(then), type));
  result.operands.push_back(convert(std::move(otherwise), type));
  return result;
}

ir::Expression Resolver::call_arguments(ir::Expression call, const std::vector<ast::Expression>& trees,
                                        const std::vector<Type>& formals, bool variadic, std::string_view name) {
  const bool enough = variadic ? trees.size() >= formals.size() : trees.size() == formals.size();
  if (!enough) {
    return mistake(call.span,
                   fmt::format("'{}' is given {} argument{}; expected {}{}", name, trees.size(),
                               trees.size() == 1 ? "" : "s", formals.size(), variadic ? " or more" : ""),
                   call.type);
  }
  for (std::size_t i = 0; i < trees.size(); ++i) {
    call.operands.push_back(expression(trees[i], formals[std::min(i, formals.size() - 1)]));
  }
  return call;
}

ir::Expression Resolver::node(const ast::CallExpression& tree, Span span) {
  const std::string& name = tree.callee.text;
  const auto& globals = context_.declarations.globals;
  if (const auto found = globals.find(name); found != globals.end()) {
    const Global& global = found->second;
    if (global.kind == Global::Kind::function) {
      ir::Expression call = make(Op::call_function, context_.function_results[global.index], span, global.index);
      return call_arguments(std::move(call), tree.arguments, context_.function_formals[global.index], false, name);
    }
    if (global.kind == Global::Kind::pattern) {
      context_.used_parameters[global.index] = true;
      ir::Expression call = make(Op::call_pattern, Type::integer, span, global.index);
      return call_arguments(std::move(call), tree.arguments, {Type::integer}, false, name);
    }
    if (ir::find_builtin(name) == nullptr)
      return mistake(tree.callee.span, fmt::format("'{}' is not a function", name));
  }
  const auto* builtin = ir::find_builtin(name);
  if (builtin == nullptr) return unknown("function", name, tree.callee.span, true);
  if (builtin->arguments.empty()) return mistake(tree.callee.span, fmt::format("'{}' takes no arguments", name));
  ir::Expression call = make(Op::call_builtin, builtin->result, span, static_cast<std::int64_t>(builtin->builtin));
  if (builtin->builtin == ir::Builtin::size && tree.arguments.size() == 1) {  // of either kind of set
    call.operands.push_back(expression(tree.arguments[0]));
    if (is_set(call.operands[0].type)) return call;
    return mistake(call.operands[0].span, fmt::format("this is {}; expected a set", to_string(call.operands[0].type)));
  }
  return call_arguments(std::move(call), tree.arguments, builtin->arguments, builtin->variadic, name);
}

ir::Expression Resolver::node(const ast::Range& tree, Span span) {
  ir::Expression range = make(tree.descending ? Op::range_down : Op::range_up, Type::integer_set, span);
  range.operands.push_back(expression(*tree.from, Type::integer));
  range.operands.push_back(expression(*tree.to, Type::integer));
  return range;
}

ir::Expression Resolver::node(const ast::SetLiteral& tree, Span span) {
  std::vector<ir::Expression> elements;
  for (const ast::Expression& element : tree.elements) elements.push_back(expression(element));
  const bool nodes = std::any_of(elements.begin(), elements.end(), [](const auto& e) { return e.type == Type::node; });
  ir::Expression set = make(Op::set_literal, nodes ? Type::node_set : Type::integer_set, span);
  for (ir::Expression& element : elements) {
    set.operands.push_back(convert(std::move(element), nodes ? Type::node : Type::integer));
  }
  return set;
}

std::vector<ir::Binding> Resolver::bindings(const std::vector<ast::Binding>& trees) {
  std::vector<ir::Binding> result;
  for (const ast::Binding& tree : trees) {
    ir::Binding binding;
    binding.name = tree.variable.text;
    ir::Expression set = expression(*tree.set);
    if (!is_set(set.type)) {
      set = wrong_type(set, "a set, such as 0..n-1", Type::integer_set);
    }
    if (const auto* other = locals_.find(tree.variable.text)) {
      Diagnostic twice = error_at(tree.variable.span, fmt::format("'{}' is already in use here", tree.variable.text));
      twice.notes.emplace_back(other->span, "it is declared here");
      context_.diagnostics.push_back(std::move(twice));
    }
    binding.slot = locals_.declare(tree.variable, set.type == Type::node_set ? Type::node : Type::integer);
    binding.set.push_back(std::move(set));
    result.push_back(std::move(binding));
  }
  return result;
}

void Resolver::comprehension(ir::Expression& result, const ast::ExpressionPtr& element, Type wanted,
                             const std::vector<ast::Binding>& trees, const ast::ExpressionPtr& condition) {
  const std::size_t scope = locals_.open_scope();
  result.bindings = bindings(trees);
  result.operands.push_back(expression(*element));
  if (is_set(result.type)) {
    if (result.operands[0].type == Type::node) result.type = Type::node_set, wanted = Type::node;
  }
  result.operands[0] = convert(std::move(result.operands[0]), wanted);
  if (condition) result.operands.push_back(expression(*condition, Type::boolean));
  locals_.close_scope(scope);
}

ir::Expression Resolver::node(const ast::SetComprehension& tree, Span span) {
  ir::Expression result = make(Op::set_comprehension, Type::integer_set, span);
  comprehension(result, tree.element, Type::integer, tree.bindings, tree.condition);
  return result;
}

ir::Expression Resolver::node(const ast::Fold& tree, Span span) {
  const auto fold = ir::fold_named(tree.function.text);
  if (!fold) return unknown("function", tree.function.text, tree.function.span, true);
  const bool truth = *fold == ir::Fold::count || *fold == ir::Fold::all || *fold == ir::Fold::any;
  const bool truth_result = *fold == ir::Fold::all || *fold == ir::Fold::any;
  ir::Expression result =
      make(Op::fold, truth_result ? Type::boolean : Type::integer, span, static_cast<std::int64_t>(*fold));
  comprehension(result, tree.element, truth ? Type::boolean : Type::integer, tree.bindings, tree.condition);
  return result;
}

}  // namespace quadrille
