// The text of declarations, and of lines within them, in the canonical layout.
#pragma once

#include <string>
#include <vector>

#include "dsl/ast.h"
#include "dsl/format_expression.h"

namespace quadrille::layout {

// The declaration on one line; of a parameter, what follows `param`.
std::string line_words(const ast::Parameter& parameter);
std::string line_words(const ast::Let& let);
std::string line_words(const ast::ChunkDeclaration& chunk);
std::string line_words(const ast::ProcessorCount& processors);
std::string line_words(const ast::Switches& switches);
std::string line_words(const ast::Link& link);
std::string line_words(const ast::Route& route);
std::string line_words(const ast::HeldStatement& held);

// The header of a loop in a declaration's block, with the colon: of any of their kinds.
template <class Loop>
std::string loop_words(const Loop& loop) {
  std::string text = "for ";
  append_bindings(text, loop.bindings);
  append_clause(text, " if ", loop.condition);
  return text + ':';
}
// That of an invariant.
std::string header_words(const ast::InvariantDeclaration& invariant);

void append_formals(std::string& out, const std::vector<ast::FormalParameter>& formals);  // (a, b: node)
void append_arguments(std::string& out, const std::vector<ast::Argument>& arguments);  // (8, ports: single), or nothing

}  // namespace quadrille::layout
