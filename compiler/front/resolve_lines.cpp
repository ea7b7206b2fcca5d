// The lines `fabric`, `collective` and `invariant`, resolved.
//
// An argument's value is a word (`ports: single`), a pattern's name, or expressions, and only the names in scope
// decide which: `capacity: c` is the pattern c if the file declares one, and the word "c" if nothing has that name. A
// name that only claims know (`timing: rounds`, `timing: steps`) is a word, too.
#include "compiler/front/resolve.h"

namespace quadrille {

using ir::Type;

std::vector<ir::Argument> Resolver::arguments(std::span<const ast::Argument> trees) {
  std::vector<ir::Argument> result;
  for (const ast::Argument& tree : trees) {
    ir::Argument argument;
    if (tree.key) argument.key = tree.key->text;
    argument.span = tree.span;
    const std::size_t scope = locals_.open_scope();
    if (tree.variable) argument.index_slot = locals_.declare(*tree.variable, Type::integer);
    if (tree.second_variable) argument.second_slot = locals_.declare(*tree.second_variable, Type::integer);
    const auto* file = tree.values.size() == 1 ? std::get_if<ast::NodeUse>(&tree.values[0].node) : nullptr;
    if (file != nullptr && file->quoted) argument.word = file->name.text;
    const auto* name = tree.values.size() == 1 ? std::get_if<ast::NameUse>(&tree.values[0].node) : nullptr;
    if (name != nullptr && locals_.find(name->name) == nullptr) {
      const auto& globals = context_.declarations.globals;
      const auto found = globals.find(name->name);
      if (found != globals.end() &&
          (found->second.kind == Global::Kind::pattern || found->second.kind == Global::Kind::list_parameter)) {
        argument.pattern = ir::ParameterId(found->second.index);
        context_.used_parameters[found->second.index] = true;
      } else if (const auto* builtin = ir::find_builtin(name->name);
                 found == globals.end() && (builtin == nullptr || builtin->claims_only)) {
        argument.word = name->name;
      }
    }
    if (!argument.word && !argument.pattern) {
      for (const ast::Expression& value : tree.values) argument.values.push_back(expression(value, Type::integer));
    }
    locals_.close_scope(scope);
    result.push_back(std::move(argument));
  }
  return result;
}

ir::Argument Resolver::factor(const ast::Expression& tree) {
  ir::Argument argument;
  argument.span = tree.span;
  if (const auto* quoted = std::get_if<ast::NodeUse>(&tree.node); quoted != nullptr && quoted->quoted) {
    argument.word = quoted->name.text;
  } else if (const auto* name = std::get_if<ast::NameUse>(&tree.node)) {
    argument.word = name->name;
  } else if (const auto* call = std::get_if<ast::CallExpression>(&tree.node)) {
    argument.factor = call->callee.text;
    for (const ast::Expression& inner : call->arguments) {
      if (argument.factor == "product") {
        argument.inner.push_back(factor(inner));
      } else {
        argument.inner.emplace_back();
        argument.inner.back().span = inner.span;
        argument.inner.back().values.push_back(expression(inner, Type::integer));
      }
    }
  } else {
    mistake(tree.span, "a product's factor is a fabric, such as ring(4) or \"torus:4x4,capacity=2\"", Code::type);
  }
  return argument;
}

std::vector<ir::Argument> Resolver::product_arguments(const std::vector<ast::Argument>& trees) {
  std::vector<ir::Argument> result;
  for (const ast::Argument& tree : trees) {
    if (tree.key || tree.values.size() != 1) {
      for (ir::Argument& rule : arguments(std::span(&tree, 1))) result.push_back(std::move(rule));
    } else {
      result.push_back(factor(tree.values[0]));
    }
  }
  return result;
}

ir::ChunkItem Resolver::chunk_item(const ast::ChunkItem& tree) {
  ir::ChunkItem item;
  item.span = tree.span;
  if (const auto* loop = std::get_if<std::unique_ptr<ast::ChunkLoop>>(&tree.node)) {
    const std::size_t scope = locals_.open_scope();
    item.bindings = bindings((*loop)->bindings);
    if ((*loop)->condition) item.condition = expression(*(*loop)->condition, Type::boolean);
    for (const ast::ChunkItem& inner : (*loop)->items) item.items.push_back(chunk_item(inner));
    locals_.close_scope(scope);
    return item;
  }
  const auto& chunk = std::get<ast::ChunkDeclaration>(tree.node);
  const auto set_or_one = [&](const ast::Expression& e) {
    ir::Expression value = expression(e);
    if (value.type == Type::integer_set || value.type == Type::node_set)
      return convert(std::move(value), Type::integer_set);
    const Span span = value.span;
    return ir::Expression{ir::SetLiteral{{convert(std::move(value), Type::integer)}}, Type::integer_set, span};
  };
  item.origin = expression(*chunk.origin, Type::integer);
  if (chunk.target) item.target = expression(*chunk.target, Type::integer);
  if (chunk.part) item.part = expression(*chunk.part, Type::integer);
  if (chunk.held_by) item.held_by = set_or_one(*chunk.held_by);
  if (chunk.wanted_by) item.wanted_by = set_or_one(*chunk.wanted_by);
  return item;
}

ir::HeldItem Resolver::held_item(const ast::HeldItem& tree) {
  ir::HeldItem item;
  item.span = tree.span;
  if (const auto* loop = std::get_if<std::unique_ptr<ast::HeldLoop>>(&tree.node)) {
    const std::size_t scope = locals_.open_scope();
    item.bindings = bindings((*loop)->bindings);
    if ((*loop)->condition) item.condition = expression(*(*loop)->condition, Type::boolean);
    for (const ast::HeldItem& inner : (*loop)->items) item.items.push_back(held_item(inner));
    locals_.close_scope(scope);
    return item;
  }
  const auto& held = std::get<ast::HeldStatement>(tree.node);
  item.processor = expression(*held.processor, Type::node);
  if (held.target) item.target = expression(*held.target, Type::integer);
  if (held.part) item.part = expression(*held.part, Type::integer);
  item.everyone = held.everyone;
  item.at_least = held.at_least;
  item.origins = integer_set(*held.origins);
  if (held.when) item.condition = expression(*held.when, Type::boolean);
  return item;
}

}  // namespace quadrille
