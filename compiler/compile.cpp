// Resolving a program: declarations first, of any order in the files, then the body; each has a frame of its own.
//
// Two passes. The first only learns the types of constants and functions, and drops its diagnostics; the second
// resolves everything with these types. For example, with `let first = last` and `let last = {0, 1}` the first round
// takes `first` for a number, since nothing is known of `last` yet, and learns that `last` is a set; the round after
// it, backwards, corrects `first`; the third learns nothing. Cost: the files' expressions, once for each round.
#include "compiler/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/instance.h"
#include "compiler/ir.h"
#include "compiler/names.h"
#include "compiler/resolve.h"
#include "dsl/format.h"
#include "model/fabric_notation.h"

namespace quadrille {
namespace {

using ir::Type;

// Resolves the declarations one kind after the other; each has a frame of its own.
class Compilation {
 public:
  Compilation(const Declarations& declarations, const CompileOptions& options, Diagnostics& diagnostics)
      : declarations_(declarations), context_(declarations, diagnostics, options.limits) {
    schedule_.families = options.families;
    context_.used_parameters.resize(declarations.parameters.size());
    context_.function_results.assign(declarations_.functions.size(), Type::integer);
    context_.constant_types.assign(declarations_.constants.size(), Type::integer);
    context_.constant_circular.assign(declarations_.constants.size(), true);
    declare_formals();
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

  // Takes over what another has learnt.
  void take_types(const Compilation& other) {
    context_.function_results = other.context_.function_results;
    context_.constant_types = other.context_.constant_types;
    context_.constant_circular = other.context_.constant_circular;
  }

  ir::Schedule run() {
    parameters();
    constants();
    functions();
    procedures();
    fabric();
    collective();
    claims();
    Resolver body(context_, schedule_.frame);
    schedule_.body = body.statements(declarations_.body);
    for (std::size_t i = 0; i < schedule_.parameters.size(); ++i) {
      ir::Parameter& parameter = schedule_.parameters[i];
      // An included parameter that nothing refers to is not asked for (its own file's statements may).
      parameter.idle = parameter.span.source != declarations_.collective_span.source && !context_.used_parameters[i];
    }
    return std::move(schedule_);
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
    declare(resolver, tree.parameters, context_.function_formals[i]);
    const Type type = resolver.expression(*tree.value).type;
    return std::exchange(context_.function_results[i], type) != type;
  }

  void declare_formals() {
    const auto types = [&](const std::vector<ast::FormalParameter>& formals) {
      std::vector<Type> result;
      for (const auto& formal : formals) result.push_back(formal_type(formal, context_.diagnostics));
      return result;
    };
    for (const ast::Let* f : declarations_.functions) context_.function_formals.push_back(types(f->parameters));
    for (const ast::Procedure* p : declarations_.procedures) context_.procedure_formals.push_back(types(p->parameters));
  }

  void parameters() {
    for (const ast::Parameter* tree : declarations_.parameters) {
      ir::Parameter parameter;
      parameter.name = tree->name.text;
      parameter.span = tree->name.span;
      parameter.pattern = tree->pattern;
      Resolver resolver(context_, parameter.frame);
      if (tree->range) {
        parameter.range = resolver.integer_set(*tree->range);
        parameter.range_text = format(*tree->range);
      }
      if (tree->pattern) {
        pattern_default(*tree, parameter, resolver);
      } else if (tree->default_value) {
        parameter.default_value = resolver.expression(*tree->default_value, Type::integer);
      }
      schedule_.parameters.push_back(std::move(parameter));
    }
  }

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

  void declare(Resolver& resolver, const std::vector<ast::FormalParameter>& formals, const std::vector<Type>& types) {
    for (std::size_t i = 0; i < formals.size(); ++i) {
      if (resolver.locals().find(formals[i].name.text) != nullptr) {
        context_.diagnostics.push_back(error_at(
            formals[i].name.span, fmt::format("'{}' is declared twice", formals[i].name.text), Code::duplicate));
      }
      resolver.locals().declare(formals[i].name, types[i]);
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
      declare(resolver, tree.parameters, function.formals);
      function.value = resolver.expression(*tree.value);
      schedule_.functions.push_back(std::move(function));
    }
  }

  void procedures() {
    for (std::size_t i = 0; i < declarations_.procedures.size(); ++i) {
      const ast::Procedure& tree = *declarations_.procedures[i];
      ir::Procedure procedure;
      procedure.name = tree.name.text;
      procedure.span = tree.name.span;
      procedure.formals = context_.procedure_formals[i];
      Resolver resolver(context_, procedure.frame);
      declare(resolver, tree.parameters, procedure.formals);
      procedure.body = resolver.block(tree.body);
      schedule_.procedures.push_back(std::move(procedure));
    }
  }

  void fabric() {
    if (declarations_.fabric == nullptr) return;
    Resolver resolver(context_, schedule_.fabric.frame);
    schedule_.fabric.kind = declarations_.fabric->kind.text;
    schedule_.fabric.span = declarations_.fabric->kind.span;
    schedule_.fabric.arguments = resolver.arguments(declarations_.fabric->arguments);
    // The names need no sizes; so every command refuses an unknown one, those that ask about all sizes at once, too.
    FabricDescription description{schedule_.fabric.kind, schedule_.fabric.span, {}};
    for (const ir::Argument& argument : schedule_.fabric.arguments) {
      description.arguments.insert({argument.key, {std::string(), argument.span}});
    }
    const Diagnostics faults = faults_of_names(description, *schedule_.families);
    context_.diagnostics.insert(context_.diagnostics.end(), faults.begin(), faults.end());
  }

  void collective() {
    if (declarations_.collective == nullptr) return;
    const ast::CollectiveDeclaration& tree = *declarations_.collective;
    Resolver resolver(context_, schedule_.collective.frame);
    schedule_.collective.span = tree.kind.span;
    if (const auto kind = collective_kind(tree.kind.text, *schedule_.families)) {
      schedule_.collective.kind = *kind;
    } else {
      std::string message = fmt::format("unknown collective '{}'", tree.kind.text);
      const auto names = collective_names(*schedule_.families);
      if (const auto near = nearest(tree.kind.text, names)) message += fmt::format("; did you mean '{}'?", *near);
      context_.diagnostics.push_back(error_at(tree.kind.span, std::move(message), Code::name));
    }
    schedule_.collective.arguments = resolver.arguments(tree.arguments);
    refuse_repeated(schedule_.collective.arguments);
    for (const ast::ChunkItem& item : tree.chunks) schedule_.collective.chunks.push_back(resolver.chunk_item(item));
  }

  // An argument that is given twice has no meaning; those of fabrics are refused with their values.
  void refuse_repeated(const std::vector<ir::Argument>& arguments) {
    std::set<std::string> seen;
    for (const ir::Argument& argument : arguments) {
      if (argument.key.empty() || seen.insert(argument.key).second) continue;
      context_.diagnostics.push_back(
          error_at(argument.span, fmt::format("'{}' is given twice", argument.key), Code::duplicate));
    }
  }

  void claims() {
    for (std::size_t i = 0; i < declarations_.claims.size(); ++i) {
      const ast::ClaimDeclaration& tree = *declarations_.claims[i];
      ir::Claim claim;
      claim.text = format(*tree.claim);
      if (tree.when) claim.text += " when " + format(*tree.when);
      if (const auto* binary = std::get_if<ast::Binary>(&tree.claim->node)) {
        claim.sides = {format(*binary->left), format(*binary->right)};
      }
      claim.span = tree.claim->span;
      Resolver resolver(context_, claim.frame);
      resolver.allow_measured();
      claim.claim = resolver.expression(*tree.claim, Type::boolean);
      if (tree.when) claim.when = resolver.expression(*tree.when, Type::boolean);
      schedule_.claims.push_back(std::move(claim));
    }
  }

  const Declarations& declarations_;
  ResolveContext context_;
  ir::Schedule schedule_;
};

}  // namespace

Result<std::shared_ptr<const ir::Schedule>> compile(const ast::Program& program, std::string name,
                                                    const CompileOptions& options) {
  try {
    Diagnostics diagnostics;
    const Declarations declarations = collect_declarations(program, diagnostics);
    Diagnostics ignored;
    Compilation types(declarations, options, ignored);
    types.learn_types();
    Compilation compilation(declarations, options, diagnostics);
    compilation.take_types(types);
    ir::Schedule schedule = compilation.run();
    if (!diagnostics.empty()) return diagnostics;
    schedule.name = std::move(name);
    return std::shared_ptr<const ir::Schedule>(std::make_shared<ir::Schedule>(std::move(schedule)));
  } catch (const EvaluationError& at_limit) {
    return at_limit.diagnostic;
  }
}

}  // namespace quadrille
