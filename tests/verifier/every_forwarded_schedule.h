// Whether there is a schedule where switches forward, by trying them all: slow, obvious, and written from
// model/MODEL.md alone.
#pragma once

#include <cstdint>
#include <optional>

#include "verifier/certificate.h"

namespace quadrille::tests {

// As schedule_exists(), on a fabric with `switches: forward`; without phases. Copies that never leave are not tried: a
// schedule without their rows is one as well.
std::optional<bool> forwarded_schedule_exists(const Certificate& question, std::uint64_t most_work);

}  // namespace quadrille::tests
