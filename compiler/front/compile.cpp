// The compiler resolves a program's declarations first, in any order in the files, and then its body; each has a frame
// of its own.
//
// Then it judges what needs no size: the fabric and the collective must exist. Elaboration and the prover evaluate the
// expressions. Cost: linear in the files (declared.cpp has the exception).
#include "compiler/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "compiler/evaluate/instance.h"
#include "compiler/front/declared.h"
#include "compiler/front/fabric_definition.h"
#include "compiler/front/names.h"
#include "compiler/front/resolve.h"
#include "compiler/ir.h"
#include "dsl/format.h"
#include "model/collective_family.h"
#include "model/fabric_notation.h"

namespace quadrille {
namespace {

using ir::Type;

// Resolves the declarations one kind after the other; each has a frame of its own.
class Compilation {
 public:
  Compilation(const Declarations& declarations, const CompileOptions& options,
              const std::shared_ptr<const Families>& families, Diagnostics& diagnostics)
      : declarations_(declarations), limits_(options.limits), context_(declarations, diagnostics, options.limits) {
    schedule_.families = families ? families.get() : options.families;
    schedule_.own_families = families;
    schedule_.read_file = options.read_file;
  }

  // Files that are run are compiled already; null: there are mistakes in it.
  void add_run(std::shared_ptr<const ir::Schedule> schedule) { context_.runs.push_back(std::move(schedule)); }

  ir::Schedule run() {
    schedule_.runs = context_.runs;
    resolve_declared(context_, limits_, schedule_);
    procedures();
    fabric();
    collective();
    claims();
    invariants();
    Resolver body(context_, schedule_.frame);
    schedule_.body = body.statements(declarations_.body);
    for (const auto& [first, name] : declarations_.second_parameters) {
      const Span span = schedule_.parameters[first].span;
      const bool replaced = span.source == declarations_.collective_span.source;
      if (context_.used_parameters[first] && !replaced) context_.diagnostics.push_back(declared_twice(name, span));
    }
    for (std::size_t i = 0; i < schedule_.parameters.size(); ++i) {
      ir::Parameter& parameter = schedule_.parameters[i];
      // An included parameter that nothing refers to is not asked for (its own file's statements may).
      parameter.idle = parameter.span.source != declarations_.collective_span.source && !context_.used_parameters[i];
    }
    return std::move(schedule_);
  }

 private:
  void procedures() {
    for (std::size_t i = 0; i < declarations_.procedures.size(); ++i) {
      const ast::Procedure& tree = *declarations_.procedures[i];
      ir::Procedure procedure;
      procedure.name = tree.name.text;
      procedure.span = tree.name.span;
      procedure.formals = context_.procedure_formals[i];
      Resolver resolver(context_, procedure.frame);
      declare_formals(context_, resolver, tree.parameters, procedure.formals);
      procedure.body = resolver.block(tree.body);
      schedule_.procedures.push_back(std::move(procedure));
    }
  }

  void fabric() {
    schedule_.fabric.span = declarations_.fabric_span;
    if (declarations_.fabric == nullptr) return;
    Resolver resolver(context_, schedule_.fabric.frame);
    schedule_.fabric.kind = declarations_.fabric->kind.text;
    schedule_.fabric.span = declarations_.fabric->kind.span;
    schedule_.fabric.arguments = schedule_.fabric.kind == "product"
                                     ? resolver.product_arguments(declarations_.fabric->arguments)
                                     : resolver.arguments(declarations_.fabric->arguments);
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
    const auto kind = collective_kind(tree.kind.text, *schedule_.families);
    if (kind) {
      schedule_.collective.kind = *kind;
    } else {
      std::string message = fmt::format("unknown collective '{}'", tree.kind.text);
      const auto names = collective_names(*schedule_.families);
      if (const auto near = nearest(tree.kind.text, names)) message += fmt::format("; did you mean '{}'?", *near);
      context_.diagnostics.push_back(error_at(tree.kind.span, std::move(message), Code::name));
    }
    schedule_.collective.arguments = resolver.arguments(tree.arguments);
    refuse_repeated(schedule_.collective.arguments);
    if (kind) refuse_arguments_not_taken(kind->facts());
    for (const ast::ChunkItem& item : tree.items) schedule_.collective.chunks.push_back(resolver.chunk_item(item));
  }

