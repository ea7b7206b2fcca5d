// Pieces of JSON that reports are made of.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/send_table.h"
#include "model/source.h"

namespace quadrille::cli {

using Json = nlohmann::ordered_json;

// {"file", "line", "column", "variables"}; null where the place is not known.
Json source_json(const RowOrigin& origin, const Sources& sources);

// As it is printed. Bytes that are not UTF-8 (of a file's name, say) are replaced.
std::string json_text(const Json& json);

}  // namespace quadrille::cli
