// Verdicts in words, combined, and as exit status.
#include "model/verdict.h"

#include <array>

namespace quadrille {

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 3> names = {"holds", "violated", "unknown"};
  return names[static_cast<std::size_t>(verdict)];
}

Verdict both(Verdict a, Verdict b) {
  if (a == Verdict::violated || b == Verdict::violated) return Verdict::violated;
  if (a == Verdict::unknown || b == Verdict::unknown) return Verdict::unknown;
  return Verdict::holds;
}

ExitStatus exit_status(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return exit_done;
    case Verdict::violated:
      return exit_violated;
    case Verdict::unknown:
      break;
  }
  return exit_unknown;
}

}  // namespace quadrille
