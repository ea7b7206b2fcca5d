// Chunks that all operations take together are one. All are divided alike, into as many parts as all divisions have in
// common. For example, where one operation does part 1 of 7 of a chunk and another one all of it, a chunk has 7 cells;
// 14 where others do halves, which is no longer exact: seven parts of 10 units begin at 0, 2, 4, 6, …, and two of them
// at 0 and 5.
#include "programs/mscclpp/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "programs/mscclpp/structure.h"

namespace quadrille::programs {
namespace {

// Calls visit(operation, pipeline or null) for all operations but pipelines themselves.
template <class Visit>
void each_operation(const ExecutionPlan& plan, const Visit& visit) {
  for (const PlanRank& rank : plan.ranks) {
    for (const PlanBlock& block : rank.blocks) {
      for (const PlanOperation& operation : block.operations) {
        if (operation.kind != PlanKind::pipeline)
          visit(rank, block, operation, static_cast<const PlanOperation*>(nullptr));
        for (const PlanOperation& inner : operation.inner) visit(rank, block, inner, &operation);
      }
    }
  }
}

// Which buffer the chunks are in.
Space space_of(const PlanRank& rank, const PlanBlock& block, const PlanOperation& operation, const PlanChunks& chunks) {
  if (chunks.space) return *chunks.space;
  if (chunks.by_switch)
    return rank.switches[block.channels[static_cast<std::size_t>(PlanChannel::by_switch)][chunks.id]].space;
  const auto access = static_cast<std::size_t>(operation.channel.value_or(PlanChannel::memory));
  return rank.remote_buffers[block.remote_buffers[access][chunks.id]].space;
}

bool has_plain_scratch(const ExecutionPlan& plan) {
  bool found = false;
  each_operation(
      plan, [&](const PlanRank& rank, const PlanBlock& block, const PlanOperation& operation, const PlanOperation*) {
        const PlanKindRules rules = rules_of(operation);
        const auto plain = [&](const std::vector<PlanChunks>& all, std::size_t packets) {
          for (std::size_t i = 0; i < std::min(all.size(), packets); ++i)
            found = found || space_of(rank, block, operation, all[i]) == Space::scratch;
        };
        plain(operation.sources, rules.packet_sources);
        plain(operation.targets, rules.packet_targets);
      });
  return found;
}

}  // namespace

ProgramFamily family_of(const ExecutionPlan& plan) {
  constexpr std::array families = {ProgramFamily::allreduce, ProgramFamily::allgather, ProgramFamily::reducescatter,
                                   ProgramFamily::alltoall,  ProgramFamily::broadcast, ProgramFamily::reduce};
  if (plan.ranks.empty()) return ProgramFamily::other;
  const auto ranks = static_cast<std::uint64_t>(plan.ranks.size());
  const std::uint64_t input = plan.ranks[0].input;
  const std::uint64_t output = plan.ranks[0].output;
  for (const ProgramFamily family : families) {
    if (to_string(family) != plan.collective) continue;
    const bool fits = family == ProgramFamily::allgather       ? input * ranks == output
                      : family == ProgramFamily::reducescatter ? input == output * ranks
                      : family == ProgramFamily::alltoall      ? input == output && input % ranks == 0
                                                               : input == output;
    return fits ? family : ProgramFamily::other;
  }
  return ProgramFamily::other;
}

bool pipelines_use_scratch(const ExecutionPlan& plan) {
  bool found = false;
  each_operation(plan, [&](const PlanRank& rank, const PlanBlock& block, const PlanOperation& operation,
                           const PlanOperation* pipeline) {
    const auto in_scratch = [&](const PlanChunks& it) {
      return space_of(rank, block, operation, it) == Space::scratch;
    };
    found = found || (pipeline != nullptr && (std::ranges::any_of(operation.sources, in_scratch) ||
                                              std::ranges::any_of(operation.targets, in_scratch)));
  });
  return found;
}

PlanParts parts_of(const ExecutionPlan& plan, std::uint32_t turns) {
  PlanParts result;
  std::uint32_t group = 0;
  for (const PlanRank& rank : plan.ranks) {
    for (const std::uint32_t count : {rank.input, rank.output, rank.scratch}) group = std::gcd(group, count);
  }
  each_operation(plan, [&](const auto&, const auto&, const PlanOperation& operation, const PlanOperation* pipeline) {
    for (const auto* all : {&operation.sources, &operation.targets})
      for (const PlanChunks& chunks : *all) group = std::gcd(group, std::gcd(chunks.index, chunks.size));
    if (pipeline != nullptr) group = std::gcd(group, pipeline->pipeline_chunks);
  });
  result.group = std::max(group, 1u);
  std::set<std::pair<std::uint32_t, std::uint32_t>> divisions;  // of so many groups into so many parts; windows: 0
  const auto divide = [&](std::uint32_t groups, std::uint32_t parts, bool windows) {
    if (parts <= 1 || (!windows && groups % parts == 0)) return;
    divisions.emplace(windows ? 0 : groups, parts);
    if (groups > 1) result.mixed = true;
    const std::uint64_t all = std::lcm(std::uint64_t{result.parts}, std::uint64_t{parts / std::gcd(groups, parts)});
    result.parts = static_cast<std::uint32_t>(std::min<std::uint64_t>(all, most_followed));
  };
  each_operation(plan, [&](const auto&, const auto&, const PlanOperation& operation, const PlanOperation* pipeline) {
    if (pipeline != nullptr) return divide(pipeline->pipeline_chunks / result.group, turns, true);
    for (const auto* all : {&operation.sources, &operation.targets})
      for (const PlanChunks& chunks : *all) divide(chunks.size / result.group, operation.share.parts, false);
  });
  result.mixed = result.mixed || divisions.size() > 1;
  return result;
}

PlanMemory::PlanMemory(const ExecutionPlan& plan, const PlanParts& parts)
    : plan_(plan), family_(family_of(plan)), parts_(parts), packet_cells_(has_plain_scratch(plan) ? 2 : 1) {
  const std::uint32_t width = packet_cells_ == 2 && plan.packets() ? 2 : 1;
  for (std::uint32_t r = 0; r < plan.ranks.size(); ++r) {
    const PlanRank& rank = plan.ranks[r];
    inputs_.push_back(plan.in_place && family_ == ProgramFamily::allgather ? r * rank.input : 0);
    outputs_.push_back(!plan.in_place ? rank.input : family_ == ProgramFamily::reducescatter ? r * rank.output : 0);
    buffers_.push_back(cells_of(std::max(inputs_.back() + rank.input, outputs_.back() + rank.output)));
    halves_.push_back(width * cells_of(rank.scratch));
  }
}

std::uint32_t PlanMemory::cell(std::uint32_t rank, Space space, std::uint32_t chunk, bool packets) const {
  if (space == Space::scratch) return buffers_[rank] + cells_of(chunk) * (packets ? packet_cells_ : 1);
  return cells_of(chunk + (space == Space::input ? inputs_[rank] : outputs_[rank]));
}

std::string PlanMemory::chunk_name(std::string_view buffer, std::uint32_t cell) const {
  const std::string part = parts_.parts > 1 ? fmt::format("part {} of {} of ", cell % parts_.parts, parts_.parts) : "";
  const std::uint32_t chunk = cell / parts_.parts * parts_.group;
  return parts_.group == 1 ? fmt::format("{}{} chunk {}", part, buffer, chunk)
                           : fmt::format("{}{} chunks {}..{}", part, buffer, chunk, chunk + parts_.group - 1);
}

std::string PlanMemory::name(std::uint32_t rank, std::uint32_t cell) const {
  if (cell >= buffers_[rank]) return chunk_name("scratch", (cell - buffers_[rank]) % std::max(halves_[rank], 1u));
  const std::uint32_t output = cells_of(outputs_[rank]);
  if (cell >= output && cell - output < cells_of(plan_.ranks[rank].output)) return chunk_name("output", cell - output);
  return chunk_name("input", cell - cells_of(inputs_[rank]));
}

}  // namespace quadrille::programs
