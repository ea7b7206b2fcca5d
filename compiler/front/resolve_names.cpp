// The resolver looks up the names in expressions and calls.
//
// It tries the innermost local first, then the declarations of the files, then the language's own (builtins.h): a `let
// min(a, b) = …` takes the place of the builtin. For a misspelt name, the message offers the nearest name that fits
// there. Cost: a look-up; for a misspelt name, its edit distance to every other.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/front/resolve.h"
#include "dsl/words.h"

namespace quadrille {

using ir::Type;

ir::Expression Resolver::unknown(std::string_view what, std::string_view name, Span span, bool functions) {
  if (context_.diagnostics.size() >= most_mistakes) return mistake(span, {}, Code::name);
  std::vector<std::string> candidates;
  for (const auto& local : locals_.in_scope()) candidates.push_back(local.name);
  for (const auto& [global, entry] : context_.declarations.globals) candidates.push_back(global);
  for (const auto& signature : ir::builtin_signatures()) {
    if (signature.arguments.empty() != functions) candidates.emplace_back(signature.name);
  }
  std::string message = fmt::format("unknown {} '{}'", what, name);
  const std::string_view meant = word_meant(name);
  if (functions && name == "range") {
    message += "; a range is written with both its ends, as in 0..n-1";
  } else if (std::ranges::find(candidates, meant) != candidates.end()) {
    message += fmt::format("; did you mean '{}'?", meant);
  } else if (const auto near = nearest(name, candidates)) {
    message += fmt::format("; did you mean '{}'?", *near);
  }
  return mistake(span, std::move(message), Code::name);
}

ir::Expression Resolver::node(const ast::NameUse& tree, Span span) {
  if (const auto* local = locals_.find(tree.name)) return {ir::VariableUse{local->variable}, local->type, span};
  const auto& globals = context_.declarations.globals;
  if (const auto found = globals.find(tree.name); found != globals.end()) return global(found->second, tree.name, span);
  if (const auto* builtin = ir::find_builtin(tree.name)) {
    if (builtin->claims_only && !measured_)
      return mistake(span, fmt::format("'{}' is known only in claims", tree.name), Code::name);
    if (builtin->builtin == ir::Builtin::load) {
      return mistake(span, "'load' is a fraction; expected it alone on one side of a comparison, as in load <= 7/2",
                     Code::type, Type::integer);
    }
    if (!builtin->arguments.empty()) {
      return mistake(span, fmt::format("'{}' is a function; expected its arguments in parentheses", tree.name),
                     Code::type, builtin->result);
    }
    return {ir::BuiltinCall{builtin->builtin, {}}, builtin->result, span};
  }
  if (context_.switches.contains(tree.name)) return {ir::NodeNamed{tree.name, {}}, Type::node, span};
  return unknown("name", tree.name, span, false);
}

// Only the fabric knows which nodes there are; a definition knows at least its arrays.
ir::Expression Resolver::node(const ast::NodeUse& tree, Span span) {
  if (auto element = element_of_list(tree, span)) return *std::move(element);
  ir::NodeNamed named{tree.name.text, {}};
  for (const ast::Expression& index : tree.indices) named.indices.push_back(expression(index, Type::integer));
  return {std::move(named), Type::node, span};
}

// The list parameter of that name; null if it is none.
const Global* Resolver::list_named(std::string_view name) const {
  const auto found = context_.declarations.globals.find(name);
  const bool list = found != context_.declarations.globals.end() && found->second.kind == Global::Kind::list_parameter;
  return list && locals_.find(name) == nullptr ? &found->second : nullptr;
}

// cycle[i]
std::optional<ir::Expression> Resolver::element_of_list(const ast::NodeUse& tree, Span span) {
  const Global* list = tree.quoted ? nullptr : list_named(tree.name.text);
  if (list == nullptr) return std::nullopt;
  context_.used_parameters[list->index] = true;
  if (tree.indices.size() != 1)
    return mistake(span, fmt::format("'{0}' is a list; expected one index, as in {0}[0]", tree.name.text), Code::type);
  return ir::Expression{ir::PatternCall{ir::ParameterId(list->index), expression(tree.indices[0], Type::integer)},
                        Type::integer, span};
}

// size(cycle): nothing if the argument is no list.
std::optional<ir::Expression> Resolver::size_of_list(const ast::Expression& tree) {
  const auto* name = std::get_if<ast::NameUse>(&tree.node);
  const Global* list = name == nullptr ? nullptr : list_named(name->name);
  if (list == nullptr) return std::nullopt;
  context_.used_parameters[list->index] = true;
  return ir::Expression{ir::ParameterUse{ir::ParameterId(list->index)}, Type::integer_set, tree.span};
}

ir::Expression Resolver::global(const Global& global, std::string_view name, Span span) {
  switch (global.kind) {
    case Global::Kind::parameter:
      context_.used_parameters[global.index] = true;
      return {ir::ParameterUse{ir::ParameterId(global.index)}, Type::integer, span};
    case Global::Kind::set_parameter:
      context_.used_parameters[global.index] = true;
      return {ir::ParameterUse{ir::ParameterId(global.index)}, Type::integer_set, span};
    case Global::Kind::list_parameter:
      context_.used_parameters[global.index] = true;
      return mistake(span, fmt::format("'{0}' is a list; expected an index, as in {0}[0], or size({0})", name),
                     Code::type);
    case Global::Kind::constant:
      return {ir::ConstantUse{ir::ConstantId(global.index)}, context_.constant_types[global.index], span};
    case Global::Kind::procedure:
      return {ir::ProcedureUse{ir::ProcedureId(global.index)}, Type::procedure, span};
    case Global::Kind::pattern:
      return mistake(span, fmt::format("'{0}' is a pattern; expected a level, as in {0}(1)", name), Code::type);
    case Global::Kind::function:
      return mistake(span, fmt::format("'{}' is a function; expected its arguments in parentheses", name), Code::type);
  }
  return mistake(span, "unknown name", Code::name);
}

std::optional<std::vector<ir::Expression>> Resolver::call_arguments(Span call,
                                                                    const std::vector<ast::Expression>& trees,
                                                                    const Formals& formals) {
  const std::size_t expected = formals.types.size();
  // The last type is that of all further arguments.
  const bool enough = formals.variadic ? trees.size() >= expected : trees.size() == expected;
  if (!enough) {
    mistake(call,
            fmt::format("'{}' is given {} argument{}; expected {}{}", formals.name, trees.size(),
                        trees.size() == 1 ? "" : "s", expected, formals.variadic ? " or more" : ""),
            Code::type);
    return std::nullopt;
  }
  std::vector<ir::Expression> arguments;
  for (std::size_t i = 0; i < trees.size(); ++i)
    arguments.push_back(expression(trees[i], formals.types[std::min(i, expected - 1)]));
  return arguments;
}

ir::Expression Resolver::node(const ast::CallExpression& tree, Span span) {
  const std::string& name = tree.callee.text;
  const auto* builtin = ir::find_builtin(name);
  const auto& globals = context_.declarations.globals;
  if (const auto found = globals.find(name); found != globals.end()) {
    if (auto call = call_of_global(found->second, tree, span)) return std::move(*call);
    if (builtin == nullptr) return mistake(tree.callee.span, fmt::format("'{}' is not a function", name), Code::name);
  }
  if (builtin == nullptr) return unknown("function", name, tree.callee.span, true);
  return call_of_builtin(*builtin, tree, span);
}

// Nothing if it is not one that can be called.
std::optional<ir::Expression> Resolver::call_of_global(const Global& global, const ast::CallExpression& tree,
                                                       Span span) {
  const std::string& name = tree.callee.text;
  if (global.kind == Global::Kind::function) {
    const Type type = context_.function_results[global.index];
    auto arguments = call_arguments(span, tree.arguments, {name, context_.function_formals[global.index]});
    if (!arguments) return stand_in(span, type);
    return ir::Expression{ir::FunctionCall{ir::FunctionId(global.index), std::move(*arguments)}, type, span};
  }
  if (global.kind == Global::Kind::pattern) {
    context_.used_parameters[global.index] = true;
    const std::vector<Type> level = {Type::integer};
    auto arguments = call_arguments(span, tree.arguments, {name, level});
    if (!arguments) return stand_in(span, Type::integer);
    return ir::Expression{ir::PatternCall{ir::ParameterId(global.index), std::move(arguments->front())}, Type::integer,
                          span};
  }
  return std::nullopt;
}

ir::Expression Resolver::call_of_builtin(const ir::BuiltinSignature& builtin, const ast::CallExpression& tree,
                                         Span span) {
  const std::string& name = tree.callee.text;
  if (builtin.arguments.empty())
    return mistake(tree.callee.span, fmt::format("'{}' takes no arguments", name), Code::type);
  if (builtin.builtin == ir::Builtin::size && tree.arguments.size() == 1) {  // of either kind of set
    auto list = size_of_list(tree.arguments[0]);
    ir::Expression set = list ? *std::move(list) : expression(tree.arguments[0]);
    if (!is_set(set.type)) set = wrong_type(set, "a set", Type::integer_set);
    return {ir::BuiltinCall{builtin.builtin, {std::move(set)}}, builtin.result, span};
  }
  auto arguments = call_arguments(span, tree.arguments, {name, builtin.arguments, builtin.variadic});
  if (!arguments) return stand_in(span, builtin.result);
  return {ir::BuiltinCall{builtin.builtin, std::move(*arguments)}, builtin.result, span};
}

}  // namespace quadrille
