// Structure and limits are judged first: all that follows relies on numbers that name something. Then a launch is made
// into events, launched three times (four times, where launches use the halves of the scratch in turn), and judged as a
// whole. Relaunches repeat from there on: counters have come back, and each half has been used by two launches.
//
// How often a pipeline turns depends on the size of the message. Turns move different bytes, so what differs with their
// number is only which signal a wait is behind: by as many as there are signals outside of pipelines. Every number of
// turns up to that, and three, is judged.
#include "programs/mscclpp/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <set>
#include <span>
#include <utility>

#include "model/text/counted.h"
#include "programs/mscclpp/judge_parts.h"
#include "programs/mscclpp/structure.h"

namespace quadrille::programs {
namespace {

constexpr std::uint32_t fewest_multiprocessors = 108;  // of the GPUs that plans run on: those of an A100
constexpr std::uint64_t shared_scratch_bytes = std::uint64_t{1} << 26;  // PREDFINED_SCRATCH_SIZE
constexpr std::uint32_t most_turns = 8;
constexpr std::uint64_t most_events = std::uint64_t{1} << 24;
constexpr std::uint32_t most_parts = 4096;

// Judges one property after another, until the limits are reached.
class PlanJudge {
 public:
  PlanJudge(const ExecutionPlan& plan, const PlanJudgeOptions& options, ProgramReport& report)
      : plan_(plan), options_(options), report_(report), work_(options_.limits) {}

  void all() {
    try {
      begin();
    } catch (const Ended& ended) {
      for (const ProgramProperty property : of_events) report_.cut_short(property, ended.reason);
    } catch (const std::bad_alloc&) {
      for (const ProgramProperty property : of_events) report_.cut_short(property, Reason::limit);
    }
  }

 private:
  using enum ProgramProperty;
  static constexpr std::array of_events = {matching, deadlock, race, data, agreement, relaunch};

  bool violated(ProgramProperty property) const { return report_.of(property).verdict == ProgramVerdict::violated; }
  void unknown(std::span<const ProgramProperty> properties, const std::string& why) {
    for (const ProgramProperty property : properties) report_.set_unknown(property, Reason::unsupported, why);
  }

  void begin() {
    judge_plan_structure(plan_, options_.listed, report_);
    note_kinds();
    const ProgramFamily family = family_of(plan_);
    if (family == ProgramFamily::broadcast || family == ProgramFamily::reduce) {
      report_.notes.push_back(
          {"root", fmt::format("no plan says its root: judged with rank {} (--collective)", options_.root), {}});
    }
    if (violated(structure)) return unknown(of_events, "the structure is violated");
    if (violated(limits)) return unknown(of_events, "the executor's limits are violated");
    find_turns();
    if (turns_.empty()) return unknown(of_events, why_turns_);
    for (const std::uint32_t turns : turns_) {
      judge(turns);
      if (report_.verdict() == ProgramVerdict::violated) return;
    }
    judge_reuse();
    judge_residency();
  }

  // Several pipelines turn as often as one another, if they move as many chunks by units of one size.
  void find_turns() {
    std::set<std::pair<std::uint64_t, std::uint32_t>> pipelines;
    std::uint64_t shift = 0;
    for (const PlanRank& rank : plan_.ranks) {
      for (const std::uint32_t first : rank.semaphores) shift = std::max<std::uint64_t>(shift, first);
      for (const PlanBlock& block : rank.blocks) {
        for (const PlanOperation& operation : block.operations) {
          if (operation.kind == PlanKind::pipeline) pipelines.emplace(operation.unit_bytes, operation.pipeline_chunks);
        }
      }
    }
    if (pipelines.empty()) {
      turns_ = {1};
      return;
    }
    if (pipelines.size() > 1) {
      why_turns_ = "its pipelines turn in different numbers";
      return;
    }
    const std::uint64_t unit = pipelines.begin()->first;
    const std::uint64_t chunks = pipelines.begin()->second;
    const PlanRank& rank = plan_.ranks.front();
    const bool by_output = plan_.collective == "allgather" || rank.input == 0;  // the loader's message
    const std::uint64_t all = by_output ? rank.output : rank.input;
    const auto turns_of = [&](std::uint64_t bytes) {
      const std::uint64_t chunk = std::max(bytes / all, std::max<std::uint64_t>(plan_.alignment, 1));
      return (chunk * chunks + unit - 1) / unit;
    };
    const std::uint64_t enough = 3 + shift + signals_outside();
    if (enough > most_turns) {
      why_turns_ = fmt::format("{} turns of its pipelines would have to be judged", enough);
      return;
    }
    const std::uint64_t least = std::min(turns_of(plan_.bytes_from), enough);
    const std::uint64_t most = plan_.bytes_to == 0 ? enough : std::clamp(turns_of(plan_.bytes_to), least, enough);
    for (std::uint64_t t = least; t <= most; ++t) turns_.push_back(static_cast<std::uint32_t>(t));
  }

