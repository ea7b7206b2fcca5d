// Proves that every demand is met: every delivery is a demand, no two deliveries are the same, and there are as many
// deliveries as demands.
//
// Example: a scatter among n, "for d in 1..n-1: at n - d: send 0 -> d". 0->d goes to d, which wants it; for d' > d
// the packets differ; and there are n - 1 deliveries and n - 1 demands.
//
// Cost: an obligation a family, one for each pair of families and variable in which two sends of a family may differ,
// and one for the count, which needs a closed form (sums.h).
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/algebra/term_formulas.h"
#include "verifier/prover/obligations/samples.h"

namespace quadrille::prover {
namespace {

class Completeness {
 public:
  explicit Completeness(const Writing& writing)
      : writing_(writing), algebra_(writing.algebra), problem_(writing.problem) {}

  void write() {
    const auto& families = problem_.families;
    for (const Family& family : families) {
      if (family.held) throw Unsupported{"counting what is held", family.span};
    }
    for (const Family& family : families) write_wanted(family);
    for (std::size_t f = 0; f < families.size(); ++f) {
      for (std::size_t g = f; g < families.size(); ++g) write_only_once(families[f], families[g]);
    }
    write_as_many();
  }

  std::optional<Number> messages() {
    Number total;
    for (const Family* each : one_of_each_message(problem_)) {
      const Family& family = *each;
      const auto number = problem_.machine.rounds ? messages_in_rounds(family) : sends(family);
      if (!number) return std::nullopt;
      total = total + *number;
    }
    return total;
  }

 private:
  static Obligation step(const char* name, std::string meaning, Span span) {
    return proof_step(ProvedProperty::complete, name, std::move(meaning), span);
  }

  std::optional<Number> sends(const Family& family) {
    if (family.multicast && !family.everyone) return std::nullopt;  // some might go to no one
    if (!all_or_none(family)) return std::nullopt;
    const auto all = counted(family.variables, Number(1), {}, family);
    return all ? std::optional(algebra_.choice(family.given, *all, Number(0))) : std::nullopt;
  }

  // The number of messages: one to each target, if none is empty.
  std::optional<Number> messages_in_rounds(const Family& family) {
    const bool one_chunk = family.chunks.empty() && family.chunks_given == algebra_.truth(true);
    return one_chunk ? deliveries(family) : std::nullopt;
  }

  void write_wanted(const Family& family) {
    const bool for_everyone = problem_.collective.terms.for_everyone;
    Obligation wanted = step(
        "is wanted", "every packet goes to a processor that wants it and does not hold it from the start", family.span);
    wanted.explanation = delivered(flight(family, problem_.machine));
    writing_.add(std::move(wanted),
                 {delivery_variables(family),
                  algebra_.conjunction({family.given, family.known, family.destinations_given, family.chunks_given}),
                  for_everyone ? algebra_.negation(algebra_.equal(family.target, family.origin))
                               : algebra_.equal(family.target, *family.addressee)});
  }

  void write_only_once(const Family& f, const Family& g) {
    for (const SamplePair& pair : two_sends(writing_, f, g, {}, Each::delivery)) {
      if (apexes_differ(pair)) continue;
      Obligation once = step("only once", "no packet is delivered twice", f.span);
      once.second = g.span;
      once.explanation = delivered_twice(pair.a, pair.b);
      writing_.add(std::move(once), {pair.scope(), algebra_.conjunction({pair.a.given, pair.b.given}),
                                     algebra_.negation(same_delivery(pair.a, pair.b))});
    }
  }

  Formula same_delivery(const Sample& a, const Sample& b) {
    // If both origins are variables, one replaces the other in the other formulas, which become simpler.
    const auto first = a.origin.atom();
    const auto second = b.origin.atom();
    Substitution one;
    if (first && second && (*first)->kind == AtomKind::variable && (*second)->kind == AtomKind::variable)
      one[*second] = a.origin;
    const auto equal = [&](const Number& x, const Number& y) {
      return algebra_.equal(algebra_.substituted(x, one), algebra_.substituted(y, one));
    };
    std::vector<Formula> same = {equal(a.target, b.target), algebra_.equal(a.origin, b.origin), equal(a.part, b.part)};
    if (a.addressee && b.addressee) same.push_back(equal(*a.addressee, *b.addressee));
    return algebra_.conjunction(same);
  }

  // Whether the apexes differ. The apex of a packet that its origin sends follows from its name and target, so if the
  // levels differ, so do these.
  bool apexes_differ(const SamplePair& pair) {
    const Sample& a = pair.a;
    const Sample& b = pair.b;
    if (!a.family->apex || !b.family->apex || !(a.origin == a.source) || !(b.origin == b.source)) return false;
    const Obligation like{.property = ProvedProperty::complete, .name = "only once"};
    return write_never_equal(writing_, like, "the level at which it turns", pair, a.hops, b.hops);
  }

