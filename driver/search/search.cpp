// The command `search`: finds a shortest schedule for a question, and writes the files that were wanted.
//
// Requests that can be refused are refused before the search: a fabric with too many links to declare, if a schedule
// is to be written, or an unknown format. After the search nothing is lost: a file that cannot be written is a
// failure beside the outcome. The search begins with the schedules that ship for this size (known_schedules.cpp).
// Cost: the search's.
#include "driver/search/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "compiler/decompile/decompile.h"
#include "driver/files/output_format.h"
#include "driver/files/write_certificate.h"
#include "driver/files/write_file.h"
#include "driver/inputs/notations.h"
#include "driver/search/consumer.h"
#include "driver/search/known_schedules.h"
#include "model/described.h"
#include "model/text/number_in.h"
#include "model/topology.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

// --- the question ---------------------------------------------------------------------------------------------------

// From options to a question: fabric (with --queue in place of its rule), collective (with --chunks parts), and goal.
//
// For example, `--steps 2 --volume 3` asks for SCCL's 2 steps of 3 rounds in all: for the search, that is 3 steps in 2
// phases; on a fabric that counts rounds, 2 rounds of a volume of 3. Whether packets keep to their paths is asked on
// trees only; by default they do if each is for one processor, or is injected once.

struct SearchQuestion {
  Fabric fabric;
  Collective collective;
  SearchGoal goal;
};

// The rule that --queue names; nothing if it names none.
std::optional<QueueRule> queue_rule(const std::string& text) {
  if (text == "unbounded") return QueueRule{};
  if (text == "none") return QueueRule{0};
  const auto limit = number_in<std::uint32_t>(text);
  return limit ? std::optional(QueueRule{*limit}) : std::nullopt;
}

Result<Fabric> wanted_fabric(const SearchRequest& request, Context& context) {
  Result<Fabric> fabric = fabric_on(request.on, request.without, context);
  if (!fabric || request.queue.empty()) return fabric;
  const auto rule = queue_rule(request.queue);
  if (!rule)
    return error_at({}, fmt::format("--queue {}: expected none, unbounded or a number", request.queue), Code::usage);
  Rules rules = fabric->rules();
  rules.queue = *rule;
  return fabric->with_rules(rules);
}

Result<Collective> wanted_collective(const SearchRequest& request, std::uint32_t processors, Context& context) {
  Result<Collective> collective = collective_named(request.collective, processors, context);
  if (!collective || request.chunks == 0) return collective;
  CollectiveDescription description = collective->description();
  if (description.parts != 1 && description.parts != request.chunks) {
    return error_at({},
                    fmt::format("--chunks {}: {} says {} parts already; expected one or the other", request.chunks,
                                collective->notation(), description.parts),
                    Code::usage);
  }
  description.parts = request.chunks;
  Result<Collective> split = Collective::make(description, processors);
  if (split) return split;
  Diagnostic fault = split.diagnostics().front();
  fault.message = "--chunks: " + fault.message;
  return fault;
}

SearchGoal goal_of(const SearchRequest& request, const Fabric& fabric, const Collective& collective) {
  SearchGoal goal;
  const bool rounds = fabric.in_rounds();
  const bool tree = fabric.topology().tree() != nullptr && !(rounds && request.paths.empty());
  const bool kept_by_default = !collective.combining() && (collective.unicast() || request.inject == "once");
  goal.keep_to_paths = tree && (request.paths.empty() ? kept_by_default : request.paths == "kept");
  goal.inject_once = request.inject == "once";
  if (request.steps > 0) goal.steps = request.steps;
  if (request.volume == 0) return goal;
  goal.phases = goal.steps;  // SCCL's S steps of R rounds: S phases of R steps
  goal.steps = request.volume;
  return goal;
}

// The question, or the reason why it cannot be searched.
Result<SearchQuestion> read_question(const SearchRequest& request, Context& context) {
  Result<Fabric> fabric = wanted_fabric(request, context);
  if (!fabric) return fabric.diagnostics();
  Result<Collective> collective = wanted_collective(request, fabric->processors(), context);
  if (!collective) return collective.diagnostics();
  if (request.volume > 0 && (request.steps == 0 || request.steps > request.volume)) {
    return error_at({}, "--volume: expected --steps, too, and no more of them than the volume", Code::usage);
  }
  if (auto wrong = cannot_say(request.consumer, *collective)) return *std::move(wrong);
  const SearchGoal goal = goal_of(request, *fabric, *collective);
  if (const auto why = cannot_search(*fabric, *collective, goal)) return error_at({}, *why, Code::invalid);
  return SearchQuestion{std::move(*fabric), std::move(*collective), goal};
}

// The options of the search, without known schedules. Refers to the context and the request.
SearchOptions options_for(const SearchRequest& request, const Context& context) {
  SearchOptions options;
  options.engine = request.engine == "z3" ? Engine::z3 : Engine::cadical;
  options.evidence = !request.certificate.empty();
  options.limits = remaining(context);
  if (request.consumer.empty() && !request.agreement) return options;
  options.accepts = [&](const SendTable& table) {
    Limits limits = remaining(context);
    limits.progress = {};
    const CheckOptions agreeing{.listed_per_property = 0, .agreement = true, .limits = limits};
    if (request.agreement && check(table, agreeing).verdict != Verdict::holds) return false;
    return takes(request.consumer, table, {}, limits);
  };
  return options;
}

// --- the answer -----------------------------------------------------------------------------------------------------

