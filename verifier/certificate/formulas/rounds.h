// Rounds: what is shown of schedules in rounds, by a formula (verifier/ROUNDS_FORMULA.md) or by counting
// (CERTIFICATES.md, Doublings).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "verifier/certificate/formulas/round_strands.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

using Processors = std::set<std::uint32_t>;

// Where chunks that are always together start, and where some of them are wanted; increasing.
using RoundOrigins = std::vector<std::pair<std::vector<std::uint32_t>, Processors>>;
RoundOrigins round_origins(const Collective& collective, Work& work);
// Time-reversed, of a combining collective: what one wants of others, and those others.
RoundOrigins time_reversed_origins(const Collective& collective, Work& work);
// Where lengths count: of each chunk, or of each value and contribution, in this order.
ValuedOrigins valued_origins(const Collective& collective, Work& work);

// Writes the formula, of a volume if there is one; false if its tables would become too large. Requires
// !why_no_volume(…), if so.
bool write_rounds(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                  std::optional<std::uint32_t> volume, Writer& writer);
std::optional<std::string> why_no_volume(const Fabric& fabric);

// Whether a message may bring what several send: then what is written, or counted, is of the question time-reversed.
bool messages_join(const Fabric& fabric, const Collective& collective);
// Nothing, or why that question has no formula: links that are not alike both ways, or a volume.
std::optional<std::string> why_not_joined(const Fabric& fabric, const Collective& collective, bool volume);

// Whether so many rounds are too few for all to have heard, or been told, what they must; and why, in words.
std::pair<bool, std::string> too_few_doublings(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                                               Work& work);

}  // namespace quadrille::certificate
