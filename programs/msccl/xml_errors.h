// What the executors' own XML reader does not get over, though it is XML.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "programs/msccl/xml.h"

namespace quadrille::programs {

// The first of each kind. Requires a text that is well-formed XML. Cost: linear.
std::vector<MscclReadError> xml_read_errors(std::string_view text, std::uint32_t source);

}  // namespace quadrille::programs
