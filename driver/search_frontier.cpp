// The points of the frontier, one search for each number of steps: S steps of volume V are a schedule of V steps in S
// phases, so each point asks for the fewest steps in at most S phases, until as many phases as steps save nothing more.
#include <fmt/format.h>

#include <algorithm>

#include "driver/known_schedules.h"
#include "driver/search.h"
#include "driver/search_question.h"
#include "driver/write_certificate.h"

namespace quadrille::driver {
namespace {

// The steps that distances alone ask for, at least 1.
std::uint32_t fewest_steps(const SearchResult& unlimited) {
  std::uint64_t steps = 1;
  for (const Bound& bound : unlimited.bounds) {
    if (bound.kind == BoundKind::distance && bound.steps) steps = std::max(steps, *bound.steps);
  }
  return static_cast<std::uint32_t>(steps);
}

// What is to be kept to at one point.
SearchGoal with_phases(SearchGoal goal, std::uint32_t phases) {
  goal.phases = phases;
  return goal;
}

// The points until the limits are reached; the first one is there in any case.
std::vector<FrontierPoint> points_of(const SearchQuestion& question, const SearchOptions& options,
                                     Reason& ended_early) {
  const auto ask = [&](const SearchGoal& goal) {
    SearchResult result = quadrille::search(question.fabric, question.collective, goal, options);
    result.workspace.reset();  // the next point needs the memory
    return result;
  };
  const SearchResult unlimited = ask(question.goal);
  if (!unlimited.table) return {{fewest_steps(unlimited), unlimited}};
  std::vector<FrontierPoint> points;
  std::uint32_t least_volume = 0;  // so far
  for (std::uint32_t steps = fewest_steps(unlimited);; ++steps) {
    FrontierPoint point{steps, unlimited};
    if (steps < unlimited.steps) point.result = ask(with_phases(question.goal, steps));
    const std::uint32_t volume = point.result.steps;
    if (volume == 0 || least_volume == 0 || volume < least_volume) points.push_back(std::move(point));
    if (volume > 0) least_volume = least_volume == 0 ? volume : std::min(least_volume, volume);
    if (volume == unlimited.steps) return points;
    ended_early = options.limits.reached();
    if (ended_early != Reason::none) return points;
  }
}

// One for each point: in the folders "1-step", "2-steps", … of the folder that was asked for. Ends with the first that
// cannot be written.
void write_certificates(const std::string& folder, const SearchGoal& goal, Engine engine, FrontierOutcome& outcome,
                        Environment& environment) {
  for (FrontierPoint& point : outcome.points) {
    const std::string own = fmt::format("{}/{}-step{}", folder, point.steps, point.steps == 1 ? "" : "s");
    CertificateFiles files = write_certificate(
        {outcome.fabric, outcome.collective, with_phases(goal, point.steps), point.result, engine}, own, environment);
    point.certificate = std::move(files.written);
    if (!files.note.empty()) outcome.notes.push_back(std::move(files.note));
    if (!files.failure) continue;
    outcome.failures.push_back(error_at({}, *std::move(files.failure), Code::file));
    return;
  }
}

}  // namespace

bool FrontierOutcome::all_optimal() const {
  return std::all_of(points.begin(), points.end(),
                     [](const FrontierPoint& point) { return point.result.verdict == SearchVerdict::optimal; });
}

bool FrontierOutcome::impossible() const {
  return std::all_of(points.begin(), points.end(),
                     [](const FrontierPoint& point) { return point.result.verdict == SearchVerdict::impossible; });
}

Result<FrontierOutcome> run(const FrontierRequest& request, Context& context) {
  const SearchRequest& search = request.search;
  if (search.steps > 0 || search.volume > 0 || !search.output.empty() || !search.schedule.empty()) {
    return error_at({}, "--pareto: goes without --steps, --volume, -o and --schedule; ask for one point to have those",
                    Code::usage);
  }
  Result<SearchQuestion> question = read_question(search, context);
  if (!question) return question.diagnostics();
  if (question->fabric.rules().timing == Timing::rounds) {
    return error_at({}, "--pareto: in rounds the search counts rounds: their volume is not searched yet",
                    Code::unsupported);
  }
  SearchOptions options = options_for(search, context);
  offer_known_tables(question->fabric, question->collective, context, [&](SendTable table) {
    options.known.push_back(std::move(table));  // for every point
    return true;
  });
  Reason ended_early = Reason::none;
  std::vector<FrontierPoint> points = points_of(*question, options, ended_early);
  FrontierOutcome outcome{asked_for(search.on, search.without), std::move(question->fabric),
                          std::move(question->collective), std::move(points), ended_early};
  if (!search.certificate.empty()) {
    write_certificates(search.certificate, question->goal, options.engine, outcome, context.environment);
  }
  return outcome;
}

}  // namespace quadrille::driver
