// Parts of statements and items that are not nodes of the tree, and how they come into it. No Spirit in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dsl/ast.h"
#include "dsl/layout.h"

namespace quadrille::grammar {

// The lines of a block that lists things: a `collective`'s, a fabric's, an invariant's, or that of a loop in one.
template <class Item>
struct ItemBlock {
  std::vector<Item> items;
  TrailingComments trailing;
};
using ChunkBlock = ItemBlock<ast::ChunkItem>;
using FabricBlock = ItemBlock<ast::FabricItem>;
using HeldBlock = ItemBlock<ast::HeldItem>;

// From `else` on. Its line has no place in the tree for comments of its own.
struct ElseBranch {
  ast::Comments comments;
  ast::Block block;
  bool same_line = false;  // the first statement of the block stands on the line of `else`
};

// The branch becomes the `if`'s. The comments before `else` go to the end of the first block; the one after it goes to
// what begins on that line, or else before the branch's first statement.
void attach(ast::If& statement, ElseBranch branch);

void attach(ast::ChunkLoop& loop, ChunkBlock block);
void attach(ast::CollectiveDeclaration& collective, ChunkBlock block);
void attach(ast::FabricLoop& loop, FabricBlock block);
void attach(ast::FabricDefinition& fabric, FabricBlock block);
void attach(ast::HeldLoop& loop, HeldBlock block);
void attach(ast::InvariantDeclaration& invariant, HeldBlock block);

}  // namespace quadrille::grammar
