#include "tests/reference/interpreter_values.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace quadrille::reference {
namespace {

__extension__ using Wide = __int128;

std::int64_t fitting(Wide x) {
  if (x < std::numeric_limits<std::int64_t>::min() || x > std::numeric_limits<std::int64_t>::max())
    throw Mistake{"does not fit"};
  return static_cast<std::int64_t>(x);
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) throw Mistake{"division by zero"};
  Wide q = Wide{a} / b;
  if (Wide{a} % b != 0 && (a < 0) != (b < 0)) --q;
  return fitting(q);
}

std::int64_t to_the_power(std::int64_t a, std::int64_t b) {
  if (b < 0) throw Mistake{"negative exponent"};
  if (a == 0 || a == 1) return b == 0 ? 1 : a;
  if (a == -1) return b % 2 == 0 ? 1 : -1;
  std::int64_t result = 1;
  for (std::int64_t i = 0; i < b; ++i) result = fitting(Wide{result} * a);
  return result;
}

std::int64_t shifted_left(std::int64_t a, std::int64_t b) {
  if (b < 0) throw Mistake{"negative shift"};
  for (std::int64_t i = 0; i < b && a != 0; ++i) a = fitting(Wide{a} * 2);
  return a;
}

std::int64_t shifted_right(std::int64_t a, std::int64_t b) {
  if (b < 0) throw Mistake{"negative shift"};
  for (std::int64_t i = 0; i < b && a != 0 && a != -1; ++i) a = floor_divide(a, 2);
  return a;
}

Set without_repetition(const Set& elements) {
  Set result;
  for (const std::int64_t x : elements) {
    if (std::find(result.begin(), result.end(), x) == result.end()) result.push_back(x);
  }
  return result;
}

Value on_bits(ast::BinaryOperator op, const Value& a, const Value& b) {
  const auto of = [op](auto x, auto y) {
    return op == ast::BinaryOperator::or_ ? x | y : op == ast::BinaryOperator::and_ ? x & y : x ^ y;
  };
  if (std::holds_alternative<bool>(a)) return of(int{std::get<bool>(a)}, int{std::get<bool>(b)}) != 0;
  return of(std::get<std::int64_t>(a), std::get<std::int64_t>(b));
}

}  // namespace

Values::Values(const ast::SourceFiles& program, const Fabric& fabric, const Router& router)
    : program_(program), fabric_(fabric), router_(router) {}

std::uint32_t Values::processor(const ast::Expression& e, const Names& names) {
  const std::int64_t x = number(e, names);
  if (x < 0 || x >= fabric_.processors()) throw Mistake{"no such processor"};
  return static_cast<std::uint32_t>(x);
}

const ast::Procedure* Values::procedure(const std::string& name) const {
  for (const ast::Item& item : program_.files[0].items) {
    const auto* found = std::get_if<ast::Procedure>(&item.node);
    if (found != nullptr && found->name.text == name) return found;
  }
  return nullptr;
}

Value Values::value(const ast::Expression& e, const Names& names) {
  if (const auto* literal = std::get_if<ast::IntegerLiteral>(&e.node)) return literal->value;
  if (const auto* literal = std::get_if<ast::BoolLiteral>(&e.node)) return literal->value;
  if (const auto* use = std::get_if<ast::NameUse>(&e.node)) return name(use->name, names);
  if (const auto* u = std::get_if<ast::Unary>(&e.node)) return unary(*u, names);
  if (const auto* b = std::get_if<ast::Binary>(&e.node)) return binary(*b, names);
  if (const auto* c = std::get_if<ast::Conditional>(&e.node))
    return value(truth(*c->condition, names) ? *c->then : *c->otherwise, names);
  if (const auto* c = std::get_if<ast::CallExpression>(&e.node)) return call(*c, names);
  if (const auto* f = std::get_if<ast::Fold>(&e.node)) return fold(*f, names);
  if (const auto* element = std::get_if<ast::NodeUse>(&e.node)) {
    const Set list = std::get<Set>(name(element->name.text, {}));
    const std::int64_t i = number(element->indices[0], names);
    if (i < 0 || i >= static_cast<std::int64_t>(list.size())) throw Mistake{"no such element"};
    return list[static_cast<std::size_t>(i)];
  }
  Set elements;
  if (const auto* range = std::get_if<ast::Range>(&e.node)) {
    const std::int64_t from = number(*range->from, names);
    const std::int64_t to = number(*range->to, names);
    if (range->descending) {
      for (std::int64_t x = from; x >= to; --x) elements.push_back(x);
    } else {
      for (std::int64_t x = from; x <= to; ++x) elements.push_back(x);
    }
  } else if (const auto* literal = std::get_if<ast::SetLiteral>(&e.node)) {
    for (const ast::Expression& element : literal->elements) elements.push_back(number(element, names));
  } else {
    const auto& c = std::get<ast::SetComprehension>(e.node);
    for_each(c.bindings, 0, names, [&](const Names& inner) {
      if (!c.condition || truth(*c.condition, inner)) elements.push_back(number(*c.element, inner));
    });
  }
  return without_repetition(elements);
}

