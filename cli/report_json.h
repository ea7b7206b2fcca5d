// Pieces of the JSON that reports are made of.
#pragma once

#include <nlohmann/json.hpp>

#include "model/ids.h"
#include "model/send_table.h"
#include "model/source.h"
#include "verifier/bounds.h"

namespace quadrille::cli {

using Json = nlohmann::ordered_json;

// {"file", "line", "column", "variables"}; null where the place is not known.
Json source_json(const RowOrigin& origin, const Sources& sources);

// What check and replay have in common. Requires that some bound exists (there always is one).
Json heading_json(const SendTable& table, Verdict verdict, std::uint64_t steps, const Bound& bound);

// The object as text: bytes that are not UTF-8 (of a file's name, say) are replaced.
std::string to_text(const Json& json);

}  // namespace quadrille::cli
