// Idea: symmetry breaking. Subtrees with a common parent can be exchanged in any schedule, so it is enough to look at
// schedules in which no subtree sends its first message before its left sibling has sent one.
//
//   allgather on a tree of two leaves: sent(leaf 1, t) -> sent(leaf 0, t); schedules in which leaf 1 begins are left
//   out
//
// Cost: a variable for each subtree and step; a clause for each leaf below, and three more. Source:
// verifier/FORMULA.md, constraint 14 and Why it is right.
#include "verifier/certificate/formulas/siblings.h"

#include <utility>

#include "verifier/certificate/formulas/trees.h"

namespace quadrille::certificate {
namespace {

bool siblings_are_ordered(const Certificate& question) {
  return tree_of(question.fabric).has_value() && !question.fabric.switches_forward() && !question.collective.listed() &&
         question.collective.shape() == shares_to_all(1) && question.inject_once && question.paths_kept;
}

}  // namespace

Siblings::Siblings(const Certificate& question, Writer& writer) : T_(question.steps), writer_(writer) {
  if (!siblings_are_ordered(question)) return;
  const auto [arity, levels] = *tree_of(question.fabric);
  std::uint32_t leaves = 1;
  // Level by level from the leaves, from left to right, as the page numbers them.
  for (std::uint32_t level = 0; level < levels; ++level, leaves *= arity) {
    for (std::uint32_t j = 0; j < question.fabric.processors() / leaves; ++j) {
      Subtree subtree{j * leaves, (j + 1) * leaves - 1, writer.series(1, T_), {}};
      if (j % arity != 0) subtree.left_sibling = subtrees_.size() - 1;
      subtrees_.push_back(subtree);
    }
  }
}

void Siblings::write(const std::function<std::int32_t(NodeId leaf, std::uint32_t step)>& hop_of) {
  for (const Subtree& X : subtrees_) {
    for (std::uint32_t t = 1; t <= T_ && !writer_.stopped(); ++t) {
      Literals reasons{-X.sent.at(t), X.sent.at(t - 1)};
      for (std::uint32_t leaf = X.first_leaf; leaf <= X.last_leaf; ++leaf) {
        const std::int32_t hop = hop_of(NodeId(leaf), t);
        writer_.clause({-hop, X.sent.at(t)});
        reasons.push_back(hop);
      }
      writer_.clause({-X.sent.at(t - 1), X.sent.at(t)});
      writer_.clause(std::move(reasons));
      if (X.left_sibling) writer_.clause({-X.sent.at(t), subtrees_[*X.left_sibling].sent.at(t)});
    }
  }
}

}  // namespace quadrille::certificate