  // Writes that both counts are equal, in closed form.
  void write_as_many() {
    Number total;
    for (const Family& family : problem_.families) {
      const auto number = deliveries(family);
      if (!number) throw Unsupported{"counting what these loops deliver", family.span};
      total = total + *number;
    }
    // Each delivery meets a demand, and no two meet the same one, so as many deliveries as demands meet all demands.
    const BoundCollective& collective = problem_.collective;
    const Number demanded =
        collective.parts * TermFormulas(algebra_, {collective.parameters}).number(collective.terms.demands);
    writing_.add({.property = ProvedProperty::complete,
                  .name = "as many as demanded",
                  .meaning = fmt::format("{} packets are delivered, and {} are demanded: the same number",
                                         to_string(total), to_string(demanded)),
                  .given = algebra_.truth(true),
                  .must = algebra_.equal(total, demanded),
                  .span = problem_.schedule->collective.span,
                  .explanation = worded("{} packets are delivered", total)});
  }

  // Whether the condition contains only parameters, so that it holds for all sends or for none.
  bool all_or_none(const Family& family) const {
    const Variables inside = variables_in(family.given);
    return std::ranges::none_of(family.variables, [&](Atom variable) { return inside.count(variable) > 0; });
  }

  std::optional<Number> deliveries(const Family& family) {
    if (family.held || !all_or_none(family)) return std::nullopt;
    Number each(1);
    if (family.multicast && family.everyone) {
      each = problem_.processors - Number(1);
    } else if (family.multicast) {
      const auto size = destinations(family);
      if (!size) return std::nullopt;
      each = *size;
    }
    const auto in_each = chunks(family);
    const auto all = in_each ? counted(family.variables, each * *in_each, {}, family) : std::nullopt;
    return all ? std::optional(algebra_.choice(family.given, *all, Number(0))) : std::nullopt;
  }

  // The number of chunks of a message. An obligation says that all of the set's elements exist.
  std::optional<Number> chunks(const Family& family) {
    if (family.chunks_given != algebra_.truth(true)) {
      writing_.add(step("all chunks are there", "no condition leaves out chunks of a message", family.span),
                   {packet_variables(family), family.given, family.chunks_given});
    }
    return counted(family.chunks, Number(1), family.variables, family);
  }

  // The number of processors to which a multicast goes: the elements of its set except the source. Nothing if there
  // are more conditions.
  std::optional<Number> destinations(const Family& family) {
    if (family.destinations_given == algebra_.truth(true))
      return counted(family.destinations, Number(1), family.variables, family);
    const Formula other = algebra_.negation(algebra_.equal(family.target, family.source));
    if (family.destinations_given != other) return std::nullopt;
    if (family.destinations.size() == 1) {
      const Atom element = family.destinations[0];  // or it and what the set's range begins with
      const Number source = family.source - (family.target - Number(element));
      if (!mentions(source, element) && algebra_.never_negative(source - *element->first) &&
          algebra_.never_negative(*element->last - source))
        return *element->last - *element->first;
    }
    writing_.add(step("not to itself", "no processor is among the targets of its own packet", family.span),
                 {delivery_variables(family), family.given, other});
    return counted(family.destinations, Number(1), family.variables, family);
  }

  // The sum of `each` over the variables' ranges; obligations say that these ranges have no negative length.
  std::optional<Number> counted(const std::vector<Atom>& variables, Number each, const std::vector<Atom>& outside,
                                const Family& family) {
    for (std::size_t i = variables.size(); i-- > 0;) {
      const Atom variable = variables[i];
      const auto closed = closed_sum(algebra_, each, variable, *variable->first, *variable->last);
      if (!closed) return std::nullopt;
      each = *closed;
      const Number size = *variable->last - *variable->first + Number(1);
      const Formula sane = algebra_.at_least_zero(size);
      if (sane == algebra_.truth(true)) continue;
      writing_.add(
          step("ranges do not run backwards",
               fmt::format("the range of {} has {} elements, not fewer than none", variable->name, to_string(size)),
               problem_.schedule->collective.span),
          {joined(outside, std::span(variables).first(i)), family.given, sane});
    }
    return each;
  }

  const Writing& writing_;
  Algebra& algebra_;
  const Problem& problem_;
};

}  // namespace

void write_complete(const Writing& writing) { Completeness(writing).write(); }

std::optional<Number> count_messages(const Writing& writing) { return Completeness(writing).messages(); }

}  // namespace quadrille::prover
