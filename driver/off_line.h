// The same messages scheduled by the compiler, which knows all of them before the first step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/context.h"
#include "model/fabric.h"
#include "runtime/router.h"

namespace quadrille::driver {

struct OffLine {
  std::optional<std::uint64_t> steps = {};  // of a table that keeps every rule
  std::string why = {};                     // why there are none
};

// Every message takes its default route, each packet as early as lanes allow (--retime), a hop a step: into the first
// router and out of the last one, too, where processors hang on switches. More messages than 4096, or hops than 2^18
// (`hops`, as routed), are not tried.
OffLine scheduled_off_line(const Fabric& fabric, const std::vector<RoutedMessage>& messages, std::uint64_t hops,
                           Context& context);

}  // namespace quadrille::driver
