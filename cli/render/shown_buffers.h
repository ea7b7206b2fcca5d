// replay --show buffers, as text and JSON.
#pragma once

#include <string>

#include "cli/render/json_pieces.h"
#include "model/send_table.h"
#include "runtime/shown_buffers.h"

namespace quadrille::cli {

// A block for each step; nothing else than the reason if the limits ended it.
std::string buffers_text(const SendTable& table, const ShownBuffers& buffers);
Json buffers_json(const SendTable& table, const ShownBuffers& buffers);

}  // namespace quadrille::cli
