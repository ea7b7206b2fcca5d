// Writes the core form of a problem as text (verifier/PROOF_FORMAT.md).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "verifier/prover/problem/expressions.h"
#include "verifier/prover/problem/problem.h"
#include "verifier/prover/problem/spoken.h"

namespace quadrille::prover {

// Writes numbers and formulas in parentheses. Throws Unsupported where core forms have no such operation.
class CoreText {
 public:
  // The variable's name in the text. Each variable has a name of its own, whatever the schedule calls it.
  std::string name(Atom variable);
  void rename(Atom variable, std::string name) { names_[variable] = std::move(name); }

  std::string number(const Number& x);
  std::string truth(Formula f);
  // From now on, numbers are guesses of a proof, which may be written in a way that is right for most values only.
  void guess() { guessing_ = true; }
  std::string ranges(const std::vector<Atom>& variables);  // "(for (k 0 (+ N -1)))"

 private:
  std::string monomial(const Monomial& monomial, const Number& exponent, const Integer& factor);
  std::string atom(Atom atom);
  std::string bitwise(const AtomNode& atom);
  std::optional<std::string> lowest(const AtomNode& atom);

  std::map<Atom, std::string, AtomOrder> names_;
  std::set<std::string> used_;
  bool guessing_ = false;
};

// One statement's messages: the first of its families, and all of them, which are the message's chunks.
struct MessageFamilies {
  std::string name;
  std::vector<const Family*> chunks;

  const Family& first() const { return *chunks.front(); }
  std::vector<Atom> variables() const;                           // of a message; also those of its targets
  std::vector<Atom> variables_with(const Family& chunks) const;  // also those of the chunks
};
std::vector<MessageFamilies> messages_of(const Problem& problem);

// The formula of a claim, with variables in place of the measures.
struct ClaimFormula {
  const ir::Claim* claim = nullptr;
  Formula when = nullptr, holds = nullptr;
};
struct MeasureVariables {
  Atom steps = nullptr, messages = nullptr, max_queue = nullptr, volume = nullptr, hops = nullptr;
};

// The whole core form. Requires that the problem has the conditions that the claims bring.
std::string core_form(CoreText& text, Algebra& algebra, Problem& problem, Expressions& expressions,
                      const std::vector<MessageFamilies>& messages, const std::vector<SpokenInvariant>& invariants,
                      const std::vector<ClaimFormula>& claims);

}  // namespace quadrille::prover
