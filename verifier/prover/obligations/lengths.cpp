// The length of a message is the number of its chunks: of the values of some variables for which conditions hold. The
// conditions are cut into cases that exclude each other; in each, variable after variable, the last first, its values
// are found as a range, or as those of one remainder, and summed up.
//
//   {p for p in 0..P-1 if p mod 3 == r}: 3*i + r for i in 0..(P-1-r)/3, which are (P-1-r)/3 + 1
//   x for which k xor x has at most i digits: k xor u for u in 0..2^i-1
//
// Where a message carries what is held, the relation of what is held is its condition.
//
// Cost: at most `most_cases` cases, and for each variable as many renamings as there are differences with it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/obligations/round_sums.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_cases = 24;

using Conditions = std::vector<Formula>;

// Cuts a formula into cases: conjunctions of comparisons, of which one holds where the formula holds, and then no
// other.
class ConditionCases {
 public:
  ConditionCases(Algebra& algebra, const std::vector<Atom>& variables) : algebra_(algebra), variables_(variables) {}

  // Nothing if there are too many.
  std::optional<std::vector<Conditions>> of(Formula f) {
    std::vector<Conditions> result = cases(f, true);
    return result.size() <= most_cases ? std::optional(std::move(result)) : std::nullopt;
  }

 private:
  // The cases of the formula (`yes`), or of its negation.
  std::vector<Conditions> cases(Formula f, bool yes) {
    if (f == algebra_.truth(yes)) return {{}};
    if (f == algebra_.truth(!yes)) return {};
    if (!about_them(f)) return {{yes ? f : algebra_.negation(f)}};
    if (f->kind == FormulaNodeKind::negation) return cases(f->parts[0], !yes);
    if (const auto choice = choice_in(f)) return by_choice(f, *choice, yes);
    if (f->kind == FormulaNodeKind::positive) return {{yes ? f : algebra_.at_least_zero(-f->operand - Number(1))}};
    if (f->kind == FormulaNodeKind::zero && !yes)
      return {{algebra_.at_least_zero(f->operand - Number(1))}, {algebra_.at_least_zero(-f->operand - Number(1))}};
    return f->kind == FormulaNodeKind::zero ? std::vector<Conditions>{{f}} : of_conjunction(f->parts, yes);
  }

  bool about_them(const auto& x) const {
    return std::ranges::any_of(variables_, [&](Atom each) { return mentions(x, each); });
  }

  // A comparison's number that is one of two, by a condition on the variables.
  std::optional<Atom> choice_in(Formula f) const {
    for (const Atom atom : factors_of(f->operand)) {
      if (atom->kind == AtomKind::choice && about_them(Number(atom))) return atom;
    }
    return std::nullopt;
  }

  std::vector<Conditions> by_choice(Formula f, Atom choice, bool yes) {
    std::vector<Conditions> result;
    for (const bool first : {true, false}) {
      const Formula chosen = algebra_.substituted(f, {{choice, choice->operands[first ? 0 : 1]}});
      append(result, joined(cases(choice->condition, first), cases(chosen, yes)));
    }
    return result;
  }

  // All hold; or the first that does not is one of them.
  std::vector<Conditions> of_conjunction(const std::vector<Formula>& parts, bool yes) {
    std::vector<Conditions> so_far = {{}};
    std::vector<Conditions> failed;
    for (const Formula part : parts) {
      if (!yes) append(failed, joined(so_far, cases(part, false)));
      so_far = joined(so_far, cases(part, true));
      if (so_far.size() > most_cases) break;
    }
    return yes || so_far.size() > most_cases ? so_far : failed;
  }

  static void append(std::vector<Conditions>& all, std::vector<Conditions> more) {
    std::ranges::move(more, std::back_inserter(all));
  }

  static std::vector<Conditions> joined(const std::vector<Conditions>& one, const std::vector<Conditions>& other) {
    std::vector<Conditions> result;
    for (const Conditions& a : one) {
      for (const Conditions& b : other) {
        result.push_back(a);
        result.back().insert(result.back().end(), b.begin(), b.end());
        if (result.size() > most_cases) return result;
      }
    }
    return result;
  }

  Algebra& algebra_;
  const std::vector<Atom>& variables_;
};

// The atoms in which the variable is.
void collect_atoms(const Number& x, Atom variable, std::vector<Atom>& found) {
  for (const Atom atom : factors_of(x)) {
    if (atom->kind == AtomKind::variable || atom->kind == AtomKind::choice || !mentions(Number(atom), variable))
      continue;
    if (std::ranges::find(found, atom) == found.end()) found.push_back(atom);
    for (const Number& operand : atom->operands) collect_atoms(operand, variable, found);
  }
}

