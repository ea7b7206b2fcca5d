#include "tests/programs/plan_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/programs/plan_memory.h"

namespace quadrille::programs {
namespace {

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// A GPU's contribution to a sum: a number, so that sums of other contributions are other numbers.
std::uint64_t contribution(std::uint32_t rank, std::uint32_t unit, std::uint32_t launch) {
  return mixed(mixed(mixed(rank) + unit) + launch);
}

std::optional<std::uint32_t> other_channel(const ExecutionPlan& plan, PlanChannel type, std::uint32_t rank,
                                           std::uint32_t channel) {
  const auto& here = plan.ranks[rank].peers[static_cast<std::size_t>(type)];
  const auto& there = plan.ranks[here[channel]].peers[static_cast<std::size_t>(type)];
  auto before = std::count(here.begin(), here.begin() + channel, here[channel]);
  for (std::uint32_t other = 0; other < there.size(); ++other) {
    if (there[other] == rank && before-- == 0) return other;
  }
  return std::nullopt;
}

// What the outputs hold at the end.
class PlanGoal {
 public:
  PlanGoal(const ExecutionPlan& plan, std::uint32_t units)
      : collective_(plan.collective),
        ranks_(static_cast<std::uint32_t>(plan.ranks.size())),
        input_(plan.ranks.front().input * units),
        output_(plan.ranks.front().output * units) {}

  // Nothing: it is not known what the collective demands, or the buffers do not have its chunks.
  std::optional<std::uint64_t> at(std::uint32_t rank, std::uint32_t unit, std::uint32_t launch) const {
    if (collective_ == "allreduce" && input_ == output_) return sum(unit, launch);
    if (collective_ == "reducescatter" && input_ == ranks_ * output_) return sum(rank * output_ + unit, launch);
    if (collective_ == "allgather" && output_ == ranks_ * input_)
      return contribution(unit / input_, unit % input_, launch);
    if (collective_ == "alltoall" && input_ == output_ && input_ % ranks_ == 0) {
      const std::uint32_t slice = input_ / ranks_;
      return contribution(unit / slice, rank * slice + unit % slice, launch);
    }
    return std::nullopt;
  }

 private:
  std::uint64_t sum(std::uint32_t unit, std::uint32_t launch) const {
    std::uint64_t result = 0;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) result += contribution(rank, unit, launch);
    return result;
  }

  const std::string& collective_;
  std::uint32_t ranks_, input_, output_;
};

class PlanRunner {
 public:
  PlanRunner(const ExecutionPlan& plan, const UnfoldedPlan& unfolded, const PlanRunOptions& options)
      : plan_(plan),
        unfolded_(unfolded),
        options_(options),
        random_(options.seed),
        habits_(drawn_habits()),
        memory_(plan, unfolded.units, random_, habits_),
        goal_(plan, unfolded.units) {
    for (std::uint32_t rank = 0; rank < plan.ranks.size(); ++rank) add_gpu(rank);
    for (std::size_t i = 0; i < 2 * gpus_.size() + queues_.size() + threads_.size(); ++i) order_.push_back(i);
    std::ranges::shuffle(order_, random_);
    asleep_.assign(order_.size(), false);
    uniform_ = pick({0, 0, 0.1, 1});
    changes_ = pick({0.001, 0.01, 0.1});
    plain_as_packet_ = chance(0.25);
  }

  std::optional<PlanFailure> run() {
    while (!failure_) {
      if (step()) continue;
      if (!force()) break;
    }
    if (!failure_) look_at_the_end();
    return failure_;
  }

