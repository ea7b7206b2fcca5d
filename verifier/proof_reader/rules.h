// The rules of proof (verifier/PROOF_FORMAT.md): which applications a core form needs, and which leaves each has.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/crossings.h"
#include "model/families.h"
#include "model/terms/collective_terms.h"
#include "verifier/proof_reader/core_form.h"
#include "verifier/proof_reader/leaf.h"

namespace quadrille::proof_reader {

// What a core form's fabric and collective are, for every size: the topology's crossings and the collective's terms
// (model/crossings.h, model/terms/collective_terms.h), which are believed, with the core form's expressions in them.

struct Ends {
  CoreExpression source, target;
  std::optional<CoreExpression> apex = {};  // the number of binary digits of source xor target, where it is known
};

inline Ends ends_of(const CoreMessage& message) { return {message.source, message.target, message.apex}; }

struct CoreMachine {
  std::vector<CoreExpression> numbers;  // of the fabric's arguments, each at least …
  std::vector<std::int64_t> least;      // … this
  Crossings crossings;
  std::vector<CoreExpression> parameters;                  // of the crossings
  std::vector<std::pair<std::string, std::string>> words;  // that the topology takes: {"capacity", "constant"}
  std::optional<CoreExpression> levels;                    // of a binary tree on which packets go step by step
  bool widening = false;                                   // there: level i has 2^(i-1) lanes, and not one
  bool rounds = false;
  bool shared = false;
  bool single_port = false;
  bool half_duplex = false;  // in steps, with single ports
  CollectiveKind collective;
  CollectiveTerms terms;
  std::optional<ReductionTerms> reduction;  // if it combines
  Operation operation = Operation::commutative;
  bool rooted = false;
  CoreExpression processors = 0;
  CoreExpression root = 0;
  CoreExpression parts = 1;   // as the core form has it
  CoreExpression values = 1;  // the parts that packets' names tell apart; combining: the values

  // A term of the crossings, of the packet between these ends.
  CoreExpression number(const Term& term, const Ends& ends, const CoreExpression& index = 0) const;
  CoreExpression truth(const Term& term, const Ends& ends, const CoreExpression& index = 0) const;
  CoreExpression hops(const Ends& ends) const { return number(crossings.hops, ends); }
  // A term of the collective, of the packet between these ends.
  CoreExpression of_collective(const Term& term, const Ends& ends) const;
  CoreExpression truth_of_collective(const Term& term, const Ends& ends) const;
};

// Throws Refused if there is no such fabric or collective, or it has rules that no rule of proof is for.
CoreMachine machine_of(const CoreForm& core, const Families& families);

enum class ProofProperty : std::uint8_t {
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
std::string_view to_string(ProofProperty property);

// A rule, applied to something of the core form: `(apart m1 m2)`. What follows the subjects says how.
struct Application {
  ProofProperty property = ProofProperty::well_formed;
  std::string rule;
  std::vector<std::string> subjects;
  ProofItem item;  // as it stands in the proof

