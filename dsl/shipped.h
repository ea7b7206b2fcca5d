// The texts of dsl/schedules/*.qd, as the build puts them into the library (embed.cmake writes the definition).
#pragma once

#include <span>
#include <string_view>

namespace quadrille {

struct ShippedText {
  std::string_view name;  // the file's name without `.qd`
  std::string_view text;
};

std::span<const ShippedText> shipped_texts();

}  // namespace quadrille
