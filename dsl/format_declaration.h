// The text of declarations, and of lines within them, in the canonical layout.
#pragma once

#include <string>
#include <vector>

#include "dsl/ast.h"

namespace quadrille::layout {

// The declaration on one line; of a parameter, what follows `param`.
std::string line_words(const ast::Parameter& parameter);
std::string line_words(const ast::Let& let);
std::string line_words(const ast::ChunkDeclaration& chunk);
std::string line_words(const ast::ProcessorCount& processors);
std::string line_words(const ast::Switches& switches);
std::string line_words(const ast::Link& link);
std::string line_words(const ast::Route& route);

void append_formals(std::string& out, const std::vector<ast::FormalParameter>& formals);  // (a, b: node)
void append_arguments(std::string& out, const std::vector<ast::Argument>& arguments);  // (8, ports: single), or nothing

}  // namespace quadrille::layout
