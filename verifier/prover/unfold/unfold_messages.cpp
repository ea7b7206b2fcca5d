// Idea: in rounds a send is a message of several chunks. The parts after `carrying` may be sets. Each set consists of
// pieces with variables of their own, and each choice of a piece for origin, addressee and part is a family of the
// message's chunks.
//
//   in a scatter from 0, `send 0 -> 4 carrying 0 -> {4..7}` is the message 0 -> 4, with the chunks 0->x for x in 4..7
//
// Sets have no element twice (sets.cpp ensures this), so the chunks of a message are different.
//
// Cost: the product of the numbers of pieces; each is one except for sets in `{…}` or with `if`.
#include "verifier/prover/unfold/unfold.h"

namespace quadrille::prover {

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
    expressions_->require(here.in,
                          algebra_.conjunction({algebra_.at_least_zero(end), algebra_.less(end, problem_.processors)}),
                          "the packet's ends exist", family.span, "there is no packet of processor {}", end);
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
