// Reports for machines.
#pragma once

#include <string>
#include <vector>

#include "model/send_table.h"
#include "model/source.h"
#include "runtime/replay.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille::cli {

// The verdict of all properties but claims and thrifty: of the table itself, whatever its schedule says about it.
Verdict table_verdict(const Report& report);

// One JSON object, with `verdict`, `steps`, `lower_bound`, `messages`, `rows`, `max_queue`, `violations` and more.
std::string check_json(const SendTable& table, const Report& report, const Bound& bound, bool claims_judged,
                       const Sources& sources);
std::string replay_json(const SendTable& table, const Measurements& measured, const Bound& bound);

// One JSON object: `collective`, `fabric`, `lower_bound` and `bounds`, each with `name`, `steps`, `reason` and, where
// its paper states one, `paper`: a closed formula's `formula`, `value` and `source`.
std::string bounds_json(const Fabric& fabric, const Collective& collective, const std::vector<Bound>& bounds);

}  // namespace quadrille::cli