 private:
  struct ChannelCount {  // at an end
    std::uint64_t arrived = 0;
    std::uint64_t expected = 0;
  };
  struct Transfer {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moves = {};
    std::size_t moved = 0;
    bool signals = false;
  };
  struct PortQueue {
    std::uint32_t rank = 0;
    std::uint32_t channel = 0;
    std::deque<Transfer> transfers = {};
    std::uint64_t pushed = 0;
    std::uint64_t done = 0;
  };
  struct SharedCount {  // a semaphore, or a counter of a barrier
    std::int64_t value = 0;
    ThreadView view = {};
  };
  struct Syncer {
    std::array<SharedCount, 3> counts = {};
    std::size_t last = 0;
  };
  struct BlockState {
    std::uint32_t met = 0;
    std::uint64_t meetings = 0;
    std::vector<std::size_t> threads = {};  // numbers in threads_
    // By step and thread: which of the step's tasks are its.
    std::vector<std::vector<std::vector<std::uint32_t>>> tasks = {};
  };
  struct Gpu {
    std::uint32_t launch = 0;  // of this plan; 0: none has begun
    std::uint32_t flag = 0;    // launches of all plans
    bool runs = false;
    std::array<std::vector<ChannelCount>, 2> ends = {};
    std::array<std::vector<std::size_t>, 2> queues = {};
    std::vector<SharedCount> semaphores = {};
    std::map<std::uint32_t, Syncer> syncers = {};
    std::vector<BlockState> blocks = {};
    std::size_t first_thread = 0;
    std::size_t threads = 0;
  };
  struct ThreadState {
    PlanThread who = {};
    std::uint32_t block = 0;
    std::uint32_t index = 0;  // in the block
    std::size_t at = 0;       // the step
    std::size_t task = 0;     // of its tasks in the step
    std::size_t part = 0;     // of the task, or of the low operation
    std::uint64_t sum = 0;
    bool waits = false;
    std::uint64_t ticket = 0;  // what it waits for
  };

  // ------------------------------------------------------------------------------------------------------------ set-up
  bool chance(double share) { return std::uniform_real_distribution<>(0, 1)(random_) < share; }
  double pick(std::vector<double> values) { return values[random_() % values.size()]; }
  LateMemory::Habits drawn_habits() {
    return {.late = pick({0, 0.5, 1}), .very_late = pick({0, 0.3, 1}), .early = pick({0, 0.5, 1})};
  }

  void add_gpu(std::uint32_t rank) {
    const PlanRank& described = plan_.ranks[rank];
    Gpu& gpu = gpus_.emplace_back();
    for (const std::size_t type : {0U, 1U}) gpu.ends[type].resize(described.peers[type].size());
    for (std::uint32_t c = 0; c < described.peers[1].size(); ++c) {
      gpu.queues[1].push_back(queues_.size());
      queues_.push_back({rank, c});
    }
    for (const std::uint32_t value : described.semaphores) gpu.semaphores.push_back({value});
    gpu.first_thread = threads_.size();
    for (const UnfoldedBlock& block : unfolded_.ranks[rank]) add_block(rank, block);
    gpu.threads = threads_.size() - gpu.first_thread;
    for (const bool output : {false, true}) spoil(rank, output ? Space::output : Space::input);
  }

  void add_block(std::uint32_t rank, const UnfoldedBlock& block) {
    Gpu& gpu = gpus_[rank];
    BlockState& state = gpu.blocks.emplace_back();
    for (std::uint32_t i = 0; i < block.threads; ++i) {
      state.threads.push_back(threads_.size());
      const auto number = static_cast<std::uint32_t>(threads_.size() - gpu.first_thread);
      threads_.push_back({.who = {.rank = rank, .number = number},
                          .block = static_cast<std::uint32_t>(gpu.blocks.size() - 1),
                          .index = i});
    }
    for (const UnfoldedStep& step : block.steps) {
      auto& shares = state.tasks.emplace_back(block.threads);
      for (std::uint32_t t = 0; t < step.tasks.size(); ++t) {
        const UnitTask& task = step.tasks[t];
        shares[mixed(mixed(options_.seed + (task.packets ? 1 : 0)) + task.position) % block.threads].push_back(t);
      }
    }
  }

  // --------------------------------------------------------------------------------------------------------------
  // order One actor goes on, the first one in the order that can; or any one. Actors: GPUs that begin and end launches,
  // stores, port channels, threads.
  bool step() {
    if (chance(changes_)) std::swap(order_[random_() % order_.size()], order_[random_() % order_.size()]);
    if (chance(uniform_)) {
      const std::size_t first = random_() % order_.size();
      for (std::size_t i = 0; i < order_.size(); ++i) {
        if (attempt((first + i) % order_.size())) return true;
      }
      return false;
    }
    return std::ranges::any_of(order_, [&](std::size_t actor) { return attempt(actor); });
  }

