// The texts of dsl/schedules/*.qd and dsl/fabrics/*.qd, as the build puts them into the library (embed.cmake writes the
// definition).
#pragma once

#include <span>
#include <string_view>

namespace quadrille {

struct ShippedText {
  std::string_view name;  // the file's name without `.qd`
  std::string_view text;
};

std::span<const ShippedText> shipped_schedules_texts();
std::span<const ShippedText> shipped_fabrics_texts();

}  // namespace quadrille
