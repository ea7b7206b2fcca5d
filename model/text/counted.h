// Numbers of things in the form of messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quadrille {

// For example "5 packets", "1 packet". Requires a noun whose plural ends in s.
std::string counted(std::uint64_t number, std::string_view noun);

}  // namespace quadrille
