// The explicit checker reads every hop of a table and judges it by the model's rules. It shares no code with the stages
// that make tables.
//
// For: the last word on one table, hop by hop.
// Face: this header. Lanes, ports and queues, row by row, are verifier/checker/rows/.
// Keeps: it links and reads the model alone, of it no topology, no collective's file and no view of messages: what it
// judges cannot get into it. It reads rows in its own way on purpose; so do the references in tests/.
// Read first: verifier/checker/check.cpp.
//
//   SendTable table = …;
//   Report report = check(table);
//   if (report.verdict == Verdict::holds) …report.steps…
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "model/verdict.h"

namespace quadrille {

enum class Property : std::uint8_t {
  well_formed,
  contention_free,
  capacity,
  causal,
  queue,
  complete,
  non_redundant,
  agreement,
  claims,
  invariants
};
inline constexpr std::size_t property_count = 10;
std::string_view to_string(Property property);  // "well_formed", …

// A row that a violation is about.
struct ConcernedRow {
  StepId step;
  Row row;
  RowOrigin origin = {};  // where it was written, if known
};
inline constexpr std::size_t most_rows_listed = 64;  // of one violation

// One of two orders in which the same contributions were added up.
struct AddedOrder {
  NodeId processor;  // whose result it is
  std::string sum;   // "(0 + 2) + 1"; of many contributions only where the two part, and there the first terms
  NodeId at;         // the node at which the sum in which they part was made first, …
  std::optional<StepId> step{};  // … and when; nothing: at the end, of words that were kept
};

// One thing that is wrong. Absent fields do not apply.
struct Violation {
  Property property = Property::well_formed;
  std::optional<StepId> step{};
  std::optional<ChannelId> channel{};
  std::optional<NodeId> node{};
  std::optional<ChunkId> chunk{};
  std::optional<std::uint32_t> value{};         // combining: of which value …
  std::optional<std::uint32_t> contribution{};  // … which processor's contribution is counted twice, or missing
  std::string message{};                        // "2 packets on channel 1.0->2.0 of capacity 1: 0->2, 1->3"
  RowOrigin origin{};  // where the (latest) row concerned was written, or the statement, if known
  Span claim{};        // for claims and invariants: their own place
  // The rows concerned, in the order of the table, at most 64 of them:
  // * a lane, channel or port: all rows on it;
  // * a switch's buffer: the rows that brought the packets in it;
  // * a packet that is not there: the row that brings it too late, or the last one that brought it before;
  // * a packet that is there already: the row that brought it first;
  // * a contribution that is counted twice: the rows that brought it;
  // * something that never arrives: its last row;
  // * another order of addition: the rows that brought the last summands where the two orders part.
  // Violations of claims and invariants list no rows.
  std::vector<ConcernedRow> rows{};
  std::uint64_t rows_concerned = 0;  // all of them, also those not listed
  std::vector<AddedOrder> orders{};  // agreement: this processor's, then that of the lowest one
};

struct PropertyResult {
  Verdict verdict = Verdict::holds;
  std::uint64_t violations = 0;  // all of them, also those not listed
  Reason reason = Reason::none;  // for unknown
  std::string why;               // likewise, in words
};

// Largest numbers of waiting packets. A switch buffers a packet in every step after it arrived and before its last
// departure; a packet waits for a channel in every step after it arrived and before it crosses that channel.
struct QueueSizes {
  std::uint64_t largest = 0;                       // packets buffered by one switch
  std::uint64_t largest_at_channel = 0;            // packets waiting for one channel
  std::vector<std::uint64_t> by_level;             // index = switch level (0 unused): buffered by one switch
  std::vector<std::uint64_t> at_channel_by_level;  // waiting for one outgoing channel of a switch of that level
  bool operator==(const QueueSizes&) const = default;
};

struct Report {
  Verdict verdict = Verdict::holds;  // of all properties but those that only warn
  std::array<PropertyResult, property_count> properties;
  Reason ended_early = Reason::none;  // why reading stopped before the table's end; the numbers are of the rows read
  std::uint64_t steps = 0;            // T: the last step in which anything crosses a channel; 0 for an empty table
  std::uint64_t messages = 0;         // rows that leave a processor
  std::uint64_t rows = 0;
  std::optional<std::uint64_t> volume = {};  // in rounds only, where steps are rounds (model/MODEL.md)
  std::optional<Fraction> load = {};  // likewise, on shared paths; nothing if it needs numbers of more than 64 bits
  std::optional<std::uint64_t> hops = {};
  std::uint64_t invariant_statements = 0;  // of single processors and steps: those that were judged
  QueueSizes queues;
  std::optional<std::uint64_t> max_buffer = {};  // measured where a claim speaks of it (Measured)
  std::vector<Violation> violations;             // the first of each property, in order of step

  bool agreement_demanded = false;  // as CheckOptions have it

  const PropertyResult& of(Property property) const { return properties[static_cast<std::size_t>(property)]; }
  // Whether a violation of this property leaves the table's verdict as it is.
  bool only_warns(Property property) const {
    return property == Property::non_redundant || (property == Property::agreement && !agreement_demanded);
  }
};

// Returns the measures that claims may speak of.
Measured measured(const Report& report);

struct CheckOptions {
  std::size_t listed_per_property = 10;  // how many violations are described; all are counted
  bool agreement = false;                // whether it is demanded, not only looked at
  Limits limits = {};
};

// Judges the table. A property is unknown where the limits leave it unjudged; if the limits, or the table's rows, end
// before the table does, every property that is not violated by then is unknown. Packets of one name at one switch are
// copies of one another: a departure takes the latest arrival before its step. Cost: time linear in the rows (n = 1024
// total exchange, 18.9 million rows: well under a second). Memory: the packets in flight and one bit per demand if no
// chunk has two targets, else all (chunk, node) pairs seen.
Report check(const SendTable& table, const CheckOptions& options = {});

}  // namespace quadrille
