// Idea: a send statement is one family: its ends, and the packet that it carries, as terms over the variables around
// it. The collective supplies what the schedule leaves out.
//
//   in a scatter from 0, `send 0 -> d` carries 0->d: the existence of the packet is a condition, d != 0
//
// Cost: linear in the statement's expressions.
#include <fmt/format.h>

#include <utility>

#include "verifier/prover/problem/crossing_formulas.h"
#include "verifier/prover/unfold/unfold.h"

namespace quadrille::prover {

void Unfolder::run_node(const ir::Send& send, const ir::Statement& s, const StatementPlace& at) {
  if (!send.along.empty()) throw Unsupported{"a way that is given", s.span};
  if (!send.links.empty()) throw Unsupported{"a tree of links that is given", s.span};
  if (!send.waits.empty()) throw Unsupported{"waiting on the way", s.span};
  if (send.sum || send.keeping) throw Unsupported{"words that are kept, or chained", s.span};
  Family family;
  family.variables = at.in.scope;
  family.given = at.in.given;
  family.known = algebra_.truth(true);
  family.clock = at.clock;
  family.start = at.before + Number(1);
  const Number source = expressions_->number(send.source, at.in);
  family.source = relabelled(source, at, send.source.span);
  family.destinations_given = family.chunks_given = algebra_.truth(true);
  family.span = s.span;
  const Value target = expressions_->value(send.target, at.in);
  const auto* one = std::get_if<Number>(&target);
  if (one != nullptr) return send_to_one(send, at, std::move(family), source, *one);
  send_to_many(send, at, std::move(family), source, std::get<Set>(target));
}

void Unfolder::send_to_one(const ir::Send& send, const StatementPlace& at, Family family, const Number& source,
                           const Number& target) {
  family.target = relabelled(target, at, send.target.span);
  expressions_->require(at.in, algebra_.negation(algebra_.equal(family.target, family.source)), "no send to oneself",
                        family.span, "{} sends to itself", family.target);
  Ends ends{source, target};
  if (at.relabelling != nullptr) {
    ends.source = carried(source, at, send.source.span);
    if (!send.for_everyone) ends.target = carried(target, at, send.target.span);
  }
  send_to(send, at, std::move(family), ends);
}

// Adds one family; in rounds, where each target has a message of its own, one for each piece of the set.
void Unfolder::send_to_many(const ir::Send& send, const StatementPlace& at, Family family, const Number& source,
                            const Set& targets) {
  family.everyone = targets.everyone;
  family.multicast = true;
  const bool rounds = problem_.machine.rounds;
  if (problem_.machine.forwards && !without_switches(problem_.machine))
    throw Unsupported{"a send to many where switches forward", family.span};
  // There, targets may share a message, which branches at switches. No obligation says whether it is a tree.
  if (rounds && !without_switches(problem_.machine))
    throw Unsupported{"a send to many around switches, in rounds", family.span};
  if (!rounds && targets.pieces.size() != 1) throw Unsupported{"a send to a list of processors", family.span};
  if (!rounds && !problem_.machine.levels)
    throw Unsupported{fmt::format("a multicast on a {}", problem_.machine.kind), family.span};
  require_one_piece(targets, at, send.target.span);
  for (const Piece& each : targets.pieces) {
    Piece piece = rounds ? renamed(each, "to") : counted_from_zero(each);
    const Piece images = relabelled(piece, at, send.target.span);
    if (!targets.everyone) piece = images;  // all of them, each with an image of its own, are all again
    family.destinations = piece.variables;
    family.target = piece.element;
    family.destinations_given =
        algebra_.conjunction({piece.given, algebra_.negation(algebra_.equal(piece.element, family.source))});
    send_to(send, at, family, {carried(source, at, send.source.span), family.target});
  }
}

// A range that begins with a formula, as the sum of that formula and a number from 0 on, which is easier to compute
// with.
Piece Unfolder::counted_from_zero(const Piece& piece) {
  if (piece.variables.size() != 1 || piece.variables[0]->first->constant()) return piece;
  const Atom old = piece.variables[0];
  const Atom fresh = algebra_.variable("to", Number(0), *old->last - *old->first);
  const Substitution by = {{old, *old->first + Number(fresh)}};
  return {{fresh}, algebra_.substituted(piece.given, by), algebra_.substituted(piece.element, by)};
}

// Adds the send with its packet: the one that the schedule names, or else the one that its collective implies.
void Unfolder::send_to(const ir::Send& send, const StatementPlace& at, Family family, const Ends& ends) {
  const BoundCollective& collective = *at.collective;
  if (collective.terms.for_everyone) {
    if (send.addressee) throw Unsupported{"an addressee of a packet for everyone", family.span};
  } else if (send.for_everyone || (family.multicast && !send.addressee)) {
    throw Unsupported{"a packet for everyone, where the collective has none", family.span};
  }
  if (problem_.machine.rounds) return add_message(send, at, family, ends);
  if (ir::carries_several(send)) throw Unsupported{"a message of several packets", family.span};
  const auto named = [&](const std::optional<ir::Expression>& e, const Number& otherwise) {
    return e ? carried(expressions_->number(*e, at.in), at, e->span) : otherwise;
  };
  family.origin = named(send.origin, usual_origin(send, at, ends));
  family.part = send.part ? expressions_->number(*send.part, at.in) : Number(0);
  if (!collective.terms.for_everyone) family.addressee = named(send.addressee, usual_addressee(at, ends));
  require_packet(family, at);
  if (problem_.machine.crossings)
    family.to_neighbours = seems_to_go_to_neighbours(problem_, family, algebra_.truth(true));
  problem_.families.push_back(std::move(family));
}

// The collective supplies what the schedule leaves out of a send between these ends.
Number Unfolder::usual_origin(const ir::Send& send, const StatementPlace& at, const Ends& ends) {
  if (send.for_everyone) return ends.source;
  const BoundCollective& collective = *at.collective;
  return TermFormulas(algebra_, {collective.parameters, ends.source, ends.target}).number(collective.terms.origin);
}

Number Unfolder::usual_addressee(const StatementPlace& at, const Ends& ends) {
  const BoundCollective& collective = *at.collective;
  return TermFormulas(algebra_, {collective.parameters, ends.source, ends.target}).number(collective.terms.addressee);
}

// Adds the condition that the collective has the packet.
void Unfolder::require_packet(const Family& family, const StatementPlace& at) {
  const BoundCollective& collective = *at.collective;
  const bool one_part = collective.parts == Number(1);
  expressions_->require(
      at.in,
      one_part
          ? algebra_.equal(family.part, Number(0))
          : algebra_.conjunction({algebra_.at_least_zero(family.part), algebra_.less(family.part, collective.parts)}),
      one_part ? "the packet exists (part 0)" : "the packet's part exists", family.span, "the part is {}", family.part);
  TermFormulas named(algebra_, {collective.parameters, family.origin, family.addressee.value_or(Number(0))});
  for (const PacketRule& rule : collective.terms.rules) {
    expressions_->require(at.in, named.truth(rule.must), rule.words, family.span, rule.failure,
                          named.number(rule.number));
  }
}

}  // namespace quadrille::prover
