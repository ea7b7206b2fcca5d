// Idea: by induction over steps, the relation says what is held. Copied packets: at least what it says. Nothing is had
// at the start but by its origin; what is had from step t on comes by a send that arrives in t; and what is sent is had
// by its sender before. So everyone has what it sends, and what it wants once it is had at all.
//
// Packets that combine: exactly what it says, as a send carries all that its source has. It lands: what the source had
// before, the target has then. And every join is right: what comes is disjoint from what is held, or contains it. If
// two come at once, they and what is held are disjoint from one another: a superset must come alone, since the other
// might join first. For ordered operations there is no gap after an arrival.
//
//   reduce around a ring: k has x from step (k - x) on; k + 1 is sent all of these, and has itself only
//
// Cost: an obligation for each case or family, and for each pair of families that may arrive at once.
//
// Source: Floyd, Assigning Meanings to Programs, 1967.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verifier/prover/algebra/term_formulas.h"
#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/obligations/samples.h"
#include "verifier/prover/obligations/timing.h"
#include "verifier/prover/problem/problem.h"
#include "verifier/prover/relation/columns.h"
#include "verifier/prover/relation/relation.h"

namespace quadrille::prover {
namespace {

class OfRelation {
 public:
  OfRelation(const Writing& writing, const GuessedRelation& guess, const std::vector<Number>& starts)
      : writing_(writing),
        algebra_(writing.algebra),
        problem_(writing.problem),
        guess_(guess),
        relation_(guess.relation),
        starts_(starts) {}

  void write() {
    write_start();
    for (const Family& family : problem_.families) {
      if (combines()) require_whole_way(family);
      if (!family.held) write_exists(family);
      if (!combines() && !family.held) write_has(family);
      if (combines()) write_own(family);
      if (combines()) write_lands(family);
      if (combines() && !idempotent()) write_joins(family);
      if (combines() && problem_.collective.operation == Operation::ordered) write_no_gap(family);
    }
    for (std::size_t i = 0; i < relation_.cases.size(); ++i) write_comes(i);
    if (combines()) write_pairs();
    combines() ? write_combined() : write_delivered();
  }

  void write_no_more() {
    for (const Family& family : problem_.families) write_lands(family);
  }

  std::vector<BringingSend> named(std::size_t in_case) const {
    std::vector<BringingSend> all;
    for (const BringingSend& send : guess_.brought) {
      if (send.in_case != in_case) continue;
      for (const Substitution& preset : presets(send, Number(guess_.step))) append_named(send, preset, all);
    }
    return all;
  }

 private:
  bool combines() const { return problem_.collective.reduction.has_value(); }
  bool idempotent() const { return problem_.collective.operation == Operation::idempotent; }
  Formula both(const std::vector<Formula>& parts) const { return algebra_.conjunction(parts); }
  Formula no(Formula f) const { return algebra_.negation(f); }
  Formula had_by(const RelationItem& item, const Number& step) const { return had(algebra_, relation_, item, step); }

  static Obligation about(Span span, std::string name, std::string meaning) {
    return proof_step(ProvedProperty::complete, std::move(name), std::move(meaning), span);
  }
  void append_named(const BringingSend& of, const Substitution& preset, std::vector<BringingSend>& all) const {
    try {
      const Sought sought = bringing(problem_.families[of.family], of.family, Number(guess_.step), preset);
      for (Substitution& values : suggested_witnesses(algebra_, sought)) {
        values.insert(preset.begin(), preset.end());
        all.push_back({of.in_case, of.family, std::move(values)});
      }
    } catch (const Unsupported&) {  // a number that the algebra has not
    }
  }

  Span whole() const { return problem_.schedule->collective.span; }

  // One delivery, in the schedule's time.
  struct Delivery {
    Sample sent;
    Number start, arrival;
    std::vector<Atom> scope;
  };
  Delivery timed(Sample sent) const {
    const auto f = static_cast<std::size_t>(sent.family - problem_.families.data());
    const Number start = algebra_.substituted(starts_[f], sent.renamed);
    const Number arrival = start + sent.hops - Number(1);
    Delivery it{std::move(sent), start, arrival, {}};
    it.scope = it.sent.scope();
    name(it.sent.source, "source", problem_.processors, it);
    name(it.sent.target, "target", problem_.processors, it);
    if (!(it.sent.origin == it.sent.source)) name(it.sent.origin, "origin", problem_.processors, it);
    name(it.sent.part, "part", problem_.collective.parts, it);
    return it;
  }

