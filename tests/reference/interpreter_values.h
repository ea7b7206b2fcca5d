// Expressions of the reference interpreter.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "dsl/ast.h"
#include "model/fabric.h"
#include "model/route.h"
#include "tests/reference/interpreter.h"

namespace quadrille::reference {

using Set = std::vector<std::int64_t>;
// Nodes are numbers here; a procedure is its declaration.
using Value = std::variant<std::int64_t, bool, Set, const ast::Procedure*>;
using Names = std::map<std::string, Value>;

class Values {
 public:
  Values(const ast::SourceFiles& program, const Fabric& fabric, const Router& router);

  Value value(const ast::Expression& expression, const Names& names);
  std::int64_t number(const ast::Expression& e, const Names& names) { return std::get<std::int64_t>(value(e, names)); }
  bool truth(const ast::Expression& e, const Names& names) { return std::get<bool>(value(e, names)); }
  Set set(const ast::Expression& e, const Names& names) { return std::get<Set>(value(e, names)); }
  std::uint32_t processor(const ast::Expression& e, const Names& names);

  const ast::Procedure* procedure(const std::string& name) const;

  // Calls visit(names) for each combination of the bindings' values.
  template <class Visit>
  void for_each(const std::vector<ast::Binding>& bindings, std::size_t first, const Names& names, const Visit& visit) {
    if (first == bindings.size()) return visit(names);
    Names inner = names;
    for (const std::int64_t x : set(*bindings[first].set, names)) {
      inner[bindings[first].variable.text] = x;
      for_each(bindings, first + 1, inner, visit);
    }
  }

 private:
  Value name(const std::string& name, const Names& names);
  Value unary(const ast::Unary& u, const Names& names);
  Value binary(const ast::Binary& b, const Names& names);
  Value call(const ast::CallExpression& c, const Names& names);
  Value builtin(const std::string& name, const std::vector<Value>& arguments) const;
  Value fold(const ast::Fold& f, const Names& names);

  const ast::SourceFiles& program_;
  const Fabric& fabric_;
  const Router& router_;
};

}  // namespace quadrille::reference
