// The closed formulas of Communications in Binary Fat Trees, for its own model: a binary fat tree with full-duplex
// links and multiple ports, one packet a message. Both are for comparison; our bounds do not rest on them.
//
// Table 1's n + 1 relies on a single link at each processor (c_1 = 1) and on a processor four hops away, so on n >=
// 4. For n = 2 it is false, and no formula is given. Its exchange takes the larger of n + 1 and n^2 / (4 c), c =
// c_log n. The formula goes with the argument that it comes from, receptions or cut.
#include <algorithm>
#include <cmath>

#include "model/topology.h"
#include "verifier/bounds/parts.h"

namespace quadrille::bounds {
namespace {

// The tree, if the fabric is one in the paper's model.
const CompleteTree* paper_tree(const Fabric& fabric) {
  const CompleteTree* tree = fabric.topology().tree();
  const Rules& rules = fabric.rules();  // queues may be limited: a bound without a limit holds with one
  const bool stated =
      tree != nullptr && tree->arity == 2 && rules.duplex == Duplex::full && rules.ports == Ports::multi;
  return stated ? tree : nullptr;
}

bool exponential(const CompleteTree& tree) {
  std::uint64_t width = 1;
  for (const std::uint32_t capacity : tree.capacities) {
    if (capacity != width) return false;
    width *= 2;
  }
  return true;
}

std::optional<PaperFormula> table_1(std::string text, double value) {
  return PaperFormula{std::move(text), value, std::string(table_1_source)};
}

std::optional<PaperFormula> exchange_formula(BoundKind bound, const CompleteTree& tree, double n) {
  const auto log_n = static_cast<double>(tree.capacities.size());
  if (bound == BoundKind::holes && exponential(tree)) {
    return PaperFormula{"n + 2 log n - 2 log log n - 2", n + 2 * log_n - 2 * std::log2(log_n) - 2,
                        std::string(lemma_3_source)};
  }
  const double crossing = n * n / (4 * static_cast<double>(tree.capacities.back()));
  const BoundKind argument = n + 1 >= crossing ? BoundKind::receptions : BoundKind::cut;
  if (bound != argument || n < 4 || tree.capacities.front() != 1) return std::nullopt;
  return table_1("max(n + 1, n^2 / (4 c))", std::max(n + 1, crossing));
}

}  // namespace

std::optional<PaperFormula> paper_formula(BoundKind bound, const Fabric& fabric, const Collective& collective) {
  const CompleteTree* tree = paper_tree(fabric);
  if (tree == nullptr || collective.description().parts != 1) return std::nullopt;
  const auto n = static_cast<double>(fabric.processors());
  const bool single_link = n >= 4 && tree->capacities.front() == 1;
  switch (collective.kind()) {
    case CollectiveKind::total_exchange:
      return exchange_formula(bound, *tree, n);
    case CollectiveKind::broadcast:
      if (bound != BoundKind::distance) break;
      return table_1("2 log n", 2 * static_cast<double>(tree->capacities.size()));
    case CollectiveKind::scatter:
      if (bound != BoundKind::sends || !single_link) break;
      return table_1("n + 1", n + 1);
    case CollectiveKind::gather:
    case CollectiveKind::allgather:
      if (bound != BoundKind::receptions || !single_link) break;
      return table_1("n + 1", n + 1);
    default:
      break;
  }
  return std::nullopt;
}

}  // namespace quadrille::bounds
