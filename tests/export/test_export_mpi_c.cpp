// Exported programs for MPI, carried out here on slots that say what is in them, and in which order it was combined:
// what each rank ends with is what MPI's own collective gives.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "driver/export.h"
#include "driver/inputs/input.h"
#include "dsl/load.h"
#include "export/mpi_c.h"
#include "export/processor_sends.h"
#include "export/transfers.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

using namespace exporting;
using Known = CollectiveKind::Known;

// Chunks of ranks' inputs, (rank, offset), in the order in which they were combined.
using Payload = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

// What MPI's call puts at an offset of a rank's output; empty: nothing that can be compared.
Payload due(const Collective& collective, std::uint64_t rank, std::uint64_t offset) {
  const std::uint64_t parts = collective.description().parts;
  const std::uint64_t root = collective.description().root;
  const auto sum = [&](std::uint64_t ranks, std::uint64_t at) {
    Payload all;
    for (std::uint64_t r = 0; r < ranks; ++r) all.emplace_back(r, at);
    return all;
  };
  switch (collective.kind()) {
    case Known::broadcast:
      return {{root, offset}};
    case Known::scatter:
      return {{root, rank * parts + offset}};
    case Known::gather:
      return rank == root ? Payload{{offset / parts, offset % parts}} : Payload{};
    case Known::allgather:
      return {{offset / parts, offset % parts}};
    case Known::total_exchange:
      return {{offset / parts, rank * parts + offset % parts}};
    case Known::reduce:
      return sum(rank == root ? collective.processors() : 0, offset);
    case Known::reduce_scatter:
      return sum(collective.processors(), rank * parts + offset);
    case Known::prefix:
      return sum(rank + 1, offset);
    case Known::exclusive_prefix:
      return sum(rank, offset);
    default:
      return sum(collective.processors(), offset);
  }
}

// All ranks, step by step.
class Run {
 public:
  Run(const Collective& collective, std::vector<ProcessorProgram> ranks)
      : collective_(collective), ranks_(std::move(ranks)), slots_(ranks_.size()) {
    for (std::uint64_t rank = 0; rank < ranks_.size(); ++rank) {
      for (std::uint64_t i = 0; i < ranks_[rank].input; ++i) slots_[rank][{Buffer::input, i}] = {{rank, i}};
    }
  }

  void run() {
    std::map<StepId, std::vector<std::pair<std::size_t, const Instruction*>>> steps;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      StepId last;
      for (const Instruction& it : ranks_[rank].instructions) {
        if (it.what.step < last) ++wrong_;
        last = it.what.step;
        steps[last].emplace_back(rank, &it);
      }
    }
    for (const auto& [step, instructions] : steps) {
      for (const auto& [rank, it] : instructions) send(rank, *it);
      end_sends(step);
      for (const auto& [rank, it] : instructions) put(rank, *it);
    }
  }

  // Slots that are not what they should be, sends whose source was overwritten before they were over, and receptions
  // without a send.
  std::uint64_t wrong() {
    for (std::uint64_t rank = 0; rank < ranks_.size(); ++rank) {
      for (std::uint64_t i = 0; i < ranks_[rank].output; ++i) {
        const Payload wanted = due(collective_, rank, i);
        if (!wanted.empty() && comparable(slots_[rank][{Buffer::output, i}]) != wanted) ++wrong_;
      }
    }
    for (const auto& [connection, queue] : queues_) wrong_ += queue.size();
    return wrong_ + (under_way_.empty() ? 0 : 1);
  }

 private:
  Payload comparable(Payload got) const {
    if (!collective_.combining() || collective_.ordered()) return got;
    std::ranges::sort(got);
    if (collective_.idempotent()) got.erase(std::unique(got.begin(), got.end()), got.end());
    return got;
  }

  static BufferSlot behind(const BufferSlot& first, std::uint64_t k) { return {first.buffer, first.slot + k}; }

  void send(std::size_t rank, const Instruction& it) {
    if (!it.sends()) return;
    for (std::uint64_t k = 0; k < it.count; ++k) {
      const BufferSlot from = behind(it.source, k);
      queues_[{rank, it.what.peer.value, it.what.lane}].push_back(slots_[rank][from]);
      under_way_.emplace(it.what.there, std::tuple(rank, from, slots_[rank][from]));
    }
  }

  void end_sends(StepId step) {
    for (auto it = under_way_.begin(); it != under_way_.end() && it->first <= step; it = under_way_.erase(it)) {
      const auto& [rank, from, content] = it->second;
      if (slots_[rank][from] != content || content.empty()) ++wrong_;
    }
  }

  void put(std::size_t rank, const Instruction& it) {
    for (std::uint64_t k = 0; k < it.count && !it.sends(); ++k) {
      Payload& target = slots_[rank][behind(it.target, k)];
      const Payload source = it.source.buffer == Buffer::none ? Payload() : slots_[rank][behind(it.source, k)];
      if (it.target.buffer == Buffer::input || it.target.buffer == Buffer::none) ++wrong_;
      switch (it.what.action) {
        case Action::copy:
          target = source;
          break;
        case Action::append:
          target.insert(target.end(), source.begin(), source.end());
          break;
        case Action::combine:
        case Action::combine_after:
          target = joined(source, next(rank, it));
          break;
        case Action::combine_before:
          target = joined(next(rank, it), source);
          break;
        default:
          target = next(rank, it);
          break;
      }
    }
  }

  static Payload joined(Payload left, const Payload& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }

  Payload next(std::size_t rank, const Instruction& it) {
    std::deque<Payload>& queue = queues_[{it.what.peer.value, rank, it.what.lane}];
    if (queue.empty()) {
      ++wrong_;
      return {};
    }
    Payload first = queue.front();
    queue.pop_front();
    return first;
  }

  const Collective& collective_;
  std::vector<ProcessorProgram> ranks_;
  std::vector<std::map<BufferSlot, Payload>> slots_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, LaneId>, std::deque<Payload>> queues_;
  std::multimap<StepId, std::tuple<std::size_t, BufferSlot, Payload>> under_way_;
  std::uint64_t wrong_ = 0;
};

