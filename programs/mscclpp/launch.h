// The events of one launch of an execution plan and what orders them, for every order that the executor may take.
//
//   * An operation of all threads (copy, re, upkt, …) is one event: which thread does which byte is not known, so
//   nothing
//     but `nop` and `barrier` orders it with others of its block. One that reads or writes packets is one for each
//     part: what its threads do to a byte there comes behind what the packets' writer did to that byte.
//   * An operation of one thread for each channel, semaphore or transfer (signal, wait, pws, …) is an event for each;
//     those of one position follow one another in a block.
//   * A transfer by a port has a push, in its block, and the transfer itself, later: behind the pushes before it on its
//     channel, and on that only; pwsf has an end in its block, behind the transfer. A signal by a port likewise.
//   * `nop` is one event behind all before it in its block and before all after it; `barrier` is one for all its
//   blocks.
//   * A launch of a rank has a start, which is the end of the launch before it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/limits/work.h"
#include "programs/mscclpp/memory.h"
#include "programs/mscclpp/plan.h"
#include "programs/network.h"
#include "programs/ordered_events.h"
#include "programs/report.h"

namespace quadrille::programs {

struct PlanEvent {
  // `joint` is a nop or a barrier. `packets` is no event of the executor, and stands behind the work of which it says
  // that the packets that it waits for are there. `item` is what a port does by itself.
  enum class Kind : std::uint8_t { start, work, packets, low, item, joint };

  Kind kind = Kind::work;
  std::uint8_t lane = 0;  // of low events: the position
  Location at = {};
  std::uint32_t segment = 0;  // how many joints of its block are before it
};

struct PlanRange {
  std::uint32_t rank = 0;
  std::uint32_t cell = 0;  // the first one
  bool packets = false;
  bool again = false;  // a target: the same packets are there already
  bool fixed = false;  // the first half of the scratch, in all launches: the executor adds the half's offset to the own
                       // buffer and to packets alone
};

// All targets get the sum of the sources, cell by cell.
struct PlanEffect {
  std::uint32_t event = 0;
  std::uint32_t cells = 0;  // of packets: so many parts
  bool waits = true;        // for the packets among its sources
  bool by_packets = false;  // threads take packets each, not 16 bytes each
  std::vector<PlanRange> sources = {};
  std::vector<PlanRange> targets = {};
};

// Numbers of ends that are signalled at, and have no other end to wait at, begin here.
inline constexpr std::uint32_t unpaired_end = std::uint32_t{1} << 31;

// A signal or a wait.
struct CounterUse {
  std::uint32_t event;
  bool relaxed;
};

// An end of a channel that is waited at, or a semaphore.
struct PlanCounter {
  std::optional<PlanChannel> type = {};  // nothing: a semaphore
  std::uint32_t rank = 0;                // of those that wait
  std::uint32_t number = 0;
  std::uint32_t from = 0;  // the rank of those that signal
  std::uint32_t first = 0;
  std::vector<CounterUse> releases = {};
  std::vector<CounterUse> acquires = {};
  std::vector<std::uint32_t> without = {};  // by release: how many others of its launch may come before it
  std::string unknown = {};                 // why it is not known which release an acquire is behind

  std::string name() const;  // "memory channel 2 of gpu 1"
};

struct PlanLaunch {
  std::vector<PlanEvent> events = {};    // first the start of each rank
  std::vector<PlanEffect> effects = {};  // by event, increasing
  std::vector<EventEdge> order = {};     // within the launch
  std::vector<EventEdge> next = {};      // to an event of the next launch; its starts among them
  std::vector<EventEdge> weak = {};      // likewise: the earlier one is over, and what it has written may not be seen
  std::vector<EventEdge> needs = {};     // what comes before, and orders nothing
  std::vector<PlanCounter> counters = {};
};

// Requires that structure and limits hold. `turns`: of all pipelines. Cost: linear in events. Throws Ended.
PlanLaunch launch_of(const ExecutionPlan& plan, const PlanMemory& memory, std::uint32_t turns, Work& work);

}  // namespace quadrille::programs