  bool attempt(std::size_t actor) {
    if (asleep_[actor]) return false;
    asleep_[actor] = !act(actor);
    if (memory_.packet_landed()) wake();
    if (memory_.intrusion()) fail(ProgramProperty::race, *memory_.intrusion());
    return !asleep_[actor];
  }

  bool act(std::size_t actor) {
    if (actor < gpus_.size()) return begin_or_end(static_cast<std::uint32_t>(actor));
    actor -= gpus_.size();
    if (actor < gpus_.size()) return memory_.land_some(static_cast<std::uint32_t>(actor));
    actor -= gpus_.size();
    if (actor < queues_.size()) return advance(queues_[actor]);
    return advance(threads_[actor - queues_.size()]);
  }

  void wake() { asleep_.assign(asleep_.size(), false); }

  // Nothing else goes on: what has waited long lands.
  bool force() {
    for (std::uint32_t rank = 0; rank < gpus_.size(); ++rank) {
      if (!memory_.land_very_late(rank)) continue;
      if (memory_.intrusion()) fail(ProgramProperty::race, *memory_.intrusion());
      wake();
      return true;
    }
    return false;
  }

  void fail(ProgramProperty property, std::string message) {
    if (!failure_) failure_ = PlanFailure{property, std::move(message)};
  }

  // -----------------------------------------------------------------------------------------------------------
  // launches
  bool over(const ThreadState& thread) const {
    return thread.at == unfolded_.ranks[thread.who.rank][thread.block].steps.size();
  }

  bool begin_or_end(std::uint32_t rank) {
    Gpu& gpu = gpus_[rank];
    if (!gpu.runs) {
      if (gpu.launch == options_.launches) return false;
      begin(rank);
    } else {
      for (std::size_t t = gpu.first_thread; t < gpu.first_thread + gpu.threads; ++t) {
        if (!over(threads_[t])) return false;
      }
      end(rank);
    }
    wake();
    return true;
  }

  void begin(std::uint32_t rank) {
    Gpu& gpu = gpus_[rank];
    for (std::uint32_t i = 0; gpu.launch > 0 && i < options_.others; ++i) run_other(rank);
    ++gpu.launch;
    ++gpu.flag;
    gpu.runs = true;
    memory_.open(rank, true);
    spoil(rank, Space::output);
    for (std::uint32_t u = 0; u < plan_.ranks[rank].input * unfolded_.units; ++u)
      memory_.set(unit_of(rank, Space::input, u), {contribution(rank, u, gpu.launch)});
    for (std::size_t t = gpu.first_thread; t < gpu.first_thread + gpu.threads; ++t) {
      ThreadState& thread = threads_[t];
      thread.at = thread.task = thread.part = 0;
      thread.who.view.since = memory_.now();
    }
  }

  // Another plan, which shares the scratch if plans do, and leaves what it likes there.
  void run_other(std::uint32_t rank) {
    const std::uint32_t flag = ++gpus_[rank].flag;
    if (!plan_.reuses) return;
    const std::uint32_t room = room_in_chunks(plan_, plan_.ranks[rank], Space::scratch) * unfolded_.units;
    for (std::uint32_t u = 0; u < room; ++u) {
      const UnitPlace place{rank, Space::scratch, u, true};
      memory_.set(memory_.number_of(place, flag % 2),
                  plan_.packets() ? UnitContent{mixed(flag), flag, u % 2 == 1} : UnitContent{random_()});
    }
  }

  std::uint32_t unit_of(std::uint32_t rank, Space space, std::uint32_t unit) const {
    return memory_.number_of({rank, space, unit}, 0);
  }

  // The user writes something else there.
  void spoil(std::uint32_t rank, Space space) {
    for (std::uint32_t u = 0; u < room_in_chunks(plan_, plan_.ranks[rank], space) * unfolded_.units; ++u)
      memory_.set(unit_of(rank, space, u), {random_()});
  }

  void end(std::uint32_t rank) {
    memory_.land_all(rank);
    look_at_output(rank);
    gpus_[rank].runs = false;
    memory_.open(rank, false);
    spoil(rank, Space::output);
    spoil(rank, Space::input);
  }

