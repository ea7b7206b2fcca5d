// Whether there is a schedule, by trying them all: slow, obvious, and written from model/MODEL.md alone.
#pragma once

#include <cstdint>
#include <optional>

#include "verifier/certificate.h"

namespace quadrille::tests {

// Whether there is a schedule of question.steps or fewer; its evidence is not looked at. Nothing if that would take
// more than so many steps of work. Requires a copying collective, at most 64 pairs of chunk and node, and not both
// phases and limited queues.
std::optional<bool> schedule_exists(const Certificate& question, std::uint64_t most_work);

}  // namespace quadrille::tests
