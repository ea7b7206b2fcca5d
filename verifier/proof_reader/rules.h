// The rules of proof (verifier/PROOF_FORMAT.md): which applications a core form needs, and which leaves each has.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "verifier/proof_reader/leaf.h"
#include "verifier/proof_reader/machine.h"

namespace quadrille::proof_reader {

enum class Property : std::uint8_t {
  well_formed,
  contention_free,
  capacity,
  causal,
  queue,
  complete,
  claims,
  invariants
};
inline constexpr std::size_t properties = 8;
std::string_view to_string(Property property);

// A rule, applied to something of the core form: `(apart m1 m2)`. What follows the subjects says how.
struct Application {
  Property property = Property::well_formed;
  std::string rule;
  std::vector<std::string> subjects;
  Item item;  // as it stands in the proof

  std::string words() const;  // "contention_free (apart m1 m2)"
};

// What is judged.
struct Subject {
  const CoreForm& core;
  const Machine& machine;
};

// Exactly these a proof must have, each once; without `item`. `has`: where there are several rules, whether the proof
// has this application.
using Has = std::function<bool(const Application& application)>;
std::vector<Application> required(const Subject& subject, const Has& has);

// The leaves of an application that is required. Throws Refused if what follows its subjects is no instance of the
// rule.
std::vector<Leaf> leaves_of(const Subject& subject, const Application& application);

// --- by property; each for the sources rules_*.cpp -------------------------------------------------------------------

using Leaves = std::vector<Leaf>;
void formed(const Subject& subject, const Application& application, Leaves& leaves);
void apart(const Subject& subject, const Application& application, Leaves& leaves);
void ports(const Subject& subject, const Application& application, Leaves& leaves);
void own(const Subject& subject, const Application& application, Leaves& leaves);
void wanted(const Subject& subject, const Application& application, Leaves& leaves);
void once(const Subject& subject, const Application& application, Leaves& leaves);
void counted(const Subject& subject, const Application& application, Leaves& leaves);
void claimed(const Subject& subject, const Application& application, Leaves& leaves);
void begins(const Subject& subject, const Application& application, Leaves& leaves);
void kept(const Subject& subject, const Application& application, Leaves& leaves);
void passed_on(const Subject& subject, const Application& application, Leaves& leaves);
void by_invariant(const Subject& subject, const Application& application, Leaves& leaves);

// --- what they share -------------------------------------------------------------------------------------------------

const Message& message_named(const CoreForm& core, const std::string& name);
std::size_t numbered(const std::string& subject);  // "12", from 1: 11

// One after another.
Ranges joined(std::vector<Ranges> all);
Ranges scope_of(const Message& message, const Chunks& chunks);
Expression given_of(const Message& message, const Chunks& chunks);
// The values of (WORD … (k X) …), one for each range, which begin at that item: those variables as these expressions,
// and in `inside` that they lie in their ranges. The expressions speak of `names`.
Substitution instance(const Item& item, std::size_t at, const Ranges& ranges, const Names& names,
                      std::vector<Expression>& inside);
// When a packet of the message arrives that is sent.
Expression arrival(const Machine& machine, const Message& message);

// A sum over a range in closed form, as a proof gives it: (sum A), where A grows by what is summed as the variable
// grows by one. Adds the leaves that it does, and gives the sum over all values. `scope`: of what is outside of the
// range, where `given` holds.
Expression summed(const Expression& each, const Range& range, const Item& sum, const Ranges& scope,
                  const Expression& given, const std::string& name, const Subject& subject, Leaves& leaves);
// How many values the ranges have, within that scope: the list has a sum for each of them, the innermost first, behind
// its head.
Expression number_of(const Subject& subject, const Ranges& ranges, const Item& list, const Ranges& scope,
                     const Expression& given, const std::string& name, Leaves& leaves);

}  // namespace quadrille::proof_reader