  void look_at_output(std::uint32_t rank) {
    const std::uint32_t launch = gpus_[rank].launch;
    for (std::uint32_t u = 0; u < plan_.ranks[rank].output * unfolded_.units; ++u) {
      const auto demanded = goal_.at(rank, u, launch);
      if (demanded && memory_.landed(unit_of(rank, Space::output, u)).value != *demanded) {
        return fail(ProgramProperty::data, fmt::format("launch {}: chunk {} of gpu {}'s output is wrong at its end",
                                                       launch, u / unfolded_.units, rank));
      }
    }
  }

  void look_at_the_end() {
    for (const ThreadState& thread : threads_) {
      if (gpus_[thread.who.rank].runs && !over(thread)) return fail(ProgramProperty::deadlock, stuck(thread));
    }
    for (std::uint32_t rank = 0; rank < gpus_.size(); ++rank) {
      for (const auto& ends : gpus_[rank].ends) {
        for (const ChannelCount& end : ends) {
          if (end.arrived != end.expected)
            fail(ProgramProperty::matching,
                 fmt::format("gpu {} got {} signals on a channel and waited for {}", rank, end.arrived, end.expected));
        }
      }
      for (std::size_t s = 0; s < gpus_[rank].semaphores.size(); ++s) {
        if (gpus_[rank].semaphores[s].value != plan_.ranks[rank].semaphores[s])
          fail(ProgramProperty::relaunch, fmt::format("semaphore {} of gpu {} is not as it was", s, rank));
      }
    }
  }

  std::string stuck(const ThreadState& thread) const {
    return fmt::format("launch {}: gpu {} waits for ever in block {}, unfolded step {}", gpus_[thread.who.rank].launch,
                       thread.who.rank, thread.block, thread.at);
  }

  // ------------------------------------------------------------------------------------------------------------
  // threads Each is a little of the thread's work; false: it cannot go on, and nothing has changed for others.
  bool advance(ThreadState& thread) {
    const Gpu& gpu = gpus_[thread.who.rank];
    if (!gpu.runs || over(thread)) return false;
    const UnfoldedStep& step = unfolded_.ranks[thread.who.rank][thread.block].steps[thread.at];
    switch (step.kind) {
      case UnfoldedStep::Kind::meet:
        return meet(thread) && next(thread);
      case UnfoldedStep::Kind::join:
        return join(thread, step);
      case UnfoldedStep::Kind::work:
        return work(thread, step);
      case UnfoldedStep::Kind::low:
        return thread.index >= step.lows.size() ? next(thread) : low(thread, step.lows[thread.index]);
    }
    return false;
  }

  bool next(ThreadState& thread) {
    ++thread.at;
    thread.task = thread.part = 0;
    if (over(thread)) wake();
    return true;
  }

  // True when all threads of the block have come.
  bool meet(ThreadState& thread) {
    BlockState& block = gpus_[thread.who.rank].blocks[thread.block];
    if (!thread.waits) {
      thread.waits = true;
      thread.ticket = block.meetings;
      if (++block.met == block.threads.size()) {
        share_views(block);
        block.met = 0;
        ++block.meetings;
        wake();
      }
    }
    if (thread.ticket == block.meetings) return false;
    thread.waits = false;
    return true;
  }

  void share_views(const BlockState& block) {
    ThreadView all;
    for (const std::size_t t : block.threads) all.join(threads_[t].who.view);
    for (const std::size_t t : block.threads) threads_[t].who.view = all;
  }

  // The block meets, its first thread counts and waits for the others' by equality, and it meets again.
  bool join(ThreadState& thread, const UnfoldedStep& step) {
    Syncer& syncer = gpus_[thread.who.rank].syncers[step.barrier];
    const std::size_t now = (syncer.last + 1) % 3;
    switch (thread.part) {
      case 0:
        if (!meet(thread)) return false;
        thread.part = thread.index == 0 ? 1 : 3;
        return step.blocks == 1 ? next(thread) : true;
      case 1:
        syncer.counts[(now + 1) % 3] = {};
        ++syncer.counts[now].value;
        syncer.counts[now].view.join(thread.who.view);
        thread.ticket = now;
        thread.part = 2;
        wake();
        return true;
      case 2: {
        const SharedCount& count = syncer.counts[thread.ticket];
        if (count.value != step.blocks) return false;
        thread.who.view.join(count.view);
        syncer.last = thread.ticket;
        thread.part = 3;
        return true;
      }
      default:
        return meet(thread) && next(thread);
    }
  }

