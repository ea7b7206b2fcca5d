// What a core form's fabric and collective are, for every size: the topology's crossings and the collective's terms
// (model/crossings.h, model/terms/collective_terms.h), which are believed, with the core form's expressions in them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/crossings.h"
#include "model/families.h"
#include "model/terms/collective_terms.h"
#include "verifier/proof_reader/core_form.h"

namespace quadrille::proof_reader {

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

}  // namespace quadrille::proof_reader
