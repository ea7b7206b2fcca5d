// The quadrille command.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/run.h"
#include "driver/files/real_environment.h"
#include "model/limits/memory_ceiling.h"
#include "model/verdict.h"

namespace {

int run_guarded(const std::vector<std::string>& arguments, quadrille::driver::RealEnvironment& environment) {
  try {
    return quadrille::cli::run(arguments, environment);
  } catch (const std::bad_alloc& refusal) {  // before or after a command runs; else the command line says it
    environment.print_error(fmt::format("error: {}\n", quadrille::why_no_memory(refusal)));
    return quadrille::exit_unknown;
  } catch (const std::exception& bug) {
    environment.print_error(fmt::format("error: {} (this is a bug of quadrille)\n", bug.what()));
    return quadrille::exit_unknown;
  }
}

// Memory may end on another thread, or where nothing may be thrown: that is no bug, and has its own status.
[[noreturn]] void terminate() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc& refusal) {
    fmt::print(stderr, "error: {}\n", quadrille::why_no_memory(refusal));
    std::_Exit(quadrille::exit_unknown);
  } catch (const std::exception& bug) {
    fmt::print(stderr, "error: {} (this is a bug of quadrille)\n", bug.what());
  } catch (...) {
    fmt::print(stderr, "error: this is a bug of quadrille\n");
  }
  std::abort();
}

}  // namespace

int main(int count, char** values) {
  std::set_terminate(terminate);
  quadrille::driver::RealEnvironment environment;
  return environment.leave(run_guarded({values + std::min(count, 1), values + count}, environment));
}