  std::uint32_t unit_of(const ThreadState& thread, const UnitPlace& place) const {
    return memory_.number_of(place, gpus_[thread.who.rank].flag % 2);
  }

  // Takes, reads or writes once.
  bool work(ThreadState& thread, const UnfoldedStep& step) {
    const auto& own = gpus_[thread.who.rank].blocks[thread.block].tasks[thread.at][thread.index];
    if (thread.task == own.size()) return next(thread);
    const UnitTask& task = step.tasks[own[thread.task]];
    if (thread.part == 0) thread.sum = 0;
    if (thread.part < task.takes.size()) {
      if (!take(thread, unit_of(thread, task.takes[thread.part]))) return false;
    } else if (thread.part < task.takes.size() + task.reads.size()) {
      const UnitPlace& place = task.reads[thread.part - task.takes.size()];
      thread.sum += memory_.read(thread.who, unit_of(thread, place)).value;
    } else {
      write(thread, task);
      thread.part = 0;
      ++thread.task;
      return true;
    }
    ++thread.part;
    return true;
  }

  bool take(ThreadState& thread, std::uint32_t unit) {
    const std::uint32_t flag = gpus_[thread.who.rank].flag;
    const UnitContent first = memory_.newest(thread.who, unit);
    const UnitContent second = memory_.newest(thread.who, unit + 1);
    const auto plain = [](const UnitContent& content) { return content.flag == 0 && content.value != 0; };
    if (plain_as_packet_ && (plain(first) || plain(second))) {  // data that looks like the flag
      thread.sum += random_();
      return true;
    }
    if (first.flag != flag || second.flag != flag || first.second || !second.second || first.value != second.value)
      return false;
    thread.sum += first.value;
    return true;
  }

  void write(ThreadState& thread, const UnitTask& task) {
    for (const UnitPlace& place : task.writes) memory_.write(thread.who, unit_of(thread, place), {thread.sum});
    const std::uint32_t flag = gpus_[thread.who.rank].flag;
    for (const UnitPlace& place : task.puts) memory_.write_packet(thread.who, unit_of(thread, place), thread.sum, flag);
    asleep_[gpus_.size() + thread.who.rank] = false;
  }

  // ------------------------------------------------------------------------------------------ channels and semaphores
  bool low(ThreadState& thread, const LowTask& task) {
    switch (task.kind) {
      case PlanKind::signal:
      case PlanKind::relaxed_signal:
        return signal(thread, task);
      case PlanKind::wait:
      case PlanKind::relaxed_wait:
        return wait(thread, task);
      case PlanKind::release: {
        SharedCount& semaphore = gpus_[thread.who.rank].semaphores[task.number];
        semaphore.view.join(thread.who.view);
        ++semaphore.value;
        wake();
        return next(thread);
      }
      case PlanKind::acquire:
        return acquire(thread, gpus_[thread.who.rank].semaphores[task.number]);
      default:
        return push(thread, task);
    }
  }

  bool signal(ThreadState& thread, const LowTask& task) {
    if (task.type == PlanChannel::port) return push(thread, task);
    if (task.kind == PlanKind::signal) memory_.release(thread.who);
    arrive(task.type, thread.who.rank, task.number);
    return next(thread);
  }

  void arrive(PlanChannel type, std::uint32_t rank, std::uint32_t channel) {
    const auto end = other_channel(plan_, type, rank, channel);
    const auto kind = static_cast<std::size_t>(type);
    if (end) ++gpus_[plan_.ranks[rank].peers[kind][channel]].ends[kind][*end].arrived;
    wake();
  }

  bool wait(ThreadState& thread, const LowTask& task) {
    ChannelCount& end = gpus_[thread.who.rank].ends[static_cast<std::size_t>(task.type)][task.number];
    if (!thread.waits) thread.ticket = ++end.expected;
    thread.waits = end.arrived < thread.ticket;
    if (thread.waits) return false;
    if (task.kind == PlanKind::wait || task.type == PlanChannel::port) thread.who.view.since = memory_.now();
    return next(thread);
  }