class LengthWriter {
 public:
  LengthWriter(const Writing& writing, Formula when)
      : writing_(writing), algebra_(writing.algebra), problem_(writing.problem), when_(when) {}

  // The sum over all families that are chunks of this message.
  Number chunks_of(const Family& message) {
    Number sum;
    for (const Family& family : problem_.families) {
      if (family.message == message.message) sum = sum + chunks(family);
    }
    return sum;
  }

 private:
  // The values of a chunk's variable: `value`, for i = `variable` in first … last, if `must` holds.
  struct ChosenChunks {
    Atom variable = nullptr;
    Number first, last, value;
    Formula must = nullptr;
  };
  // The condition (v + more) mod by == rest.
  struct Residue {
    Number by, rest, more;
  };

  Number chunks(const Family& family) {
    if (family.held && !writing_.carried)
      throw Unsupported{"the length of a message that carries what is held", family.span};
    const Formula given = family.held ? writing_.carried(family) : family.chunks_given;
    const auto cases = ConditionCases(algebra_, family.chunks).of(given);
    if (!cases) throw Unsupported{"the length of a message of which many conditions choose the chunks", family.span};
    Number sum;
    for (const std::vector<Formula>& each : *cases) sum = sum + counted(family, each, cases->size() > 1);
    return sum;
  }

  // `maybe_none`: the ranges may run backwards; there are no values then.
  Number counted(const Family& family, std::vector<Formula> conditions, bool maybe_none) {
    Number count(1);
    for (std::size_t i = family.chunks.size(); i-- > 0;) {
      auto values = chosen(family.chunks[i], conditions);
      if (values && maybe_none) values->last = algebra_.greatest(values->last, values->first - Number(1));
      if (!values) throw Unsupported{"the length of a message of which conditions choose the chunks", family.span};
      const Number each = algebra_.substituted(count, {{family.chunks[i], values->value}});
      const auto closed = closed_sum(algebra_, each, values->variable, values->first, values->last);
      if (!closed) throw Unsupported{"the length of a message has no closed form here", family.span};
      count = *closed;
      std::vector<Formula> apart = conditions;  // where others fail, there are none
      apart.push_back(algebra_.conjunction({family.given, family.destinations_given, when_}));
      const Formula given = algebra_.conjunction(apart);
      const Formula sane =
          algebra_.conjunction({algebra_.at_most(values->first, values->last + Number(1)), values->must});
      if (sane == algebra_.truth(true)) continue;
      writing_.obligations.push_back(
          asking(proof_step(ProvedProperty::claims, "ranges do not run backwards",
                            fmt::format("the range of {} is not less than empty", family.chunks[i]->name), family.span),
                 {joined(family.variables, family.destinations, std::span(family.chunks).first(i)), given, sane}));
    }
    return algebra_.choice(algebra_.conjunction(conditions), count, Number(0));
  }

  // The variable's values with the conditions that choose them, which are taken out; nothing if others speak of it.
  std::optional<ChosenChunks> chosen(Atom variable, std::vector<Formula>& conditions) {
    for (const ChosenChunks& each : renamings(variable, conditions)) {
      std::vector<Formula> renamed;
      for (const Formula condition : conditions)
        renamed.push_back(algebra_.substituted(condition, {{variable, each.value}}));
      auto result = narrowed(each, renamed);
      if (!result) continue;
      conditions = std::move(renamed);
      return result;
    }
    return std::nullopt;
  }

  // The variable itself; and another with the same range and as many values, where what is asked is how far the
  // variable is from something: c xor u, or (c - u) mod M.
  std::vector<ChosenChunks> renamings(Atom variable, const std::vector<Formula>& conditions) {
    const Formula always = algebra_.truth(true);
    std::vector<ChosenChunks> result = {{variable, *variable->first, *variable->last, Number(variable), always}};
    if (!(*variable->first == Number(0))) return result;
    const Number size = *variable->last + Number(1);
    std::vector<Atom> atoms;
    for (const Formula each : conditions) {
      if (each->kind == FormulaNodeKind::positive || each->kind == FormulaNodeKind::zero)
        collect_atoms(each->operand, variable, atoms);
    }
    for (const Atom atom : atoms) {
      const Atom u = algebra_.variable(variable->name, variable->first, variable->last);
      ChosenChunks other{u, *variable->first, *variable->last, Number(u), always};
      if (atom->kind == AtomKind::bit_xor && exponent_of(size)) {
        const Number c = algebra_.bitwise(AtomKind::bit_xor, Number(atom), Number(variable));
        if (mentions(c, variable)) continue;
        other.value = algebra_.bitwise(AtomKind::bit_xor, c, Number(u));
        other.must = algebra_.below(c, size);
      } else if (atom->kind == AtomKind::remainder && atom->operands[1] == size) {
        const Number& inside = atom->operands[0];
        const bool falls = !mentions(inside + Number(variable), variable);
        const Number c = falls ? inside + Number(variable) : Number(variable) - inside;
        if (mentions(c, variable)) continue;
        other.value = algebra_.remainder(falls ? c - Number(u) : c + Number(u), size);
      } else {
        continue;
      }
      result.push_back(std::move(other));
    }
    return result;
  }

