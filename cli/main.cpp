// The quadrille command.
#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/real_outside.h"
#include "cli/run.h"
#include "model/verdict.h"

namespace {

int run_guarded(const std::vector<std::string>& arguments, quadrille::cli::RealOutside& outside) {
  try {
    return quadrille::cli::run(arguments, outside);
  } catch (const std::bad_alloc&) {
    outside.complain("error: out of memory\n");
    return quadrille::exit_unknown;
  } catch (const std::exception& bug) {
    outside.complain(fmt::format("error: {} (this is a bug of quadrille)\n", bug.what()));
    return quadrille::exit_unknown;
  }
}

}  // namespace

int main(int count, char** values) {
  quadrille::cli::RealOutside outside;
  const int status = run_guarded({values + std::min(count, 1), values + count}, outside);
  if (const auto failure = outside.finish()) {
    outside.complain(fmt::format("error: cannot write to standard output: {}\n", *failure));
    return quadrille::exit_bad_input;
  }
  return status;
}
