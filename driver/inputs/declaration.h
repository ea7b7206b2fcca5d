// A fabric as the language would declare it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/fabric.h"
#include "model/text/result.h"

namespace quadrille::driver {

// The most channels that a declaration is written for, as it has a line for each link.
inline constexpr std::uint32_t max_declared_channels = 1U << 17;

// The definition of a fabric called `name` with these nodes and channels, capacities and speeds, in the same order,
// link by link; `source` is what its first line says that it was made from. Rules and routes are no part of a
// definition's nodes and links: the text says which rules a name must give (`ports: single`). Switches keep their names
// where the language has such names; else "1.3" becomes level1[3], and "spine-1" spine_1.
//
// Code::limit where there are more than max_declared_channels channels.
Result<std::string> declaration(const Fabric& fabric, std::string_view name, std::string_view source);

}  // namespace quadrille::driver
