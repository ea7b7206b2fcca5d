// Steps are put into phases: in one phase each rank has one block (for each instance). A phase ends, for all ranks,
// where the next message or sum would be too much for a block. So both ends of a message are of the same phase, and the
// channels of two ranks pair up if both declare them phase by phase. The blocks of a rank go on from one another by a
// semaphore, which one block releases and one acquires.
//
// For example, an all-to-all among 40 has 39 messages a rank. If all are in one step, a phase takes those of the next 8
// distances: 8 channels to send on, and 8 to hear from.
#include "export/mscclpp_program.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "export/mscclpp_block.h"
#include "export/mscclpp_steps.h"
#include "model/limits/work.h"

namespace quadrille::exporting {
namespace {

using programs::ExecutionPlan;
using programs::PlanRank;

constexpr std::size_t most_pieces = 40;  // of a message: four operations, so that one message always fits a block

class PlanBuilder {
 public:
  PlanBuilder(const std::vector<ProcessorProgram>& ranks, PlanSteps steps, const PlanChoices& choices,
              const Limits& limits)
      : steps_(std::move(steps)),
        choices_(choices),
        work_(limits),
        frame_{steps_.arrivals, choices, steps_.overwrites},
        now_(ranks.size()) {
    for (const ProcessorProgram& rank : ranks) {
      PlanRank& it = plan_.ranks.emplace_back();
      it.id = rank.processor.value;
      it.input = static_cast<std::uint32_t>(rank.input);
      it.output = static_cast<std::uint32_t>(rank.output);
      it.scratch = static_cast<std::uint32_t>(steps_.arrivals[it.id] + steps_.scratch[it.id]);
    }
  }

  ExecutionPlan build() {
    for (std::size_t step = 0; step < steps_.steps.size(); ++step) add_step(step);
    end_phase();
    write();
    return std::move(plan_);
  }

 private:
  void add_step(std::size_t number) {
    PlanStep& step = steps_.steps[number];
    for (PlanMessage& message : step.messages) {
      while (message.pieces.size() > most_pieces) add_message(number, message.from, message.to, cut(message));
      add_message(number, message.from, message.to, message.pieces);
    }
    for (std::uint32_t rank = 0; rank < step.sums.size(); ++rank) {
      for (PlanSum& sum : step.sums[rank]) {
        const auto put = [&] { exchange(rank, number).sums.push_back(sum); };
        attempt({rank}, put);
      }
    }
  }

  static std::vector<PlanPiece> cut(PlanMessage& message) {
    const auto end = message.pieces.begin() + most_pieces;
    std::vector<PlanPiece> first(message.pieces.begin(), end);
    message.pieces.erase(message.pieces.begin(), end);
    return first;
  }

  void add_message(std::size_t step, std::uint32_t from, std::uint32_t to, const std::vector<PlanPiece>& pieces) {
    attempt({from, to}, [&] {
      std::vector<PlanPiece>& all = exchange(from, step).sent[to];
      all.insert(all.end(), pieces.begin(), pieces.end());
      exchange(to, step).senders.insert(from);
    });
  }

  PlanExchange& exchange(std::uint32_t rank, std::size_t step) {
    PlanExchanges& all = now_[rank];
    if (all.empty() || all.back().step != step) all.push_back({.step = step});
    return all.back();
  }

  // Puts something into the blocks of these ranks; where one has no room for it, in a new phase.
  template <class Put>
  void attempt(const std::vector<std::uint32_t>& ranks, const Put& put) {
    std::vector<PlanExchanges> before;
    for (const std::uint32_t rank : ranks) before.push_back(now_[rank]);
    put();
    const auto fits = [&](std::uint32_t rank) {
      for (const PlanExchange& it : now_[rank]) work_.spend(64 * (it.sent.size() + it.senders.size() + it.sums.size()));
      return fits_block(now_[rank], frame_, rank);
    };
    if (std::ranges::all_of(ranks, fits)) return;
    for (std::size_t i = 0; i < ranks.size(); ++i) now_[ranks[i]] = std::move(before[i]);
    end_phase();
    put();
  }

  void end_phase() { phases_.push_back(std::exchange(now_, std::vector<PlanExchanges>(now_.size()))); }

  void write() {
    for (PlanRank& rank : plan_.ranks) {
      std::vector<std::optional<std::uint32_t>> goes_on(choices_.instances);  // by instance: the semaphore
      std::size_t left = 0;
      for (const auto& phase : phases_) left += phase[rank.id].empty() ? 0 : 1;
      for (const auto& phase : phases_) {
        const PlanExchanges& exchanges = phase[rank.id];
        if (exchanges.empty()) continue;
        --left;
        for (std::uint32_t instance = 0; instance < choices_.instances; ++instance) {
          BlockChain chain{goes_on[instance], {}, {instance, choices_.instances}};
          if (left > 0) chain.released = new_semaphore(rank);
          add_block(exchanges, chain, frame_, rank);
          goes_on[instance] = chain.released;
        }
      }
      if (rank.blocks.empty()) rank.blocks.push_back({.operations = {{}}});  // the executor starts no empty kernel
    }
  }

  static std::uint32_t new_semaphore(PlanRank& rank) {
    rank.semaphores.push_back(0);
    return static_cast<std::uint32_t>(rank.semaphores.size() - 1);
  }

  PlanSteps steps_;
  const PlanChoices& choices_;
  Work work_;
  PlanFrame frame_;
  std::vector<PlanExchanges> now_;                  // by rank: of the phase
  std::vector<std::vector<PlanExchanges>> phases_;  // those that are over
  ExecutionPlan plan_;
};

}  // namespace

Result<ExecutionPlan> mscclpp_program(const std::vector<ProcessorProgram>& ranks, const PlanChoices& choices,
                                      const Limits& limits) {
  Result<PlanSteps> steps = plan_steps(ranks, choices, limits);
  if (!steps) return steps.diagnostics();
  try {
    return PlanBuilder(ranks, *std::move(steps), choices, limits).build();
  } catch (const Ended& ended) {
    return programs_ended(ended.reason);
  }
}

}  // namespace quadrille::exporting
