// Outcomes as pages: for each that has one, what it consists of. The page carries the same JSON as --json prints, and
// beside it what the painters need to see. What has no page here has no --page.
#pragma once

#include "cli/render/form.h"
#include "driver/check/check.h"
#include "driver/check/check_goal.h"
#include "driver/check/check_plan.h"
#include "driver/check/check_program.h"
#include "driver/inputs/context.h"
#include "driver/prove/prove.h"
#include "driver/prove/prove_shipped.h"
#include "driver/prove/sizes.h"
#include "driver/replay.h"
#include "driver/routed_traffic.h"
#include "driver/search/compare.h"
#include "driver/search/search.h"
#include "driver/search/search_costs.h"
#include "model/text/result.h"
#include "pages/page.h"

namespace quadrille::cli {

// An error where the request cannot be read. Tables are read again: limits may leave rows out, and the page says so.
Result<pages::PageParts> page_parts(const driver::CheckOutcome& outcome, const PageRequest& page,
                                    driver::Context& context);
Result<pages::PageParts> page_parts(const driver::ReplayOutcome& outcome, const PageRequest& page,
                                    driver::Context& context);
pages::PageParts page_parts(const driver::SearchOutcome& outcome, const PageRequest& page, driver::Context& context);
pages::PageParts page_parts(const driver::CheckProgramOutcome& outcome, const PageRequest& page,
                            driver::Context& context);
pages::PageParts page_parts(const driver::CheckGoalOutcome& outcome, const PageRequest& page, driver::Context& context);
pages::PageParts page_parts(const driver::CheckPlanOutcome& outcome, const PageRequest& page, driver::Context& context);
pages::PageParts page_parts(const driver::TrafficOutcome& outcome, const PageRequest& page, driver::Context& context);
pages::PageParts page_parts(const driver::FrontierOutcome& outcome, const PageRequest& page, driver::Context& context);
pages::PageParts page_parts(const driver::CostSearchOutcome& outcome, const PageRequest& page,
                            driver::Context& context);
pages::PageParts page_parts(const driver::CompareOutcome& outcome, const PageRequest& page, driver::Context& context);
pages::PageParts page_parts(const driver::ProveOutcome& outcome, const PageRequest& page, driver::Context& context);
pages::PageParts page_parts(const driver::SizesOutcome& outcome, const PageRequest& page, driver::Context& context);
pages::PageParts page_parts(const driver::ProveShippedOutcome& outcome, const PageRequest& page,
                            driver::Context& context);

}  // namespace quadrille::cli
