// What each kind of page consists of. All have the outcome as JSON and as text; those of tables the rows, the machine
// and the texts as well.
#include "cli/render/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/render/json_pieces.h"
#include "cli/render/order_json.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "driver/look/step_range.h"
#include "model/text/printable.h"
#include "pages/concerned.h"
#include "pages/table_blocks.h"

namespace quadrille::cli {
namespace {

template <class Outcome>
pages::PageParts parts_of(std::string kind, const std::string& title, const Outcome& outcome, const PageRequest& page,
                          const driver::Context& context) {
  pages::PageParts parts;
  parts.kind = std::move(kind);
  parts.title = printable(title);
  parts.command = page.command;
  parts.outcome = fit_to_show(rendered(AsJson{}, outcome, context.sources), Paint());
  parts.text = fit_to_show(rendered(AsText{}, outcome, context.sources), Paint());
  return parts;
}

std::string question_of(const Collective& collective, const Fabric& fabric) {
  return fmt::format("{} on {}", collective.notation(), fabric.title());
}

// `steps`: those of violations, whose rows are shown however many the table has.
Result<std::vector<pages::PageBlock>> blocks_of(const SendTable& table, const PageRequest& page,
                                                const driver::Context& context, std::vector<std::uint32_t> steps) {
  pages::TablePart part{table, context.sources, {}, std::move(steps), driver::remaining(context)};
  if (!page.steps.empty()) {
    const Result<driver::StepRange> window = driver::parse_steps("--steps", page.steps);
    if (!window) return window.diagnostics();
    part.window = *window;
  }
  return pages::table_blocks(part);
}

std::vector<std::uint32_t> steps_of(const Report& report) {
  std::vector<std::uint32_t> steps;
  for (const Violation& violation : report.violations) {
    if (violation.step) steps.push_back(violation.step->value);
    for (const ConcernedRow& row : violation.rows) steps.push_back(row.step.value);
  }
  return steps;
}

}  // namespace

Result<pages::PageParts> page_parts(const driver::CheckOutcome& outcome, const PageRequest& page,
                                    driver::Context& context) {
  pages::PageParts parts = parts_of("check", pages::title_of(outcome.table), outcome, page, context);
  auto blocks = blocks_of(outcome.table, page, context, steps_of(outcome.report));
  if (!blocks) return blocks.diagnostics();
  parts.blocks = std::move(*blocks);
  if (!page.replay) return parts;
  const auto replayed = driver::replayed(outcome.table, {}, context);
  if (replayed) parts.blocks.push_back({"replay", rendered(AsJson{}, *replayed, context.sources)});
  return parts;
}

Result<pages::PageParts> page_parts(const driver::ReplayOutcome& outcome, const PageRequest& page,
                                    driver::Context& context) {
  pages::PageParts parts = parts_of("replay", pages::title_of(outcome.table), outcome, page, context);
  std::vector<std::uint32_t> steps;
  for (const Fault& fault : outcome.measured.faults) steps.push_back(fault.step.value);
  auto blocks = blocks_of(outcome.table, page, context, std::move(steps));
  if (!blocks) return blocks.diagnostics();
  parts.blocks = std::move(*blocks);
  return parts;
}

pages::PageParts page_parts(const driver::SearchOutcome& outcome, const PageRequest& page, driver::Context& context) {
  pages::PageParts parts = parts_of("search", question_of(outcome.collective, outcome.fabric), outcome, page, context);
  if (!outcome.result.table) return parts;
  const Sources none;  // a known schedule's rows speak of texts that the search has read for itself
  const pages::TablePart part{*outcome.result.table, none, {}, {}, driver::remaining(context)};
  parts.blocks = pages::table_blocks(part);
  return parts;
}

pages::PageParts page_parts(const driver::CheckProgramOutcome& outcome, const PageRequest& page,
                            driver::Context& context) {
  pages::PageParts parts = parts_of("program", outcome.name, outcome, page, context);
  if (outcome.order) parts.blocks.push_back({"program", json_line(order_json(outcome, context.sources))});
  return parts;
}

pages::PageParts page_parts(const driver::CheckGoalOutcome& outcome, const PageRequest& page,
                            driver::Context& context) {
  pages::PageParts parts = parts_of("goal", "a schedule in GOAL", outcome, page, context);
  if (outcome.edges) parts.blocks.push_back({"program", json_line(order_json(outcome, context.sources))});
  return parts;
}

pages::PageParts page_parts(const driver::CheckPlanOutcome& outcome, const PageRequest& page,
                            driver::Context& context) {
  pages::PageParts parts = parts_of("plan", outcome.plan.name, outcome, page, context);
  if (outcome.order) parts.blocks.push_back({"program", json_line(order_json(outcome))});
  return parts;
}

pages::PageParts page_parts(const driver::TrafficOutcome& outcome, const PageRequest& page, driver::Context& context) {
  return parts_of("traffic", "messages routed on " + outcome.fabric.title(), outcome, page, context);
}

pages::PageParts page_parts(const driver::FrontierOutcome& outcome, const PageRequest& page, driver::Context& context) {
  return parts_of("frontier", question_of(outcome.collective, outcome.fabric), outcome, page, context);
}

pages::PageParts page_parts(const driver::CostSearchOutcome& outcome, const PageRequest& page,
                            driver::Context& context) {
  return parts_of("search_size", question_of(outcome.collective, outcome.fabric), outcome, page, context);
}

pages::PageParts page_parts(const driver::CompareOutcome& outcome, const PageRequest& page, driver::Context& context) {
  return parts_of("compare", question_of(outcome.collective, outcome.fabric), outcome, page, context);
}

pages::PageParts page_parts(const driver::ProveOutcome& outcome, const PageRequest& page, driver::Context& context) {
  return parts_of("prove", outcome.schedule->name + ", every size", outcome, page, context);
}

pages::PageParts page_parts(const driver::SizesOutcome& outcome, const PageRequest& page, driver::Context& context) {
  return parts_of("sizes", outcome.schedule->name + ", single sizes", outcome, page, context);
}

pages::PageParts page_parts(const driver::ProveShippedOutcome& outcome, const PageRequest& page,
                            driver::Context& context) {
  driver::ProveShippedOutcome whole = outcome;
  whole.told = false;  // on the page nothing is
  return parts_of("prove_shipped", "proofs of all that ships", whole, page, context);
}

}  // namespace quadrille::cli
