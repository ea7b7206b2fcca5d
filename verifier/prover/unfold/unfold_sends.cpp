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
      at.in, one_part ? algebra_.equal(family.part, Number(0)) : algebra_.below(family.part, collective.parts),
      one_part ? "the packet exists (part 0)" : "the packet's part exists", family.span, "the part is {}", family.part);
  TermFormulas named(algebra_, {collective.parameters, family.origin, family.addressee.value_or(Number(0))});
  for (const PacketRule& rule : collective.terms.rules) {
    expressions_->require(at.in, named.truth(rule.must), rule.words, family.span, rule.failure,
                          named.number(rule.number));
  }
}

// Idea: in rounds a send is a message of several chunks. The parts after `carrying` may be sets. Each set consists of
// pieces with variables of their own, and each choice of a piece for origin, addressee and part is a family of the
// message's chunks.
//
//   in a scatter from 0, `send 0 -> 4 carrying 0 -> {4..7}` is the message 0 -> 4, with the chunks 0->x for x in 4..7
//
// Sets have no element twice (sets.cpp ensures this), so the chunks of a message are different.
//
// Cost: the product of the numbers of pieces; each is one except for sets in `{…}` or with `if`.

// The same piece with new variables, so that a set that has a name may be used twice.
Piece Unfolder::renamed(const Piece& piece, const char* name) {
  Piece result;
  Substitution by;
  for (const Atom old : piece.variables) {
    const bool plain = old->name == "x";  // a range's: the user has given it no name
    const Number from = algebra_.substituted(*old->first, by);
    if (problem_.widened && !from.constant()) {  // from 0 on: so that rows and columns are seen
      const Number size = algebra_.substituted(*old->last, by) - from;
      result.variables.push_back(algebra_.variable(plain ? name : old->name, Number(0), size));
      by[old] = from + Number(result.variables.back());
      continue;
    }
    result.variables.push_back(algebra_.variable(plain ? name : old->name, algebra_.substituted(*old->first, by),
                                                 algebra_.substituted(*old->last, by)));
    by[old] = Number(result.variables.back());
  }
  result.given = algebra_.substituted(piece.given, by);
  result.element = algebra_.substituted(piece.element, by);
  return result;
}

std::vector<Piece> Unfolder::pieces_of(const std::optional<ir::Expression>& e, const Number& otherwise,
                                       const StatementPlace& at, const char* name) {
  if (!e) return {{{}, algebra_.truth(true), otherwise}};
  const Value value = expressions_->value(*e, at.in);
  if (const auto* number = std::get_if<Number>(&value)) return {{{}, algebra_.truth(true), *number}};
  std::vector<Piece> result;
  const Set& set = std::get<Set>(value);
  require_one_piece(set, at, e->span);
  for (const Piece& piece : set.pieces) result.push_back(renamed(piece, name));
  return result;
}

void Unfolder::add_message(const ir::Send& send, const StatementPlace& at, const Family& message, const Ends& ends) {
  if (send.held) return add_held(send, at, message, ends);
  const bool for_everyone = at.collective->terms.for_everyone;
  const bool named = send.origin || send.addressee;
  const std::uint32_t number = ++messages_;
  const Number addressee = for_everyone ? Number(0) : usual_addressee(at, ends);
  const auto to = for_everyone ? std::vector<Piece>{{{}, algebra_.truth(true), Number(0)}}
                               : pieces_of(send.addressee, addressee, at, "addressee");
  for (Piece origin : pieces_of(send.origin, usual_origin(send, at, ends), at, "origin")) {
    if (send.origin) origin = carried(std::move(origin), at, send.origin->span);
    for (Piece target : to) {
      if (send.addressee) target = carried(std::move(target), at, send.addressee->span);
      for (const Piece& part : pieces_of(send.part, Number(0), at, "part")) {
        Family family = message;
        family.message = number;
        for (const Piece* piece : std::initializer_list<const Piece*>{&origin, &target, &part}) {
          family.chunks.insert(family.chunks.end(), piece->variables.begin(), piece->variables.end());
        }
        family.chunks_given = algebra_.conjunction({origin.given, target.given, part.given});
        family.origin = origin.element;
        if (!for_everyone) family.addressee = target.element;
        family.part = part.element;
        require_in_message(family, named, at);
        problem_.families.push_back(std::move(family));
      }
    }
  }
}

// `carrying held`: any chunk, of which the relation of what is held says whether it is there. Where packets combine, a
// partial reduction of each value.
void Unfolder::add_held(const ir::Send& send, const StatementPlace& at, const Family& message, const Ends& ends) {
  if (at.relabelling != nullptr)
    throw Unsupported{"'carrying held' in a relabelling; name the packets that it carries", message.span};
  const BoundCollective& collective = *at.collective;
  const bool combines = collective.reduction.has_value();
  Family family = message;
  family.message = ++messages_;
  family.held = !combines;
  const auto digit = [&](const char* name, const Number& size) {
    family.chunks.push_back(algebra_.variable(name, Number(0), size - Number(1)));
    return Number(family.chunks.back());
  };
  const auto processor = [&](const char* name) {
    if (problem_.extents.empty()) return digit(name, problem_.processors);
    Number result;
    for (const Number& extent : problem_.extents) result = result * extent + digit(name, extent);
    return result;
  };
  family.origin = combines ? ends.source : processor("origin");
  if (combines) family.addressee = ends.target;
  if (!combines && !collective.terms.for_everyone) family.addressee = processor("addressee");
  family.part = collective.parts == Number(1) ? Number(0) : digit("part", collective.parts);
  if (send.held->condition) {
    ExpressionContext in = expressions_->inside(at.in, family.chunks, algebra_.truth(true));
    in.frame[send.held->origin.value] = family.origin;
    in.frame[send.held->target.value] = family.addressee.value_or(Number(-1));
    in.frame[send.held->part.value] = family.part;
    family.chunks_given = expressions_->truth(*send.held->condition, in);
  }
  problem_.families.push_back(std::move(family));
}

// Adds the condition that the collective has all the chunks.
void Unfolder::require_in_message(const Family& family, bool named, const StatementPlace& at) {
  StatementPlace here = inside(at, family.chunks, family.chunks_given);
  // A number after `carrying` need not be a processor by its type.
  const auto exists = [&](const Number& end) {
    expressions_->require(here.in, algebra_.below(end, problem_.processors), "the packet's ends exist", family.span,
                          "there is no packet of processor {}", end);
  };
  if (named) exists(family.origin);
  if (named && family.addressee) {
    exists(*family.addressee);
    expressions_->require(here.in, algebra_.negation(algebra_.equal(family.origin, *family.addressee)),
                          "the packet goes to another processor", family.span, "it comes from {} and goes there",
                          family.origin);
  }
  require_packet(family, here);
}

}  // namespace quadrille::prover
