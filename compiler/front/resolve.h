// The resolver turns the names in one frame's expressions and statements into slots and indices, and checks types.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compiler/front/builtins.h"
#include "compiler/front/names.h"
#include "model/limits/memory_use.h"

namespace quadrille {

// The most mistakes that are reported, since finding the nearest name for each takes time.
inline constexpr std::size_t most_mistakes = 20;

// The state that the resolvers of all frames share.
struct ResolveContext {
  ResolveContext(const Declarations& of, Diagnostics& mistakes, const Limits& limits)
      : declarations(of), diagnostics(mistakes), pulse(limits) {}

  const Declarations& declarations;
  Diagnostics& diagnostics;
  MeasuredPulse pulse;
  std::vector<std::vector<ir::Type>> function_formals;    // by function
  std::vector<ir::Type> function_results;                 // by function; integer until its body has been resolved
  std::vector<ir::Type> constant_types;                   // by constant, likewise
  std::vector<bool> constant_circular;                    // by constant: it is only another name of itself
  std::vector<std::vector<ir::Type>> procedure_formals;   // by procedure
  std::vector<bool> used_parameters;                      // by parameter: something refers to it
  std::vector<std::shared_ptr<const ir::Schedule>> runs;  // those of Declarations::run_files; null: it is wrong
  std::set<std::string, std::less<>> switches;            // of a fabric's definition: names that stand for a node
};

class Resolver {
 public:
  Resolver(ResolveContext& context, ir::Frame& frame) : context_(context), locals_(frame) {}

  // Returns the expression, resolved. A mistake is reported, and gives a stand-in of the type asked for.
  ir::Expression expression(const ast::Expression& tree);
  ir::Expression expression(const ast::Expression& tree, ir::Type wanted);
  // Resolves a node, or a set of nodes.
  ir::Expression target(const ast::Expression& tree);
  ir::Expression number_or_set(const ast::Expression& tree);
  // Resolves `tree` as a set of numbers.
  ir::Expression integer_set(const ast::Expression& tree) { return expression(tree, ir::Type::integer_set); }

  ir::Block block(const ast::Block& tree);
  ir::Statement statement(const ast::Statement& tree);
  ir::Block statements(const std::vector<const ast::Statement*>& trees);

  std::vector<ir::Argument> arguments(std::span<const ast::Argument> trees);
  // Resolves the arguments of the fabric `product`, which are fabrics: ring(4), product(…), dgx1,
  // "torus:4x4,capacity=2".
  std::vector<ir::Argument> product_arguments(const std::vector<ast::Argument>& trees);
  ir::ChunkItem chunk_item(const ast::ChunkItem& tree);
  ir::HeldItem held_item(const ast::HeldItem& tree);

  std::vector<ir::Binding> bindings(const std::vector<ast::Binding>& trees);
  LocalNames& locals() { return locals_; }
  void allow_measured() { measured_ = true; }

 private:
  ir::Argument factor(const ast::Expression& tree);
  const Global* list_named(std::string_view name) const;
  std::optional<ir::Expression> element_of_list(const ast::NodeUse& tree, Span span);
  std::optional<ir::Expression> size_of_list(const ast::Expression& tree);
  bool is_load(const ast::Expression& tree) const;
  std::optional<ir::Expression> compared_load(const ast::Binary& tree, Span span);
  void reserve(ir::Block& first, const std::vector<const ast::Statement*>& trees);
  ir::Block under_condition(const ast::Expression& condition, const ast::Block& body);
  ir::Expression node(const ast::IntegerLiteral& tree, Span span);
  ir::Expression node(const ast::BoolLiteral& tree, Span span);
  ir::Expression node(const ast::NameUse& tree, Span span);
  ir::Expression node(const ast::NodeUse& tree, Span span);
  ir::Expression node(const ast::Unary& tree, Span span);
  ir::Expression node(const ast::Binary& tree, Span span);
  ir::Expression node(const ast::Conditional& tree, Span span);
  ir::Expression node(const ast::CallExpression& tree, Span span);
  ir::Expression node(const ast::Range& tree, Span span);
  ir::Expression node(const ast::SetLiteral& tree, Span span);
  ir::Expression node(const ast::SetComprehension& tree, Span span);
  ir::Expression node(const ast::Fold& tree, Span span);

  ir::Statement node(const ast::At& tree);
  ir::Statement node(const ast::For& tree);
  ir::Statement node(const ast::If& tree);
  ir::Statement node(const ast::LetStatement& tree);
  ir::Statement node(const ast::Send& tree);
  ir::Held held(const ast::Carrying& carrying, Span span);
  ir::Statement node(const ast::Repeat& tree);
  ir::Statement node(const ast::Reverse& tree);
  ir::Statement node(const ast::Relabel& tree);
  ir::Statement node(const ast::Discipline& tree);
  ir::Statement node(const ast::Run& tree);
  std::optional<ir::Argument> run_argument(const ast::Argument& tree, const ir::Schedule& schedule);
  ir::Statement node(const ast::CallStatement& tree);
  void unknown_procedure(const ast::Name& name);
  ir::Renaming renaming(const ast::Name& variable, const ast::Expression& image, bool or_set);

  ir::Expression global(const Global& global, std::string_view name, Span span);
  // Resolve a call of a function that a file declares, and of one that the language declares.
  std::optional<ir::Expression> call_of_global(const Global& global, const ast::CallExpression& tree, Span span);
  ir::Expression call_of_builtin(const ir::BuiltinSignature& builtin, const ast::CallExpression& tree, Span span);
  // A callable's name and the types of its arguments.
  struct Formals {
    std::string_view name;
    const std::vector<ir::Type>& types;
    bool variadic = false;  // the last one any number of times, but at least once
  };
  // Returns the arguments; nothing if there are too few or too many.
  std::optional<std::vector<ir::Expression>> call_arguments(Span call, const std::vector<ast::Expression>& trees,
                                                            const Formals& formals);
  ir::Expression convert(ir::Expression value, ir::Type wanted);
  ir::Expression remainders(ir::Expression set, ir::Expression divisor, Span span);
  ir::Expression equality(ir::BinaryOperator op, Span span, ir::Expression left, ir::Expression right);
  ir::Expression wrong_type(const ir::Expression& value, std::string_view expected, ir::Type wanted);
  // Reports a mistake, unless there are many already, and returns a stand-in.
  ir::Expression mistake(Span span, std::string message, Code code, ir::Type type = ir::Type::integer);
  // Returns a stand-in for an expression that is wrong. It is never evaluated, since the compilation has failed.
  static ir::Expression stand_in(Span span, ir::Type type);
  ir::Expression unknown(std::string_view what, std::string_view name, Span span, bool functions);
  // `wanted`: the element's type; if it is integer_set, an integer or a node.
  ir::Iteration iteration(const ast::ExpressionPtr& element, ir::Type wanted, const std::vector<ast::Binding>& bindings,
                          const ast::ExpressionPtr& condition);

  ResolveContext& context_;
  LocalNames locals_;
  bool measured_ = false;
};

// Returns the type that a formal parameter declares; integer if it declares none.
ir::Type formal_type(const ast::FormalParameter& formal, Diagnostics& diagnostics);

}  // namespace quadrille
