// The report on a program: a verdict for each property, with the condition under which it holds, and findings that
// name the operations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits/limits.h"
#include "programs/program.h"

namespace quadrille::programs {

// `relaunch`, of MSCCL++ plans alone: the same plan may be launched again, and others between.
enum class ProgramProperty : std::uint8_t { structure, limits, matching, deadlock, race, data, agreement, relaunch };
inline constexpr std::size_t property_count = 8;
std::string_view to_string(ProgramProperty property);
// Those of a program that a report shows; of plans all, of MSCCL XML all but `relaunch`.
inline constexpr std::array<ProgramProperty, property_count> plan_properties = {
    ProgramProperty::structure, ProgramProperty::limits, ProgramProperty::matching,  ProgramProperty::deadlock,
    ProgramProperty::race,      ProgramProperty::data,   ProgramProperty::agreement, ProgramProperty::relaunch};
inline constexpr std::span<const ProgramProperty> msccl_properties = std::span(plan_properties).first(7);
// GOAL says neither which bytes move nor what is done with them, so only these properties are judged.
inline constexpr std::array<ProgramProperty, 3> goal_properties = {
    ProgramProperty::structure, ProgramProperty::matching, ProgramProperty::deadlock};

// Conditional: the property holds for some message sizes, and is violated for others.
enum class ProgramVerdict : std::uint8_t { holds, conditional, unknown, violated };
std::string_view to_string(ProgramVerdict verdict);
// The reason why the limits leave something unknown, as text: "there was no time left".
std::string_view why_unjudged(Reason reason);
// Violated if either one is, else unknown, else conditional, else holds.
ProgramVerdict worse(ProgramVerdict a, ProgramVerdict b);

// The condition under which a property holds: message sizes in bytes, both ends included; in GOAL, messages of
// up to so many bytes are eager.
struct SizeCondition {
  std::optional<std::uint64_t> bytes_from = {};
  std::optional<std::uint64_t> bytes_to = {};
  std::optional<std::uint64_t> buffer = {};
};

// The place of an operation, as a person finds it in the file; `step` is the number that is written there. In GOAL a
// rank has no blocks and no steps: `index` counts its operations.
struct Location {
  std::uint32_t rank = 0;
  std::uint32_t block = 0;
  std::int64_t step = -1;  // -1: the block as such
  Span span = {};
  std::uint32_t index = 0;  // of the operation in its block; of a plan, those in pipelines are counted, too
};

struct Finding {
  ProgramProperty property = ProgramProperty::structure;
  std::string message = {};
  std::optional<Location> at = {};
  std::optional<Location> other = {};
  std::optional<std::uint64_t> least_bytes = {};  // of a message with which it occurs
  std::string mend = {};
  bool reads_first = false;  // for a race: `at` reads the chunk, and `other` writes it
  // For a race: two runs that differ in its order; or one run, if an operation's threads still read when it has set
  // its flag.
  std::vector<std::vector<Location>> runs = {};
};

// A remark that is worth knowing and violates nothing: "channels", "step_number", "memory_order", "root",
// "buffer".
struct Note {
  std::string kind;
  std::string message;
  std::optional<Location> at = {};
};

struct PropertyVerdict {
  ProgramVerdict verdict = ProgramVerdict::holds;
  SizeCondition condition = {};
  std::uint64_t findings = 0;
  bool partial = false;          // there may be more: the search for them ended early
  Reason reason = Reason::none;  // for unknown
  std::string why = {};          // likewise, or the meaning of a condition
};

// A block that cannot go on when a program hangs, and the block that it waits for; in GOAL, an operation that never
// ends, and the operation that it waits for.
struct Stuck {
  Location at;
  std::string waits_for;                  // "a message of rank 3", "room for a message to rank 2", "the end of", …
  std::optional<Location> for_whom = {};  // the operation at which that block is; nothing: it has ended, or is none
};

struct ProgramReport {
  std::span<const ProgramProperty> covers = msccl_properties;  // judged; all others hold
  std::array<PropertyVerdict, property_count> properties = {};
  std::vector<Finding> findings = {};  // of each property the first few
  std::vector<Note> notes = {};
  // Of the hang with the smallest message. In GOAL each waits for the next one, until
  // one repeats or nothing helps.
  std::vector<Stuck> stuck = {};
  bool agreement_demanded = false;  // else it only warns, as it does of tables

  PropertyVerdict& of(ProgramProperty property) { return properties[static_cast<std::size_t>(property)]; }
  const PropertyVerdict& of(ProgramProperty property) const { return properties[static_cast<std::size_t>(property)]; }
  bool only_warns(ProgramProperty property) const {
    return property == ProgramProperty::agreement && !agreement_demanded;
  }
  ProgramVerdict verdict() const;  // of all properties but those that only warn
  // Counts the finding; keeps it if fewer than `listed` of its property are kept.
  void add(Finding finding, std::size_t listed);
  void set_unknown(ProgramProperty property, Reason reason, std::string why);
  // Notes that the judging of the property ended early: it is unknown, or a violated one may have more violations.
  void cut_short(ProgramProperty property, Reason reason);
};

}  // namespace quadrille::programs
