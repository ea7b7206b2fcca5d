// Random schedules and tables as files in memory, and requests for them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "driver/inputs/input.h"
#include "formats/table_io.h"
#include "tests/driver/memory_environment.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_schedules.h"
#include "tests/reference/random_tables.h"

namespace quadrille::driver {

// Some that can be opened, and some that cannot: schedules in steps and in rounds, perhaps retimed, and tables.
inline TableRequest random_input(std::uint64_t seed, MemoryEnvironment& environment) {
  reference::Dice dice(seed);
  TableRequest request;
  if (dice.one_in(3)) {
    const SendTable table = dice.one_in(2) ? reference::random_table(seed, true) : reference::random_rounds_table(seed);
    std::string& text = environment.files["random.csv"];
    write_table(table, "csv", [&](std::string_view piece) {
      text += piece;
      return true;
    });
    request.file = "random.csv";
    return request;
  }
  environment.files["random.qd"] =
      dice.one_in(2) ? reference::schedule_with_times(dice) : reference::schedule_in_rounds(dice);
  request.file = "random.qd";
  request.defines = {fmt::format("L={}", dice.from_to(1, 4))};
  request.retime = dice.one_in(3);
  return request;
}

}  // namespace quadrille::driver
