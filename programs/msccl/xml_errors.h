// Finds text that the executors' own XML reader fails to read, though it is XML.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "programs/msccl/xml.h"

namespace quadrille::programs {

// The first error of each kind. Requires a text that is well-formed XML. Cost: linear.
std::vector<MscclReadError> xml_read_errors(std::string_view text, std::uint32_t source);

}  // namespace quadrille::programs
