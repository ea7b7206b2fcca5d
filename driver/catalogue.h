// What ships: schedules, and the kinds of fabric.
#pragma once

#include <string>
#include <vector>

#include "driver/context.h"
#include "model/fabric_notation.h"
#include "model/result.h"

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

struct FabricsRequest {};

struct FabricsOutcome {
  std::vector<FabricKind> kinds;
};

Result<FabricsOutcome> run(const FabricsRequest& request, Context& context);

struct ShowRequest {
  std::string name = {};  // of a schedule that ships
};

struct ShowOutcome {
  std::string name;
  std::string text;  // the schedule's file
};

Result<ShowOutcome> run(const ShowRequest& request, Context& context);

}  // namespace quadrille::driver
