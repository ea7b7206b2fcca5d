// Declarations of all files merged, and the scopes of local names.
//
// Included files come first, the main file last, so that it can put its own in their place: after `include "base.qd"`
// with `param n in 2..8` there, a `param n in 2..64` of the main file takes the same place in the list of parameters,
// and the included functions that use n mean the new one. Of included files the collective, the claims, the
// invariants and the statements do not count. A file that is run (`run base(n: 4)`) gives nothing here: it is compiled
// by itself. Cost: linear in the declarations.
#include "compiler/front/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <type_traits>

namespace quadrille {
namespace {

class Collector {
 public:
  Collector(Declarations& declarations, Diagnostics& diagnostics)
      : declarations_(declarations), diagnostics_(diagnostics) {}

  void add(const ast::File& file, bool main) {
    main_ = main;
    for (const ast::Item& item : file.items) {
      span_ = item.span;
      std::visit([&](const auto& declaration) { add(declaration); }, item.node);
    }
  }

 private:
  void add(const ast::Include&) {}

  void add(const ast::Parameter& parameter) {
    auto& list = declarations_.parameters;
    const auto kind = parameter.pattern ? Global::Kind::pattern
                      : parameter.set   ? Global::Kind::set_parameter
                      : parameter.list  ? Global::Kind::list_parameter
                                        : Global::Kind::parameter;
    const auto found = declarations_.globals.find(parameter.name.text);
    // Only the main file may replace, and only another file's; twice in one file is a mistake, which declare() reports.
    const bool replaces = found != declarations_.globals.end() && main_ && found->second.span.source != span_.source &&
                          is_parameter(found->second.kind);
    if (replaces) {
      list[found->second.index] = &parameter;
      found->second.kind = kind;
      found->second.span = parameter.name.span;
      return;
    }
    // Whether it matters that two included files have one of the same name is known when all names are resolved.
    const bool included = found != declarations_.globals.end() && !main_ && found->second.span.source != span_.source &&
                          is_parameter(found->second.kind);
    if (included) return declarations_.second_parameters.push_back({found->second.index, parameter.name});
    if (declare(parameter.name, kind, list.size())) list.push_back(&parameter);
  }

  void add(const ast::Let& let) {
    auto& list = let.function ? declarations_.functions : declarations_.constants;
    const auto kind = let.function ? Global::Kind::function : Global::Kind::constant;
    if (declare(let.name, kind, list.size())) list.push_back(&let);
  }

  void add(const ast::Procedure& procedure) {
    auto& list = declarations_.procedures;
    if (declare(procedure.name, Global::Kind::procedure, list.size())) list.push_back(&procedure);
  }

  void add(const ast::FabricDeclaration& fabric) {
    if (declarations_.fabric != nullptr && declarations_.fabric_span.source == span_.source) {
      twice("the fabric", declarations_.fabric_span);
      return;
    }
    declarations_.fabric = &fabric;
    declarations_.fabric_span = span_;
  }

  void add(const ast::FabricDefinition&) {}  // a family of its own (fabric_definition.h)

  void add(const ast::CollectiveDeclaration& collective) {
    if (!main_) return;
    if (declarations_.collective != nullptr) {
      twice("the collective", declarations_.collective_span);
      return;
    }
    declarations_.collective = &collective;
    declarations_.collective_span = span_;
  }

  void add(const ast::ClaimDeclaration& claim) {
    if (!main_) return;
    declarations_.claims.push_back(&claim);
    declarations_.claim_spans.push_back(span_);
  }

  void add(const ast::InvariantDeclaration& invariant) {
    if (!main_) return;
    declarations_.invariants.push_back(&invariant);
    declarations_.invariant_spans.push_back(span_);
  }

  void add(const ast::Statement& statement) {
    if (main_) declarations_.body.push_back(&statement);
  }

  bool declare(const ast::Name& name, Global::Kind kind, std::size_t index) {
    const auto [place, fresh] =
        declarations_.globals.emplace(name.text, Global{kind, static_cast<std::uint32_t>(index), name.span});
    if (!fresh) diagnostics_.push_back(declared_twice(name, place->second.span));
    return fresh;
  }

  void twice(std::string_view what, Span first) {
    Diagnostic diagnostic = error_at(span_, fmt::format("{} is declared twice", what), Code::duplicate);
    diagnostic.notes.emplace_back(first, "the first declaration is here");
    diagnostics_.push_back(std::move(diagnostic));
  }

