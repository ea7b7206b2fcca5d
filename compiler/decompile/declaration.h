// Writes a fabric as a declaration in the language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/fabric.h"
#include "model/text/result.h"

namespace quadrille {

// The most channels for which a declaration is written, as it has a line for each link.
inline constexpr std::uint32_t max_declared_channels = 1U << 17;

// The definition of a fabric called `name` with these nodes, channels, capacities and speeds, in the same order, link
// by link. Its first line says that it was made from `source`. Rules and routes are not part of a definition's nodes
// and links, so the text says which rules a name must give (`ports: single`). Switches keep their names if the
// language has such names; otherwise "1.3" becomes level1[3], and "spine-1" spine_1.
//
// An error with Code::limit if there are more than max_declared_channels channels.
Result<std::string> declaration(const Fabric& fabric, std::string_view name, std::string_view source);

// The names of its switches in that declaration, in order: "leaf[0]", "bus".
std::vector<std::string> declared_switches(const Fabric& fabric);

// Whether the language takes this word for a name of the file's own.
bool can_be_name(std::string_view word);

}  // namespace quadrille
