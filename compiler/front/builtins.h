// The builtins are the functions that the language itself declares.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir.h"

namespace quadrille::ir {

// A declared name: `result(arguments…)`. `variadic` repeats the last argument at least once more.
struct BuiltinSignature {
  std::string_view name;
  Builtin builtin;
  std::vector<Type> arguments;
  Type result = Type::integer;
  bool variadic = false;
  bool claims_only = false;
};

const std::vector<BuiltinSignature>& builtin_signatures();
const BuiltinSignature* find_builtin(std::string_view name);

std::optional<FoldKind> fold_named(std::string_view name);

}  // namespace quadrille::ir
