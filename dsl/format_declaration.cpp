// Declarations in the canonical layout, as far as they stand on one line. Which lines blocks and comments take is up to
// format.cpp.
#include "dsl/format_declaration.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "dsl/format.h"
#include "dsl/format_expression.h"

namespace quadrille::layout {

std::string line_words(const ast::Parameter& parameter) {
  std::string text = parameter.name.text;
  if (parameter.pattern) text += ": pattern";
  if (parameter.set) text += ": set";
  if (parameter.list) text += ": list";
  append_clause(text, " in ", parameter.range);
  if (parameter.unbounded) text += "..";
  append_clause(text, " = ", parameter.default_value);
  if (!parameter.default_list.empty()) {
    text += " = [";
    append_list(text, parameter.default_list);
    text += ']';
  }
  return text;
}

std::string line_words(const ast::Let& let) {
  std::string text = "let " + let.name.text;
  if (let.function) append_formals(text, let.parameters);
  append_clause(text, " = ", let.value);
  return text;
}

std::string line_words(const ast::ChunkDeclaration& chunk) {
  std::string text;
  append_clause(text, "chunk ", chunk.origin);
  if (chunk.everyone) text += " -> *";
  append_clause(text, " -> ", chunk.target);
  append_clause(text, " part ", chunk.part);
  append_clause(text, " held by ", chunk.held_by);
  append_clause(text, " wanted by ", chunk.wanted_by);
  return text;
}

std::string line_words(const ast::ProcessorCount& processors) {
  std::string text;
  append_clause(text, "processors ", processors.count);
  return text;
}

std::string line_words(const ast::Switches& switches) {
  std::string text;
  std::string_view separator = "switches ";
  for (const ast::SwitchArray& array : switches.arrays) {
    text += separator;
    text += array.name.text;
    for (const ast::Expression& extent : array.extents) {
      text += '[';
      append(text, extent);
      text += ']';
    }
    separator = ", ";
  }
  return text;
}

std::string line_words(const ast::Link& link) {
  std::string text;
  append_clause(text, "link ", link.from);
  append_clause(text, link.one_way ? " -> " : " -- ", link.to);
  append_clause(text, " lanes ", link.lanes);
  append_clause(text, " latency ", link.latency.value);
  if (link.latency.value) text += ' ' + link.latency.unit;
  append_clause(text, " bandwidth ", link.bandwidth.value);
  if (link.bandwidth.value) text += ' ' + link.bandwidth.unit;
  return text;
}

std::string line_words(const ast::Route& route) {
  std::string text = "route " + route.source.text + " -> " + route.target.text;
  append_clause(text, " when ", route.when);
  text += ": along ";
  append_list(text, route.along);
  return text;
}

std::string line_words(const ast::HeldStatement& held) {
  std::string text;
  append_clause(text, "held(", held.processor);
  if (held.everyone || held.target || held.part) text += ',';
  if (held.everyone) text += " -> *";
  append_clause(text, " -> ", held.target);
  append_clause(text, " part ", held.part);
  append_clause(text, held.at_least ? ") contains " : ") == ", held.origins);
  append_clause(text, " when ", held.when);
  return text;
}

std::string header_words(const ast::InvariantDeclaration& invariant) {
  std::string text = "invariant after " + invariant.step.variable.text;
  append_clause(text, " in ", invariant.step.set);
  return text + ':';
}

void append_formals(std::string& out, const std::vector<ast::FormalParameter>& formals) {
  std::string_view separator;
  out += '(';
  for (const ast::FormalParameter& formal : formals) {
    fmt::format_to(std::back_inserter(out), "{}{}", separator, formal.name.text);
    if (formal.type) out += ": " + formal.type->text;
    separator = ", ";
  }
  out += ')';
}

void append_arguments(std::string& out, const std::vector<ast::Argument>& arguments) {
  if (arguments.empty()) return;
  std::string_view separator = "(";
  for (const ast::Argument& argument : arguments) {
    out += separator;
    if (argument.key) out += argument.key->text;
    if (argument.variable) {
      out += '(' + argument.variable->text;
      if (argument.second_variable) out += ", " + argument.second_variable->text;
      out += ')';
    }
    if (argument.key) out += ": ";
    const bool list = argument.values.size() != 1;
    if (list) out += '[';
    append_list(out, argument.values);
    if (list) out += ']';
    separator = ", ";
  }
  out += ')';
}

}  // namespace quadrille::layout

namespace quadrille {
namespace {

std::string on_one_line(const std::vector<ast::HeldItem>& items) {
  std::string text;
  for (const ast::HeldItem& item : items) {
    if (!text.empty()) text += "; ";
    if (const auto* loop = std::get_if<std::unique_ptr<ast::HeldLoop>>(&item.node)) {
      text += layout::loop_words(**loop) + ' ' + on_one_line((*loop)->items);
    } else {
      text += layout::line_words(std::get<ast::HeldStatement>(item.node));
    }
  }
  return text;
}

}  // namespace

std::string format(const ast::InvariantDeclaration& invariant) {
  constexpr std::size_t widest = 110;
  std::string header = layout::header_words(invariant);
  header.erase(0, header.find("after"));
  const std::string items = on_one_line(invariant.items);
  return header + ' ' + (header.size() + items.size() < widest ? items : "…");
}

}  // namespace quadrille