  // Puts a variable in place of a number below the size that is more than a sum of variables: that it is below the size
  // is an obligation of its own (well_formed.cpp).
  void name(Number& number, const char* called, const Number& size, Delivery& it) const {
    if (number.linear() && without_operations(number)) return;
    if (relation_.holder.digits.size() > 1 && algebra_.parts_of_equation(number, relation_.holder.number)) return;
    const Atom variable = algebra_.variable(called, Number(0), size - Number(1));
    it.sent.given = both({it.sent.given, algebra_.equal(Number(variable), number)});
    it.scope.push_back(variable);
    number = Number(variable);
  }

  static bool without_operations(const Number& number) {
    return std::ranges::all_of(factors_of(number), [](Atom atom) { return atom->kind == AtomKind::variable; });
  }
  Delivery delivery(const Family& family) const { return timed(sample(writing_, family, Each::delivery, "'")); }

  // A contribution to what the delivery carries, with a variable of its own.
  NumberInDigits contribution(const std::string& suffix) const {
    return renamed_index(algebra_, relation_.origin, suffix);
  }
  static RelationItem packet(const Delivery& of) {
    return {of.sent.source, of.sent.origin, of.sent.addressee, of.sent.part};
  }
  static RelationItem item(const Number& holder, const NumberInDigits& of, const Number& part) {
    return {holder, of.number, std::nullopt, part};
  }

  // --- the start, and what is sent -----------------------------------------------------------------------------------

  void write_start() const {
    const RelationItem any = relation_.item();
    const Formula exists = item_exists(algebra_, problem_, any);
    const Formula own = algebra_.equal(any.holder, any.origin);
    const Formula there = had_by(any, Number(0));
    writing_.add(about(whole(), "starts with its own", "before the first step everyone has its own, and nothing else"),
                 {relation_.scope(), exists, algebra_.disjunction({both({own, there}), both({no(own), no(there)})})});
  }

  // Each delivery is about an item: what is put in place of a number of processors is one.
  void write_exists(const Family& family) const {
    const Sample it = sample(writing_, family, Each::delivery, "'");
    std::vector<Formula> all;
    for (const auto& end : {std::optional(it.origin), it.addressee}) {
      if (!end) continue;
      all.push_back(algebra_.at_least_zero(*end));
      all.push_back(algebra_.less(*end, problem_.processors));
    }
    writing_.add(proof_step(ProvedProperty::causal, "sends what exists",
                            "the origin and the addressee of every packet exist", family.span),
                 {it.scope(), it.given, both(all)});
  }

  void write_has(const Family& family) const {
    const Delivery it = delivery(family);
    Obligation has = proof_step(
        ProvedProperty::causal, "has what it sends",
        fmt::format("everyone has what it sends when the {} begins", problem_.machine.rounds ? "round" : "step"),
        family.span);
    has.explanation = sent(it.sent);
    writing_.add(std::move(has), {it.scope, it.sent.given, had_by(packet(it), it.start - Number(1))});
  }

  // A packet with another origin carries what came to its sender, not what the sender holds.
  void write_own(const Family& family) const {
    const Delivery it = delivery(family);
    writing_.add(
        about(family.span, "sends what it holds", "everyone sends its own partial reduction"),
        {it.scope, it.sent.given,
         both({algebra_.equal(it.sent.origin, it.sent.source), algebra_.equal(*it.sent.addressee, it.sent.target)})});
  }

  // Partial reductions join at processors alone: none passes another processor.
  void require_whole_way(const Family& family) const {
    const Machine& machine = problem_.machine;
    if (machine.rounds || family.to_neighbours || machine.levels) return;
    const auto& classes = machine.crossings->crossings.classes;
    const bool past_switches = std::ranges::all_of(classes, [](const ChannelClass& each) {
      const Term& level = each.from_switch.level;
      const bool from_switch = level.op() == TermOp::number && level.number() != 0;
      return from_switch || (level == Term(0) && each.offset == Term(0));
    });
    if (!past_switches) throw Unsupported{"partial reductions that pass other processors", family.span};
  }

