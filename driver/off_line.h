// Schedules the same messages by the compiler, which knows all of them before the first step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/fabric.h"
#include "runtime/router/router.h"

namespace quadrille::driver {

// The steps of tables that keep every rule, with each packet as early as lanes allow (--retime), one hop a step.
// Where processors are attached to switches, the hops into the first router and out of the last one count, too.
struct OffLine {
  std::optional<std::uint64_t> on_default_routes = {};
  std::optional<std::uint64_t> on_paths_taken = {};  // the on-line paths, without the circles that referrals made
  std::string why = {};                              // the reason why one or both are missing
};

// `events`: the history of each message on line. More than 4096 messages, or 2^18 events, are not tried.
bool may_be_scheduled(std::uint64_t messages, std::uint64_t hops);
OffLine scheduled_off_line(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                           const std::vector<RouterEvent>& events, Context& context);

}  // namespace quadrille::driver
