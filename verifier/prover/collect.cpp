// Collects obligations property by property, so that unsupported parts of one property leave the others complete.
// Claims come before the conditions, because they add some: everything that a claim uses must be defined.
#include "verifier/prover/collect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "verifier/prover/induction/induction.h"
#include "verifier/prover/obligations/explanation.h"
#include "verifier/prover/obligations/lower_bounds.h"
#include "verifier/prover/obligations/round_sums.h"
#include "verifier/prover/obligations/timing.h"
#include "verifier/prover/relation/columns.h"

namespace quadrille::prover {
namespace {

bool is_measure(const ir::Expression& e, ir::Builtin which) {
  const auto* call = std::get_if<ir::BuiltinCall>(&e.node);
  return call != nullptr && call->builtin == which;
}

bool mentions(const ir::Expression& e, ir::Builtin which) {
  return ir::any_part(e, [&](const ir::Expression& part) { return is_measure(part, which); });
}

// "steps is 9, messages is 56", for the measures that are set.
Explanation measured(const ClaimMeasures& measures, bool rounds) {
  return [measures, rounds](const Assignment& values) -> std::optional<std::string> {
    std::vector<std::string> words;
    const auto add = [&](const char* name, const std::optional<Number>& measure) {
      if (measure) words.push_back(fmt::format("{} is {}", name, evaluate(*measure, values).str()));
    };
    add(rounds ? "rounds" : "steps", measures.steps);
    add("messages", measures.messages);
    add("volume", measures.volume);
    add("hops", measures.hops);
    return fmt::format("{}", fmt::join(words, ", "));
  };
}

// ", where steps is 2*N - 3", for the measures that are set.
std::string in_formulas(const ClaimMeasures& measures, bool rounds) {
  std::vector<std::string> words;
  const auto add = [&](const char* name, const std::optional<Number>& measure) {
    if (measure) words.push_back(fmt::format("{} is {}", name, to_string(*measure)));
  };
  // If there is a sum over rounds, their number is only an intermediate result.
  if (!measures.volume && !measures.hops) add(rounds ? "rounds" : "steps", measures.steps);
  add("volume", measures.volume);
  add("hops", measures.hops);
  return words.empty() ? "" : fmt::format(", where {}", fmt::join(words, " and "));
}

// The measures that the claim contains, and no others: times and counts may be unsupported. The obligations that the
// formulas build on are added to `ground`.
ClaimMeasures measure(const Writing& writing, const ir::Claim& claim, Formula when, std::vector<Obligation>& ground) {
  Algebra& algebra = writing.algebra;
  const auto speaks_of = [&](ir::Builtin which) { return mentions(claim.claim, which); };
  const bool volume = speaks_of(ir::Builtin::volume);
  const bool hops = speaks_of(ir::Builtin::hops);
  ClaimMeasures measures;
  measures.max_queue = Number(0);
  if (speaks_of(ir::Builtin::messages)) measures.messages = count_messages(writing);
  if (!volume && !hops && !speaks_of(ir::Builtin::steps) && !speaks_of(ir::Builtin::rounds)) return measures;
  if (when == algebra.truth(false)) {
    measures.steps = measures.volume = measures.hops = Number(0);
    return measures;
  }
  const Writing grounds{algebra, writing.problem, writing.watch, ground, {}, false, writing.carried};
  measures.steps = steps_taken(grounds, when);
  if (!writing.problem.machine.rounds || (!volume && !hops)) return measures;
  sum_over_rounds(grounds, when, volume, hops, measures);
  return measures;
}

// Writes what the claim itself says.
void write_said(const Writing& writing, const ir::Claim& claim, const std::string& more, Formula when, Formula must,
                Explanation explanation = {}) {
  writing.obligations.push_back({.property = ProvedProperty::claims,
                                 .name = claim.text,
                                 .meaning = claim.text + more,
                                 .scope = open_parameters(writing.problem),
                                 .given = when,
                                 .must = must,
                                 .span = claim.span,
                                 .group = claim.text,
                                 .explanation = std::move(explanation)});
}

// Writes the claim `max_buffer <= b`.
void write_buffer_claim(const Writing& writing, const ir::Claim& claim, Expressions& expressions) {
  Algebra& algebra = writing.algebra;
  const auto* comparison = std::get_if<ir::Binary>(&claim.claim.node);
  const bool bound = comparison != nullptr && comparison->op == ir::BinaryOperator::less_equal &&
                     is_measure(*comparison->left, ir::Builtin::max_buffer) &&
                     !mentions(*comparison->right, ir::Builtin::max_buffer);
  if (!bound) throw Unsupported{"of max_buffer more than that it is at most some number", claim.span};
  const ExpressionContext outermost = expressions.outermost(claim.frame);
  expressions.set_measures({});
  const Formula when = claim.when ? expressions.truth(*claim.when, outermost) : algebra.truth(true);
  const Number most = expressions.number(*comparison->right, expressions.inside(outermost, {}, when));
  write_buffer_bound(writing, most, when, claim.text);
  write_said(writing, claim, "", when, algebra.at_least_zero(most));
}

void write_claim(const Writing& writing, const ir::Claim& claim, Expressions& expressions) {
  if (mentions(claim.claim, ir::Builtin::max_buffer)) return write_buffer_claim(writing, claim, expressions);
  Algebra& algebra = writing.algebra;
  const ExpressionContext outermost = expressions.outermost(claim.frame);
  expressions.set_measures({});  // those of another claim hold under its condition only
  const Formula when = claim.when ? expressions.truth(*claim.when, outermost) : algebra.truth(true);
  std::vector<Obligation> ground;
  const ClaimMeasures measures = measure(writing, claim, when, ground);
  expressions.set_measures(measures);
  const Formula holds = expressions.truth(claim.claim, expressions.inside(outermost, {}, when));
  // If the claim only says that the formula is right, a later arrival refutes the claim.
  const bool same = holds == algebra.truth(true) && !measures.volume && !measures.hops;
  for (Obligation& obligation : ground) {
    if (same && obligation.name == arrives_in_time) obligation.exact = true;
    obligation.group = claim.text;
    writing.obligations.push_back(std::move(obligation));
  }
  const bool rounds = writing.problem.machine.rounds;
  write_said(writing, claim, in_formulas(measures, rounds), when, holds, measured(measures, rounds));
}

// Writes that no schedule has less: the measure's formula is right, and a lower bound meets it.
void write_optimal_claim(const Writing& writing, Problem& problem, const ir::Claim& claim, Expressions& expressions) {
  Algebra& algebra = writing.algebra;
  const bool in_rounds = *claim.optimal != OptimalMeasure::steps;
  if (in_rounds != problem.machine.rounds || (problem.machine.shared && *claim.optimal == OptimalMeasure::volume))
    throw Unsupported{fmt::format("that {} is the least there is, on this fabric", claim.text.substr(8)), claim.span};
  const ExpressionContext outermost = expressions.outermost(claim.frame);
  expressions.set_measures({});
  const Formula when = claim.when ? expressions.truth(*claim.when, outermost) : algebra.truth(true);
  std::vector<Obligation> all;
  const ClaimMeasures measures = measure(writing, claim, when, all);
  expressions.set_measures(measures);
  const Number claimed = expressions.number(claim.claim, expressions.inside(outermost, {}, when));
  // The bound says nothing about larger capacities.
  problem.capacities_used = true;
  for (Obligation& each : write_optimal(algebra, problem, {*claim.optimal, claimed, when}, writing.watch)) {
    each.span = claim.span;
    all.push_back(std::move(each));
  }
  all.back().name = claim.text;
  for (Obligation& each : all) {
    each.group = claim.text;
    writing.obligations.push_back(std::move(each));
  }
}

void write_any_claim(const Writing& writing, Problem& problem, const ir::Claim& claim, Expressions& expressions) {
  claim.optimal ? write_optimal_claim(writing, problem, claim, expressions) : write_claim(writing, claim, expressions);
}

ProvedObligation left_open(ProvedProperty property, const std::string& name, Span span, Reason reason,
                           const std::string& why) {
  ProvedObligation open;
  open.property = property;
  open.written = false;
  open.name = name;
  open.meaning = name;
  if (property == ProvedProperty::claims) open.claim = name;
  open.reason = reason;
  open.why = why;
  open.span = span;
  return open;
}

// Runs `write`; an exception leaves the property open.
template <class Write>
void attempt(CollectedObligations& collected, Watch& watch, ProvedProperty property, const std::string& name, Span span,
             const Write& write) {
  try {
    watch.require_open();
    write();
  } catch (Unsupported& unsupported) {
    if (!unsupported.span.known()) unsupported.span = span;
    collected.open.push_back(left_open(property, name, unsupported.span, Reason::unsupported, unsupported.reason));
    if (!collected.unsupported) collected.unsupported = unsupported;
  } catch (const Ended& end) {
    collected.open.push_back(left_open(property, name, span, end.reason, why_of(end.reason)));
  }
}

// Reads all invariants, or none, because each builds on the one before.
void read_invariants(Writing& writing, Expressions& expressions) {
  std::vector<SpokenInvariant> all;
  for (const ir::Invariant& invariant : writing.problem.schedule->invariants) {
    all.push_back(spoken(writing.algebra, writing.problem, expressions, invariant));
  }
  writing.spoken = std::move(all);
  const std::size_t before = writing.obligations.size();
  try {
    write_invariants(writing);
  } catch (const Unsupported&) {
    writing.spoken.clear();
    writing.obligations.resize(before);
    throw;
  }
}

// Whether the invariants state what is held. If all sends are by processors that begin with the packet, counting
// does.
bool rest_on_invariants(const Writing& writing, const Approaches& approaches) {
  if (writing.problem.collective.reduction) return true;
  const auto& families = writing.problem.families;
  return approaches.by_invariants && !writing.spoken.empty() &&
         std::ranges::any_of(families, [](const Family& family) { return !(family.origin == family.source); });
}

// At a size that the parameters' ranges do not allow, nothing must hold.
void add_parameters(Algebra& algebra, const Problem& problem, Obligation& obligation) {
  std::vector<Atom>& scope = obligation.scope;
  for (const Atom parameter : open_parameters(problem)) {
    if (std::ranges::find(scope, parameter) == scope.end()) scope.push_back(parameter);
  }
  obligation.given = algebra.conjunction({problem.sizes, obligation.given});
}

// The relation as an invariant, if the number of steps has a formula. (That it is right is shown only for claims.)
std::optional<ProvedRelation> text_of(const Writing& writing, const Relation& relation) {
  std::vector<Obligation> ground;
  try {
    const Number steps =
        steps_taken({writing.algebra, writing.problem, writing.watch, ground}, writing.algebra.truth(true));
    return relation_text(writing.algebra, writing.problem, relation, steps);
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

}  // namespace

CollectedObligations collect(Algebra& algebra, Problem& problem, Expressions& expressions, Watch& watch,
                             const Approaches& approaches) {
  // From here on, the solver, and whoever checks after it, is also asked for what the ranges imply.
  algebra.compare_by_bounds(false);
  for (Family& family : problem.families) family.apex.reset();
  CollectedObligations all;
  if (approaches.with_apexes) all.obligations = find_apexes(algebra, problem);
  Writing writing{algebra, problem, watch, all.obligations};
  const Span whole = problem.schedule->collective.span;
  if (const auto& invariants = problem.schedule->invariants; !invariants.empty()) {
    attempt(all, watch, ProvedProperty::invariants, "all", invariants.front().span,
            [&] { read_invariants(writing, expressions); });
  }
  writing.rest_on_them = rest_on_invariants(writing, approaches);
  const auto write = [&](ProvedProperty property, void (*part)(const Writing&)) {
    attempt(all, watch, property, "all", whole, [&] { part(writing); });
  };
  write(ProvedProperty::contention_free, write_contention);
  write(ProvedProperty::causal, write_causal);
  write(ProvedProperty::complete, writing.rest_on_them ? write_complete_by_invariants : write_complete);
  for (const ir::Claim& claim : problem.schedule->claims) {
    attempt(all, watch, ProvedProperty::claims, claim.text, claim.span,
            [&] { write_any_claim(writing, problem, claim, expressions); });
  }
  write_well_formed(writing);
  for (Obligation& obligation : all.obligations) {
    add_parameters(algebra, problem, obligation);
    if (problem.widened) obligation.exact = false;
  }
  return all;
}

CollectedByRelation collect_by_relation(Algebra& algebra, const Problem& problem, Watch& watch, bool with_digits) {
  CollectedByRelation all;
  const Writing writing{algebra, problem, watch, all.obligations};
  const Span whole = problem.schedule->collective.span;
  all.starts = absolute_starts(writing);
  const Relation empty = empty_relation(algebra, problem);
  const auto arrivals = small_arrivals(writing, empty, all.starts);
  if (!arrivals) throw Unsupported{"following what is held at small sizes", whole};
  auto guess = guess_relation(writing, empty, *arrivals, with_digits);
  if (!guess) throw Unsupported{"a formula for when everything arrives: none was found", whole};
  all.guess = std::move(*guess);
  write_by_relation(writing, all.guess, all.starts);
  all.text = text_of(writing, all.guess.relation);
  for (Obligation& obligation : all.obligations) add_parameters(algebra, problem, obligation);
  return all;
}

CollectedObligations collect_claims(Algebra& algebra, Problem& problem, Expressions& expressions, Watch& watch,
                                    const CollectedByRelation& shown, const std::vector<ProvedObligation>& claims) {
  CollectedObligations all;
  Writing writing{algebra, problem, watch, all.obligations};
  writing.carried = [&](const Family& family) {
    const auto f = static_cast<std::size_t>(&family - problem.families.data());
    return carried(writing, shown.guess.relation, family, shown.starts.at(f));
  };
  const std::size_t conditions = problem.conditions.size();
  for (const ir::Claim& claim : problem.schedule->claims) {
    if (std::ranges::find(claims, claim.text, &ProvedObligation::claim) == claims.end()) continue;
    attempt(all, watch, ProvedProperty::claims, claim.text, claim.span, [&] {
      std::vector<Obligation> no_more;
      write_no_more({algebra, problem, watch, no_more}, shown.guess, shown.starts);
      write_any_claim(writing, problem, claim, expressions);
      for (Obligation& each : no_more) {
        each.property = ProvedProperty::claims;
        each.group = claim.text;
        all.obligations.push_back(std::move(each));
      }
    });
  }
  if (problem.conditions.size() > conditions) write_well_formed(writing);
  for (Obligation& obligation : all.obligations) add_parameters(algebra, problem, obligation);
  return all;
}

}  // namespace quadrille::prover
