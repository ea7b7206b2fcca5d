// Where comments go that the grammar meets between blocks. The layout hands them out by line (layout.h); here those
// before an `else` become the last lines of the block above it, and one behind the `else` moves to the first statement
// below.
#include "dsl/grammar_blocks.h"

#include <iterator>
#include <utility>

namespace quadrille::grammar {
namespace {

void append_trailing(ast::Block& block, ast::Comments& comments) {
  std::vector<std::string>& texts = block.trailing_comments;
  if (texts.empty()) {
    block.blank_line_before_trailing = comments.blank_line_before;
  } else if (comments.blank_line_before) {
    texts.emplace_back(ast::blank_line);
  }
  texts.insert(texts.end(), std::make_move_iterator(comments.before.begin()),
               std::make_move_iterator(comments.before.end()));
}

template <class Target>
void take(Target& target, TrailingComments&& trailing) {
  target.trailing_comments = std::move(trailing.texts);
  target.blank_line_before_trailing = trailing.blank_line_before;
}

}  // namespace

void attach(ast::If& statement, ElseBranch branch) {
  if (!branch.comments.before.empty()) append_trailing(statement.then, branch.comments);
  if (branch.comments.after && !branch.block.statements.empty()) {
    ast::Comments& first = branch.block.statements.front().comments;
    if (branch.same_line) {
      first.after = std::move(branch.comments.after);
    } else {
      first.before.insert(first.before.begin(), std::move(*branch.comments.after));
    }
  }
  statement.otherwise = std::move(branch.block);
}

void attach(ast::ChunkLoop& loop, ChunkBlock block) {
  loop.items = std::move(block.items);
  take(loop, std::move(block.trailing));
}

void attach(ast::CollectiveDeclaration& collective, ChunkBlock block) {
  collective.items = std::move(block.items);
  take(collective, std::move(block.trailing));
}

void attach(ast::FabricLoop& loop, FabricBlock block) {
  loop.items = std::move(block.items);
  take(loop, std::move(block.trailing));
}

void attach(ast::FabricDefinition& fabric, FabricBlock block) {
  fabric.items = std::move(block.items);
  take(fabric, std::move(block.trailing));
}

void attach(ast::HeldLoop& loop, HeldBlock block) {
  loop.items = std::move(block.items);
  take(loop, std::move(block.trailing));
}

void attach(ast::InvariantDeclaration& invariant, HeldBlock block) {
  invariant.items = std::move(block.items);
  take(invariant, std::move(block.trailing));
}

}  // namespace quadrille::grammar
