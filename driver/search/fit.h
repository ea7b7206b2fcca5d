// Which tables fit a question: what they do, and how their fabric counts time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"

namespace quadrille::driver {

// The fabric counting so; where it did not count rounds before, messages share lanes.
Fabric timed(const Fabric& fabric, Timing timing);

// Whether a schedule of this kind may be one of what is asked: not, if it copies something else.
bool may_serve(CollectiveKind done, const Collective& asked);

// Whether everyone who wants something of what is asked wants the same of what is done. What is known of the operation
// does not count: what is right for ordered operations is right for all, and what is right for others may be right for
// ordered ones. The checker tells.
bool serves(const Collective& done, const Collective& asked);

// The table as one of what is asked for, without the rows of which that has no use; nothing if it does something else.
// Whether it holds is for the checker to say.
std::optional<SendTable> serving(SendTable table, const Collective& asked);

// Whether a message of what is asked, if that does not say how many chunks it has, may be cut into any number of them.
enum class ChunkCount : std::uint8_t { as_asked, any };

// What the schedule does of what is asked for, as many chunks as it has; an error if it does something else.
Result<Collective> collective_served(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                     const Collective& asked, ChunkCount chunks, ElaborateOptions options);

// Its table as one of that, its packets placed for the operation that is asked for.
Result<SendTable> elaborate_serving(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                    const Collective& asked, ChunkCount chunks, ElaborateOptions options);

}  // namespace quadrille::driver