  // Narrows the range by the conditions, which are taken out if they speak of the variable.
  //
  //   j in 0..7 with 4 + j < N: 0 .. the least of 7 and N - 5
  std::optional<ChosenChunks> narrowed(ChosenChunks from, std::vector<Formula>& conditions) {
    std::vector<Formula> others;
    std::optional<Residue> residue;
    for (const Formula each : conditions) {
      if (!mentions(each, from.variable)) {
        others.push_back(each);
      } else if (each->kind == FormulaNodeKind::zero && !residue) {
        residue = residue_of(from.variable, each->operand);
        if (!residue) return std::nullopt;
      } else if (each->kind != FormulaNodeKind::positive || !bound(each->operand, from)) {
        return std::nullopt;
      }
    }
    conditions = std::move(others);
    if (residue) choose(*residue, from);
    return from;
  }

  // Narrows the range to where the number is not negative: a number less the variable, or less its binary digits, or
  // the other way round.
  bool bound(const Number& positive, ChosenChunks& chosen) {
    const Number variable(chosen.variable);
    const Number digits = algebra_.bits(variable);
    const auto without = [&](const Number& x) { return !mentions(x, chosen.variable); };
    if (const Number most = positive + variable; without(most)) {
      chosen.last = algebra_.least(chosen.last, most);
    } else if (const Number least = variable - positive; without(least)) {
      chosen.first = algebra_.greatest(chosen.first, least);
    } else if (const Number most_digits = positive + digits; without(most_digits) && is_exponent(most_digits)) {
      chosen.last = algebra_.least(chosen.last, power_of_two(most_digits) - Number(1));
      chosen.must = algebra_.conjunction({chosen.must, algebra_.at_least_zero(most_digits)});
    } else if (const Number least_digits = digits - positive;
               without(least_digits) && is_exponent(least_digits - Number(1))) {
      chosen.first = algebra_.greatest(chosen.first, power_of_two(least_digits - Number(1)));
      chosen.must = algebra_.conjunction({chosen.must, algebra_.at_least_zero(least_digits - Number(1))});
    } else {
      return false;
    }
    return true;
  }

  // The residue that makes the number 0; nothing if the variable is elsewhere, too.
  static std::optional<Residue> residue_of(Atom variable, const Number& zero) {
    for (const auto& [monomial, factor] : zero.terms()) {
      const Atom atom = monomial.atom().value_or(nullptr);
      if (atom == nullptr || atom->kind != AtomKind::remainder || abs(factor) != 1) continue;
      const Residue result{atom->operands[1], Number(atom) - zero * Number(factor),
                           atom->operands[0] - Number(variable)};
      const bool elsewhere = std::ranges::any_of(std::initializer_list<Number>{result.by, result.rest, result.more},
                                                 [&](const Number& each) { return mentions(each, variable); });
      if (!elsewhere) return result;
    }
    return std::nullopt;
  }

  // Leaves the values v with (v + more) mod by == rest: v = by*i + rest - more.
  void choose(const Residue& residue, ChosenChunks& chosen) {
    const Number base = residue.rest - residue.more;
    const Number first = -algebra_.divide(base - chosen.first, residue.by);
    const Number last = algebra_.divide(chosen.last - base, residue.by);
    const Atom i = algebra_.variable(chosen.variable->name, first, last);
    chosen.must = algebra_.conjunction({chosen.must, algebra_.at_least_zero(residue.by - Number(1)),
                                        algebra_.at_least_zero(residue.rest), algebra_.less(residue.rest, residue.by)});
    chosen.value = algebra_.substituted(chosen.value, {{chosen.variable, Number(i) * residue.by + base}});
    chosen.first = first;
    chosen.last = last;
    chosen.variable = i;
  }

  const Writing& writing_;
  Algebra& algebra_;
  const Problem& problem_;
  Formula when_;
};

}  // namespace

Number message_length(const Writing& writing, Formula when, const Family& message) {
  return LengthWriter(writing, when).chunks_of(message);
}

}  // namespace quadrille::prover