  Declarations& declarations_;
  Diagnostics& diagnostics_;
  bool main_ = false;
  Span span_;
};

// Calls visit(const ast::Run&) for each `run` in the block.
template <class Visit>
void for_each_run(const ast::Block& block, const Visit& visit);

template <class Visit>
void for_each_run(const ast::Statement& statement, const Visit& visit) {
  std::visit(
      [&]<class Node>(const Node& node) {
        if constexpr (std::is_same_v<Node, ast::Run>) visit(node);
        if constexpr (requires { node.body; }) for_each_run(node.body, visit);
        if constexpr (std::is_same_v<Node, ast::If>) {
          for_each_run(node.then, visit);
          if (node.otherwise) for_each_run(*node.otherwise, visit);
        }
      },
      statement.node);
}

template <class Visit>
void for_each_run(const ast::Block& block, const Visit& visit) {
  for (const ast::Statement& statement : block.statements) for_each_run(statement, visit);
}

// Follows includes, and tells files that give their names from those that are run.
class IncludedFiles {
 public:
  IncludedFiles(const ast::SourceFiles& program, Declarations& declarations, Diagnostics& diagnostics)
      : program_(program), declarations_(declarations), diagnostics_(diagnostics), given_(program.files.size()) {}

  // Whether each file gives its names to the file `main`.
  std::vector<bool> given_to(std::size_t main) {
    follow(main);
    return std::move(given_);
  }

 private:
  void follow(std::size_t file) {
    if (given_[file]) return;
    given_[file] = true;
    const ast::File& tree = program_.files[file];
    std::set<std::string> run;
    for (const ast::Item& item : tree.items) {
      const auto note = [&](const ast::Run& node) { run.insert(node.file.text); };
      if (const auto* statement = std::get_if<ast::Statement>(&item.node)) for_each_run(*statement, note);
      if (const auto* procedure = std::get_if<ast::Procedure>(&item.node)) for_each_run(procedure->body, note);
    }
    for (const ast::Item& item : tree.items) {
      const auto* include = std::get_if<ast::Include>(&item.node);
      if (include == nullptr) continue;
      if (run.contains(include->name())) {
        add_run(tree.source, *include);
      } else {
        follow(include->file);
      }
    }
  }

  void add_run(std::uint32_t source, const ast::Include& include) {
    auto& files = declarations_.run_files;
    const auto known = std::find(files.begin(), files.end(), include.file);
    const auto index = static_cast<std::size_t>(known - files.begin());
    if (known == files.end()) files.push_back(include.file);
    const auto [place, fresh] = declarations_.runs.emplace(std::pair(source, include.name()), index);
    if (fresh || place->second == index) return;
    diagnostics_.push_back(error_at(
        include.path_span, fmt::format("two included files have the name '{}', which is run here", include.name()),
        Code::duplicate));
  }

  const ast::SourceFiles& program_;
  Declarations& declarations_;
  Diagnostics& diagnostics_;
  std::vector<bool> given_;
};

}  // namespace

Diagnostic declared_twice(const ast::Name& name, Span first) {
  Diagnostic diagnostic = error_at(name.span, fmt::format("'{}' is declared twice", name.text), Code::duplicate);
  diagnostic.notes.emplace_back(first, "the first declaration is here");
  return diagnostic;
}

Declarations collect_declarations(const ast::SourceFiles& program, std::size_t main, Diagnostics& diagnostics) {
  Declarations declarations;
  const std::vector<bool> given = IncludedFiles(program, declarations, diagnostics).given_to(main);
  Collector collector(declarations, diagnostics);
  for (std::size_t i = 0; i < program.files.size(); ++i) {
    if (i != main && given[i]) collector.add(program.files[i], false);
  }
  collector.add(program.files[main], true);
  const std::uint32_t source = program.files[main].source;
  const auto end =
      static_cast<std::uint32_t>(source < program.sources.size() ? program.sources[source].text.size() : 0);
  const Span at_end{source, end, end};
  if (declarations.fabric == nullptr) declarations.fabric_span = at_end;
  if (declarations.collective == nullptr)
    diagnostics.push_back(
        error_at(at_end, "the file names no collective; expected a line such as 'collective broadcast(root: 0)'",
                 Code::missing));
  return declarations;
}

ir::VariableId LocalNames::declare(const ast::Name& name, ir::Type type) {
  const ir::VariableId variable(frame_.size++);
  frame_.variables.push_back({name.text, type, innermost()});
  by_name_[name.text].push_back(locals_.size());
  locals_.push_back({name.text, variable, type, name.span});
  return variable;
}

const LocalNames::Local* LocalNames::find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() || found->second.empty() ? nullptr : &locals_[found->second.back()];
}

// A name's stack of declarations ends with the innermost; closing a scope takes off what it declared, in reverse.
void LocalNames::close_scope(std::size_t mark) {
  for (; locals_.size() > mark; locals_.pop_back()) by_name_[locals_.back().name].pop_back();
}

}  // namespace quadrille