  std::string words() const;  // "contention_free (apart m1 m2)"
};

// A case of the relation by which a proof shows what is held (rules_relation.cpp), of any.processor and so on.
struct CoreArrival {
  CoreExpression when;
  std::optional<CoreExpression> arrival;  // the step in which the item arrives; nothing: never
};

// What is judged.
struct ProofSubject {
  const CoreForm& core;
  const CoreMachine& machine;
  const std::vector<CoreArrival>* arrivals = nullptr;  // the relation; null if the proof has none
};

// Exactly these a proof must have, each once; without `item`. `has`: where there are several rules, whether the proof
// has this application.
using Has = std::function<bool(const Application& application)>;
std::vector<Application> required(const ProofSubject& subject, const Has& has);

// The leaves of an application that is required. Throws Refused if what follows its subjects is no instance of the
// rule.
std::vector<Leaf> leaves_of(const ProofSubject& subject, const Application& application);

// --- by property; each for the sources rules_*.cpp -------------------------------------------------------------------

using Leaves = std::vector<Leaf>;
void formed(const ProofSubject& subject, const Application& application, Leaves& leaves);
void apart(const ProofSubject& subject, const Application& application, Leaves& leaves);
void turns(const ProofSubject& subject, const Application& application, Leaves& leaves);
void ports(const ProofSubject& subject, const Application& application, Leaves& leaves);
void own(const ProofSubject& subject, const Application& application, Leaves& leaves);
void wanted(const ProofSubject& subject, const Application& application, Leaves& leaves);
void once(const ProofSubject& subject, const Application& application, Leaves& leaves);
void counted(const ProofSubject& subject, const Application& application, Leaves& leaves);
void claimed(const ProofSubject& subject, const Application& application, Leaves& leaves);
// Whether the application leaves its claim open: it is not shown, and listed so.
bool is_open(const ProofItem& claim);
void arrivals(const ProofSubject& subject, const Application& application, Leaves& leaves);
void has(const ProofSubject& subject, const Application& application, Leaves& leaves);
void lands(const ProofSubject& subject, const Application& application, Leaves& leaves);
void joins(const ProofSubject& subject, const Application& application, Leaves& leaves);
void no_gap(const ProofSubject& subject, const Application& application, Leaves& leaves);
void at_once(const ProofSubject& subject, const Application& application, Leaves& leaves);
void comes(const ProofSubject& subject, const Application& application, Leaves& leaves);
void arrived(const ProofSubject& subject, const Application& application, Leaves& leaves);
void ends(const ProofSubject& subject, const Application& application, Leaves& leaves);
void said(const ProofSubject& subject, const Application& application, Leaves& leaves);
void begins(const ProofSubject& subject, const Application& application, Leaves& leaves);
void kept(const ProofSubject& subject, const Application& application, Leaves& leaves);
void passed_on(const ProofSubject& subject, const Application& application, Leaves& leaves);
void by_invariant(const ProofSubject& subject, const Application& application, Leaves& leaves);

// The cases of (arrivals (case F A) …). Throws Refused.
std::vector<CoreArrival> read_arrivals(const ProofItem& item, const ProofSubject& subject);

// --- what they share -------------------------------------------------------------------------------------------------

const CoreMessage& message_named(const CoreForm& core, const std::string& name);
std::size_t numbered(const std::string& subject);  // "12", from 1: 11

// One after another.
CoreRanges joined(std::vector<CoreRanges> all);
CoreRanges scope_of(const CoreMessage& message, const CoreChunks& chunks);
CoreExpression given_of(const CoreMessage& message, const CoreChunks& chunks);
// The values of (WORD … (k X) …), one for each range, which begin at that item: those variables as these expressions,
// and in `inside` that they lie in their ranges. The expressions speak of `names`.
CoreSubstitution instance(const ProofItem& item, std::size_t at, const CoreRanges& ranges, const Names& names,
                          std::vector<CoreExpression>& inside);
// When a packet of the message arrives that is sent.
CoreExpression arrival(const CoreMachine& machine, const CoreMessage& message);

// A sum over a range in closed form, as a proof gives it: (sum A), where A grows by what is summed as the variable
// grows by one. Adds the leaves that it does, and gives the sum over all values. `scope`: of what is outside of the
// range, where `given` holds.
CoreExpression summed(const CoreExpression& each, const CoreRange& range, const ProofItem& sum, const CoreRanges& scope,
                      const CoreExpression& given, const std::string& name, const ProofSubject& subject,
                      Leaves& leaves);
// How many values the ranges have, within that scope: the list has a sum for each of them, the innermost first, behind
// its head.
CoreExpression number_of(const ProofSubject& subject, const CoreRanges& ranges, const ProofItem& list,
                         const CoreRanges& scope, const CoreExpression& given, const std::string& name, Leaves& leaves);

}  // namespace quadrille::proof_reader
