// The points of the frontier, one search for each number of steps: S steps of volume V are a schedule of V steps in S
// phases (model/MODEL.md, Phases), so each point asks for the fewest steps in at most S phases, until more phases save
// nothing. Of copying collectives that is when they take no more than the fewest steps of all; partial reductions may
// take fewer in few phases, since what leaves in a phase may be less than what has come; there it is when there are as
// many phases as steps, or a bound is met.
// On a fabric that counts rounds, each point asks for the least volume of so many; from the fewest for which there is a
// schedule, up to as many as the volume: more would have one without messages.
#include <fmt/format.h>

#include <algorithm>

#include "driver/files/write_certificate.h"
#include "driver/inputs/notations.h"
#include "driver/search/known_schedules.h"
#include "driver/search/search.h"
#include "driver/search/search_question.h"

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

// No schedule takes fewer steps, in any number of phases.
std::uint64_t least_of_all(const SearchQuestion& question, const SearchResult& unlimited) {
  if (!question.collective.combining()) return unlimited.steps;
  return unlimited.bounds.front().steps.value_or(0);
}

// The points until the limits are reached; the first one is there in any case. What may save something, if that is not
// known, is a point, too.
std::vector<FrontierPoint> points_in_steps(const SearchQuestion& question, SearchOptions options, Reason& ended_early) {
  const auto ask = [&](const SearchGoal& goal) {
    SearchResult result = quadrille::search(question.fabric, question.collective, goal, options);
    result.workspace.reset();  // the next point needs the memory
    if (result.table) options.known.push_back(*result.table);
    return result;
  };
  const SearchResult unlimited = ask(question.goal);
  if (!unlimited.table) return {{fewest_steps(unlimited), unlimited}};
  const std::uint64_t least = least_of_all(question, unlimited);
  const bool copying = !question.collective.combining();
  std::vector<FrontierPoint> points;
  for (std::uint32_t steps = fewest_steps(unlimited);; ++steps) {
    const bool known = copying && steps >= unlimited.steps;
    FrontierPoint point{steps, known ? unlimited : ask(with_phases(question.goal, steps))};
    const std::uint32_t volume = point.result.steps;
    const bool proved =
        point.result.verdict == SearchVerdict::optimal || point.result.verdict == SearchVerdict::impossible;
    const bool found = point.result.table.has_value();
    const bool saves = points.empty() || !points.back().result.table || volume < points.back().result.steps;
    if (saves || !proved) points.push_back(std::move(point));
    if (found && (volume <= steps || volume <= least)) return points;
    ended_early = options.limits.reached();
    if (ended_early != Reason::none) return points;
  }
}

// The same in rounds. A schedule of few rounds is one of more, too: the last point's is known to the next one.
std::vector<FrontierPoint> points_in_rounds(const SearchQuestion& question, SearchOptions options,
                                            Reason& ended_early) {
  SearchResult fewest = quadrille::search(question.fabric, question.collective, question.goal, options);
  fewest.workspace.reset();
  if (!fewest.table) return {{static_cast<std::uint32_t>(fewest.lower_bound.value_or(0)), std::move(fewest)}};
  // Whether there is a schedule of fewer rounds is not known: their volume is a question without an end.
  if (fewest.verdict != SearchVerdict::optimal) ended_early = fewest.reason;
  options.known.push_back(*fewest.table);
  std::vector<FrontierPoint> points;
  for (std::uint32_t rounds = std::max(fewest.steps, 1U);; ++rounds) {
    SearchResult result =
        quadrille::search(question.fabric, question.collective, with_phases(question.goal, rounds), options);
    result.workspace.reset();
    const std::uint32_t volume = result.steps;
    const bool least = result.bounds.front().steps && volume <= *result.bounds.front().steps;
    if (result.table) options.known.push_back(*result.table);
    // What may save something, if that is not known, is told, too.
    const bool saves = points.empty() || volume < points.back().result.steps;
    if (saves || result.verdict != SearchVerdict::optimal) points.push_back({rounds, result});
    if (least || volume <= rounds) return points;
    const Reason reached = options.limits.reached();
    if (ended_early == Reason::none) ended_early = reached;
    if (reached != Reason::none) return points;
  }
}

// Why points are missing, or not all is known of those that are there.
Reason reason_of(const std::vector<FrontierPoint>& points, Reason ended_early) {
  const auto stopped = [](const FrontierPoint& point) {
    return point.result.reason == Reason::cancelled || point.result.reason == Reason::timeout;
  };
  const auto first = std::ranges::find_if(points, stopped);
  return ended_early == Reason::none && first != points.end() ? first->result.reason : ended_early;
}

std::string folder_of(const Fabric& fabric, std::uint32_t steps) {
  const bool rounds = fabric.in_rounds();
  return fmt::format("{}-{}{}", steps, rounds ? "round" : "step", steps == 1 ? "" : "s");
}

// One for each point: in the folders "1-step", "2-steps", … of the folder that was asked for. Ends with the first that
// cannot be written.
void write_certificates(const std::string& folder, const SearchGoal& goal, Engine engine, FrontierOutcome& outcome,
                        Environment& environment) {
  for (FrontierPoint& point : outcome.points) {
    const std::string own = fmt::format("{}/{}", folder, folder_of(outcome.fabric, point.steps));
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
  return reason == Reason::none && std::all_of(points.begin(), points.end(), [](const FrontierPoint& point) {
           return point.result.verdict == SearchVerdict::optimal;
         });
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
  if (const auto why = cannot_search(question->fabric, question->collective, with_phases(question->goal, 1))) {
    return error_at({}, *why, Code::invalid);
  }
  SearchOptions options = options_for(search, context);
  offer_known_tables(question->fabric, question->collective, context, [&](SendTable table) {
    options.known.push_back(std::move(table));  // for every point
    return true;
  });
  Reason ended_early = Reason::none;
  const bool rounds = question->fabric.in_rounds();
  std::vector<FrontierPoint> points =
      rounds ? points_in_rounds(*question, options, ended_early) : points_in_steps(*question, options, ended_early);
  const Reason reason = reason_of(points, ended_early);
  FrontierOutcome outcome{asked_for(search.on, search.without), std::move(question->fabric),
                          std::move(question->collective), std::move(points), reason};
  if (!search.certificate.empty()) {
    write_certificates(search.certificate, question->goal, options.engine, outcome, context.environment);
  }
  return outcome;
}

}  // namespace quadrille::driver
