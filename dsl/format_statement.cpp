// One statement in the canonical layout, as far as it stands on one line: all of it, or its header with the colon.
// Which lines blocks and comments take is up to format.cpp.
#include "dsl/format_statement.h"

#include <string_view>
#include <variant>

#include "dsl/format_declaration.h"
#include "dsl/format_expression.h"

namespace quadrille::layout {
namespace {

// The words of a statement: all of it, or its header with the colon.
struct StatementText {
  std::string& out;

  void operator()(const ast::At& at) const {
    append_clause(out, "at ", at.step);
    out += ':';
  }
  void operator()(const ast::For& loop) const {
    out += "for ";
    append_bindings(out, loop.bindings);
    if (loop.condition) append_clause(out, " if ", loop.condition);
    out += loop.in_turn ? " in turn:" : ":";
  }
  void operator()(const ast::If& conditional) const {
    append_clause(out, "if ", conditional.condition);
    out += ':';
  }
  void operator()(const ast::Repeat& repeat) const {
    append_clause(out, "repeat ", repeat.times);
    out += " times:";
  }
  void operator()(const ast::Reverse&) const { out += "reverse:"; }
  void operator()(const ast::Relabel& relabel) const {
    append_clause(out, "relabel " + relabel.variable.text + " -> ", relabel.image);
    append_clause(out, " of ", relabel.count);
    if (relabel.part) append_clause(out, " part " + relabel.part->text + " -> ", relabel.part_image);
    if (relabel.carried) append_clause(out, " carrying " + relabel.carried->text + " -> ", relabel.carried_image);
    out += ':';
  }
  void operator()(const ast::Discipline& discipline) const { out += "by " + discipline.name.text + ':'; }

  void operator()(const ast::LetStatement& let) const { append_clause(out, "let " + let.name.text + " = ", let.value); }
  void operator()(const ast::Run& run) const {
    out += "run " + run.file.text;
    append_arguments(out, run.arguments);
  }
  void operator()(const ast::CallStatement& call) const {
    out += call.callee.text + '(';
    append_list(out, call.arguments);
    out += ')';
  }
  void operator()(const ast::Send& send) const {
    append_clause(out, "send ", send.source);
    append_clause(out, " -> ", send.target);
    if (!send.along.empty()) out += " along ";
    append_list(out, send.along);
    std::string_view separator = send.along.empty() ? " along " : ", ";
    for (const ast::TreeLinks& links : send.links) {
      append_clause(out, separator, links.from);
      append_clause(out, " -> ", links.to);
      separator = ", ";
    }
    separator = " waiting ";
    for (const ast::Wait& wait : send.waits) {
      append_clause(out, separator, wait.steps);
      append_clause(out, " at ", wait.at);
      append_clause(out, " -> ", wait.before);
      separator = ", ";
    }
    if (send.carrying) carrying(*send.carrying);
    if (send.keeping) out += " keeping";
  }

  void carrying(const ast::Carrying& carried) const {
    out += " carrying";
    append_clause(out, " sum ", carried.sum);
    append_clause(out, " ", carried.origin);
    if (carried.everyone) out += " -> *";
    append_clause(out, " -> ", carried.target);
    append_clause(out, " part ", carried.part);
    if (carried.held) out += " held";
    append_clause(out, " if ", carried.condition);
  }
};

}  // namespace

std::string statement_words(const ast::Statement& statement) {
  std::string text = statement.then ? "then " : "";
  std::visit(StatementText{text}, statement.node);
  return text;
}

const ast::Block* block_of(const ast::Statement& statement) {
  return std::visit(
      [](const auto& node) -> const ast::Block* {
        if constexpr (requires { node.body; }) return &node.body;
        if constexpr (requires { node.otherwise; }) return &node.then;
        return nullptr;
      },
      statement.node);
}

}  // namespace quadrille::layout
