// Reversals whose packets combine: a schedule of the dual collective, which copies, with time reversed. Its last step
// T is guessed and proved as that of any block (timing.h). Then a packet that leaves in step s comes back in step T -
// s + 1, and is its new sender's partial reduction of the value. So the reversal is an ordinary block, of sends with
// steps of their own.
//
//   reverse: for t in 0..L-1: at t + 1: send k -> k + 2^t           a broadcast, in a reduction
//   is    for t in 0..L-1: at L - t: send k + 2^t -> k
//
// Of the sends that inform a processor of a chunk, only the first is reversed. Here each send must be the first one:
// the families build on the condition that no processor gets a chunk twice, or one that it has from the start.
#include <fmt/format.h>

#include <utility>

#include "model/collective_family.h"
#include "verifier/prover/obligations/samples.h"
#include "verifier/prover/obligations/timing.h"
#include "verifier/prover/unfold/unfold.h"

namespace quadrille::prover {
namespace {

// The number of the value that a chunk of the dual collective stands for.
Number value_number(const BoundCollective& dual, const Family& family) {
  return dual.kind.facts().demand->value_of(family.origin, family.part, dual.parts);
}

Condition basis(const std::vector<Atom>& scope, Formula given, Formula must, std::string words, Span span) {
  return {scope, given, must, std::move(words), span, "", {}, true};
}

}  // namespace

// Adds the condition that each send informs somebody.
void Unfolder::require_first_receptions(std::size_t first) {
  std::vector<Obligation> none;
  const Writing writing{algebra_, problem_, watch_, none};
  auto& conditions = problem_.conditions;
  const auto& families = problem_.families;
  for (std::size_t f = first; f < families.size(); ++f) {
    const Family& family = families[f];
    conditions.push_back(basis(packet_variables(family), algebra_.conjunction({family.given, family.chunks_given}),
                               algebra_.negation(algebra_.equal(family.target, family.origin)),
                               "nobody is sent what it has from the start", family.span));
    for (std::size_t g = f; g < families.size(); ++g) {
      for (const SamplePair& pair : two_sends(writing, family, families[g], {}, Each::delivery)) {
        const Formula same = algebra_.conjunction({algebra_.equal(pair.a.target, pair.b.target),
                                                   algebra_.equal(pair.a.origin, pair.b.origin),
                                                   algebra_.equal(pair.a.part, pair.b.part)});
        conditions.push_back(basis(pair.scope(), algebra_.conjunction({pair.a.given, pair.b.given}),
                                   algebra_.negation(same), "nobody is sent the same twice", family.span));
      }
    }
  }
}

void Unfolder::reverse_into_reduction(const ir::Reverse& reverse, const ir::Statement& s, const StatementPlace& at) {
  const BoundCollective& own = *at.collective;
  const auto kind = Collective::dual(own.kind);
  auto terms = kind ? kind->family().terms() : std::nullopt;
  if (!terms || !terms->for_everyone)
    throw Unsupported{fmt::format("the reversal of {}", own.kind.facts().name), s.span};
  const BoundCollective dual{*kind, std::move(*terms), {own.parameters[0], own.parameters[1]}, own.parameters[2], {}};
  auto* backwards = clock(Clock::Kind::part, at, s.span);
  backwards->start = Number(0);
  const std::size_t first = problem_.families.size();
  StatementPlace inner = on(at, backwards, Number(0));
  inner.collective = &dual;
  block(reverse.body, std::move(inner));
  if (&problem_.clocks.back() != backwards) throw Unsupported{"sequence inside a reversal", s.span};
  for (std::size_t i = first; i < problem_.families.size(); ++i) {
    if (problem_.families[i].multicast) throw Unsupported{"the reversal of a send to many", s.span};
  }
  algebra_.compare_by_bounds(false);
  require_first_receptions(first);
  std::vector<Obligation> shown;
  const Number length = length_of({algebra_, problem_, watch_, shown}, *backwards);
  for (Obligation& each : shown) {
    problem_.conditions.push_back(basis(each.scope, each.given, each.must, std::move(each.meaning), each.span));
  }
  algebra_.compare_by_bounds(true);
  for (std::size_t i = first; i < problem_.families.size(); ++i) {
    Family& family = problem_.families[i];
    const Number arrival = family.start + duration(algebra_, problem_.machine, family) - Number(1);
    family.start = at.before + length - arrival + Number(1);
    family.clock = at.clock;
    family.part = value_number(dual, family);
    std::swap(family.source, family.target);
    family.origin = family.source;
    family.addressee = family.target;
  }
  problem_.clocks.pop_back();
}

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
    expressions_->require(at.in, algebra_.below(processor, problem_.processors),
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
  expressions_->require(at.in, algebra_.below(processor, problem_.processors), "the packet's ends exist", span,
                        "there is no packet of processor {}", processor);
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
