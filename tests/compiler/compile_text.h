// From the text of a schedule to its table, in memory: what the compiler's tests start from.
#pragma once

#include <string>
#include <string_view>

#include "compiler/compile.h"
#include "dsl/load.h"

namespace quadrille {

// A table, or the messages as a person would see them.
struct Compiled {
  std::optional<SendTable> table;
  std::string messages;
};

inline Compiled compile_text(std::string text, const Arguments& arguments = {}, const ElaborateOptions& options = {}) {
  Sources sources;
  const auto no_files = [](const std::string&) { return std::nullopt; };
  auto program = load({"test.qd", std::move(text)}, no_files, sources);
  if (!program) return {std::nullopt, render(program.diagnostics(), sources)};
  auto schedule = compile(*program, "test");
  if (!schedule) return {std::nullopt, render(schedule.diagnostics(), sources)};
  auto table = elaborate(*schedule, arguments, options);
  if (!table) return {std::nullopt, render(table.diagnostics(), sources)};
  return {*table, {}};
}

// Every row as "step: from->to lane packet", a line each.
inline std::string rows_text(const SendTable& table) {
  std::string text;
  for (const auto& [step, row] : all_rows(table)) {
    text += std::to_string(step.value) + ": " + table.fabric.name(row.channel) + " " + std::to_string(row.lane.value) +
            " " + table.collective.label(row.chunk) + "\n";
  }
  return text;
}

}  // namespace quadrille
