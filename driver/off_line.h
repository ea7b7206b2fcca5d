// Schedules the same messages off line, by retiming (place/retime.h), which knows all of them before the first step.
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

// Whether so many messages and hops are scheduled: 4096 and 2^18; if that was asked for, 2^20 and 2^23.
bool may_be_scheduled(std::uint64_t messages, std::uint64_t hops, bool asked_for);
// `events`: the history of each message on line.
OffLine scheduled_off_line(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                           const std::vector<RouterEvent>& events, Context& context);

}  // namespace quadrille::driver
