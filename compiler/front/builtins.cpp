// The functions that the language brings along, as a table: name, types of arguments and result. The resolver checks
// calls against it; the evaluators (evaluate_builtins.cpp for one size, the prover's for all) switch over the enum
// alone. A new function is a line here and a case in each of them.
#include "compiler/front/builtins.h"

#include <algorithm>
#include <array>

namespace quadrille::ir {

std::string_view to_string(Type type) {
  constexpr std::array<std::string_view, 6> names = {"a number",         "a truth value",  "a node",
                                                     "a set of numbers", "a set of nodes", "a procedure"};
  return names[static_cast<std::size_t>(type)];
}

const std::vector<BuiltinSignature>& builtin_signatures() {
  using enum Type;
  static const std::vector<BuiltinSignature> signatures = {
      {"n", Builtin::processor_count, {}, integer},
      {"processors", Builtin::processors, {}, integer_set},
      {"all", Builtin::all, {}, integer_set},
      {"levels", Builtin::levels, {}, integer},
      {"switches", Builtin::switches, {integer}, node_set},
      {"switch", Builtin::switch_at, {integer, integer}, node},
      {"parent", Builtin::parent, {node}, node},
      {"level", Builtin::level, {node}, integer},
      {"neighbours", Builtin::neighbours, {node}, node_set},
      {"leaves", Builtin::leaves, {node}, integer_set},
      {"lca", Builtin::lca, {node, node}, node},
      {"distance", Builtin::distance, {node, node}, integer},
      {"capacity_at", Builtin::capacity_at, {integer}, integer},
      {"log2", Builtin::log2, {integer}, integer},
      {"ceil_div", Builtin::ceil_div, {integer, integer}, integer},
      {"sqrt", Builtin::sqrt, {integer}, integer},
      {"reverse_bits", Builtin::reverse_bits, {integer, integer}, integer},
      {"gcd", Builtin::gcd, {integer, integer}, integer},
      {"abs", Builtin::abs, {integer}, integer},
      {"min", Builtin::min, {integer, integer}, integer, true},
      {"max", Builtin::max, {integer, integer}, integer, true},
      {"size", Builtin::size, {integer_set}, integer},
      {"in_rounds", Builtin::in_rounds, {}, boolean},
      {"parts", Builtin::parts, {}, integer_set},
      {"steps", Builtin::steps, {}, integer, false, true},
      {"messages", Builtin::messages, {}, integer, false, true},
      {"rows", Builtin::rows, {}, integer, false, true},
      {"max_queue", Builtin::max_queue, {}, integer, false, true},
      {"max_buffer", Builtin::max_buffer, {}, integer, false, true},
      {"rounds", Builtin::rounds, {}, integer, false, true},
      {"volume", Builtin::volume, {}, integer, false, true},
      {"load", Builtin::load, {}, integer, false, true},  // compared_load() gives it an argument
      {"hops", Builtin::hops, {}, integer, false, true},
  };
  return signatures;
}

const BuiltinSignature* find_builtin(std::string_view name) {
  const auto& all = builtin_signatures();
  const auto found = std::find_if(all.begin(), all.end(), [&](const BuiltinSignature& s) { return s.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::optional<FoldKind> fold_named(std::string_view name) {
  if (name == "sum") return FoldKind::sum;
  if (name == "min") return FoldKind::min;
  if (name == "max") return FoldKind::max;
  if (name == "count") return FoldKind::count;
  if (name == "all") return FoldKind::all;
  if (name == "any") return FoldKind::any;
  return std::nullopt;
}

}  // namespace quadrille::ir
