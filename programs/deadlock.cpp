// One run decides for every timing. Each block does its operations in order. Whether an operation can go on depends
// on three conditions that other blocks can only make true: a connection of which it is the only receiver holds a
// message (nobody else takes it); one of which it is the only sender has room (nobody else fills it); and a flag has
// been set (none is reset). So an operation that can go on can still do so after any other operation. Any two runs
// can be continued to the same state, and all maximal runs end in the same one: if one run terminates, all do (a Kahn
// network with bounded queues).
//
// A loop over a large message runs the same operations again. If the first pass terminates and every queue is empty
// after it, as matching demands, the second pass begins like the first. By the same reasoning it does not matter that
// some blocks begin it earlier.
//
// Example: two blocks, with queues of two messages, both send three times and then receive three times. Each is at
// its third send, which has no room until the other receives: a cycle.
#include "programs/deadlock.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::programs {
namespace {

class Run {
 public:
  Run(const Program& program, const ProgramNetwork& network, std::uint32_t together, Work& work)
      : work_(work),
        depth_(program.rules.depth),
        network_(network),
        together_(together),
        at_(network.blocks.size()),
        sent_(network.blocks.size(), 0),
        queued_(network.connections.size(), 0),
        waiting_(network.blocks.size(), true),
        on_flag_(network.blocks.size()) {
    for (std::uint32_t b = 0; b < at_.size(); ++b) {
      at_[b] = network.blocks[b].first;
      open_.push_back(b);
    }
  }

  std::optional<Deadlock> to_the_end() {
    while (!open_.empty()) {
      const std::uint32_t block = open_.back();
      open_.pop_back();
      waiting_[block] = false;
      advance(block);
    }
    const bool ended = std::all_of(network_.blocks.begin(), network_.blocks.end(), [&](const Lane& lane) {
      return at_[static_cast<std::size_t>(&lane - network_.blocks.data())] == lane.last;
    });
    if (ended) return std::nullopt;
    return state();
  }

 private:
  void wake(std::uint32_t block) {
    if (block == none || waiting_[block]) return;
    waiting_[block] = true;
    open_.push_back(block);
  }

  std::uint32_t messages(std::uint32_t action) const {
    const std::uint32_t count = network_.actions[action].operation->count;
    return count / together_ + (count % together_ != 0);
  }

  bool set(std::uint32_t action) const { return action != none && at_[network_.actions[action].block] > action; }
  // The flag that the action still waits for; null if there is none.
  const std::uint32_t* unset(const QueuedOperation& action) const {
    const auto found =
        std::find_if(action.awaited.begin(), action.awaited.end(), [&](std::uint32_t each) { return !set(each); });
    return found == action.awaited.end() ? nullptr : &*found;
  }

  void advance(std::uint32_t block) {
    while (at_[block] < network_.blocks[block].last) {
      const QueuedOperation& action = network_.actions[at_[block]];
      work_.spend(8);
      if (sent_[block] == 0) {
        if (const std::uint32_t* flag = unset(action)) {
          if (*flag != none) on_flag_[network_.actions[*flag].block].push_back(block);
          return;
        }
      }
      if ((action.in != none || action.out != none) && !transmit(block, action)) return;
      sent_[block] = 0;
      ++at_[block];
      if (action.operation->flags) {
        for (const std::uint32_t other : on_flag_[block]) wake(other);
        on_flag_[block].clear();
      }
    }
  }

  bool transmit(std::uint32_t block, const QueuedOperation& action) {
    const std::uint32_t all = messages(at_[block]);
    for (; sent_[block] < all; ++sent_[block]) {
      work_.spend(4);
      if (action.in != none && queued_[action.in] == 0) return false;
      if (action.out != none && queued_[action.out] == depth_) return false;
      if (action.in != none) {
        --queued_[action.in];
        wake(network_.connections[action.in].sender);
      }
      if (action.out != none) {
        ++queued_[action.out];
        wake(network_.connections[action.out].receiver);
      }
    }
    return true;
  }

