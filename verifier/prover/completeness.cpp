// Everything that is demanded is delivered: every delivery is one that is demanded, no two are the same, and there are
// as many as demands; so all are met.
#include <fmt/format.h>

#include "verifier/prover/obligations.h"
#include "verifier/prover/sums.h"

namespace quadrille::prover {

void Obligations::complete() {
  const CollectiveKind kind = problem_.collective;
  const bool for_everyone = kind == CollectiveKind::broadcast || kind == CollectiveKind::allgather;
  for (const Family& family : problem_.families) {
    std::vector<Atom> scope = family.variables;
    scope.insert(scope.end(), family.destinations.begin(), family.destinations.end());
    const Formula given = algebra_.conjunction({family.given, family.known, family.destinations_given});
    const Formula wanted = for_everyone ? algebra_.negation(algebra_.equal(family.target, family.origin))
                                        : algebra_.equal(family.target, *family.addressee);
    add(ProvedProperty::complete, "is wanted",
        "every packet goes to a processor that wants it and does not hold it from the start", scope, given, wanted,
        family.span, false, delivered(flight(family)));
  }
  const auto& families = problem_.families;
  for (std::size_t f = 0; f < families.size(); ++f) {
    for (std::size_t g = f; g < families.size(); ++g) only_once(families[f], families[g]);
  }
  Number total;
  for (const Family& family : families) {
    const auto number = count(family, true);
    if (!number) throw Unsupported{"counting what these loops deliver", family.span};
    total = total + *number;
  }
  const Number n = problem_.processors;
  const bool of_pairs = kind == CollectiveKind::allgather || kind == CollectiveKind::total_exchange;
  const Number demanded = of_pairs ? n * (n - Number(1)) : n - Number(1);
  add(ProvedProperty::complete, "as many as demanded",
      fmt::format("{} packets are delivered, and {} are demanded: the same number", to_string(total),
                  to_string(demanded)),
      {}, algebra_.truth(true), algebra_.equal(total, demanded), problem_.schedule->collective.span, true,
      worded("{} packets are delivered", total));
}

void Obligations::only_once(const Family& f, const Family& g) {
  for (const auto& [a, b] : two(f, g, {}, true)) {
    if (apexes_differ(a, b)) continue;
    // Where both origins are variables, let them be one in the other formulas: these get simpler.
    const auto first = a.origin.atom();
    const auto second = b.origin.atom();
    Substitution one;
    if (first && second && (*first)->kind == AtomKind::variable && (*second)->kind == AtomKind::variable)
      one[*second] = a.origin;
    const auto equal = [&](const Number& x, const Number& y) {
      return algebra_.equal(algebra_.substituted(x, one), algebra_.substituted(y, one));
    };
    std::vector<Formula> same = {equal(a.target, b.target), algebra_.equal(a.origin, b.origin)};
    if (a.addressee && b.addressee) same.push_back(equal(*a.addressee, *b.addressee));
    add(ProvedProperty::complete, "only once", "no packet is delivered twice", scope_of(a, b),
        algebra_.conjunction({a.given, b.given}), algebra_.negation(algebra_.conjunction(same)), a.family->span, false,
        delivered_twice(a, b), b.family->span);
  }
}

// A packet that is sent by its origin turns at a level that follows from its name and target: if the levels differ, so
// do these.
bool Obligations::apexes_differ(const Sample& a, const Sample& b) {
  if (!a.family->apex || !b.family->apex || !(a.origin == a.source) || !(b.origin == b.source)) return false;
  return never_equal(ProvedProperty::complete, "only once", "the level at which it turns", a, b, a.hops, b.hops);
}

// The sum of `each` over the variables' ranges; that these are not less than empty is an obligation.
std::optional<Number> Obligations::counted(const std::vector<Atom>& variables, Number each,
                                           const std::vector<Atom>& outside) {
  for (std::size_t i = variables.size(); i-- > 0;) {
    const Atom variable = variables[i];
    const auto closed = closed_sum(algebra_, each, variable, *variable->first, *variable->last);
    if (!closed) return std::nullopt;
    each = *closed;
    std::vector<Atom> scope = outside;
    scope.insert(scope.end(), variables.begin(), variables.begin() + static_cast<std::ptrdiff_t>(i));
    const Number size = *variable->last - *variable->first + Number(1);
    const Formula sane = algebra_.at_least_zero(size);
    if (sane == algebra_.truth(true)) continue;
    add(ProvedProperty::complete, "ranges do not run backwards",
        fmt::format("the range of {} has {} elements, not fewer than none", variable->name, to_string(size)),
        std::move(scope), algebra_.truth(true), sane, problem_.schedule->collective.span, false);
  }
  return each;
}

std::optional<Number> Obligations::count(const Family& family, bool with_destinations) {
  if (family.given != algebra_.truth(true)) return std::nullopt;
  Number each(1);
  if (with_destinations && family.multicast) {
    if (family.everyone) {
      each = problem_.processors - Number(1);
    } else {
      const auto size = count_destinations(family);
      if (!size) return std::nullopt;
      each = *size;
    }
  }
  return counted(family.variables, each, {});
}

// The processors to which a multicast goes: the elements of its set but the source. Nothing if there are more
// conditions.
std::optional<Number> Obligations::count_destinations(const Family& family) {
  if (family.destinations_given == algebra_.truth(true))
    return counted(family.destinations, Number(1), family.variables);
  const Formula other = algebra_.negation(algebra_.equal(family.target, family.source));
  if (family.destinations_given != other) return std::nullopt;
  if (family.destinations.size() == 1) {
    const Atom element = family.destinations[0];  // or it and what the set's range begins with
    const Number source = family.source - (family.target - Number(element));
    if (algebra_.never_negative(source - *element->first) && algebra_.never_negative(*element->last - source))
      return *element->last - *element->first;
  }
  std::vector<Atom> scope = family.variables;
  scope.insert(scope.end(), family.destinations.begin(), family.destinations.end());
  add(ProvedProperty::complete, "not to itself", "no processor is among the targets of its own packet", scope,
      algebra_.truth(true), other, family.span, false);
  return counted(family.destinations, Number(1), family.variables);
}

std::optional<Number> Obligations::messages() {
  Number total;
  for (const Family& family : problem_.families) {
    if (family.multicast && !family.everyone) return std::nullopt;  // some might go to no one
    const auto number = count(family, false);
    if (!number) return std::nullopt;
    total = total + *number;
  }
  return total;
}

}  // namespace quadrille::prover
