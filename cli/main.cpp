// The quadrille command.
#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/run.h"
#include "driver/real_environment.h"
#include "model/verdict.h"

namespace {

int run_guarded(const std::vector<std::string>& arguments, quadrille::driver::RealEnvironment& environment) {
  try {
    return quadrille::cli::run(arguments, environment);
  } catch (const std::bad_alloc&) {
    environment.print_error("error: out of memory\n");
    return quadrille::exit_unknown;
  } catch (const std::exception& bug) {
    environment.print_error(fmt::format("error: {} (this is a bug of quadrille)\n", bug.what()));
    return quadrille::exit_unknown;
  }
}

}  // namespace

int main(int count, char** values) {
  quadrille::driver::RealEnvironment environment;
  const int status = run_guarded({values + std::min(count, 1), values + count}, environment);
  if (const auto failure = environment.finish()) {
    environment.print_error(fmt::format("error: cannot write to standard output: {}\n", *failure));
    return quadrille::exit_bad_input;
  }
  return status;
}