Value Values::name(const std::string& name, const Names& names) {
  if (const auto local = names.find(name); local != names.end()) return local->second;
  for (const ast::Item& item : program_.files[0].items) {
    const auto* let = std::get_if<ast::Let>(&item.node);
    if (let != nullptr && let->name.text == name) return value(*let->value, {});
    const auto* parameter = std::get_if<ast::Parameter>(&item.node);
    if (parameter == nullptr || parameter->name.text != name) continue;
    if (parameter->set) return value(*parameter->default_value, {});
    Set list;
    for (const ast::Expression& element : parameter->default_list) list.push_back(number(element, {}));
    return list;
  }
  if (const auto* found = procedure(name)) return found;
  if (name == "n") return std::int64_t{fabric_.processors()};
  Set all(fabric_.processors());
  std::iota(all.begin(), all.end(), 0);
  return all;  // processors, all
}

Value Values::unary(const ast::Unary& u, const Names& names) {
  if (u.op == ast::UnaryOperator::logical_not) return !truth(*u.operand, names);
  return fitting(-Wide{number(*u.operand, names)});
}

Value Values::binary(const ast::Binary& b, const Names& names) {
  using enum ast::BinaryOperator;
  const Value left = value(*b.left, names);
  if (const bool* decided = std::get_if<bool>(&left)) {
    if (b.op == or_ && *decided) return true;
    if (b.op == and_ && !*decided) return false;
  }
  const Value right = value(*b.right, names);
  if (b.op == or_ || b.op == xor_ || b.op == and_) return on_bits(b.op, left, right);
  if (b.op == equal) return left == right;
  if (b.op == not_equal) return left != right;
  const std::int64_t x = std::get<std::int64_t>(left);
  const std::int64_t y = std::get<std::int64_t>(right);
  switch (b.op) {
    case less:
      return x < y;
    case less_equal:
      return x <= y;
    case greater:
      return x > y;
    case greater_equal:
      return x >= y;
    case shift_left:
      return shifted_left(x, y);
    case shift_right:
      return shifted_right(x, y);
    case add:
      return fitting(Wide{x} + y);
    case subtract:
      return fitting(Wide{x} - y);
    case multiply:
      return fitting(Wide{x} * y);
    case divide:
      return floor_divide(x, y);
    case modulo:
      return fitting(Wide{x} - Wide{floor_divide(x, y)} * y);
    default:
      return to_the_power(x, y);
  }
}

Value Values::call(const ast::CallExpression& c, const Names& names) {
  std::vector<Value> arguments;
  for (const ast::Expression& argument : c.arguments) arguments.push_back(value(argument, names));
  for (const ast::Item& item : program_.files[0].items) {
    const auto* let = std::get_if<ast::Let>(&item.node);
    if (let == nullptr || let->name.text != c.callee.text) continue;
    Names inner;
    for (std::size_t i = 0; i < arguments.size(); ++i) inner[let->parameters[i].name.text] = arguments[i];
    return value(*let->value, inner);
  }
  return builtin(c.callee.text, arguments);
}

Value Values::builtin(const std::string& name, const std::vector<Value>& arguments) const {
  if (name == "size") return static_cast<std::int64_t>(std::get<Set>(arguments[0]).size());
  std::vector<std::int64_t> x;
  for (const Value& argument : arguments) x.push_back(std::get<std::int64_t>(argument));
  if (name == "min") return *std::min_element(x.begin(), x.end());
  if (name == "max") return *std::max_element(x.begin(), x.end());
  if (name == "abs") return fitting(x[0] < 0 ? -Wide{x[0]} : Wide{x[0]});
  if (name == "ceil_div") return fitting(-Wide{floor_divide(fitting(-Wide{x[0]}), x[1])});
  if (name == "log2") {
    if (x[0] < 1) throw Mistake{"log2 of nothing"};
    std::int64_t result = 0;
    while (x[0] >> (result + 1) > 0) ++result;
    return result;
  }
  for (const std::int64_t node : x) {  // distance
    if (node < 0 || node >= fabric_.processors()) throw Mistake{"no such processor"};
  }
  const auto hops =
      router_.distance(NodeId(static_cast<std::uint32_t>(x[0])), NodeId(static_cast<std::uint32_t>(x[1])));
  return std::int64_t{hops.value()};
}

Value Values::fold(const ast::Fold& f, const Names& names) {
  const std::string& kind = f.function.text;
  std::optional<std::int64_t> best;
  std::int64_t sum = 0;
  std::int64_t visits = 0;
  std::int64_t truths = 0;
  for_each(f.bindings, 0, names, [&](const Names& inner) {
    if (f.condition && !truth(*f.condition, inner)) return;
    const Value element = value(*f.element, inner);
    ++visits;
    if (const bool* yes = std::get_if<bool>(&element)) {
      truths += *yes ? 1 : 0;
      return;
    }
    const std::int64_t x = std::get<std::int64_t>(element);
    if (kind == "sum") sum = fitting(Wide{sum} + x);
    if (!best || (kind == "min" ? x < *best : x > *best)) best = x;
  });
  if (kind == "sum") return sum;
  if (kind == "count") return truths;
  if (kind == "all") return truths == visits;
  if (kind == "any") return truths > 0;
  if (!best) throw Mistake{"the least of nothing"};
  return *best;
}

}  // namespace quadrille::reference
