// Counts the phases of schedules, and finds collectives that are impossible if each packet leaves its processor in one
// step only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/send_table.h"
#include "verifier/search.h"

namespace quadrille::searching {

// The reason why no number of steps is enough if every packet leaves each processor that it starts at in one step
// only. Nothing where no reason is known. Requires goal.inject_once and a copying collective. Cost: a search through
// the fabric for each channel out of a start of a chunk for several; it is not done where that would be more than
// 2^26 visits.
std::optional<std::string> why_never_in_one_step(const Fabric& fabric, const Collective& collective,
                                                 const SearchGoal& goal);

// The phases of a schedule in steps (model/MODEL.md, Phases): the fewest into which the table's steps can be divided so
// that every row leaves with what its node held when the row's phase began; 0 for a table without rows. A row is
// assumed to carry everything that has been joined with its packet, so for a partial reduction the result may be one
// phase too many, but never one too few. Requires a table in steps without faults. Cost: a look at each row.
std::uint32_t phases_of(const SendTable& table);

}  // namespace quadrille::searching
