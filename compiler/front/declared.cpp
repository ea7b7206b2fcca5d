// Expressions may refer to parameters, constants and functions, declared in any order in the files.
//
// Two passes. The first only learns the types of constants and functions, and drops its diagnostics; the second
// resolves everything with these types. For example, with `let first = last` and `let last = {0, 1}` the first round
// takes `first` for a number, since nothing is known of `last` yet, and learns that `last` is a set; the round after
// it, backwards, corrects `first`; the third learns nothing. Cost: the declarations' expressions, once for each round.
#include "compiler/front/declared.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dsl/format.h"

namespace quadrille {
namespace {

using ir::Type;

class Learner {
 public:
  explicit Learner(ResolveContext& context) : context_(context), declarations_(context.declarations) {
    context_.used_parameters.resize(declarations_.parameters.size());
    context_.function_results.assign(declarations_.functions.size(), Type::integer);
    context_.constant_types.assign(declarations_.constants.size(), Type::integer);
    context_.constant_circular.assign(declarations_.constants.size(), true);
    formals();
  }

  // Functions and constants may be used before they are declared, so their types are learnt first: forwards and
  // backwards through the file until nothing is learnt any more. Twice each is enough, unless a chain of names that
  // stand for each other changes its direction; most_rounds is for files that are made to take long.
  void learn_types() {
    constexpr int most_rounds = 64;
    bool learnt = true;
    for (int round = 0; learnt && round < most_rounds; ++round) {
      learnt = false;
      const std::size_t count = std::max(declarations_.constants.size(), declarations_.functions.size());
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = round % 2 == 0 ? k : count - 1 - k;
        if (i < declarations_.constants.size()) learnt = learn_constant(i) || learnt;
        if (i < declarations_.functions.size()) learnt = learn_function(i) || learnt;
      }
    }
  }

 private:
  bool learn_constant(std::size_t i) {
    ir::Frame frame;
    const ir::Expression value = Resolver(context_, frame).expression(*declarations_.constants[i]->value);
    const auto* other = std::get_if<ir::ConstantUse>(&value.node);
    // A constant that only names another one of unknown value is circular as long as that one is.
    const bool circular = other != nullptr && context_.constant_circular[other->constant.value];
    const bool learnt = context_.constant_types[i] != value.type || context_.constant_circular[i] != circular;
    context_.constant_types[i] = value.type;
    context_.constant_circular[i] = circular;
    return learnt;
  }

  bool learn_function(std::size_t i) {
    const ast::Let& tree = *declarations_.functions[i];
    ir::Frame frame;
    Resolver resolver(context_, frame);
    declare_formals(context_, resolver, tree.parameters, context_.function_formals[i]);
    const Type type = resolver.expression(*tree.value).type;
    return std::exchange(context_.function_results[i], type) != type;
  }

  void formals() {
    const auto types = [&](const std::vector<ast::FormalParameter>& formals) {
      std::vector<Type> result;
      for (const auto& formal : formals) result.push_back(formal_type(formal, context_.diagnostics));
      return result;
    };
    for (const ast::Let* f : declarations_.functions) context_.function_formals.push_back(types(f->parameters));
    for (const ast::Procedure* p : declarations_.procedures) context_.procedure_formals.push_back(types(p->parameters));
  }

  ResolveContext& context_;
  const Declarations& declarations_;
};

// A range that ends where no larger number is of use.
ir::Expression endless(ir::Expression first) {
  constexpr std::int64_t largest = std::int64_t{1} << 62U;
  const Span span = first.span;
  ir::Expression last{ir::Literal{largest}, Type::integer, span};
  return {ir::Range{false, std::move(first), std::move(last)}, Type::integer_set, span};
}

// Resolves the declarations one kind after the other; each has a frame of its own.
class DeclaredNames {
 public:
  DeclaredNames(ResolveContext& context, ir::Schedule& schedule)
      : context_(context), declarations_(context.declarations), schedule_(schedule) {}

