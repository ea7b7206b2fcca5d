// Partitions of a fabric's processors into groups that few channels enter: servers, racks, leaves, single processors.
// And their borders: how much fits across each of them at a time.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "verifier/bounds.h"
#include "verifier/bounds/parts.h"
#include "verifier/bounds/split.h"

namespace quadrille::bounds {

// Every processor is in one group; the groups are numbered in the order of their first processors.
struct Partition {
  std::vector<std::uint32_t> group_of;  // by processor
  std::uint32_t groups = 0;
};

// Different partitions into two groups or more: single processors first, then those that links, switches and the sides
// of the cuts make. Fewer if the effort ends.
std::vector<Partition> partitions(const Fabric& fabric, const CutGraph& graph, const std::vector<const Cuts*>& cuts,
                                  Effort& effort);

// The rows that are counted at a group's border: those into the group, those out of it, or, in half duplex, both.
enum class Border : std::uint8_t { in, out, both };
inline constexpr std::array borders = {Border::in, Border::out, Border::both};
std::string_view to_string(Border border);

// The effort for the cuts of all partitions, and the channels of the largest fabric on which they are sought: about a
// second.
inline constexpr std::uint64_t most_border_visits = std::uint64_t{1} << 23;
inline constexpr std::uint32_t most_border_channels = std::uint32_t{1} << 18;

// By group the number of processors.
std::vector<std::uint64_t> sizes_of(const Partition& partition);

// By group, how many units cross its border at a time, at most: a least cut of the fabric. While the effort lasts;
// then what the channels at the group's processors carry.
std::vector<std::uint64_t> rooms_at(Border border, const Fabric& fabric, const CutGraph& graph,
                                    const Partition& partition, Effort& effort);

// The least cut of each group, or the channels at its processors where these are no more.
GroupBorders borders_of(const Fabric& fabric, const Partition& partition, Border border);

// Whether each row that crosses a border brings its unit to one processor, from one processor: switches neither join
// values nor copy chunks that several want.
bool rows_are_entries(const Fabric& fabric, const DemandShape& shape);

}  // namespace quadrille::bounds
