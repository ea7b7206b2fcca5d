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

#include "model/source.h"

namespace quadrille {

namespace ir {
struct Schedule;  // compiler/ir.h
}

enum class ProofVerdict : std::uint8_t { proved, refuted, unknown };
std::string_view to_string(ProofVerdict verdict);  // "proved", …

// What was found against an obligation: a size, and what happens there.
struct Counterexample {
  std::map<std::string, std::string> arguments;             // parameter values, as for the compiler
  std::vector<std::pair<std::string, std::string>> values;  // loop variables
  std::string text;                                         // "3->0 and 1->0 cross channel 1.0->0 in step 5"; or empty
  std::optional<bool> confirmed;                            // by the checker at that size; nothing: not tried
};

struct ProvedObligation {
  std::string where;     // the values of pattern parameters that it is for: "capacity=constant"
  std::string property;  // of model/MODEL.md, or "claims", or `holds_at_small_sizes`
  std::string name;
  std::string meaning;  // in words
  std::string theory;   // "bit-vectors of 70 bits", "laws of powers", "integers", "algebra"
  ProofVerdict verdict = ProofVerdict::unknown;
  std::string reason;           // unknown: why
  std::optional<bool> vacuous;  // proved, and not by construction: whether there are no values that it speaks of
  double seconds = 0;
  std::optional<Counterexample> counterexample;
  std::string smt2;  // what Z3 was asked: unsatisfiable means proved; empty if it was not asked
  Span span;
  Span second_span;  // of what is about two packets: where the second is sent, the one whose variables have primes
};

// The property of what the checker found by itself: a small size at which the schedule is wrong, whatever is wrong
// there. It is among the obligations, refuted, only if there is such a size, and no other was refuted for the same
// patterns.
inline constexpr std::string_view holds_at_small_sizes = "holds";

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
  // The whole schedule, or a part of it, is beyond the prover: why, and where.
  std::string beyond;
  Span beyond_span;
};

struct ProveOptions {
  std::map<std::string, std::string> arguments;  // parameters that are given a value; all pattern parameters
  unsigned milliseconds = 60'000;                // for each obligation
  unsigned threads = 2;
  bool until_refuted = false;       // ends with the first refutation that the checker confirms: what is left is unknown
  std::function<bool()> cancelled;  // asked now and then; true ends it, with what is known
  // Runs the checker at one size and says whether the schedule holds there; nothing if it is too large, or there is no
  // such size. Asked by one thread at a time, about what is refuted and about the smallest sizes.
  std::function<std::optional<bool>(const std::map<std::string, std::string>& arguments)> holds_at;
};

Proof prove(const ir::Schedule& schedule, const ProveOptions& options);

// Whether the schedule is refuted, but only by what the checker found by itself.
bool refuted_by_checker_alone(const Proof& proof);

}  // namespace quadrille