  // The most signals and waits outside of pipelines at one end, about: of a block and channel.
  std::uint64_t signals_outside() const {
    std::uint64_t most = 0;
    for (const PlanRank& rank : plan_.ranks) {
      for (const PlanBlock& block : rank.blocks) {
        std::uint64_t count = 0;
        bool turns = false;
        for (const PlanOperation& operation : block.operations) {
          turns = turns || operation.kind == PlanKind::pipeline;
          count += operation.kind == PlanKind::signal || operation.kind == PlanKind::release ? 1 : 0;
        }
        if (turns) most = std::max(most, count);
      }
    }
    return most;
  }

  void judge(std::uint32_t turns) {
    const PlanParts parts = parts_of(plan_, turns);
    if (parts.parts > most_parts) return unknown(of_events, "its operations divide chunks into too many parts");
    std::uint64_t chunks = 0;
    for (const PlanRank& rank : plan_.ranks)
      chunks += std::uint64_t{rank.input} + rank.output + 4 * std::uint64_t{rank.scratch};
    if (chunks * parts.parts > most_followed) {
      return unknown(of_events, fmt::format("its buffers have {} parts of chunks, and {} are followed at most",
                                            chunks * parts.parts, most_followed));
    }
    const PlanMemory memory(plan_, parts);
    const PlanLaunch launch = launch_of(plan_, memory, turns, work_);
    judge_plan_matching(plan_, launch, options_, report_);
    if (violated(matching)) return unknown(of_events, "signals and waits do not match");
    const std::uint32_t launches = plan_.double_scratch ? 4 : 3;
    if (launch.events.size() * launches > most_events) return unknown(of_events, "it has too many operations");
    const auto ranks = static_cast<std::uint32_t>(plan_.ranks.size());
    const Relaunched runs(memory, launch, ranks, launches, work_);
    const PlanCase all{plan_, memory, runs, options_, report_, work_};
    if (options_.order != nullptr) list_plan_order(all, *options_.order);
    judge_plan_deadlock(all);
    if (violated(deadlock)) return unknown(of_events, "it does not end");
    if (runs.ends()) {
      judge_order(all, parts);
    } else {
      const Relaunched once(memory, launch, ranks, 1, work_);
      judge_order({plan_, memory, once, options_, report_, work_}, parts);
    }
    for (const PlanCounter& counter : launch.counters) {
      if (!counter.unknown.empty()) return lacks(counter.unknown);
    }
  }

  void judge_order(const PlanCase& it, const PlanParts& parts) {
    judge_plan_races(it);
    if (violated(race)) {
      constexpr std::array after = {data, agreement, relaunch};
      return unknown(after, "what chunks hold depends on the timing");
    }
    judge_plan_data(it);
    constexpr std::array of_bytes = {race, data, agreement, relaunch};
    if (parts.mixed) unknown(of_bytes, "its operations divide chunks in different ways, which round differently");
  }

  void judge_reuse() {
    const std::optional<std::uint64_t> most = most_without_reuse();
    for (const ProgramProperty property : {race, data, relaunch}) {
      PropertyVerdict& verdict = report_.of(property);
      if (!most || verdict.verdict > ProgramVerdict::conditional) continue;
      verdict.verdict = ProgramVerdict::conditional;
      verdict.condition = {.bytes_from = plan_.bytes_from, .bytes_to = *most};
      verdict.why = "turns of pipelines use the places of a shared scratch again";
      if (*most < plan_.bytes_from) report_.set_unknown(property, Reason::unsupported, verdict.why);
    }
  }

