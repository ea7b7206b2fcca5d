// The bytes that some editors put before a text in UTF-8.
#pragma once

#include <string_view>

namespace quadrille {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace quadrille
