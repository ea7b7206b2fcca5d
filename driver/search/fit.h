// Decides which tables fit a question: what they do, and how their fabric counts time.
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

// The fabric with this timing. If it did not count rounds before, messages share lanes.
Fabric timed(const Fabric& fabric, Timing timing);

// Whether a schedule of this kind may serve the request; false if it copies something else.
bool may_serve(CollectiveKind done, const Collective& asked);

// Whether everyone who wants something in the request wants the same in the schedule. Properties of the operation are
// ignored: a schedule for ordered operations is right for all, and one for other operations may be right for ordered
// ones. The checker decides that.
bool serves(const Collective& done, const Collective& asked);

// The table as one of the requested collective, without rows that are of no use for it; nothing if it does something
// else. The checker must judge whether it holds.
std::optional<SendTable> serving(SendTable table, const Collective& asked);

// Whether a message may be cut into any number of chunks, if the request does not give the number.
enum class ChunkCount : std::uint8_t { as_asked, any };

// The requested collective with the number of chunks that the schedule has; an error if the schedule does something
// else.
Result<Collective> collective_served(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                     const Collective& asked, ChunkCount chunks, ElaborateOptions options);

// The schedule's table as one of that collective; its packets are placed for the requested operation.
Result<SendTable> elaborate_serving(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                    const Collective& asked, ChunkCount chunks, ElaborateOptions options);

}  // namespace quadrille::driver