  Deadlock state() const {
    Deadlock result;
    result.at.assign(at_.size(), none);
    result.need.assign(at_.size(), AwaitedKind::nothing);
    result.whom.assign(at_.size(), none);
    for (std::uint32_t b = 0; b < at_.size(); ++b) {
      if (at_[b] == network_.blocks[b].last) continue;
      const QueuedOperation& action = network_.actions[at_[b]];
      result.at[b] = at_[b];
      const std::uint32_t* flag = sent_[b] == 0 ? unset(action) : nullptr;
      if (flag != nullptr) {
        result.need[b] = AwaitedKind::flag;
        result.whom[b] = *flag == none ? none : network_.actions[*flag].block;
      } else if (action.in != none && queued_[action.in] == 0) {
        result.need[b] = AwaitedKind::message;
        result.whom[b] = network_.connections[action.in].sender;
      } else {
        result.need[b] = AwaitedKind::room;
        result.whom[b] = network_.connections[action.out].receiver;
      }
    }
    return result;
  }

  Work& work_;
  std::uint32_t depth_;
  const ProgramNetwork& network_;
  std::uint32_t together_;
  std::vector<std::uint32_t> at_;                    // action, by block
  std::vector<std::uint32_t> sent_;                  // messages of that action
  std::vector<std::uint32_t> queued_;                // messages, by connection
  std::vector<bool> waiting_;                        // in the work list
  std::vector<std::vector<std::uint32_t>> on_flag_;  // blocks that wait for a flag of this one
  std::vector<std::uint32_t> open_ = {};             // the work list
};

}  // namespace

std::optional<Deadlock> find_deadlock(const Program& program, const ProgramNetwork& network, std::uint32_t together,
                                      Work& work) {
  return Run(program, network, together, work).to_the_end();
}

std::vector<std::uint32_t> chain(const Deadlock& at, std::uint32_t block) {
  std::vector<std::uint32_t> result;
  while (block != none && at.at[block] != none && std::find(result.begin(), result.end(), block) == result.end()) {
    result.push_back(block);
    block = at.whom[block];
  }
  return result;
}

std::uint32_t knot(const Deadlock& at) {
  std::vector<bool> seen(at.at.size(), false);
  std::uint32_t end = none;
  for (std::uint32_t start = 0; start < at.at.size(); ++start) {
    if (at.at[start] == none || seen[start]) continue;
    std::uint32_t block = start;
    std::uint32_t last = start;
    while (block != none && at.at[block] != none && !seen[block]) {
      seen[block] = true;
      last = block;
      block = at.whom[block];
    }
    if (block == none || at.at[block] == none) {
      if (end == none) end = last;
      continue;
    }
    const std::vector<std::uint32_t> here = chain(at, block);
    if (at.whom[here.back()] == block) return block;
  }
  return end;
}

std::vector<Stuck> described(const ProgramNetwork& network, const Deadlock& at,
                             const std::vector<std::uint32_t>& blocks) {
  std::vector<Stuck> result;
  for (const std::uint32_t block : blocks) {
    const std::uint32_t action = at.at[block];
    if (action == none) continue;
    const QueuedOperation& it = network.actions[action];
    Stuck stuck{place_of(network, action), {}, {}};
    if (at.need[block] == AwaitedKind::message) {
      stuck.waits_for = fmt::format("a message of rank {}", network.connections[it.in].from);
    } else if (at.need[block] == AwaitedKind::room) {
      stuck.waits_for = fmt::format("room for a message to rank {}", network.connections[it.out].to);
    } else if (at.whom[block] == none) {
      stuck.waits_for = "a flag that no step sets";
    } else {
      stuck.waits_for = fmt::format("a flag of block {}", network.blocks[at.whom[block]].block->id);
    }
    const std::uint32_t whom = at.whom[block];
    if (whom != none && at.at[whom] != none) stuck.for_whom = place_of(network, at.at[whom]);
    result.push_back(std::move(stuck));
  }
  return result;
}

}  // namespace quadrille::programs