  // --- what comes ----------------------------------------------------------------------------------------------------

  // Sends of the family that bring the relation's own item in the step; `values` are those of some variables.
  Sought bringing(const Family& family, std::size_t f, const Number& step, const Substitution& values) const {
    Sought sought;
    std::vector<Formula> ranges;
    for (const Atom variable : delivery_variables(family)) {
      if (values.count(variable) == 0) {
        sought.variables.push_back(variable);
      } else {
        append_range(algebra_, variable, values, ranges);
      }
    }
    const auto put = [&](const auto& x) { return algebra_.substituted(x, values); };
    sought.known = values;
    sought.given = ranges;
    for (const Formula each : {family.given, family.known, family.destinations_given, family.chunks_given})
      sought.given.push_back(put(each));
    const RelationItem any = relation_.item();
    const Number source = put(family.source);
    const Number start = put(starts_[f]);
    const Number arrival = start + put(duration(algebra_, problem_.machine, family)) - Number(1);
    sought.equations = {{arrival, step}, {put(family.target), any.holder}, {put(family.part), any.part}};
    if (combines() || family.held)
      sought.given.push_back(had_by({source, any.origin, any.addressee, any.part}, start - Number(1)));
    if (!combines()) {
      sought.equations.emplace_back(put(family.origin), any.origin);
      if (any.addressee) sought.equations.emplace_back(put(*family.addressee), *any.addressee);
    }
    return sought;
  }

  // The guessed values, those of them that speak of the step, and none of them: what is left is solved for.
  std::vector<Substitution> presets(const BringingSend& send, const Number& step) const {
    Substitution all, by_step;
    for (const auto& [variable, value] : send.values) {
      all[variable] = inside_range(algebra_, variable, algebra_.substituted(value, {{guess_.step, step}}));
      if (mentions(value, guess_.step)) by_step[variable] = all[variable];
    }
    std::vector<Substitution> result = {all, by_step};
    if (!by_step.empty()) result.emplace_back();
    return result;
  }

  void write_comes(std::size_t number) const {
    const Relation::ArrivalCase& each = relation_.cases[number];
    if (!each.arrival) return;
    const RelationItem any = relation_.item();
    Obligation comes = about(whole(), "comes",
                             problem_.machine.rounds ? "what is had from a round on comes by a message of that round"
                                                     : "what is had from a step on comes by a packet in that step");
    const Formula here = both({item_exists(algebra_, problem_, any), relation_.in_case(algebra_, number),
                               algebra_.at_least_zero(*each.arrival - Number(1))});
    write_within(each, here);
    const Atom step = algebra_.variable("t", each.first.value_or(Number(1)), each.last);
    comes.scope = joined(relation_.scope(), std::vector<Atom>{step});
    comes.given = both({here, algebra_.equal(Number(step), *each.arrival)});
    std::vector<Formula> guessed, ways;
    for (const BringingSend& send : guess_.brought) {
      if (send.in_case != number) continue;
      const Family& family = problem_.families[send.family];
      const std::vector<Substitution> values = presets(send, Number(step));
      guessed.push_back(way_or_none(family, send.family, Number(step), values[0]));
      for (std::size_t i = 1; i < values.size(); ++i)
        ways.push_back(way_or_none(family, send.family, Number(step), values[i]));
    }
    comes.must = algebra_.disjunction(std::move(ways));
    const Formula short_one = algebra_.disjunction(std::move(guessed));
    if (short_one != comes.must) comes.shortcut = Shortcut{comes.meaning + ", by a send that is named", short_one};
    writing_.add(std::move(comes));
  }

  // Writes that the steps of a case are in its range.
  void write_within(const Relation::ArrivalCase& each, Formula here) const {
    writing_.add(about(whole(), "comes in time", "what is had comes between two steps"),
                 {relation_.scope(), here,
                  both({algebra_.at_most(each.first.value_or(Number(1)), *each.arrival),
                        algebra_.at_most(*each.arrival, each.last.value_or(*each.arrival))})});
  }

  Formula way_or_none(const Family& family, std::size_t f, const Number& step, const Substitution& values) const {
    try {
      return some_witness(algebra_, bringing(family, f, step, values));
    } catch (const Unsupported&) {  // a number that the algebra has not
      return algebra_.truth(false);
    }
  }

