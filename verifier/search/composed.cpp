// Idea: combining is copying time-reversed, and copying in phases has an exact formula. So the formula finds the
// parts of a schedule, each in some of the phases, and the parts are put one behind the other.
//
//   allreduce on the line 0-1-2 with single ports, 2 phases: a reduction to 1 in 1 phase of 2 steps (a broadcast from 1
//   time-reversed), and then the broadcast: 4 steps
//
// In one phase nothing can be joined before it is sent on. Contributions travel as chunks of their own would.
// Processors keep them apart where they arrive, so that a packet that leaves later in the phase does not contain
// them.
//
// Cost: some formulas for each part, with at most 2000 conflicts each.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "verifier/search/make_problem.h"
#include "verifier/search/query.h"
#include "verifier/search/time_reversal.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_conflicts = 2000;
constexpr std::uint32_t most_roots = 8;  // with more processors only two roots are tried
constexpr std::uint64_t most_chunks = 4096;

// The best lower bound on steps, at least 1; nothing if a bound shows that there is no such schedule in any number of
// steps.
std::optional<std::uint32_t> least_steps(const Fabric& fabric, const Collective& copying, std::uint32_t phases,
                                         const Limits& limits) {
  const Bound best = bounds_of(fabric, copying, {.phases = phases}, limits).front();
  if (best.impossible()) return std::nullopt;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(*best.steps, 1));
}

// A schedule of few steps in at most `phases` phases; nothing if none is found with little work.
std::optional<SendTable> in_phases(const Fabric& fabric, const Collective& copying, std::uint32_t phases,
                                   Watch& watch) {
  const auto least = least_steps(fabric, copying, phases, watch.limits());
  if (!least) return std::nullopt;
  const SearchGoal goal{.phases = phases};
  const auto problem = copying_problem(fabric, copying, goal, moves_within(fabric, copying, false, watch), watch);
  const Group all = trivial_group(fabric);
  // One packet a step is always enough, if each phase moves all packets by one hop.
  const std::uint64_t most = std::uint64_t{phases} * copying.demands();
  for (std::uint32_t T = *least; T <= most; ++T) {
    const std::uint64_t room = watch.room() / 2;
    if (problem->size(T, PathChoice::all) > room / problem->bytes_each()) return std::nullopt;
    Query query(*problem, {T, T}, all, PathChoice::all, {.room = room}, watch);
    if (query.solve(T, most_conflicts) == Answer::satisfiable) return query.table(*problem);
    watch.require_open();
  }
  return std::nullopt;
}

// --- one phase ------------------------------------------------------------------------------------------------------

// A collective in which every contribution to a value is a chunk of its own, for the other processors that want it.
std::optional<Collective> contributions(const Collective& combining) {
  const std::uint32_t n = combining.processors();
  if (std::uint64_t{n} * combining.values() > most_chunks) return std::nullopt;
  std::vector<CustomChunk> chunks;
  for (std::uint32_t value = 0; value < combining.values(); ++value) {
    for (std::uint32_t from = 0; from < n; ++from) {
      CustomChunk chunk{{from, std::nullopt, value}, {from}, {}};
      for (std::uint32_t to = 0; to < n; ++to) {
        const auto wanted = combining.wanted_contributions(value, NodeId{to});
        if (to != from && wanted && wanted->first <= from && from <= wanted->second) chunk.wanted_by.push_back(to);
      }
      if (!chunk.wanted_by.empty()) chunks.push_back(std::move(chunk));
    }
  }
  Result<Collective> made = collective_of_chunks(std::move(chunks), n);
  return made ? std::optional(std::move(*made)) : std::nullopt;
}

std::optional<SendTable> in_one_phase(const Fabric& fabric, const Collective& combining, Watch& watch) {
  const auto copying = contributions(combining);
  const auto copied = copying ? in_phases(fabric, *copying, 1, watch) : std::nullopt;
  if (!copied) return std::nullopt;
  std::vector<StepRow> rows = all_rows(*copied);
  for (StepRow& it : rows) {
    const ChunkName name = copying->name(it.row.chunk);
    const std::uint32_t to = fabric.channel(it.row.channel).to.value;
    it.row.chunk = combining.chunk({name.origin, to, name.part}).value();
  }
  const std::vector<ReductionUse> kept(rows.size(), {.sent = {}, .arrival = Arrival::kept});
  return SendTable{fabric,
                   combining,
                   "all at once",
                   {},
                   std::make_shared<StoredRows>(std::move(rows), std::vector<MessageId>{}, kept)};
}

// --- two parts ------------------------------------------------------------------------------------------------------

// Offers the allreduces whose halves are `copying`, for every split of the phases; returns whether more may be of use.
bool offer_two_parts(const Fabric& fabric, const Collective& allreduce, const Collective& copying, std::uint32_t phases,
                     Watch& watch, const SearchProblem::Consider& consider) {
  std::map<std::uint32_t, std::vector<StepRow>> parts;  // by the number of phases; no rows if no schedule is known
  const auto part = [&](std::uint32_t number) -> const std::vector<StepRow>& {
    const auto [known, added] = parts.try_emplace(number);
    if (!added) return known->second;
    const auto table = in_phases(fabric, copying, number, watch);
    return known->second = table ? all_rows(*table) : std::vector<StepRow>{};
  };
  for (std::uint32_t first = 1; first < phases; ++first) {
    const auto& before = part(first);
    const auto& after = part(phases - first);
    if (before.empty() || after.empty()) continue;
    Method method{.kind = Method::Kind::formula,
                  .use = Method::Use::reduce_then_broadcast,
                  .name = "all schedules",
                  .of = copying.notation()};
    SendTable joined =
        table_of(fabric, allreduce, "there and back", reduce_then_broadcast(fabric, allreduce, copying, before, after));
    if (!consider(std::move(joined), std::move(method))) return false;
  }
  return true;
}

// The copying collectives from which the allreduce is made: time-reversed first, and then forwards.
std::vector<Collective> halves_of(const Collective& allreduce) {
  const std::uint32_t n = allreduce.processors();
  const std::uint32_t values = allreduce.values();
  std::vector<Collective> all;
  if (values % n == 0) all.push_back(collective_of_shape(shares_to_all(values / n), n).value());
  for (std::uint32_t root = 0; root < n; ++root) {
    if (n > most_roots && root != 0 && root != n / 2) continue;
    all.push_back(collective_of_shape(root_to_all(root, values), n).value());
  }
  return all;
}

}  // namespace

void compose_in_phases(const Fabric& fabric, const Collective& collective, std::uint32_t phases, Watch& watch,
                       const SearchProblem::Consider& consider) {
  if (auto at_once = in_one_phase(fabric, collective, watch)) {
    if (!consider(*std::move(at_once), {.kind = Method::Kind::direct})) return;
  }
  if (!collective.shape()->all_to_all()) return;
  for (const Collective& copying : halves_of(collective)) {
    if (!offer_two_parts(fabric, collective, copying, phases, watch, consider)) return;
  }
}

}  // namespace quadrille::searching
