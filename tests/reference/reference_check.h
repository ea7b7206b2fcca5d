// The reference checker: slow, obvious, and written to be compared with model/MODEL.md by eye.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "model/verdict.h"

namespace quadrille::reference {

// The properties in the order of MODEL.md, under its names.
enum PropertyNumber : std::size_t {
  well_formed,
  contention_free,
  capacity,
  causal,
  queue,
  complete,
  non_redundant,
  agreement,
  claims
};
inline constexpr std::size_t properties = 9;
inline constexpr std::array<const char*, properties> property_names = {"well_formed",   "contention_free", "capacity",
                                                                       "causal",        "queue",           "complete",
                                                                       "non_redundant", "agreement",       "claims"};

struct Findings {
  Verdict verdict = Verdict::holds;  // all properties but non_redundant and agreement, which warn
  std::array<std::uint64_t, properties> violations{};
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;
  std::uint64_t rows = 0;
  std::optional<std::uint64_t> volume = {};  // in rounds only
  std::optional<Fraction> load = {};         // likewise, on shared paths
  std::optional<std::uint64_t> hops = {};
  std::uint64_t max_buffer = 0;                         // chunks (values) that a processor has still to send on
  std::uint64_t max_queue = 0;                          // of a switch
  std::uint64_t max_channel_queue = 0;                  // of a channel
  std::vector<std::uint64_t> queue_by_level;            // of a switch; index = level
  std::vector<std::uint64_t> channel_queue_by_level;    // of a channel; index = its switch's level
  std::map<ChannelId, std::uint64_t> queue_of_channel;  // largest of each; absent: nothing ever waits
};

// Judges the table. Cost: time in rows · log(rows) plus all the steps that packets wait; meant for thousands of rows.
Findings judge(const SendTable& table);

// What processors hold when all rows have moved, by processor, target and part: of chunks the origins; of a value the
// contributions (no target).
using HeldAtEnd =
    std::map<std::tuple<std::uint32_t, std::optional<std::uint32_t>, std::uint32_t>, std::set<std::uint32_t>>;
HeldAtEnd held_at_end(const SendTable& table);

}  // namespace quadrille::reference