  // The largest message of which the turns of pipelines have places of their own in a scratch that plans share; nothing
  // if all have, or no pipeline uses scratch.
  std::optional<std::uint64_t> most_without_reuse() const {
    const PlanRank& rank = plan_.ranks.front();
    if (!plan_.reuses || rank.scratch == 0 || !pipelines_use_scratch(plan_)) return std::nullopt;
    const std::uint64_t half = shared_scratch_bytes / (plan_.double_scratch ? 2 : 1);
    const std::uint64_t most = half / rank.scratch / plan_.alignment * plan_.alignment;
    const std::uint64_t chunks = plan_.collective == "allgather" ? rank.output : rank.input;
    return plan_.bytes_to != 0 && plan_.bytes_to / chunks <= most ? std::nullopt : std::optional(most * chunks);
  }

  // What is not known of a counter orders nothing: what holds without it holds, and what is violated may not be.
  void lacks(const std::string& why) {
    for (const ProgramProperty property : {deadlock, race, data, agreement, relaunch}) {
      PropertyVerdict& it = report_.of(property);
      if (property != deadlock && it.verdict != ProgramVerdict::violated) continue;
      std::erase_if(report_.findings, [&](const Finding& finding) { return finding.property == property; });
      it = {};
      report_.set_unknown(property, Reason::unsupported, why);
    }
  }

  // A block that has no room waits for others to end, which may wait for it.
  void judge_residency() {
    std::size_t most = 0;
    for (const PlanRank& rank : plan_.ranks) most = std::max(most, rank.blocks.size());
    if (most <= options_.multiprocessors.value_or(fewest_multiprocessors)) return;
    report_.set_unknown(deadlock, Reason::unsupported,
                        options_.multiprocessors
                            ? fmt::format("{} blocks do not run at once on {}", most,
                                          counted(*options_.multiprocessors, "multiprocessor"))
                            : fmt::format("it has {} blocks, which run at once on as many multiprocessors; say how "
                                          "many a GPU has (--sms)",
                                          most));
  }

  // What is wrong in the executor itself, and what it does to this plan.
  void note_kinds() {
    for (std::uint32_t r = 0; r < plan_.ranks.size(); ++r) {
      for (std::uint32_t b = 0; b < plan_.ranks[r].blocks.size(); ++b) {
        Location at{.rank = r, .block = b};
        for (const PlanOperation& operation : plan_.ranks[r].blocks[b].operations) {
          ++at.step;
          note(operation, at);
          for (const PlanOperation& inner : operation.inner) {
            ++at.index;
            note(inner, at);
          }
          ++at.index;
        }
      }
    }
  }

  void note(const PlanOperation& operation, const Location& at) {
    if (operation.kind == PlanKind::flush)
      note("flush", "flush does nothing in the executor: it looks at targets, which a flush has none of", at);
    const PlanKindRules rules = rules_of(operation);
    if (operation.sources.size() > rules.most_sources || operation.targets.size() > rules.most_targets)
      note("passed_over", "an operation names more sources or targets than the executor looks at", at);
    if (operation.kind == PlanKind::put_packets && operation.channel == PlanChannel::port && !plan_.reuses)
      note("port_packets", "ppkt on a port channel reads another buffer than its own if a plan was loaded before", at);
  }
  void note(const char* kind, const char* message, const Location& at) {
    const auto same = [&](const Note& each) { return each.kind == kind; };
    if (std::ranges::none_of(report_.notes, same)) report_.notes.push_back({kind, message, at});
  }

  const ExecutionPlan& plan_;
  const PlanJudgeOptions& options_;
  ProgramReport& report_;
  Work work_;
  std::vector<std::uint32_t> turns_ = {};
  std::string why_turns_ = {};
};

}  // namespace

ProgramReport judge_plan(const ExecutionPlan& plan, const PlanJudgeOptions& options) {
  ProgramReport report;
  PlanJudge(plan, options, report).all();
  return report;
}

std::string plan_operation_text(const ExecutionPlan& plan, const Location& place) {
  const auto& operations = plan.ranks[place.rank].blocks[place.block].operations;
  const auto step = static_cast<std::size_t>(place.step);
  std::size_t before = 0;
  for (std::size_t o = 0; o < step; ++o) before += 1 + operations[o].inner.size();
  const PlanOperation& outer = operations[step];
  const std::size_t inner = place.index - before;
  if (inner == 0) return fmt::format("ops[{}] {}", step, to_string(outer.kind));
  return fmt::format("ops[{}].ops[{}] {}", step, inner - 1, to_string(outer.inner[inner - 1].kind));
}

}  // namespace quadrille::programs
