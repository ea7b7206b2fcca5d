// The prover shows a schedule right for every size at once, with Z3, from its parametric form.
//
// For: theorems for every size (Z3).
// Face: this header, verifier/write_proof.h.
// Read first: verifier/PROVING.md, verifier/prover/pipeline.cpp (unfold, collect obligations, decide).
//
//   Proof proof = prove(*schedule, options);
//   if (proof.verdict == ProofVerdict::proved) …for every value in proof.parameters…
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/limits/limits.h"
#include "model/text/arguments.h"
#include "model/text/source.h"

namespace quadrille {

namespace ir {
struct Schedule;  // compiler/ir.h
}

enum class ProofVerdict : std::uint8_t { proved, refuted, unknown };
std::string_view to_string(ProofVerdict verdict);  // "proved", …

// The part of the theorem that an obligation belongs to: a property of model/MODEL.md, the schedule's claims, or
// `holds_at_small_sizes`. The last stands for a small size at which the checker by itself found the schedule wrong,
// whatever is wrong there. It is among the obligations, refuted, only if there is such a size, and no other obligation
// was refuted for the same patterns.
enum class ProvedProperty : std::uint8_t {
  well_formed,
  contention_free,
  capacity,
  causal,
  queue,
  complete,
  claims,
  invariants,
  holds_at_small_sizes
};
std::string_view to_string(ProvedProperty property);  // "well_formed", …; the last is "small_sizes"

// The means by which an obligation was decided.
enum class Theory : std::uint8_t {
  none,          // it was not
  construction,  // nothing can be otherwise
  algebra,       // both sides have one normal form
  integers,      // without powers of two and binary digits; by cases: with each power a number
  // Integers; each power of two, each product and each atom that integers alone do not express is a number of which
  // only some axioms are known. This admits more models than there are: unsatisfiable here means unsatisfiable, but a
  // model here need not be one.
  power_axioms,
  bit_vectors,  // wide enough for every value that occurs
  checker       // of the schedule at one size
};

struct UsedTheory {
  Theory theory = Theory::none;
  unsigned bits = 0;      // bit_vectors: how wide
  bool by_cases = false;  // a question for each value of exponents and lengths
  bool operator==(const UsedTheory&) const = default;
};
std::string to_string(UsedTheory theory);  // "bit-vectors of 70 bits", "power-of-two axioms"; "" for none

// A counterexample to an obligation: a size, and the violation there.
struct Counterexample {
  Arguments arguments;
  std::vector<std::pair<std::string, std::string>> values;  // loop variables
  std::string text;                                         // "3->0 and 1->0 cross channel 1.0->0 in step 5"; or empty
  std::optional<bool> confirmed;                            // by the checker at that size; nothing: not tried
};

struct ProvedObligation {
  std::string where;  // the values of pattern parameters that it is for: "capacity=constant"
  ProvedProperty property = ProvedProperty::well_formed;
  std::string name;
  std::string meaning;  // in words
  std::string claim;    // claims: the text of the claim that it is for
  // False: it stands for the obligations of its property that could not be written down. Its verdict is unknown.
  bool written = true;
  UsedTheory theory = {};
  ProofVerdict verdict = ProofVerdict::unknown;
  Reason reason = Reason::none;      // unknown: of which kind, …
  std::string why = {};              // … and in words
  std::optional<bool> vacuous = {};  // proved, and not by construction: whether there are no values that it speaks of
  double seconds = 0;
  std::uint64_t effort = 0;  // of Z3, in its resource units
  std::optional<Counterexample> counterexample = {};
  std::string smt2 = {};  // the question to Z3: unsatisfiable means proved; empty if Z3 was not asked
  Span span = {};
  Span second_span = {};  // of what is about two packets: where the second is sent, the one whose variables have primes
};

// The values that the proof is for.
struct ProvedParameter {
  std::string name;
  std::string values;  // "1..62", "exponential"
};

// What is held when: "invariant after t in 0..N - 1: for k in 0..N - 1: held(k) contains {…}". If `pasted`, a schedule
// may contain it; otherwise it has names that the schedule does not know.
struct ProvedRelation {
  std::string text;
  bool pasted = false;
};

struct Proof {
  ProofVerdict verdict = ProofVerdict::unknown;
  std::vector<ProvedParameter> parameters;
  std::string machine;  // in words
  std::vector<ProvedObligation> obligations;
  // If it rests on a relation of what is held that was guessed: that relation, in the schedule's language.
  std::optional<ProvedRelation> relation = {};
  // Whether the list is complete. If so, a property none of whose obligations is open or refuted is proved. False where
  // the prover ended before it had reached every property, or is at fault.
  bool all_listed = false;
  // Unknown: the most telling reason: a fault of the prover (internal) before a lack of support before limits. `why`
  // says in words which part of the schedule the prover cannot handle, or which fault it has, and `why_span` says
  // where; `why` is empty for limits.
  Reason reason = Reason::none;
  std::string why;
  Span why_span;
};

// Some twenty seconds of Z3. The hardest obligation of the schedules that ship takes a fifteenth of it.
inline constexpr std::uint32_t default_effort = 100'000'000;

struct ProveOptions {
  Arguments arguments;  // parameters that are given a value; all pattern parameters
  // The most effort for each obligation, in Z3's resource units (its own count of steps). A verdict therefore does not
  // depend on the machine's speed or load. An obligation that needs more is unknown (limit).
  std::uint32_t effort = default_effort;
  unsigned threads = 2;
  bool until_refuted = false;  // ends with the first refutation that the checker confirms: the rest is unknown
  Limits limits = {};          // of the whole call; when they are reached, it ends with the results that it has
  // Runs the checker at one size and says whether the schedule holds there; nothing if it is too large, or there is no
  // such size. One thread at a time asks it, about sizes of refutations and about the smallest sizes.
  std::function<std::optional<bool>(const Arguments& arguments)> holds_at;
};

// Proves or refutes the schedule for every size. Ends soon after the limits are reached. Several calls may run at once,
// but Z3 has one memory limit for the process: the last call's.
Proof prove(const ir::Schedule& schedule, const ProveOptions& options);

// Whether the schedule is refuted, but only by violations that the checker found by itself.
bool refuted_by_checker_alone(const Proof& proof);

}  // namespace quadrille
