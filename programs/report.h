// What is found about a program: a verdict for each property, with the condition under which it holds, and findings
// that name the operations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits/limits.h"
#include "programs/program.h"

namespace quadrille::programs {

enum class ProgramProperty : std::uint8_t { structure, limits, matching, deadlock, race, data, agreement };
inline constexpr std::size_t property_count = 7;
std::string_view to_string(ProgramProperty property);

// Conditional: it holds for some message sizes or buffers, and is violated for others.
enum class ProgramVerdict : std::uint8_t { holds, conditional, unknown, violated };
std::string_view to_string(ProgramVerdict verdict);
// Why the limits leave something unknown: "there was no time left".
std::string_view why_unjudged(Reason reason);
// Violated if either is, else unknown, else conditional, else holds.
ProgramVerdict worse(ProgramVerdict a, ProgramVerdict b);

// Where it holds: message sizes in bytes, both included; a connection's buffer of so many bytes or more.
struct SizeCondition {
  std::optional<std::uint64_t> bytes_from = {};
  std::optional<std::uint64_t> bytes_to = {};
  std::optional<std::uint64_t> buffer = {};
};

// An operation, as a person finds it in the file: `step` is the number that is written there.
struct Location {
  std::uint32_t rank = 0;
  std::uint32_t block = 0;
  std::int64_t step = -1;  // -1: the block as such
  Span span = {};
  std::uint32_t index = 0;  // of the operation in its block
};

struct Finding {
  ProgramProperty property = ProgramProperty::structure;
  std::string message = {};
  std::optional<Location> at = {};
  std::optional<Location> other = {};
  std::optional<std::uint64_t> least_bytes = {};  // of a message with which it shows
  std::string mend = {};
  bool reads_first = false;  // a race: `at` reads the chunk, and `other` writes it
  // A race: two runs that differ in its order; one where an operation's threads still read when it has set its flag.
  std::vector<std::vector<Location>> runs = {};
};

// What is worth knowing and violates nothing: "channels", "step_number", "memory_order", "root".
struct Note {
  std::string kind;
  std::string message;
  std::optional<Location> at = {};
};

struct PropertyVerdict {
  ProgramVerdict verdict = ProgramVerdict::holds;
  SizeCondition condition = {};
  std::uint64_t findings = 0;
  bool partial = false;          // there may be more: they were no longer looked for
  Reason reason = Reason::none;  // of unknown
  std::string why = {};          // likewise, or what a condition means
};

// A block that cannot go on when a program hangs, and the block that it waits for.
struct Stuck {
  Location at;
  std::string waits_for;                  // "a message of rank 3", "room for a message to rank 2", "step 4 of block 1"
  std::optional<Location> for_whom = {};  // the operation at which that block stands; nothing: it has ended, or is none
};

struct ProgramReport {
  std::array<PropertyVerdict, property_count> properties = {};
  std::vector<Finding> findings = {};  // of each property the first few
  std::vector<Note> notes = {};
  std::vector<Stuck> stuck = {};  // of the hang with the least message, or the least demanding buffer

  PropertyVerdict& of(ProgramProperty property) { return properties[static_cast<std::size_t>(property)]; }
  const PropertyVerdict& of(ProgramProperty property) const { return properties[static_cast<std::size_t>(property)]; }
  ProgramVerdict verdict() const;
  // Counts it; keeps it if fewer than `listed` of its property are kept.
  void add(Finding finding, std::size_t listed);
  void set_unknown(ProgramProperty property, Reason reason, std::string why);
  // The judging of that property ended early: it is unknown, or what is violated may be so elsewhere, too.
  void cut_short(ProgramProperty property, Reason reason);
};

}  // namespace quadrille::programs
