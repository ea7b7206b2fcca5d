// Pieces of text that reports are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/render/paint.h"
#include "cli/render/wrapped.h"
#include "driver/inputs/costs.h"
#include "driver/inputs/input.h"
#include "driver/prove/size_checker.h"
#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "model/text/source.h"
#include "programs/goal/goal.h"
#include "programs/mscclpp/plan.h"
#include "programs/report.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille::cli {

// Like a diagnostic's text, with another word than "error": place, message, source line, caret; then, on a line of its
// own, "with h = 3, l = 2", if the origin has variables.
std::string marked(std::string_view word, std::string_view message, const RowOrigin& origin, const Sources& sources,
                   Paint paint = Paint());

// As model/text/diagnostic.h renders them.
std::string painted(const Diagnostics& diagnostics, const Sources& sources, Paint paint);

// Where a violation was written: a claim's own place, or the row's.
RowOrigin origin_of(const Violation& violation);

// A fabric as a person knows it: as model/described.h; where that is not its notation, what `on` says (a file's name,
// as it was asked for).
std::string fabric_text(const Fabric& fabric, const std::string& on);

// "schedule …", "fabric …", "collective …", a line each.
std::string title(const SendTable& table, const std::string& on);

// How long a table takes, beside the best bound: "steps …" and "at least … (why)", a line each; in rounds, which have a
// volume, the same of that, and their load, on shared paths, and hops, which have no bound.
std::string measures_text(std::uint64_t steps, const Bound& bound, std::optional<std::uint64_t> volume,
                          const std::optional<Bound>& volume_bound, const std::optional<Fraction>& load,
                          std::optional<std::uint64_t> hops);

// The fault of a size, or the reason why nothing is known of it, in a line; empty if it holds.
std::string why_text(const driver::SizeResult& result);

// How a list came to end early: "interrupted", "out of time", "out of memory".
std::string_view ended_text(Reason reason);

// ": out of memory" behind a time that is missing: a limit took it, or the table is not known to be right. Empty if the
// time is there.
std::string why_no_time(std::optional<double> seconds, Verdict verdict, Reason cut);

// The last line of what the limits ended: "            out of time before all sizes were checked"; empty of
// Reason::none.
std::string cut_text(Reason reason, std::string_view before);

// A row of blocks, each as high as its value is large; `full` is the highest.
std::string chart(std::span<const std::uint64_t> values, double full);

using driver::time_text;

// "64 KiB", "1.25 MiB", "1000 B".
std::string size_text(std::uint64_t bytes);

// "1 MiB in whole: algbw 43.7 GB/s, busbw 42.3 GB/s", indented as a line below a time; empty where none is counted.
std::string bandwidth_text(const Collective& collective, std::uint64_t size, std::optional<double> seconds);

// As a shell takes it: in quotes where it has to be.
std::string shell_word(const std::string& word);

// "quadrille check exchange.qd -D L=4": the command that opens that table.
std::string command_text(std::string_view command, const driver::TableRequest& input);

// The label of an operation in GOAL, or where it has none its line's beginning: "s3"; empty where the file is binary.
std::string goal_label(const programs::Location& place, const Sources& sources);
// "send 1024b to 3 tag 7".
std::string goal_operation(const programs::GoalOperation& operation);

// "gpu 3 block 0 ops[5] put".
std::string plan_place(const programs::ExecutionPlan& plan, const programs::Location& place);

// "12.5%"; "-" of nothing.
std::string percentage(std::uint64_t part, std::uint64_t whole);

}  // namespace quadrille::cli