  void parameters() {
    for (const ast::Parameter* tree : declarations_.parameters) {
      ir::Parameter parameter;
      parameter.name = tree->name.text;
      parameter.span = tree->name.span;
      parameter.pattern = tree->pattern || tree->set || tree->list;
      parameter.set = tree->set;
      parameter.list = tree->list;
      Resolver resolver(context_, parameter.frame);
      if (tree->range && tree->unbounded) {
        parameter.unbounded = true;
        parameter.range = endless(resolver.expression(*tree->range, Type::integer));
        parameter.range_text = format(*tree->range) + "..";
      } else if (tree->range) {
        parameter.range = resolver.integer_set(*tree->range);
        parameter.range_text = format(*tree->range);
      }
      if (tree->pattern || tree->list) {
        pattern_default(*tree, parameter, resolver);
      } else if (tree->set) {
        if (tree->default_value) parameter.default_value = resolver.integer_set(*tree->default_value);
      } else if (tree->default_value) {
        parameter.default_value = resolver.expression(*tree->default_value, Type::integer);
      }
      schedule_.parameters.push_back(std::move(parameter));
    }
  }

  void constants() {
    for (std::size_t i = 0; i < declarations_.constants.size(); ++i) {
      const ast::Let& tree = *declarations_.constants[i];
      ir::Constant constant;
      constant.name = tree.name.text;
      constant.span = tree.name.span;
      Resolver resolver(context_, constant.frame);
      constant.value = resolver.expression(*tree.value);
      if (constant.value.type == Type::procedure) {
        context_.diagnostics.push_back(
            error_at(constant.value.span, "this is a procedure; expected a value", Code::type));
      }
      schedule_.constants.push_back(std::move(constant));
    }
  }

  void functions() {
    for (std::size_t i = 0; i < declarations_.functions.size(); ++i) {
      const ast::Let& tree = *declarations_.functions[i];
      ir::Function function;
      function.name = tree.name.text;
      function.span = tree.name.span;
      function.formals = context_.function_formals[i];
      Resolver resolver(context_, function.frame);
      declare_formals(context_, resolver, tree.parameters, function.formals);
      function.value = resolver.expression(*tree.value);
      schedule_.functions.push_back(std::move(function));
    }
  }

 private:
  void pattern_default(const ast::Parameter& tree, ir::Parameter& parameter, Resolver& resolver) {
    for (const ast::Expression& value : tree.default_list) {
      parameter.default_list.push_back(resolver.expression(value, Type::integer));
    }
    if (!tree.default_value) return;
    // The grammar takes any name here; only two are patterns.
    const auto* word = std::get_if<ast::NameUse>(&tree.default_value->node);
    if (word != nullptr && (word->name == "constant" || word->name == "exponential")) {
      parameter.default_word = word->name;
      return;
    }
    context_.diagnostics.push_back(
        error_at(tree.default_value->span,
                 "a pattern's value; expected constant, exponential or a list such as [1, 1, 2]", Code::type));
  }

  ResolveContext& context_;
  const Declarations& declarations_;
  ir::Schedule& schedule_;
};

}  // namespace

void declare_formals(ResolveContext& context, Resolver& resolver, const std::vector<ast::FormalParameter>& formals,
                     const std::vector<Type>& types) {
  for (std::size_t i = 0; i < formals.size(); ++i) {
    if (resolver.locals().find(formals[i].name.text) != nullptr) {
      context.diagnostics.push_back(
          error_at(formals[i].name.span, fmt::format("'{}' is declared twice", formals[i].name.text), Code::duplicate));
    }
    resolver.locals().declare(formals[i].name, types[i]);
  }
}

void resolve_declared(ResolveContext& context, const Limits& limits, ir::Schedule& schedule) {
  Diagnostics ignored;
  ResolveContext first(context.declarations, ignored, limits);
  first.switches = context.switches;
  Learner(first).learn_types();
  Learner types(context);  // formals are declared again, so that mistakes in them are reported
  context.function_results = first.function_results;
  context.constant_types = first.constant_types;
  context.constant_circular = first.constant_circular;
  DeclaredNames names(context, schedule);
  names.parameters();
  names.constants();
  names.functions();
}

}  // namespace quadrille