// Why the table has no program; empty if it has one, which must be right.
std::string refusal(const SendTable& table) {
  auto ranks = rank_programs(table, mpi_calls(), {});
  if (!ranks) return ranks.diagnostics().front().message;
  ranks = merged_transfers(*std::move(ranks), 0x7FFFFFFF, {});
  REQUIRE(ranks.ok());
  Run run(table.collective, *std::move(ranks));
  run.run();
  CHECK(run.wrong() == 0);
  return {};
}

bool holds(SendTable table) {
  table.claims.clear();
  table.invariants.clear();
  return check(table).verdict == Verdict::holds;
}

bool of_mpi(const Collective& collective) {
  return std::ranges::find(mpi_calls().collectives, collective.kind()) != mpi_calls().collectives.end();
}

}  // namespace

TEST_CASE("every schedule that ships of a collective that MPI has becomes a program that is right") {
  std::map<std::string, std::size_t> exported;
  std::map<std::string, std::string> refused;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string name(shipped.name);
    CAPTURE(name);
    for (const std::string on : {"", "ring:8", "star:8", "leaf_spine:hosts=8,leaves=2,spines=2,switches=forward"}) {
      CAPTURE(on);
      for (const char* define : {"N=2", "N=3", "N=5", "N=8", "N=9", "L=2", "L=3", "d=3", "D=3", ""}) {
        CAPTURE(define);
        TableRequest request{name, *define == '\0' ? std::vector<std::string>() : std::vector<std::string>{define}};
        request.on = on;
        request.retime = !on.empty();
        MemoryEnvironment environment;
        Context context{environment};
        const Result<SendTable> table = open_table(request, context);
        if (!table || table->fabric.processors() < 2 || !holds(*table)) continue;
        const std::string why = refusal(*table);
        if (why.empty()) ++exported[name];
        if (!why.empty()) refused[name] = why;
        CHECK((why.empty() || !of_mpi(table->collective) || joins_in_switches(*table)));
      }
    }
  }
  for (const auto& [name, why] : refused) {
    if (!exported.contains(name)) MESSAGE(name, ": ", why);
  }
  for (const char* name : {"scatter_binomial", "gather_linear", "prefix_work_efficient", "exclusive_prefix_linear",
                           "exclusive_prefix_recursive_doubling", "exclusive_prefix_work_efficient",
                           "allreduce_one_shot_ordered", "barrier_dissemination", "barrier_tree", "ideal_prefix"}) {
    CAPTURE(name);
    CHECK(exported.contains(name));
  }
  CHECK(exported.size() > 60);
}

TEST_CASE("random tables become programs that combine everything in its order") {
  const std::uint64_t tables = tests::brief ? 3000 : 30000;
  std::map<std::string, int> counts;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + tables; ++seed) {
    for (const bool rounds : {false, true}) {
      const SendTable table = rounds ? reference::random_rounds_table(seed, true) : reference::random_table(seed, true);
      if (!of_mpi(table.collective) || joins_in_switches(table) || !holds(table)) continue;
      CAPTURE(seed);
      CAPTURE(rounds);
      const std::string why = refusal(table);
      CAPTURE(why);
      CHECK((why.empty() || why.find("passes on") != why.npos || why.find("to itself") != why.npos));
      const bool kept = table.rows->has_partial_reductions();
      if (why.empty()) ++counts[fmt::format("{}{}", to_string(table.collective.kind()), kept ? ", kept" : "")];
    }
  }
  for (const auto& [kind, count] : counts) MESSAGE(kind, ": ", count);
  CHECK(counts.size() >= 12);
}

TEST_CASE("what MPI has no call for is refused by name, with what it has") {
  MemoryEnvironment environment;
  environment.files["one.qd"] = "fabric line(3)\ncollective custom:\n  chunk 0 -> 1\nat 1: send 0 -> 1\n";
  Context context{environment};
  const auto outcome = run(ExportRequest{{"one.qd"}, "mpi-c", "out.c"}, context);
  REQUIRE_FALSE(outcome.ok());
  const std::string& why = outcome.diagnostics().front().message;
  CAPTURE(why);
  CHECK(why.starts_with("custom:"));
  CHECK(
      why.ends_with(" cannot be said there; expected a broadcast, scatter, gather, allgather, total_exchange, reduce, "
                    "reduce_scatter, allreduce, prefix, exclusive_prefix or barrier"));
}

TEST_CASE("a deadline is in the program, and no other target takes one") {
  MemoryEnvironment environment;
  Context context{environment};
  ExportRequest request{{"allgather_ring", {"N=3"}}, "mpi-c", "out.c"};
  REQUIRE(run(request, context).ok());
  CHECK(environment.files.at("out.c").find("#define DEADLINE 0 ") != std::string::npos);
  request.deadline = 2.5;
  REQUIRE(run(request, context).ok());
  CHECK(environment.files.at("out.c").find("#define DEADLINE 2.5 ") != std::string::npos);
  for (const char* target : {"goal", "goal-binary", "msccl", "sccl"}) {
    request.target = target;
    const auto refused = run(request, context);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.diagnostics().front().message ==
          fmt::format("--deadline: a file for {} says nothing of that", target));
  }
}

}  // namespace quadrille::driver