std::optional<std::string> write_found(const SearchRequest& request, const SearchOutcome& outcome, const Format& format,
                                       Environment& environment) {
  if (request.output.empty() || !outcome.result.table) return std::nullopt;
  const auto fill = [&](NewFile& file) {
    format.write(*outcome.result.table, [&](std::string_view text) { return file.write(text); });
  };
  return write_file(request.output, fill, environment);
}

std::optional<std::string> write_schedule(const SearchRequest& request, const SearchOutcome& outcome,
                                          Context& context) {
  if (request.schedule.empty() || !outcome.result.table) return std::nullopt;
  const auto text = decompile(*outcome.result.table, context.world->families);
  if (!text) {
    return fmt::format("--schedule: the language cannot express this table: {}; -o writes it as it is",
                       text.diagnostics().front().message);
  }
  const std::string head = fmt::format("// {} on {}, found by `quadrille search`.\n", described(outcome.collective),
                                       described(outcome.fabric));
  return write_file(request.schedule, head + *text, context.environment);
}

// ", if processors keep no words"; empty of all schedules.
std::string conditions_text(const Narrowing& narrowed) {
  std::vector<std::string> conditions;
  if (narrowed.paths_kept) conditions.emplace_back("packets keep to the paths from where they start");
  if (narrowed.inject_once) conditions.emplace_back("each leaves there in one step only");
  if (narrowed.no_kept_reductions) conditions.emplace_back("processors keep no words beside the one that they hold");
  return conditions.empty() ? "" : fmt::format(", if {}", fmt::join(conditions, " and "));
}

std::optional<Verdict> agreement_of(const SearchOutcome& outcome, const Context& context) {
  if (!outcome.result.table || !outcome.collective.results_can_differ()) return std::nullopt;
  CheckOptions options{.listed_per_property = 0};
  options.limits.memory = context.limits.memory;  // what was found is judged, however late it is
  return check(*outcome.result.table, options).of(Property::agreement).verdict;
}

}  // namespace

Narrowing narrowing_of(const SearchResult& result) {
  return result.impossibility ? result.impossibility->narrowed : Narrowing{};
}

std::string why_not_fewer(const SearchResult& result) {
  if (!result.lower_bound) return result.bounds.empty() ? "" : result.bounds.front().reason;
  if (!result.impossibility) return "";
  return result.impossibility->reason + conditions_text(result.impossibility->narrowed);
}

Result<SearchOutcome> run(const SearchRequest& request, Context& context) {
  Result<SearchQuestion> question = read_question(request, context);
  if (!question) return question.diagnostics();
  if (!request.schedule.empty()) {
    if (const auto why = cannot_decompile(question->fabric, context.world->families)) {
      return error_at({}, fmt::format("--schedule: {}; -o writes the table as it is", *why), Code::usage);
    }
  }
  const Result<const Format*> format = output_format(context.world->formats, "", request.output);
  if (!format) return format.diagnostics();
  Environment& environment = context.environment;
  const auto began = environment.now();
  SearchOptions options = options_for(request, context);
  options.offer_known = [&](const std::function<bool(SendTable)>& take) {
    offer_known_tables(question->fabric, question->collective, context, take);
  };
  std::vector<SearchMoment> history;
  options.on_event = [&](const SearchEvent& event) {
    history.push_back({std::chrono::duration<double>(environment.now() - began).count(), event});
  };
  SearchResult result = quadrille::search(question->fabric, question->collective, question->goal, options);
  const std::chrono::duration<double> taken = environment.now() - began;
  SearchOutcome outcome{asked_for(request.on, request.without),
                        std::move(question->fabric),
                        std::move(question->collective),
                        question->goal,
                        std::move(result),
                        taken.count(),
                        {},
                        std::move(history)};
  outcome.agreement = agreement_of(outcome, context);

  const auto failed = [&](std::optional<std::string> failure) {
    if (failure) outcome.failures.push_back(error_at({}, *std::move(failure), Code::file));
  };
  failed(write_found(request, outcome, **format, environment));
  failed(write_schedule(request, outcome, context));
  if (request.certificate.empty()) return outcome;
  CertificateFiles files =
      write_certificate({outcome.fabric, outcome.collective, outcome.goal, outcome.result, options.engine},
                        request.certificate, environment);
  outcome.certificate = std::move(files.written);
  if (!files.note.empty()) outcome.notes.push_back(std::move(files.note));
  failed(std::move(files.failure));
  return outcome;
}

// The points of the frontier, one search for each number of steps: S steps of volume V are a schedule of V steps in S
// phases (model/MODEL.md, Phases), so each point asks for the fewest steps in at most S phases, until more phases save
// nothing. Of copying collectives that is when they take no more than the fewest steps of all; partial reductions may
// take fewer in few phases, since what leaves in a phase may be less than what has come; there it is when there are as
// many phases as steps, or a bound is met.
// On a fabric that counts rounds, each point asks for the least volume of so many; from the fewest for which there is a
// schedule, up to as many as the volume: more would have one without messages.

namespace {

// The steps that distances alone ask for, at least 1.
std::uint32_t fewest_steps(const SearchResult& unlimited) {
  std::uint64_t steps = 1;
  for (const Bound& bound : unlimited.bounds) {
    if (bound.kind == BoundKind::distance && bound.steps) steps = std::max(steps, *bound.steps);
  }
  return static_cast<std::uint32_t>(steps);
}

// The goal of one point.
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
    // A point that may save something, if that is not known, is listed, too.
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
