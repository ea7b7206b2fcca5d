#include <fmt/format.h>

#include <algorithm>

#include "compiler/resolve.h"
#include "dsl/format.h"

namespace quadrille {

using ir::Type;

namespace {

bool all_uniform(const ir::Block& block) {
  return std::all_of(block.begin(), block.end(), [](const ir::Statement& s) { return s.uniform && !s.then; });
}

template <class Node>
ir::Statement make_statement(Node node, bool uniform) {
  ir::Statement statement;
  statement.node = std::move(node);
  statement.uniform = uniform;
  return statement;
}

}  // namespace

Type formal_type(const ast::FormalParameter& formal, Diagnostics& diagnostics) {
  if (!formal.type) return Type::integer;
  const std::string& name = formal.type->text;
  if (name == "int") return Type::integer;
  if (name == "bool") return Type::boolean;
  if (name == "node") return Type::node;
  if (name == "set") return Type::integer_set;
  if (name == "procedure") return Type::procedure;
  diagnostics.push_back(
      error_at(formal.type->span, fmt::format("unknown type '{}'; expected int, bool, node, set or procedure", name)));
  return Type::integer;
}

ir::Block Resolver::block(const ast::Block& tree) {
  const std::size_t scope = locals_.open_scope();
  ir::Block result;
  for (const ast::Statement& s : tree.statements) result.push_back(statement(s));
  locals_.close_scope(scope);
  return result;
}

ir::Block Resolver::statements(const std::vector<const ast::Statement*>& trees) {
  ir::Block result;
  for (const ast::Statement* tree : trees) result.push_back(statement(*tree));
  return result;
}

ir::Statement Resolver::statement(const ast::Statement& tree) {
  const std::optional<std::uint32_t> innermost = locals_.innermost();
  ir::Statement result = std::visit([&](const auto& s) { return node(s); }, tree.node);
  result.innermost = innermost;
  result.span = tree.span;
  result.then = tree.then;
  return result;
}

ir::Statement Resolver::node(const ast::At& tree) {
  ir::Expression step = expression(*tree.step, Type::integer);
  return make_statement(ir::At{std::move(step), block(tree.body)}, false);
}

ir::Statement Resolver::node(const ast::For& tree) {
  const std::size_t scope = locals_.open_scope();
  ir::For loop;
  loop.bindings = bindings(tree.bindings);
  loop.in_turn = tree.in_turn;
  loop.body = block(tree.body);
  locals_.close_scope(scope);
  const bool uniform = !loop.in_turn && all_uniform(loop.body);
  return make_statement(std::move(loop), uniform);
}

ir::Statement Resolver::node(const ast::If& tree) {
  ir::If branch;
  branch.condition = expression(*tree.condition, Type::boolean);
  branch.then = block(tree.then);
  if (tree.otherwise) branch.otherwise = block(*tree.otherwise);
  const bool uniform = all_uniform(branch.then) && all_uniform(branch.otherwise);
  return make_statement(std::move(branch), uniform);
}

ir::Statement Resolver::node(const ast::LetStatement& tree) {
  ir::Expression value = expression(*tree.value);
  if (const auto* other = locals_.find(tree.name.text)) {
    Diagnostic twice = error_at(tree.name.span, fmt::format("'{}' is already in use here", tree.name.text));
    twice.notes.emplace_back(other->span, "it is declared here");
    context_.diagnostics.push_back(std::move(twice));
  }
  const std::uint32_t slot = locals_.declare(tree.name, value.type);
  return make_statement(ir::Let{slot, std::move(value)}, true);
}

ir::Statement Resolver::node(const ast::Send& tree) {
  ir::Send send;
  send.source = expression(*tree.source, Type::node);
  send.target = target(*tree.target);
  for (const ast::Expression& hop : tree.along) send.along.push_back(expression(hop, Type::node));
  for (const ast::Wait& wait : tree.waits) {
    send.waits.push_back({expression(*wait.steps, Type::integer), expression(*wait.at, Type::node)});
  }
  const bool several = send.target.type == Type::node_set;
  if (several && (!send.along.empty() || !send.waits.empty())) {
    mistake(send.target.span, "a send to several nodes takes no path and no waits; write a send to each of them");
  }
  if (tree.carrying) {
    const ast::Carrying& carrying = *tree.carrying;
    if (carrying.origin) send.origin = expression(*carrying.origin, Type::integer);
    if (carrying.target) send.addressee = expression(*carrying.target, Type::integer);
    if (carrying.part) send.part = expression(*carrying.part, Type::integer);
    send.for_everyone = carrying.everyone;
  }
  return make_statement(std::move(send), true);
}

ir::Statement Resolver::node(const ast::Repeat& tree) {
  ir::Expression times = expression(*tree.times, Type::integer);
  return make_statement(ir::Repeat{std::move(times), block(tree.body)}, false);
}

ir::Statement Resolver::node(const ast::Reverse& tree) { return make_statement(ir::Reverse{block(tree.body)}, false); }

ir::Statement Resolver::node(const ast::Relabel& tree) {
  ir::Relabel relabel;
  std::size_t scope = locals_.open_scope();
  relabel.slot = locals_.declare(tree.variable, Type::integer);
  relabel.image = expression(*tree.image, Type::integer);
  locals_.close_scope(scope);
  if (tree.carried) {
    scope = locals_.open_scope();
    relabel.carried_slot = locals_.declare(*tree.carried, Type::integer);
    relabel.carried_image = expression(*tree.carried_image, Type::integer);
    locals_.close_scope(scope);
  }
  relabel.body = block(tree.body);
  const bool uniform = false;  // its body's sends need their own context
  return make_statement(std::move(relabel), uniform);
}

ir::Statement Resolver::node(const ast::Discipline& tree) {
  ir::Discipline discipline;
  if (tree.name.text == "farthest_first") {
    discipline.kind = ir::DisciplineKind::farthest_first;
  } else if (tree.name.text != "fifo") {
    mistake(tree.name.span, fmt::format("unknown discipline '{}'; expected fifo or farthest_first", tree.name.text));
  }
  discipline.body = block(tree.body);
  return make_statement(std::move(discipline), false);
}

ir::Statement Resolver::node(const ast::CallStatement& tree) {
  const std::string& name = tree.callee.text;
  ir::Call call;
  if (const auto* local = locals_.find(name); local != nullptr && local->type == Type::procedure) {
    call.slot = local->slot;
    for (const ast::Expression& argument : tree.arguments) call.arguments.push_back(expression(argument));
    return make_statement(std::move(call), false);
  }
  const auto& globals = context_.declarations.globals;
  const auto found = globals.find(name);
  if (found == globals.end() || found->second.kind != Global::Kind::procedure) {
    std::vector<std::string> candidates;
    for (const auto& [global, entry] : globals) {
      if (entry.kind == Global::Kind::procedure) candidates.push_back(global);
    }
    std::string message = found == globals.end() ? fmt::format("unknown procedure '{}'", name)
                                                 : fmt::format("'{}' is not a procedure", name);
    if (const auto near = nearest(name, candidates)) message += fmt::format("; did you mean '{}'?", *near);
    mistake(tree.callee.span, std::move(message));
    return make_statement(std::move(call), false);
  }
  call.procedure = found->second.index;
  ir::Expression holder;
  holder.span = tree.callee.span;
  call.arguments =
      call_arguments(std::move(holder), tree.arguments, context_.procedure_formals[found->second.index], false, name)
          .operands;
  return make_statement(std::move(call), false);
}

// --- fabric and collective lines --------------------------------------------------------------------------------

std::vector<ir::Argument> Resolver::arguments(const std::vector<ast::Argument>& trees) {
  std::vector<ir::Argument> result;
  for (const ast::Argument& tree : trees) {
    ir::Argument argument;
    if (tree.key) argument.key = tree.key->text;
    argument.span = tree.span;
    const std::size_t scope = locals_.open_scope();
    if (tree.variable) argument.index_slot = locals_.declare(*tree.variable, Type::integer);
    const auto* name = tree.values.size() == 1 ? std::get_if<ast::NameUse>(&tree.values[0].node) : nullptr;
    if (name != nullptr && locals_.find(name->name) == nullptr) {
      const auto& globals = context_.declarations.globals;
      const auto found = globals.find(name->name);
      if (found != globals.end() && found->second.kind == Global::Kind::pattern) {
        argument.pattern = found->second.index;
        context_.used_parameters[found->second.index] = true;
      } else if (found == globals.end() && ir::find_builtin(name->name) == nullptr) {
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
    ir::Expression set;
    set.op = ir::Op::set_literal;
    set.type = Type::integer_set;
    set.span = value.span;
    set.operands.push_back(convert(std::move(value), Type::integer));
    return set;
  };
  item.origin = expression(*chunk.origin, Type::integer);
  if (chunk.target) item.target = expression(*chunk.target, Type::integer);
  if (chunk.part) item.part = expression(*chunk.part, Type::integer);
  if (chunk.held_by) item.held_by = set_or_one(*chunk.held_by);
  if (chunk.wanted_by) item.wanted_by = set_or_one(*chunk.wanted_by);
  return item;
}

}  // namespace quadrille
