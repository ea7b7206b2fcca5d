// Declarations of all files merged, and the scopes of local names.
//
// Included files come first, the main file last, so that it can put its own in their place: after `include "base.qd"`
// with `param n in 2..8` there, a `param n in 2..64` of the main file takes the same place in the list of parameters,
// and the included functions that use n mean the new one. Of included files the collective, the claims, the
// invariants and the statements do not count. Cost: linear in the declarations.
#include "compiler/front/names.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

Diagnostic declared_twice(const ast::Name& name, Span first) {
  Diagnostic diagnostic = error_at(name.span, fmt::format("'{}' is declared twice", name.text), Code::duplicate);
  diagnostic.notes.emplace_back(first, "the first declaration is here");
  return diagnostic;
}

Declarations collect_declarations(const ast::SourceFiles& program, Diagnostics& diagnostics) {
  Declarations declarations;
  Collector collector(declarations, diagnostics);
  for (std::size_t i = 1; i < program.files.size(); ++i) collector.add(program.files[i], false);
  collector.add(program.files[0], true);
  const std::uint32_t main = program.files[0].source;
  const auto end = static_cast<std::uint32_t>(main < program.sources.size() ? program.sources[main].text.size() : 0);
  const Span at_end{main, end, end};
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
