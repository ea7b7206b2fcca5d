// Relabelling: a send inside `relabel x -> e` goes between the images of its ends, and its packet is named by the
// images of its name, by the innermost relabelling first (model/MODEL.md). So nothing else needs to know of
// relabellings: every obligation about a family is about the processors that its sends really have.
//
//   relabel x -> i*n2 + x carrying y -> y: send 0 -> 1        goes from i*n2 to i*n2 + 1, and carries 0
//
// A relabelling must do what the compiler demands of it: each image is a processor. It need not be a permutation: two
// sends that it maps to the same ends are still two sends, which meet or do not. But the elements of sets, which are
// identified by the variables behind them (expressions.h), must keep different images; that is a condition, too.
//
// Cost: the expressions of each relabelling for source, target and packet.
#include <utility>

#include "verifier/prover/unfold/unfold.h"

namespace quadrille::prover {

void Unfolder::run_node(const ir::Run&, const ir::Statement& s, const StatementPlace&) {
  throw Unsupported{"the statements of another schedule (`run`)", s.span};
}

void Unfolder::run_node(const ir::Relabel& relabel, const ir::Statement& s, const StatementPlace& at) {
  if (relabel.count) throw Unsupported{"a block of processors (`of`)", s.span};
  if (relabel.parts) throw Unsupported{"parts that are relabelled", s.span};
  if (relabel.packets && ir::is_set(relabel.packets->image.type))
    throw Unsupported{"packets that are relabelled as sets", s.span};
  relabellings_.push_back({&relabel, at.in.frame, at.relabelling});
  StatementPlace inner = at;
  inner.relabelling = &relabellings_.back();
  block(relabel.body, std::move(inner));
}

// The image of a number. The renaming's expressions use the frame of its statement; the known conditions are those at
// the send.
Number Unfolder::image(const Relabelling& by, const ir::Renaming& renaming, const Number& of,
                       const ExpressionContext& at) {
  ExpressionContext own{by.frame, at.scope, at.given, at.depth};
  own.frame[renaming.variable.value] = of;
  return expressions_->number(renaming.image, own);
}

Number Unfolder::relabelled(Number processor, const StatementPlace& at, Span span) {
  for (const Relabelling* by = at.relabelling; by != nullptr; by = by->outer) {
    processor = image(*by, by->relabel->processors, processor, at.in);
    expressions_->require(
        at.in, algebra_.conjunction({algebra_.at_least_zero(processor), algebra_.less(processor, problem_.processors)}),
        "a processor is relabelled to a processor", span, "it is relabelled {}", processor);
  }
  return processor;
}

Number Unfolder::carried(Number processor, const StatementPlace& at, Span span) {
  if (at.relabelling == nullptr) return processor;
  for (const Relabelling* by = at.relabelling; by != nullptr; by = by->outer) {
    const ir::Relabel& relabel = *by->relabel;
    processor = image(*by, relabel.packets ? *relabel.packets : relabel.processors, processor, at.in);
  }
  expressions_->require(
      at.in, algebra_.conjunction({algebra_.at_least_zero(processor), algebra_.less(processor, problem_.processors)}),
      "the packet's ends exist", span, "there is no packet of processor {}", processor);
  return processor;
}

Piece Unfolder::relabelled(Piece piece, const StatementPlace& at, Span span) {
  if (at.relabelling == nullptr) return piece;
  piece.element = relabelled(piece.element, inside(at, piece.variables, piece.given), span);
  expressions_->require_different(at.in, piece, span);
  return piece;
}

Piece Unfolder::carried(Piece piece, const StatementPlace& at, Span span) {
  if (at.relabelling == nullptr) return piece;
  piece.element = carried(piece.element, inside(at, piece.variables, piece.given), span);
  expressions_->require_different(at.in, piece, span);
  return piece;
}

// Elements of different pieces might have the same image.
void Unfolder::require_one_piece(const Set& set, const StatementPlace& at, Span span) {
  if (at.relabelling != nullptr && set.pieces.size() > 1)
    throw Unsupported{"a list of processors that is relabelled", span};
}

}  // namespace quadrille::prover