  void write_lands(const Family& family) const {
    const Delivery it = delivery(family);
    Obligation lands = about(family.span, "lands", "what its source had, the target has when it arrives");
    const Number before = it.start - Number(1);
    if (combines()) {
      const NumberInDigits y = contribution("''");
      return writing_.add(
          std::move(lands),
          {joined(it.scope, y.digits), both({it.sent.given, had_by(item(it.sent.source, y, it.sent.part), before)}),
           had_by(item(it.sent.target, y, it.sent.part), it.arrival)});
    }
    const RelationItem left = packet(it);
    RelationItem landed = left;
    landed.holder = it.sent.target;
    writing_.add(std::move(lands),
                 {it.scope, both({it.sent.given, item_exists(algebra_, problem_, left), had_by(left, before)}),
                  had_by(landed, it.arrival)});
  }

  // --- joins ---------------------------------------------------------------------------------------------------------

  void write_joins(const Family& family) const {
    const Delivery it = delivery(family);
    const NumberInDigits y = contribution("''");
    const NumberInDigits z = contribution("'''");
    const Number before = it.start - Number(1);
    const auto sent = [&](const NumberInDigits& of) { return had_by(item(it.sent.source, of, it.sent.part), before); };
    const auto held = [&](const NumberInDigits& of) {
      return had_by(item(it.sent.target, of, it.sent.part), it.arrival - Number(1));
    };
    Obligation twice = about(family.span, "nothing twice", "what comes is disjoint from what is held, or contains it");
    twice.scope = joined(it.scope, y.digits, z.digits);
    const Formula met = both({it.sent.given, sent(y), held(y)});
    twice.given = both({met, held(z)});
    twice.must = sent(z);
    if (!some_values(all_variables(twice), met)) twice.shortcut = never("what comes is disjoint from what is held");
    writing_.add(std::move(twice));
  }

  void write_no_gap(const Family& family) const {
    const Delivery it = delivery(family);
    const NumberInDigits x = contribution("");
    const NumberInDigits y = contribution("''");
    const NumberInDigits z = contribution("'''");
    const auto held = [&](const NumberInDigits& of) {
      return had_by(item(it.sent.target, of, it.sent.part), it.arrival);
    };
    writing_.add(
        about(family.span, "no gap", "what is held where something has come has no gap"),
        {joined(it.scope, x.digits, y.digits, z.digits),
         both({it.sent.given, held(x), held(z), algebra_.less(x.number, y.number), algebra_.less(y.number, z.number)}),
         held(y)});
  }

  void write_pairs() const {
    const auto& families = problem_.families;
    for (std::size_t f = 0; f < families.size(); ++f) {
      for (std::size_t g = f; g < families.size(); ++g) {
        for (const SamplePair& pair : two_sends(writing_, families[f], families[g], {}, Each::delivery)) {
          const Delivery a = timed(pair.a);
          const Delivery b = timed(pair.b);
          if (!idempotent()) write_at_once(a, b);
          if (!problem_.machine.rounds) write_no_overtaking(a, b);
        }
      }
    }
  }

  Obligation about_both(const Delivery& a, const Delivery& b, std::string name, std::string meaning) const {
    Obligation result = about(a.sent.family->span, std::move(name), std::move(meaning));
    result.scope = joined(a.scope, b.scope);
    result.second = b.sent.family->span;
    return result;
  }

  void write_at_once(const Delivery& a, const Delivery& b) const {
    Obligation one = about_both(a, b, "one comes", "nobody gets two partial reductions of one value at once");
    one.given = both({a.sent.given, b.sent.given, algebra_.equal(a.sent.target, b.sent.target),
                      algebra_.equal(a.sent.part, b.sent.part), algebra_.equal(a.arrival, b.arrival)});
    one.must = algebra_.truth(false);
    const bool likely = some_values(all_variables(one), one.given).has_value();
    const NumberInDigits y = contribution("''");
    const auto sent = [&](const Delivery& it) {
      return had_by(item(it.sent.source, y, it.sent.part), it.start - Number(1));
    };
    const Formula held = had_by(item(a.sent.target, y, a.sent.part), a.arrival - Number(1));
    one.scope = joined(one.scope, y.digits);
    if (!likely) one.shortcut = never(std::exchange(one.meaning, ""));
    one.meaning = "what comes at once, and what is held, is disjoint";
    const std::vector<Formula> twice = {both({sent(a), sent(b)}), both({sent(a), held}), both({sent(b), held})};
    if (!likely) {
      one.must = no(algebra_.disjunction(twice));
      return writing_.add(std::move(one));
    }
    for (const Formula each : twice) {
      Obligation apart = one;
      apart.given = both({one.given, each});
      writing_.add(std::move(apart));
    }
  }

