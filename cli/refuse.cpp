#include "cli/refuse.h"

#include "model/verdict.h"

namespace quadrille::cli {

int refuse(const Diagnostics& diagnostics, const Sources& sources, driver::Environment& environment) {
  environment.print_error(render(diagnostics, sources));
  return exit_bad_input;
}

}  // namespace quadrille::cli
