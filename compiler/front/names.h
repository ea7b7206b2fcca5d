// Name tables map the names of a schedule to their declarations while it is being compiled.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/ir.h"
#include "dsl/ast.h"
#include "model/text/diagnostic.h"

namespace quadrille {

// Something declared at the top level of a file.
struct Global {
  enum class Kind : std::uint8_t { parameter, pattern, set_parameter, list_parameter, constant, function, procedure };
  Kind kind = Kind::parameter;
  std::uint32_t index = 0;  // in the schedule's list of that kind
  Span span;
};

constexpr bool is_parameter(Global::Kind kind) { return kind <= Global::Kind::list_parameter; }

// The declarations of a program, after includes have been merged. A parameter, fabric or collective of the main file
// takes the place of an included file's one of the same name.
struct Declarations {
  std::vector<const ast::Parameter*> parameters;
  std::vector<const ast::Let*> constants;
  std::vector<const ast::Let*> functions;
  std::vector<const ast::Procedure*> procedures;
  const ast::FabricDeclaration* fabric = nullptr;
  const ast::CollectiveDeclaration* collective = nullptr;
  Span fabric_span, collective_span;
  std::vector<const ast::ClaimDeclaration*> claims;
  std::vector<Span> claim_spans;
  std::vector<const ast::InvariantDeclaration*> invariants;
  std::vector<Span> invariant_spans;
  std::vector<const ast::Statement*> body;
  // Parameters of included files that another included file has declared before, with the index of the first one; an
  // error if something refers to it and the main file does not replace it.
  std::vector<std::pair<std::uint32_t, ast::Name>> second_parameters;
  std::map<std::string, Global, std::less<>> globals;
  // The included files whose statements are run, as indices into SourceFiles::files; and which of them a name means
  // that `run` has, by the source where it stands.
  std::vector<std::size_t> run_files;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> runs;
};

Diagnostic declared_twice(const ast::Name& name, Span first);

// Merges the file `main` (an index) and what it includes, but for files that are run: those keep their names to
// themselves. Names declared twice and missing lines go to `diagnostics`.
Declarations collect_declarations(const ast::SourceFiles& program, std::size_t main, Diagnostics& diagnostics);

// The local variables in scope while one frame is being resolved.
class LocalNames {
 public:
  struct Local {
    std::string name;
    ir::VariableId variable;
    ir::Type type;
    Span span;
  };

  explicit LocalNames(ir::Frame& frame) : frame_(frame) {}

  // Declares a new variable, in scope until the current scope is closed.
  ir::VariableId declare(const ast::Name& name, ir::Type type);
  const Local* find(std::string_view name) const;
  const std::vector<Local>& in_scope() const { return locals_; }  // outermost first
  std::optional<ir::VariableId> innermost() const {
    return locals_.empty() ? std::nullopt : std::optional(locals_.back().variable);
  }

  std::size_t open_scope() const { return locals_.size(); }
  void close_scope(std::size_t mark);

 private:
  ir::Frame& frame_;
  std::vector<Local> locals_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;  // into locals_, the innermost last
};

}  // namespace quadrille