  // Takes one off, and waits until what it found is there again.
  bool acquire(ThreadState& thread, SharedCount& semaphore) {
    if (thread.part == 0) {
      thread.part = semaphore.value > 0 ? 2 : 1;
      thread.ticket = static_cast<std::uint64_t>(semaphore.value--);
    }
    if (thread.part == 1 && semaphore.value < static_cast<std::int64_t>(thread.ticket)) return false;
    thread.who.view.join(semaphore.view);
    return next(thread);
  }

  bool push(ThreadState& thread, const LowTask& task) {
    PortQueue& queue = queues_[gpus_[thread.who.rank].queues[1][task.number]];
    if (thread.part == 0) {
      memory_.release(thread.who);
      Transfer& transfer = queue.transfers.emplace_back();
      for (const auto& [from, to] : task.moves) transfer.moves.emplace_back(unit_of(thread, from), unit_of(thread, to));
      transfer.signals =
          task.kind != PlanKind::put && task.kind != PlanKind::put_packets && task.kind != PlanKind::pass_packets;
      thread.ticket = ++queue.pushed;
      thread.part = 1;
      wake();
      return true;
    }
    if (task.kind == PlanKind::put_signal_flush && queue.done < thread.ticket) return false;
    return next(thread);
  }

  // One unit at a time, from whatever is there by then.
  bool advance(PortQueue& queue) {
    if (queue.transfers.empty()) return false;
    Transfer& transfer = queue.transfers.front();
    if (transfer.moved < transfer.moves.size()) {
      const auto [from, to] = transfer.moves[transfer.moved++];
      memory_.land(to, memory_.landed(from));
      return true;
    }
    if (transfer.signals) arrive(PlanChannel::port, queue.rank, queue.channel);
    queue.transfers.pop_front();
    ++queue.done;
    wake();
    return true;
  }

  const ExecutionPlan& plan_;
  const UnfoldedPlan& unfolded_;
  PlanRunOptions options_;
  std::mt19937_64 random_;
  LateMemory::Habits habits_;
  LateMemory memory_;
  PlanGoal goal_;
  std::vector<Gpu> gpus_ = {};
  std::vector<PortQueue> queues_ = {};
  std::vector<ThreadState> threads_ = {};
  std::vector<std::size_t> order_ = {};
  std::vector<bool> asleep_ = {};
  double uniform_ = 0;
  double changes_ = 0;
  bool plain_as_packet_ = false;
  std::optional<PlanFailure> failure_ = {};
};

// The numbers that name channels, peers and semaphores.
std::optional<PlanFailure> misnamed(const ExecutionPlan& plan, const UnfoldedPlan& unfolded) {
  const auto wrong = [](const char* message) { return PlanFailure{ProgramProperty::structure, message}; };
  if (unfolded.wrong) return unfolded.wrong;
  for (std::uint32_t rank = 0; rank < plan.ranks.size(); ++rank) {
    for (const auto& peers : plan.ranks[rank].peers) {
      if (std::ranges::any_of(peers, [&](std::uint32_t peer) { return peer >= plan.ranks.size() || peer == rank; }))
        return wrong("a channel to no gpu");
    }
    for (const UnfoldedBlock& block : unfolded.ranks[rank]) {
      for (const UnfoldedStep& step : block.steps) {
        for (const LowTask& low : step.lows) {
          const bool semaphore = low.kind == PlanKind::release || low.kind == PlanKind::acquire;
          if (!semaphore && low.type == PlanChannel::by_switch) return wrong("a signal by a switch");
          const std::size_t have = semaphore ? plan.ranks[rank].semaphores.size()
                                             : plan.ranks[rank].peers[static_cast<std::size_t>(low.type)].size();
          if (low.number >= have) return wrong("a channel or semaphore that is not there");
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<PlanFailure> run_plan(const ExecutionPlan& plan, const PlanRunOptions& options) {
  if (plan.ranks.empty()) return PlanFailure{ProgramProperty::structure, "no gpus"};
  const UnfoldedPlan unfolded = unfold_plan(plan, options.turns);
  if (auto failure = misnamed(plan, unfolded)) return failure;
  return PlanRunner(plan, unfolded, options).run();
}

}  // namespace quadrille::programs
