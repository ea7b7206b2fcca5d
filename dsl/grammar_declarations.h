// The rules of declarations that grammar sources share.
#pragma once

#include "dsl/grammar_config.h"

namespace quadrille::grammar {

using ArgumentsRule = x3::rule<class ArgumentsId, std::vector<ast::Argument>>;
using LetRule = x3::rule<class LetItemId, ast::Let>;
using FabricDefinitionRule = x3::rule<class FabricDefinitionId, ast::FabricDefinition>;
using InvariantRule = x3::rule<class InvariantId, ast::InvariantDeclaration>;

const ArgumentsRule arguments = "arguments";  // grammar_items.cpp
const LetRule let = "let";                    // grammar_items.cpp
const FabricDefinitionRule fabric_definition =
    "fabric";                                 // grammar_fabrics.cpp: fails softly where a fabric is only named
const InvariantRule invariant = "invariant";  // grammar_invariants.cpp

BOOST_SPIRIT_DECLARE(ArgumentsRule, LetRule, FabricDefinitionRule, InvariantRule)

}  // namespace quadrille::grammar
