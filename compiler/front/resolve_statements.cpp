// The resolver lowers the tree's statements to the core (core.h): `then` makes parts of a block, `in turn` and `repeat`
// make turns. It marks statements whose sends start together as families, from the inside outwards. For example, `for k
// in S: send 0 -> k` is one, and `for k in S: at k: send 0 -> k` is none. Cost: linear in the tree.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/evaluate/instance.h"
#include "compiler/front/resolve.h"
#include "dsl/format.h"

namespace quadrille {

using ir::Type;

namespace {

// Of statements side by side: whether all their sends start together.
bool all_families(const ir::Block& block) {
  return std::all_of(block.begin(), block.end(), [](const ir::Statement& s) { return s.family; });
}

template <class Node>
ir::Statement make_statement(Node node, bool family = false) {
  ir::Statement statement;
  statement.node = std::move(node);
  statement.family = family;
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
  diagnostics.push_back(error_at(formal.type->span,
                                 fmt::format("unknown type '{}'; expected int, bool, node, set or procedure", name),
                                 Code::name));
  return Type::integer;
}

ir::Block Resolver::block(const ast::Block& tree) {
  const std::size_t scope = locals_.open_scope();
  std::vector<const ast::Statement*> trees;
  for (const ast::Statement& s : tree.statements) trees.push_back(&s);
  ir::Block result = statements(trees);
  locals_.close_scope(scope);
  return result;
}

// Room for the statements before the first `then`: a long block that grows would for a moment take half as much again.
void Resolver::reserve(ir::Block& first, const std::vector<const ast::Statement*>& trees) {
  constexpr std::size_t small = 1024;
  if (trees.size() < small) return;
  const auto end = std::find_if(trees.begin() + 1, trees.end(), [](const ast::Statement* s) { return s->then; });
  const auto count = static_cast<std::size_t>(end - trees.begin());
  if (context_.pulse.reached_with(count * sizeof(ir::Statement))) {
    fail_at_limit(context_.pulse.reason(), "resolving the schedule's names", trees.front()->span);
  }
  first.reserve(count);
}

ir::Block Resolver::statements(const std::vector<const ast::Statement*>& trees) {
  const std::optional<ir::VariableId> innermost = locals_.innermost();
  // `then` begins a part; a block without one needs no Parts around its statements. A leading `then` divides nothing.
  ir::Parts all{{{}}};
  reserve(all.parts.back(), trees);
  for (const ast::Statement* tree : trees) {
    if (tree->then && !all.parts.back().empty()) all.parts.emplace_back();
    all.parts.back().push_back(statement(*tree));
  }
  if (all.parts.size() == 1) return std::move(all.parts.front());
  ir::Statement result = make_statement(std::move(all));
  result.span = cover(trees.front()->span, trees.back()->span);
  result.innermost = innermost;
  ir::Block whole;  // no list in braces: it would copy the statement, and with it all that is in it
  whole.push_back(std::move(result));
  return whole;
}

ir::Statement Resolver::statement(const ast::Statement& tree) {
  const std::optional<ir::VariableId> innermost = locals_.innermost();
  ir::Statement result = std::visit([&](const auto& s) { return node(s); }, tree.node);
  result.innermost = innermost;
  result.span = tree.span;
  return result;
}

ir::Statement Resolver::node(const ast::At& tree) {
  ir::Expression step = expression(*tree.step, Type::integer);
  return make_statement(ir::At{std::move(step), block(tree.body)});
}

ir::Statement Resolver::node(const ast::For& tree) {
  const std::size_t scope = locals_.open_scope();
  std::vector<ir::Binding> over = bindings(tree.bindings);
  ir::Block body = tree.condition ? under_condition(*tree.condition, tree.body) : block(tree.body);
  locals_.close_scope(scope);
  // Iterations in turn start one after the other, so they are no family, whatever is in them.
  if (tree.in_turn) return make_statement(ir::Turns{std::move(over), std::move(body)});
  const bool family = all_families(body);
  return make_statement(ir::For{std::move(over), std::move(body)}, family);
}

// `for x in S if c: …` is `for x in S: if c: …`.
ir::Block Resolver::under_condition(const ast::Expression& condition, const ast::Block& body) {
  ir::If branch;
  branch.condition = expression(condition, Type::boolean);
  branch.then = block(body);
  const bool family = all_families(branch.then);
  ir::Block result;
  result.push_back(make_statement(std::move(branch), family));
  result.back().span = condition.span;
  result.back().innermost = locals_.innermost();
  return result;
}

ir::Statement Resolver::node(const ast::If& tree) {
  ir::If branch;
  branch.condition = expression(*tree.condition, Type::boolean);
  branch.then = block(tree.then);
  if (tree.otherwise) branch.otherwise = block(*tree.otherwise);
  const bool family = all_families(branch.then) && all_families(branch.otherwise);
  return make_statement(std::move(branch), family);
}

ir::Statement Resolver::node(const ast::LetStatement& tree) {
  ir::Expression value = expression(*tree.value);
  if (const auto* other = locals_.find(tree.name.text)) {
    Diagnostic twice =
        error_at(tree.name.span, fmt::format("'{}' is already in use here", tree.name.text), Code::duplicate);
    twice.notes.emplace_back(other->span, "it is declared here");
    context_.diagnostics.push_back(std::move(twice));
  }
  // Declared only now: the value cannot speak of itself. A let sends nothing, so it breaks up no family.
  const ir::VariableId variable = locals_.declare(tree.name, value.type);
  return make_statement(ir::Let{variable, std::move(value)}, true);
}

ir::Statement Resolver::node(const ast::Send& tree) {
  ir::Send send;
  send.source = expression(*tree.source, Type::node);
  send.target = target(*tree.target);
  for (const ast::Expression& hop : tree.along) send.along.push_back(expression(hop, Type::node));
  for (const ast::TreeLinks& links : tree.links)
    send.links.push_back({expression(*links.from, Type::node), target(*links.to)});
  for (const ast::Wait& wait : tree.waits) {
    send.waits.push_back({expression(*wait.steps, Type::integer), expression(*wait.at, Type::node), {}});
    if (wait.before) send.waits.back().before = expression(*wait.before, Type::node);
  }
  // To a set the packet takes a tree of default routes, or the one whose links `along` lists.
  const bool several = send.target.type == Type::node_set;
  if (several && (!send.along.empty() || (!send.waits.empty() && send.links.empty()))) {
    mistake(
        send.target.span,
        "a send to several nodes takes no path, and waits in none; list the links of its tree, as in `along 0 -> 1, 1 "
        "-> {2, 3}`, or write a send to each of them",
        Code::invalid);
  } else if (!several && !send.links.empty()) {
    mistake(send.target.span, "a send to one node takes a path; list the nodes between, as in `along 1, 2`",
            Code::invalid);
  }
  if (tree.carrying) {
    const ast::Carrying& carrying = *tree.carrying;
    if (carrying.origin) send.origin = number_or_set(*carrying.origin);
    if (carrying.target) send.addressee = number_or_set(*carrying.target);
    if (carrying.part) send.part = number_or_set(*carrying.part);
    send.for_everyone = carrying.everyone;
    if (carrying.held) send.held = held(carrying, tree.source->span);
    if (carrying.sum) send.sum = integer_set(*carrying.sum);
  }
  send.keeping = tree.keeping;
  return make_statement(std::move(send), true);
}

// The condition sees the packet's name under these three words; `part` is a word of the grammar.
ir::Held Resolver::held(const ast::Carrying& carrying, Span span) {
  const std::size_t scope = locals_.open_scope();
  const auto number = [&](const char* name) { return locals_.declare({name, span}, Type::integer); };
  ir::Held result;
  result.origin = number("origin");
  result.target = number("target");
  result.part = number("piece");
  if (carrying.condition) result.condition = expression(*carrying.condition, Type::boolean);
  locals_.close_scope(scope);
  return result;
}

ir::Statement Resolver::node(const ast::Repeat& tree) {
  ir::Expression times = expression(*tree.times, Type::integer);
  return make_statement(ir::Turns{std::move(times), block(tree.body)});
}

ir::Statement Resolver::node(const ast::Reverse& tree) { return make_statement(ir::Reverse{block(tree.body)}); }

ir::Renaming Resolver::renaming(const ast::Name& variable, const ast::Expression& image, bool or_set) {
  const std::size_t scope = locals_.open_scope();
  const ir::VariableId of = locals_.declare(variable, Type::integer);
  ir::Renaming result{of, or_set ? number_or_set(image) : expression(image, Type::integer)};
  locals_.close_scope(scope);
  return result;
}

ir::Statement Resolver::node(const ast::Relabel& tree) {
  ir::Relabel relabel{renaming(tree.variable, *tree.image, false), {}, {}, {}, {}};
  if (tree.count) relabel.count = expression(*tree.count, Type::integer);
  if (tree.part) relabel.parts = renaming(*tree.part, *tree.part_image, true);
  if (tree.carried) relabel.packets = renaming(*tree.carried, *tree.carried_image, true);
  relabel.body = block(tree.body);
  return make_statement(std::move(relabel));
}

ir::Statement Resolver::node(const ast::Discipline& tree) {
  ir::Discipline discipline;
  if (tree.name.text == "farthest_first") {
    discipline.kind = ir::DisciplineKind::farthest_first;
  } else if (tree.name.text != "fifo") {
    mistake(tree.name.span, fmt::format("unknown discipline '{}'; expected fifo or farthest_first", tree.name.text),
            Code::name);
  }
  discipline.body = block(tree.body);
  return make_statement(std::move(discipline));
}

ir::Statement Resolver::node(const ast::CallStatement& tree) {
  const std::string& name = tree.callee.text;
  ir::Call call;
  // A procedure that came as an argument: which one it is, and what it takes, is known only when the call is evaluated.
  if (const auto* local = locals_.find(name); local != nullptr && local->type == Type::procedure) {
    call.callee = local->variable;
    for (const ast::Expression& argument : tree.arguments) call.arguments.push_back(expression(argument));
    return make_statement(std::move(call));
  }
  const auto& globals = context_.declarations.globals;
  const auto found = globals.find(name);
  if (found == globals.end() || found->second.kind != Global::Kind::procedure) {
    unknown_procedure(tree.callee);
    return make_statement(std::move(call));
  }
  const std::uint32_t index = found->second.index;
  call.callee = ir::ProcedureId(index);
  auto arguments = call_arguments(tree.callee.span, tree.arguments, {name, context_.procedure_formals[index]});
  if (arguments) call.arguments = std::move(*arguments);
  return make_statement(std::move(call));
}

void Resolver::unknown_procedure(const ast::Name& name) {
  const auto& globals = context_.declarations.globals;
  std::vector<std::string> candidates;
  for (const auto& [global, entry] : globals) {
    if (entry.kind == Global::Kind::procedure) candidates.push_back(global);
  }
  std::string message = globals.contains(name.text) ? fmt::format("'{}' is not a procedure", name.text)
                                                    : fmt::format("unknown procedure '{}'", name.text);
  if (const auto near = nearest(name.text, candidates)) message += fmt::format("; did you mean '{}'?", *near);
  mistake(name.span, std::move(message), Code::name);
}

}  // namespace quadrille
