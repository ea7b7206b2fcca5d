// What ships with Quadrille: schedules, and the kinds of fabric.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/fabric_notation.h"
#include "model/text/result.h"
#include "verifier/hamiltonian.h"

namespace quadrille::driver {

struct ListRequest {};

struct ListedSchedule {
  std::string name;
  std::string summary;
  std::string parameters;  // "L in 1..62"; empty if it has none
};

struct ListOutcome {
  std::vector<ListedSchedule> schedules;
};

Result<ListOutcome> run(const ListRequest& request, Context& context);

struct FabricsRequest {
  std::string hamiltonian = {};           // a fabric whose Hamiltonian cycle is wanted; empty: list the kinds
  std::vector<std::string> without = {};  // links to be removed from it
};

struct FabricsOutcome {
  std::vector<FabricKind> kinds;
  std::optional<HamiltonianCycle> cycle = {};  // if it was wanted, and …
  std::string on = {};                         // … the fabric that it is on
  std::uint32_t processors = 0;
};

Result<FabricsOutcome> run(const FabricsRequest& request, Context& context);

struct ShowRequest {
  std::string name = {};  // of a schedule or fabric that ships, a fabric's notation (torus:4x4), or a path
};

struct ShowOutcome {
  std::string name;
  std::string text;  // the file; for a fabric without a file, its declaration
};

Result<ShowOutcome> run(const ShowRequest& request, Context& context);

}  // namespace quadrille::driver
