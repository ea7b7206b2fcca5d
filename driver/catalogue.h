// What ships: schedules, and the kinds of fabric.
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
  std::string hamiltonian = {};           // a fabric whose Hamiltonian cycle is asked for; empty: the kinds are
  std::vector<std::string> without = {};  // without these links of it
};

struct FabricsOutcome {
  std::vector<FabricKind> kinds;
  std::optional<HamiltonianCycle> cycle = {};  // if it was asked for, and …
  std::string on = {};                         // … of which fabric
  std::uint32_t processors = 0;
};

Result<FabricsOutcome> run(const FabricsRequest& request, Context& context);

struct ShowRequest {
  std::string name = {};  // of a schedule or fabric that ships, or a fabric's notation: torus:4x4
};

struct ShowOutcome {
  std::string name;
  std::string text;  // the file; of a fabric that has none, its declaration
};

Result<ShowOutcome> run(const ShowRequest& request, Context& context);

}  // namespace quadrille::driver
