// The expression becomes a syntax tree again, and each definition is replaced by what it stands for; the formatter then
// sets brackets where precedence needs them. Variables of a function's own sets get another name where an argument may
// already use theirs:
//
//   let width(h) = min(capacity(k) for k in 1..h)      width(k + 1)  becomes  min(capacity(k2) for k2 in 1..k+1)
//
// Cost: the text's length, which is limited.
#include "driver/prove/plain_text.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "compiler/front/builtins.h"
#include "dsl/format.h"

namespace quadrille::driver {
namespace {

constexpr std::size_t most_parts = 200;  // of an expression: a sentence with more is not read

struct NoText {};  // thrown

ast::BinaryOperator written(ir::BinaryOperator op) {
  switch (op) {
    case ir::BinaryOperator::logical_or:
    case ir::BinaryOperator::bit_or:
      return ast::BinaryOperator::or_;
    case ir::BinaryOperator::logical_and:
    case ir::BinaryOperator::bit_and:
      return ast::BinaryOperator::and_;
    case ir::BinaryOperator::logical_xor:
    case ir::BinaryOperator::bit_xor:
      return ast::BinaryOperator::xor_;
    default:
      break;
  }
  // From `equal` on, both lists are in the same order.
  static_assert(static_cast<int>(ir::BinaryOperator::power) - static_cast<int>(ir::BinaryOperator::equal) ==
                static_cast<int>(ast::BinaryOperator::power) - static_cast<int>(ast::BinaryOperator::equal));
  return static_cast<ast::BinaryOperator>(static_cast<int>(op) - static_cast<int>(ir::BinaryOperator::equal) +
                                          static_cast<int>(ast::BinaryOperator::equal));
}

std::string written(ir::FoldKind kind) {
  switch (kind) {
    case ir::FoldKind::sum:
      return "sum";
    case ir::FoldKind::min:
      return "min";
    case ir::FoldKind::max:
      return "max";
    case ir::FoldKind::count:
      return "count";
    case ir::FoldKind::all:
      return "all";
    case ir::FoldKind::any:
      return "any";
  }
  return "";
}

// What the variables of one frame stand for.
struct DefinitionScope {
  const ir::Frame& frame;
  const std::vector<ir::Expression>* arguments = nullptr;  // of the formal parameters, which come first …
  const DefinitionScope* outer = nullptr;                  // … and the scope that they are from
  std::map<ir::VariableId, std::string> names = {};        // of variables of sets
};

class PlainTree {
 public:
  explicit PlainTree(const ir::Schedule& schedule) : schedule_(schedule) {
    for (const ir::Parameter& parameter : schedule.parameters) taken_.push_back(parameter.name);
  }

  ast::Expression tree(const ir::Expression& expression, DefinitionScope& scope) {
    if (++parts_ > most_parts) throw NoText{};
    return std::visit([&](const auto& node) { return of(node, expression, scope); }, expression.node);
  }

 private:
  static ast::Expression made(auto node) {
    ast::Expression expression;
    expression.node = std::move(node);
    return expression;
  }
  ast::ExpressionPtr pointer(const ir::Expression& expression, DefinitionScope& scope) {
    return std::make_unique<ast::Expression>(tree(expression, scope));
  }
  std::vector<ast::Expression> list(const std::vector<ir::Expression>& expressions, DefinitionScope& scope) {
    std::vector<ast::Expression> trees;
    for (const ir::Expression& each : expressions) trees.push_back(tree(each, scope));
    return trees;
  }

