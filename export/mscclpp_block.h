// One thread block of a plan: what a rank sends, hears and adds up in some steps, as the executor's operations.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "export/mscclpp_steps.h"
#include "export/targets.h"
#include "programs/mscclpp/plan.h"

namespace quadrille::exporting {

// A rank's part of a step, or of some of its messages.
struct PlanExchange {
  std::size_t step = 0;
  std::map<std::uint32_t, std::vector<PlanPiece>> sent = {};  // by receiver
  std::set<std::uint32_t> senders = {};
  std::vector<PlanSum> sums = {};
};
using PlanExchanges = std::vector<PlanExchange>;

// The facts that all blocks of a plan share.
struct PlanFrame {
  std::vector<std::uint64_t> arrivals = {};  // by rank: slots of Buffer::kept; those of Buffer::scratch come behind
  const PlanChoices& choices;
  bool flushes = false;  // who sends by a port waits until that is done: what it has sent from is overwritten

  programs::PlanChannel between(std::uint32_t a, std::uint32_t b) const {
    return choices.in_one_node(a, b) ? programs::PlanChannel::memory : programs::PlanChannel::port;
  }
};

// The semaphores by which blocks of a rank go on from one another.
struct BlockChain {
  std::optional<std::uint32_t> acquired = {};
  std::optional<std::uint32_t> released = {};
  programs::PlanShare share = {};
};

// Adds the block to the rank, with a channel of its own to each rank that it has to do with: both ends must add theirs
// in one order. A block begins with a relaxed signal to each sender, and a relaxed wait for each receiver: they have
// begun this launch, and read and write nothing more of the one before, whatever other plans ran between. What ports
// have sent is acknowledged in the end, so that nothing overwrites what is still on its way.
void add_block(const PlanExchanges& exchanges, const BlockChain& chain, const PlanFrame& frame,
               programs::PlanRank& rank);

// Whether the executor has room for such a block's operations and channels.
bool fits_block(const PlanExchanges& exchanges, const PlanFrame& frame, std::uint32_t rank);

}  // namespace quadrille::exporting