  // There are no such values: no small ones were found.
  Shortcut never(std::string meaning) const { return {std::move(meaning), algebra_.truth(false)}; }

  // One of two partial reductions of one name has arrived before the other leaves.
  void write_no_overtaking(const Delivery& a, const Delivery& b) const {
    if (a.sent.hops == Number(1) && b.sent.hops == Number(1)) return;
    Obligation apart =
        about_both(a, b, "one on the way", "no two partial reductions of one name are under way at once");
    apart.given = both({a.sent.given, b.sent.given, algebra_.equal(a.sent.target, b.sent.target),
                        algebra_.equal(a.sent.source, b.sent.source), algebra_.equal(a.sent.part, b.sent.part)});
    apart.must = algebra_.disjunction({algebra_.less(a.arrival, b.start), algebra_.less(b.arrival, a.start)});
    writing_.add(std::move(apart));
  }

  // --- the end -------------------------------------------------------------------------------------------------------

  void write_delivered() const {
    RelationItem any = relation_.item();
    if (any.addressee) any.addressee = any.holder;
    writing_.add(about(whole(), "everyone gets what it wants", "everyone gets what it wants"),
                 {joined(relation_.origin.digits, relation_.holder.digits, relation_.part.digits),
                  both({item_exists(algebra_, problem_, any), no(algebra_.equal(any.holder, any.origin))}),
                  ever_had(algebra_, relation_, any)});
  }

  void write_combined() const {
    const RelationItem any = relation_.item();
    const BoundCollective& collective = problem_.collective;
    TermFormulas terms(algebra_, {collective.parameters, any.part, any.holder});
    const Formula given = terms.truth(collective.reduction->wanted);
    const Formula wanted = algebra_.at_most(any.origin, terms.number(collective.reduction->last));
    const Formula held = ever_had(algebra_, relation_, any);
    writing_.add(
        about(whole(), "everyone ends with just what it wants", "everyone ends with just what it wants"),
        {relation_.scope(), given, algebra_.disjunction({both({wanted, held}), both({no(wanted), no(held)})})});
  }

  const Writing& writing_;
  Algebra& algebra_;
  const Problem& problem_;
  const GuessedRelation& guess_;
  const Relation& relation_;
  const std::vector<Number>& starts_;
};

}  // namespace

void write_by_relation(const Writing& writing, const GuessedRelation& guess, const std::vector<Number>& starts) {
  OfRelation(writing, guess, starts).write();
}

void write_no_more(const Writing& writing, const GuessedRelation& guess, const std::vector<Number>& starts) {
  OfRelation(writing, guess, starts).write_no_more();
}

Formula carried(const Writing& writing, const Relation& relation, const Family& family, const Number& start) {
  const RelationItem chunk{family.source, family.origin, family.addressee, family.part};
  return writing.algebra.conjunction({family.chunks_given, item_exists(writing.algebra, writing.problem, chunk),
                                      had(writing.algebra, relation, chunk, start - Number(1))});
}

std::vector<BringingSend> named_sends(const Writing& writing, const GuessedRelation& guess,
                                      const std::vector<Number>& starts, std::size_t in_case) {
  return OfRelation(writing, guess, starts).named(in_case);
}

std::vector<Number> absolute_starts(const Writing& writing) {
  std::vector<Obligation> shown;
  std::vector<const Family*> families;
  for (const Family& family : writing.problem.families) families.push_back(&family);
  std::vector<Number> starts =
      starts_of({writing.algebra, writing.problem, writing.watch, shown}, writing.algebra.truth(true), families);
  for (Obligation& each : shown) {
    each.property = ProvedProperty::causal;
    each.exact = false;
    each.explanation = {};
    writing.add(std::move(each));
  }
  return starts;
}

}  // namespace quadrille::prover
