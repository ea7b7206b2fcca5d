// The memory of all GPUs of a run, as tests have it: writes come late, and reads may be early.
//
// A thread's write waits in its GPU's store until it lands, whenever that is; at the latest when a thread that knows of
// it releases it. A read gives any of the contents that the unit has had since the reader last acquired. What a thread
// knows of its own GPU's writes, it sees at once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "programs/mscclpp/plan.h"
#include "tests/programs/plan_unfolding.h"

namespace quadrille::programs {

// A unit of memory: a number for the sum that it holds, or half of a packet.
struct UnitContent {
  std::uint64_t value = 0;
  std::uint32_t flag = 0;  // of packets; 0: it is none
  bool second = false;     // half of a packet
};

// What a thread sees: of each thread of its GPU the first so many writes, and all that had landed at a time.
struct ThreadView {
  std::vector<std::uint32_t> seen = {};
  std::uint64_t since = 0;
  void join(const ThreadView& other);
};

// Who writes or reads: a thread, numbered in its GPU.
struct PlanThread {
  std::uint32_t rank = 0;
  std::uint32_t number = 0;
  ThreadView view = {};
};

class LateMemory {
 public:
  // Chances, from 0 to 1.
  struct Habits {
    double late = 0.5;       // a write does not land at once
    double very_late = 0.3;  // of these, it lands only if it must
    double early = 0.5;      // a read is of older contents, if it may be
  };
  LateMemory(const ExecutionPlan& plan, std::uint32_t units, std::mt19937_64& random, const Habits& habits);

  // The unit's number; `half`: of the scratch, 0 or 1.
  std::uint32_t number_of(const UnitPlace& place, std::uint32_t half) const;

  UnitContent read(const PlanThread& thread, std::uint32_t unit);
  UnitContent newest(const PlanThread& thread, std::uint32_t unit) const;
  const UnitContent& landed(std::uint32_t unit) const { return history_[unit].back().content; }
  void write(PlanThread& thread, std::uint32_t unit, const UnitContent& content);
  void write_packet(PlanThread& thread, std::uint32_t unit, std::uint64_t value, std::uint32_t flag);
  void land(std::uint32_t unit, const UnitContent& content);  // by another than a thread
  void set(std::uint32_t unit, const UnitContent& content);   // between launches: nobody reads older contents later

  void release(const PlanThread& thread);
  bool land_some(std::uint32_t rank);  // a write that has waited; false: there is none
  bool land_very_late(std::uint32_t rank);
  void land_all(std::uint32_t rank);

  // While a GPU runs no launch, nothing may land in its input and output.
  void open(std::uint32_t rank, bool runs) { runs_[rank] = runs; }
  // Where something did.
  const std::optional<std::string>& intrusion() const { return intrusion_; }
  std::uint64_t now() const { return now_; }
  bool packet_landed();  // since it was last asked

 private:
  struct Version {
    UnitContent content = {};
    std::uint64_t time = 0;
    std::uint32_t rank = 0;
    std::uint32_t writer = 0;
    std::uint32_t order = 0;  // of the writer's writes; 0: of no thread
  };
  struct Waiting {
    std::uint32_t unit = 0;
    Version version = {};
    std::uint32_t width = 1;  // a packet lands as a whole
    bool very_late = false;
  };
  void append(std::uint32_t unit, const Version& version);
  void land(const Waiting& write);
  void land_at(std::uint32_t rank, std::size_t i);
  bool chance(double share) { return std::uniform_real_distribution<>(0, 1)(random_) < share; }
  void store(PlanThread& thread, Waiting write);
  static bool knows(const PlanThread& thread, const Version& version);
  const Waiting* waiting_for(const PlanThread& thread, std::uint32_t unit) const;
  static UnitContent part(const Waiting& write, std::uint32_t unit);

  const ExecutionPlan& plan_;
  std::uint32_t units_;
  std::mt19937_64& random_;
  Habits habits_;
  std::vector<std::array<std::uint32_t, 3>> begins_;
  std::vector<std::uint32_t> owners_;  // of units in inputs and outputs; no_owner: scratch
  std::vector<std::vector<Version>> history_;
  std::vector<std::vector<Waiting>> stores_;  // by rank
  std::vector<bool> runs_;
  std::optional<std::string> intrusion_ = {};
  std::uint64_t now_ = 1;
  bool packet_landed_ = false;
};

}  // namespace quadrille::programs
