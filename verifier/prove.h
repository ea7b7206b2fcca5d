// The prover: shows a schedule right for every size at once, with Z3, from its parametric form.
//
//   Proof proof = prove(*schedule, options);
//   if (proof.verdict == ProofVerdict::proved) …for every value in proof.parameters…
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/limits/limits.h"
#include "model/text/source.h"

namespace quadrille {

namespace ir {
struct Schedule;  // compiler/ir.h
}

enum class ProofVerdict : std::uint8_t { proved, refuted, unknown };
std::string_view to_string(ProofVerdict verdict);  // "proved", …

// What an obligation is a part of: a property of model/MODEL.md; the schedule's claims; or `holds_at_small_sizes`: what
// the checker found by itself, a small size at which the schedule is wrong, whatever is wrong there. That is among the
// obligations, refuted, only if there is such a size, and no other was refuted for the same patterns.
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

// By what means an obligation was decided.
enum class Theory : std::uint8_t {
  none,          // it was not
  construction,  // nothing can be otherwise
  algebra,       // both sides have one normal form
  integers,      // without powers of two and binary digits; by cases: with each power a number
  // Integers; each power of two, product and atom that is none of theirs is a number of which only some axioms are
  // known. So more is possible than in truth: what cannot be here cannot be at all, but not the other way round.
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

// What was found against an obligation: a size, and what happens there.
struct Counterexample {
  std::map<std::string, std::string> arguments;             // parameter values, as for the compiler
  std::vector<std::pair<std::string, std::string>> values;  // loop variables
  std::string text;                                         // "3->0 and 1->0 cross channel 1.0->0 in step 5"; or empty
  std::optional<bool> confirmed;                            // by the checker at that size; nothing: not tried
};

struct ProvedObligation {
  std::string where;  // the values of pattern parameters that it is for: "capacity=constant"
  ProvedProperty property = ProvedProperty::well_formed;
  std::string name;
  std::string meaning;  // in words
  std::string claim;    // claims: the text of that which it is for
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
  std::string smt2 = {};  // what Z3 was asked: unsatisfiable means proved; empty if it was not asked
  Span span = {};
  Span second_span = {};  // of what is about two packets: where the second is sent, the one whose variables have primes
};

// The values that the proof is for.
struct ProvedParameter {
  std::string name;
  std::string values;  // "1..62", "exponential"
};

struct Proof {
  ProofVerdict verdict = ProofVerdict::unknown;
  std::vector<ProvedParameter> parameters;
  std::string machine;  // in words
  std::vector<ProvedObligation> obligations;
  // Whether that is all of them, so that a property without one that is open or refuted is proved; false where the
  // prover ended before it had come to every property, or is at fault.
  bool all_listed = false;
  // Unknown: the most telling reason, a fault of the prover (internal) first, then what it does not support, then
  // limits. `why` says in words what the prover cannot handle in the whole schedule or a part of it, or which fault it
  // has, and where; it is empty for limits.
  Reason reason = Reason::none;
  std::string why;
  Span why_span;
};

// Some twenty seconds of Z3. The hardest obligation of what ships takes a fifteenth of it.
inline constexpr std::uint32_t default_effort = 100'000'000;

struct ProveOptions {
  std::map<std::string, std::string> arguments;  // parameters that are given a value; all pattern parameters
  // For each obligation, in Z3's resource units (its own count of steps): so a verdict does not depend on how fast the
  // machine is, or on what else it does. What needs more is unknown (limit).
  std::uint32_t effort = default_effort;
  unsigned threads = 2;
  bool until_refuted = false;  // ends with the first refutation that the checker confirms: what is left is unknown
  Limits limits = {};          // of the whole call; when they are reached, it ends with what is known
  // Runs the checker at one size and says whether the schedule holds there; nothing if it is too large, or there is no
  // such size. Asked by one thread at a time, about what is refuted and about the smallest sizes.
  std::function<std::optional<bool>(const std::map<std::string, std::string>& arguments)> holds_at;
};

// Ends soon after the limits are reached. Several calls may run at once, but Z3's memory limit is the process's: the
// last call's.
Proof prove(const ir::Schedule& schedule, const ProveOptions& options);

// Whether the schedule is refuted, but only by what the checker found by itself.
bool refuted_by_checker_alone(const Proof& proof);

}  // namespace quadrille
