// Consumers are the executors for which `search` and `compare` look: MSCCL XML's three, and that of MSCCL++ plans.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/diagnostic.h"

namespace quadrille::driver {

const std::vector<std::string>& consumers();  // "msccl", "azure", "rccl", "mscclpp"

// What is wrong if programs for this consumer cannot say the collective. Empty consumers take everything.
std::optional<Diagnostic> cannot_say(const std::string& consumer, const Collective& collective);

// Whether the consumer takes the table's program, as export judges it, for messages that are so many bytes in whole.
// MSCCL++ cuts them into units of 16 bytes, as many for each chunk: those that are not too small for that have to come
// out even, and one at least has to be large enough. Requires a collective that can be said there. Cost: an export.
bool takes(const std::string& consumer, const SendTable& table, const std::vector<std::uint64_t>& wholes,
           const Limits& limits);

}  // namespace quadrille::driver