  ast::Expression of(const ir::Literal& literal, const ir::Expression& whole, DefinitionScope&) {
    if (whole.type == ir::Type::boolean) return made(ast::BoolLiteral{literal.value != 0});
    return made(ast::IntegerLiteral{literal.value});
  }
  ast::Expression of(const ir::VariableUse& use, const ir::Expression&, DefinitionScope& scope) {
    if (const auto name = scope.names.find(use.variable); name != scope.names.end())
      return made(ast::NameUse{name->second});
    if (scope.arguments != nullptr && use.variable.value < scope.arguments->size()) {
      DefinitionScope outer = *scope.outer;
      return tree((*scope.arguments)[use.variable.value], outer);
    }
    return made(ast::NameUse{scope.frame.variables.at(use.variable.value).name});
  }
  ast::Expression of(const ir::ParameterUse& use, const ir::Expression&, DefinitionScope&) {
    return made(ast::NameUse{schedule_.parameters[use.parameter.value].name});
  }
  ast::Expression of(const ir::ConstantUse& use, const ir::Expression&, DefinitionScope&) {
    const ir::Constant& constant = schedule_.constants[use.constant.value];
    DefinitionScope inner{constant.frame};
    return tree(constant.value, inner);
  }
  ast::Expression of(const ir::FunctionCall& call, const ir::Expression&, DefinitionScope& scope) {
    const ir::Function& function = schedule_.functions[call.function.value];
    DefinitionScope inner{function.frame, &call.arguments, &scope};
    return tree(function.value, inner);
  }
  ast::Expression of(const ir::PatternCall& call, const ir::Expression&, DefinitionScope& scope) {
    ast::CallExpression tree_of_call{{schedule_.parameters[call.pattern.value].name, {}}, {}};
    tree_of_call.arguments.push_back(tree(*call.level, scope));
    return made(std::move(tree_of_call));
  }
  ast::Expression of(const ir::BuiltinCall& call, const ir::Expression&, DefinitionScope& scope) {
    const auto& all = ir::builtin_signatures();
    const auto found = std::ranges::find(all, call.builtin, &ir::BuiltinSignature::builtin);
    if (found == all.end() || call.builtin == ir::Builtin::load) throw NoText{};
    std::string name(found->name);
    if (found->arguments.empty()) return made(ast::NameUse{std::move(name)});
    return made(ast::CallExpression{{std::move(name), {}}, list(call.arguments, scope)});
  }
  ast::Expression of(const ir::Unary& unary, const ir::Expression&, DefinitionScope& scope) {
    const bool negates = unary.op == ir::UnaryOperator::negate;
    return made(ast::Unary{negates ? ast::UnaryOperator::negate : ast::UnaryOperator::logical_not,
                           pointer(*unary.operand, scope)});
  }
  ast::Expression of(const ir::Binary& binary, const ir::Expression&, DefinitionScope& scope) {
    return made(ast::Binary{written(binary.op), {}, pointer(*binary.left, scope), pointer(*binary.right, scope)});
  }
  ast::Expression of(const ir::Conditional& choice, const ir::Expression&, DefinitionScope& scope) {
    return made(ast::Conditional{pointer(*choice.condition, scope), pointer(*choice.then, scope),
                                 pointer(*choice.otherwise, scope)});
  }
  ast::Expression of(const ir::ToNode& change, const ir::Expression&, DefinitionScope& scope) {
    return tree(*change.operand, scope);
  }
  ast::Expression of(const ir::ToInteger& change, const ir::Expression&, DefinitionScope& scope) {
    return tree(*change.operand, scope);
  }
  ast::Expression of(const ir::Range& range, const ir::Expression&, DefinitionScope& scope) {
    return made(ast::Range{pointer(*range.first, scope), pointer(*range.last, scope), range.down});
  }
  ast::Expression of(const ir::SetLiteral& set, const ir::Expression&, DefinitionScope& scope) {
    return made(ast::SetLiteral{list(set.elements, scope)});
  }
  ast::Expression of(const ir::Comprehension& set, const ir::Expression&, DefinitionScope& scope) {
    return each_of<ast::SetComprehension>(*set.each, scope, {});
  }
  ast::Expression of(const ir::Fold& fold, const ir::Expression&, DefinitionScope& scope) {
    ast::Fold result;
    result.function.text = written(fold.kind);
    return each_of(*fold.each, scope, std::move(result));
  }
  ast::Expression of(const ir::NodeNamed&, const ir::Expression&, DefinitionScope&) { throw NoText{}; }
  ast::Expression of(const ir::ProcedureUse&, const ir::Expression&, DefinitionScope&) { throw NoText{}; }

  template <class Result>
  ast::Expression each_of(const ir::Iteration& each, DefinitionScope& scope, Result result) {
    const std::size_t before = taken_.size();
    for (const ir::Binding& binding : each.bindings) {
      ast::Binding named;
      named.set = pointer(binding.set, scope);
      named.variable.text = scope.names[binding.variable] = fresh(binding.name);
      result.bindings.push_back(std::move(named));
    }
    result.element = pointer(each.element, scope);
    if (each.condition) result.condition = pointer(*each.condition, scope);
    taken_.resize(before);
    return made(std::move(result));
  }

  // The name, or one like it that nothing around has.
  std::string fresh(const std::string& name) {
    std::string result = name;
    for (int i = 2; std::ranges::find(taken_, result) != taken_.end(); ++i) result = name + std::to_string(i);
    taken_.push_back(result);
    return result;
  }

  const ir::Schedule& schedule_;
  std::vector<std::string> taken_;  // names of parameters, and of the variables around
  std::size_t parts_ = 0;
};

}  // namespace

bool has_definitions(const ir::Expression& expression) {
  return ir::any_part(expression, [](const ir::Expression& part) {
    return std::holds_alternative<ir::ConstantUse>(part.node) || std::holds_alternative<ir::FunctionCall>(part.node);
  });
}

std::optional<std::string> plain_text(const ir::Expression& expression, const ir::Frame& frame,
                                      const ir::Schedule& schedule) {
  try {
    DefinitionScope scope{frame};
    return format(PlainTree(schedule).tree(expression, scope));
  } catch (const NoText&) {
    return std::nullopt;
  }
}

}  // namespace quadrille::driver
