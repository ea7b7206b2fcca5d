// The formats of other systems' programs that `check` judges.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/commands/request_command.h"
#include "driver/check/check_program.h"
#include "driver/inputs/context.h"

namespace quadrille::cli {

struct JudgedFormat {
  std::string_view name;  // as messages call it
  // False for files that cannot be read.
  bool (*recognises)(const std::string& file, driver::Context& context);
  // Judges the file and prints the report; returns the command's status. It reads of the request what the format knows.
  int (*judge)(const driver::CheckProgramRequest& asked, Session& session);
};

inline constexpr std::string_view msccl_format = "MSCCL XML";
inline constexpr std::string_view goal_format = "GOAL";
inline constexpr std::string_view plan_format = "an MSCCL++ plan";
inline constexpr std::string_view plan_executor = "mscclpp";  // as --for calls it

// In the order in which a file is tried. A further format is a line here.
std::span<const JudgedFormat> judged_formats();

// Null where none has that name.
const JudgedFormat* judged_format(std::string_view name);

}  // namespace quadrille::cli
