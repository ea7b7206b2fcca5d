// The command `draw`, and the list of what it draws. Most views are of one table: it is checked, its use is counted,
// and a figure is made of both.
#include "pages/draw.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "driver/check/check.h"
#include "driver/files/write_file.h"
#include "driver/look/link_use.h"
#include "driver/prove/size_steps.h"
#include "pages/figures.h"

namespace quadrille::pages {
namespace {

constexpr std::uint32_t most_spans = 200;
constexpr std::uint32_t most_processors = 64;  // of a curve over sizes: larger ones take long

Diagnostic usage(std::string message) { return error_at({}, std::move(message), Code::usage); }

Diagnostic not_read(Reason reason) {
  return error_at(
      {}, fmt::format("the table was not read to its end ({}): there is no figure of a part of it", to_string(reason)),
      code_of(reason));
}

// Draws what was checked and counted.
using Figure = Result<std::string> (*)(const CheckedTable& table, const DrawRequest& request);

Result<std::string> of_table(const DrawRequest& request, driver::Context& context, Figure figure) {
  driver::CheckRequest check;
  check.input = request.input;
  const Result<driver::CheckOutcome> outcome = run(check, context);
  if (!outcome) return outcome.diagnostics();
  driver::tell_stage(context, "drawing");
  const driver::TableUse use = driver::table_use(outcome->table, most_spans, driver::remaining(context));
  for (const Reason reason : {outcome->report.ended_early, use.ended_early}) {
    if (reason != Reason::none) return not_read(reason);
  }
  if (use.rows == 0) return error_at({}, "there is nothing to draw: the table has no rows", Code::missing);
  Result<std::string> drawn = figure({*outcome, use, context.sources, context.limits}, request);
  if (!drawn) return drawn.diagnostics();
  return {std::move(*drawn), outcome->warnings};
}

Result<std::string> machine(const CheckedTable& table, const DrawRequest& request) {
  const Fabric& fabric = table.outcome.table.fabric;
  if (fabric.nodes() > most_nodes_drawn || fabric.channels() > most_links_drawn) {
    return error_at({},
                    fmt::format("{} has {} nodes and {} channels; a machine is drawn with at most {} and {}",
                                fabric.title(), fabric.nodes(), fabric.channels(), most_nodes_drawn, most_links_drawn),
                    Code::unsupported);
  }
  if (request.step && (*request.step == 0 || *request.step > table.use.steps)) {
    return error_at({}, fmt::format("--step {}: the table has steps 1 to {}", *request.step, table.use.steps),
                    Code::range);
  }
  return machine_figure(table, request.step);
}

Result<std::string> over_bytes(const DrawRequest& request, driver::Context& context) {
  driver::CheckRequest check;
  check.input = request.input;
  check.sizes = request.sizes;
  check.costs = request.costs;
  check.size_of = request.size_of;
  const Result<driver::CheckOutcome> outcome = run(check, context);
  if (!outcome) return outcome.diagnostics();
  if (outcome->report.steps == 0) return error_at({}, "there is nothing to draw: the table has no rows", Code::missing);
  if (std::ranges::none_of(outcome->times, [](const auto& time) { return time.has_value(); })) {
    return error_at({}, "there is nothing to draw: of this table no time is known", Code::unsupported);
  }
  return {message_time_figure(*outcome), outcome->warnings};
}

Result<std::string> sizes(const DrawRequest& request, driver::Context& context) {
  if (!request.sizes.empty()) return over_bytes(request, context);
  if (!request.costs.empty()) return usage("--costs: expected --size, too: what a message takes depends on its bytes");
  if (!request.size_of.empty()) return usage("--size-of: expected --size, too");
  const Result<driver::SizeStepsOutcome> outcome = driver::size_steps(request.input, most_processors, context);
  if (!outcome) return outcome.diagnostics();
  return sizes_figure(*outcome);
}

Result<const View*> view_named(const std::string& name) {
  std::vector<std::string> names;
  for (const View& view : views()) {
    if (view.name == name) return &view;
    names.push_back(view.name);
  }
  return error_at({}, fmt::format("--view {}: expected {}", name, fmt::join(names, " or ")), Code::name);
}

}  // namespace

const std::vector<View>& views() {
  static const std::vector<View> all{
      {"machine", "the fabric",
       [](const DrawRequest& request, driver::Context& context) { return of_table(request, context, machine); }},
      {"time", "channels over steps",
       [](const DrawRequest& request, driver::Context& context) {
         return of_table(request, context, [](const CheckedTable& table, const DrawRequest&) -> Result<std::string> {
           return time_figure(table);
         });
       }},
      {"use", "links over time",
       [](const DrawRequest& request, driver::Context& context) {
         return of_table(request, context, [](const CheckedTable& table, const DrawRequest&) -> Result<std::string> {
           return use_figure(table);
         });
       }},
      {"sizes", "steps over processors", sizes},
  };
  return all;
}

Result<DrawOutcome> run(const DrawRequest& request, driver::Context& context) {
  const Result<const View*> view = view_named(request.view);
  if (!view) return view.diagnostics();
  if (request.step && request.view != "machine") return usage("--step: expected --view machine");
  if (request.view != "sizes" && !(request.sizes.empty() && request.costs.empty() && request.size_of.empty())) {
    return usage("--size, --size-of, --costs: expected --view sizes");
  }
  Result<std::string> figure = (*view)->draw(request, context);
  if (!figure) return figure.diagnostics();
  if (request.output.empty()) {
    context.environment.print(*figure);
  } else if (auto failure = driver::write_file(request.output, *figure, context.environment)) {
    return error_at({}, *std::move(failure), Code::file);
  }
  return {DrawOutcome{std::move(*figure)}, figure.diagnostics()};
}

}  // namespace quadrille::pages
