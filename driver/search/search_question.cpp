// From options to a question: fabric (with --queue in place of its rule), collective (with --chunks parts), and goal.
//
// For example, `--steps 2 --volume 3` asks for SCCL's 2 steps of 3 rounds in all: for the search, that is 3 steps in 2
// phases; on a fabric that counts rounds, 2 rounds of a volume of 3. Whether packets keep to their paths is asked on
// trees only; by default they do if each is for one processor, or is injected once.
#include "driver/search/search_question.h"

#include <fmt/format.h>

#include "driver/inputs/notations.h"
#include "export/msccl.h"
#include "model/text/number_in.h"
#include "model/topology.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

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

}  // namespace

Result<SearchQuestion> read_question(const SearchRequest& request, Context& context) {
  Result<Fabric> fabric = wanted_fabric(request, context);
  if (!fabric) return fabric.diagnostics();
  Result<Collective> collective = wanted_collective(request, fabric->processors(), context);
  if (!collective) return collective.diagnostics();
  if (request.volume > 0 && (request.steps == 0 || request.steps > request.volume)) {
    return error_at({}, "--volume: expected --steps, too, and no more of them than the volume", Code::usage);
  }
  if (!request.consumer.empty() && exporting::family_of(*collective) == programs::ProgramFamily::other) {
    return error_at({},
                    fmt::format("--for {}: {} cannot be said in MSCCL XML", request.consumer, collective->notation()),
                    Code::unsupported);
  }
  const SearchGoal goal = goal_of(request, *fabric, *collective);
  if (const auto why = cannot_search(*fabric, *collective, goal)) return error_at({}, *why, Code::invalid);
  return SearchQuestion{std::move(*fabric), std::move(*collective), goal};
}

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
    return request.consumer.empty() ||
           exporting::export_msccl({table, 1, request.consumer, limits}, [](std::string_view) { return true; }).ok();
  };
  return options;
}

}  // namespace quadrille::driver
