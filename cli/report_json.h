// Reports for machines.
#pragma once

#include <string>

#include "model/send_table.h"
#include "model/source.h"
#include "runtime/replay.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille::cli {

// One JSON object, with `verdict`, `steps`, `lower_bound`, `messages`, `rows`, `max_queue`, `violations` and more.
std::string check_json(const SendTable& table, const Report& report, const Bound& bound, const Sources& sources);
std::string replay_json(const SendTable& table, const Measurements& measured, const Bound& bound);

}  // namespace quadrille::cli
