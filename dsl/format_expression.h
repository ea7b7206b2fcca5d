// Parts of the canonical layout that statements and items share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dsl/ast.h"

namespace quadrille::layout {

// Each appends its text to `out`.
void append(std::string& out, const ast::Expression& expression);
void append_list(std::string& out, const std::vector<ast::Expression>& expressions);  // e, e, e
void append_bindings(std::string& out, const std::vector<ast::Binding>& bindings);    // x in S, y in R

// The keyword and the expression, if there is one.
void append_clause(std::string& out, std::string_view keyword, const ast::ExpressionPtr& expression);

}  // namespace quadrille::layout
