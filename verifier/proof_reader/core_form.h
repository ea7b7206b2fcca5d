// The core form of a schedule: all its messages for every size, as families with variables (verifier/PROOF_FORMAT.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/proof_reader/expression.h"
#include "verifier/proof_reader/items.h"

namespace quadrille::proof_reader {

// A variable and the whole numbers that it runs over. The ends speak of those before it.
struct CoreRange {
  std::string name;
  CoreExpression first;
  std::optional<CoreExpression> last;  // nothing: no end; parameters only
};
using CoreRanges = std::vector<CoreRange>;

// Chunks of a message: one for each value of `variables` with which `given` holds.
struct CoreChunks {
  CoreRanges variables;
  CoreExpression given;
  CoreExpression origin;
  std::optional<CoreExpression> addressee;  // nothing: for everyone
  CoreExpression part;
};

// One statement's messages, one for each value of `variables` with which `given` holds. In steps each is one packet.
struct CoreMessage {
  std::string name;
  CoreRanges variables;
  CoreExpression given;
  CoreExpression start;  // the step, or round, in which it leaves
  CoreExpression source, target;
  std::vector<CoreChunks> chunks;
  std::optional<CoreExpression> apex;  // on a binary tree: the level at which it turns, as the proof says
};

// What the schedule needs in order to mean anything.
struct CoreCondition {
  std::string words;
  CoreRanges variables;
  CoreExpression given, must;
};

// held(processor) of chunks with this addressee and part: their origins, after each step of the invariant's.
struct CoreStatement {
  CoreRanges variables;
  CoreExpression given;
  CoreExpression processor;
  std::optional<CoreExpression> addressee;
  CoreExpression part;
  CoreExpression member;  // of `step` and `origin`: that the origin is among them
  bool at_least = false;  // more may be held than is stated
};

struct CoreInvariant {
  std::string text;
  std::string step;
  CoreExpression first, last;  // the steps that it speaks of; none, if the last is below the first
  std::string origin;          // from 0 to n - 1
  std::vector<CoreStatement> statements;
};

struct CoreClaim {
  std::string text;
  CoreExpression when, holds;  // `holds` may speak of measures: measure.rounds, …
};

struct FabricArgument {
  std::string key;  // "" for the unnamed one
  std::vector<CoreExpression> numbers;
  std::string word;  // if there are no numbers
};

// Texts in it (names, words, claims as they were written) are for people who read the file; none of them is judged, and
// so none is shown.
struct CoreForm {
  std::string schedule;
  CoreRanges parameters;
  std::vector<std::pair<std::string, CoreExpression>> arguments;  // of the schedule: what its parameters are
  std::vector<std::pair<std::string, std::string>> words;         // likewise: of those that are words
  std::string topology;
  std::vector<FabricArgument> fabric;
  std::string collective;
  std::string operation;  // with which it combines; "": as the collective does
  CoreExpression root = 0;
  CoreExpression parts = 1;
  std::vector<CoreCondition> conditions;
  std::vector<CoreMessage> messages;
  std::vector<CoreInvariant> invariants;
  std::vector<CoreClaim> claims;
  std::vector<std::string> unjudged;  // claims that no rule of proof speaks of: "optimal volume"
};

inline constexpr std::size_t most_families = 200;  // messages, chunks of one, conditions, claims: of each
inline constexpr std::size_t most_variables = 40;  // of a family
inline constexpr std::uint64_t most_written = std::uint64_t{1} << 20;  // pieces of an expression

// Throws Refused.
CoreForm read_core_form(const std::vector<ProofItem>& items);

// --- expressions, for proofs, too
// --------------------------------------------------------------------------------------

using Names = std::set<std::string>;

// With no other variables than these. Throws Refused.
CoreExpression read_number(const ProofItem& item, const Names& known);
CoreExpression read_truth(const ProofItem& item, const Names& known);
// The names of parameters, and of variables that are in sight besides.
Names names_of(const CoreRanges& ranges, Names outside = {});
// A parameter's name, or a variable's, or a measure's.
bool is_name(const std::string& word);

}  // namespace quadrille::proof_reader
