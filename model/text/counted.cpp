// Plurals, in one place: messages count packets, steps, rows and faults alike.
#include "model/text/counted.h"

#include <fmt/format.h>

namespace quadrille {

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace quadrille