  // Arguments without a name but an operation's are refused with their values.
  void refuse_arguments_not_taken(const CollectiveFacts& facts) {
    for (const ir::Argument& argument : schedule_.collective.arguments) {
      const std::string name = argument.key.empty() ? argument.word.value_or("") : argument.key;
      if (name.empty()) continue;
      if (std::string fault = fault_of_argument(facts, name); !fault.empty())
        context_.diagnostics.push_back(error_at(argument.span, std::move(fault), Code::name));
    }
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

  // Returns the measure that the claim calls the least there is. Reports an error, and returns nothing, if the claim is
  // no measure.
  std::optional<OptimalMeasure> optimal_measure(const ast::ClaimDeclaration& tree) {
    const auto* name = std::get_if<ast::NameUse>(&tree.claim->node);
    const std::string_view measure = name == nullptr ? std::string_view() : name->name;
    if (measure == "steps") return OptimalMeasure::steps;
    if (measure == "rounds") return OptimalMeasure::rounds;
    if (measure == "volume") return OptimalMeasure::volume;
    context_.diagnostics.push_back(
        error_at(tree.claim->span, "expected `optimal steps`, `optimal rounds` or `optimal volume`", Code::invalid));
    return std::nullopt;
  }

  void claims() {
    for (std::size_t i = 0; i < declarations_.claims.size(); ++i) {
      const ast::ClaimDeclaration& tree = *declarations_.claims[i];
      ir::Claim claim;
      claim.text = (tree.optimal ? "optimal " : "") + format(*tree.claim);
      if (tree.when) claim.text += " when " + format(*tree.when);
      if (const auto* binary = std::get_if<ast::Binary>(&tree.claim->node)) {
        claim.sides = {format(*binary->left), format(*binary->right)};
      }
      claim.span = tree.claim->span;
      Resolver resolver(context_, claim.frame);
      resolver.allow_measured();
      if (tree.optimal) claim.optimal = optimal_measure(tree);
      claim.claim = resolver.expression(*tree.claim, tree.optimal ? Type::integer : Type::boolean);
      if (tree.when) claim.when = resolver.expression(*tree.when, Type::boolean);
      schedule_.claims.push_back(std::move(claim));
    }
  }

  void invariants() {
    for (std::size_t i = 0; i < declarations_.invariants.size(); ++i) {
      const ast::InvariantDeclaration& tree = *declarations_.invariants[i];
      ir::Invariant invariant;
      invariant.text = format(tree);
      invariant.span = declarations_.invariant_spans[i];
      Resolver resolver(context_, invariant.frame);
      ir::Expression steps = resolver.integer_set(*tree.step.set);
      invariant.step = {tree.step.variable.text, resolver.locals().declare(tree.step.variable, Type::integer),
                        std::move(steps)};
      for (const ast::HeldItem& item : tree.items) invariant.items.push_back(resolver.held_item(item));
      schedule_.invariants.push_back(std::move(invariant));
    }
  }

  const Declarations& declarations_;
  const Limits& limits_;
  ResolveContext context_;
  ir::Schedule schedule_;
};

// A program whose files are compiled: the first one, and those that it runs.
class ProgramAtWork {
 public:
  ProgramAtWork(const ast::SourceFiles& program, const CompileOptions& options, Diagnostics& diagnostics)
      : program_(program), options_(options), diagnostics_(diagnostics) {
    const auto fabrics = fabrics_defined(program, true, options.limits);
    if (!fabrics) {
      diagnostics.insert(diagnostics.end(), fabrics.diagnostics().begin(), fabrics.diagnostics().end());
    } else if (!fabrics->empty()) {
      // Those that the program defines come before those of the same name that ship.
      auto families = std::make_shared<Families>(*options.families);
      families->topologies.insert(families->topologies.begin(), fabrics->begin(), fabrics->end());
      families_ = std::move(families);
    }
  }

  // Null if there are mistakes, which are then among the diagnostics. A file that is run in several places is compiled
  // once.
  std::shared_ptr<const ir::Schedule> compiled(std::size_t file, std::string name) {
    if (const auto known = known_.find(file); known != known_.end()) return known->second;
    const std::size_t mistakes = diagnostics_.size();
    const Declarations declarations = collect_declarations(program_, file, diagnostics_);
    Compilation compilation(declarations, options_, families_, diagnostics_);
    for (const std::size_t run : declarations.run_files) {
      compilation.add_run(compiled(run, std::filesystem::path(name_of(run)).stem().string()));
    }
    auto schedule = std::make_shared<ir::Schedule>(compilation.run());
    schedule->name = std::move(name);
    return known_[file] = diagnostics_.size() == mistakes ? std::move(schedule) : nullptr;
  }

 private:
  // "shipped:scatter" of one that ships.
  std::string name_of(std::size_t file) const {
    const std::string& name = program_.sources[program_.files[file].source].name;
    return name.substr(name.find(':') == std::string::npos ? 0 : name.find(':') + 1);
  }

  const ast::SourceFiles& program_;
  const CompileOptions& options_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const Families> families_;  // null: the program defines no fabrics
  std::map<std::size_t, std::shared_ptr<const ir::Schedule>> known_;
};

}  // namespace

Result<std::shared_ptr<const ir::Schedule>> compile(const ast::SourceFiles& program, std::string name,
                                                    const CompileOptions& options) {
  try {
    Diagnostics diagnostics;
    const auto schedule = ProgramAtWork(program, options, diagnostics).compiled(0, std::move(name));
    if (!diagnostics.empty()) return diagnostics;
    return schedule;
  } catch (const EvaluationError& at_limit) {
    return at_limit.diagnostic;
  }
}

}  // namespace quadrille
