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
struct Range {
  std::string name;
  Expression first;
  std::optional<Expression> last;  // nothing: no end; parameters only
};
using Ranges = std::vector<Range>;

// Chunks of a message: one for each value of `variables` with which `given` holds.
struct Chunks {
  Ranges variables;
  Expression given;
  Expression origin;
  std::optional<Expression> addressee;  // nothing: for everyone
  Expression part;
};

// One statement's messages, one for each value of `variables` with which `given` holds. In steps each is one packet.
struct Message {
  std::string name;
  Ranges variables;
  Expression given;
  Expression start;  // the step, or round, in which it leaves
  Expression source, target;
  std::vector<Chunks> chunks;
};

// What the schedule needs in order to mean anything.
struct Condition {
  std::string words;
  Ranges variables;
  Expression given, must;
};

// held(processor) of chunks with this addressee and part: their origins, after each step of the invariant's.
struct Statement {
  Ranges variables;
  Expression given;
  Expression processor;
  std::optional<Expression> addressee;
  Expression part;
  Expression member;      // of `step` and `origin`: that the origin is among them
  bool at_least = false;  // more may be held than is stated
};

struct Invariant {
  std::string text;
  std::string step;
  Expression first, last;  // the steps that it speaks of; none, if the last is below the first
  std::string origin;      // from 0 to n - 1
  std::vector<Statement> statements;
};

struct CoreClaim {
  std::string text;
  Expression when, holds;  // `holds` may speak of measures: measure.rounds, …
};

struct FabricArgument {
  std::string key;  // "" for the unnamed one
  std::vector<Expression> numbers;
  std::string word;  // if there are no numbers
};

// Texts in it (names, words, claims as they were written) are for people who read the file; none of them is judged, and
// so none is shown.
struct CoreForm {
  std::string schedule;
  Ranges parameters;
  std::vector<std::pair<std::string, Expression>> arguments;  // of the schedule: what its parameters are
  std::string topology;
  std::vector<FabricArgument> fabric;
  std::string collective;
  Expression root = 0;
  Expression parts = 1;
  std::vector<Condition> conditions;
  std::vector<Message> messages;
  std::vector<Invariant> invariants;
  std::vector<CoreClaim> claims;
  std::vector<std::string> unjudged;  // claims that no rule of proof speaks of: "optimal volume"
};

inline constexpr std::size_t most_families = 200;  // messages, chunks of one, conditions, claims: of each
inline constexpr std::size_t most_variables = 40;  // of a family
inline constexpr std::uint64_t most_written = std::uint64_t{1} << 20;  // pieces of an expression

// Throws Refused.
CoreForm read_core_form(const std::vector<Item>& items);

// --- expressions, for proofs, too
// --------------------------------------------------------------------------------------

using Names = std::set<std::string>;

// With no other variables than these. Throws Refused.
Expression read_number(const Item& item, const Names& known);
Expression read_truth(const Item& item, const Names& known);
// The names of parameters, and of variables that are in sight besides.
Names names_of(const Ranges& ranges, Names outside = {});
// A parameter's name, or a variable's, or a measure's.
bool is_name(const std::string& word);

}  // namespace quadrille::proof_reader
