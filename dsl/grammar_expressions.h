// The rules of grammar_expressions.cpp that statements use.
#pragma once

#include <vector>

#include "dsl/grammar_config.h"

namespace quadrille::grammar {

using NameRule = x3::rule<class NameId, ast::Name>;
using ExpressionRule = x3::rule<class ExpressionId, ast::Expression>;
using BindingsRule = x3::rule<class BindingsId, std::vector<ast::Binding>>;

const NameRule name = "a name";
const ExpressionRule expression = "an expression";
const BindingsRule bindings = "a name";  // it begins with one

BOOST_SPIRIT_DECLARE(NameRule, ExpressionRule, BindingsRule)

}  // namespace quadrille::grammar
