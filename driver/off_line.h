// The same messages scheduled by the compiler, which knows all of them before the first step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/fabric.h"
#include "runtime/router/router.h"

namespace quadrille::driver {

// Steps of tables that keep every rule, each packet as early as lanes allow (--retime), a hop a step: into the first
// router and out of the last one, too, where processors hang on switches.
struct OffLine {
  std::optional<std::uint64_t> on_default_routes = {};
  std::optional<std::uint64_t> on_paths_taken = {};  // on line, without the circles that referrals made
  std::string why = {};                              // why there are none, or not both
};

// `events`: what became of each message on line. More than 4096 messages, or 2^18 events, are not tried.
bool may_be_scheduled(std::uint64_t messages, std::uint64_t hops);
OffLine scheduled_off_line(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                           const std::vector<RouterEvent>& events, Context& context);

}  // namespace quadrille::driver
