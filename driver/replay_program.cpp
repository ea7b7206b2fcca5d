// An operation is ready when the one before it in its block has ended, the flags have been set for which it waits, and
// what it receives is there. Ready operations begin in the order of these times, so a queue of them is all
// there is: each looks once at each channel of its route.
//
//   rank 0 sends 2 chunks to 1, on a link with T_s = 5 µs and 1 µs a chunk: 7 µs; rank 1 then sends them on: 14 µs
//
// Cost: operations · log(operations), and the chunks times the lengths of their routes.
#include "driver/replay_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <utility>

#include "driver/check/check_program.h"
#include "driver/inputs/message_time.h"
#include "driver/inputs/notations.h"
#include "driver/search/fit.h"
#include "model/described.h"
#include "model/route.h"
#include "programs/network.h"
#include "runtime/times/timed_resources.h"

namespace quadrille::driver {
namespace {

using programs::ProgramNetwork;
using programs::QueuedOperation;

// What becomes ready when an operation has ended, and, of one that sends, the operation that receives it.
struct Followers {
  std::vector<std::vector<std::uint32_t>> of;  // by action
  std::vector<std::uint32_t> awaits;           // by action: how many have to end before it begins
};

Followers followers_of(const ProgramNetwork& network) {
  Followers result{std::vector<std::vector<std::uint32_t>>(network.actions.size()),
                   std::vector<std::uint32_t>(network.actions.size())};
  const auto follows = [&](std::uint32_t earlier, std::uint32_t later) {
    result.of[earlier].push_back(later);
    ++result.awaits[later];
  };
  for (const programs::Lane& block : network.blocks) {
    for (std::uint32_t action = block.first; action < block.last; ++action) {
      if (action > block.first) follows(action - 1, action);
      for (const std::uint32_t awaited : network.actions[action].awaited) follows(awaited, action);
      if (network.actions[action].sender != programs::none) follows(network.actions[action].sender, action);
    }
  }
  return result;
}

// The channels of each connection's default route; or that there is none.
Result<std::vector<std::vector<ChannelId>>> routes_of(const ProgramNetwork& network, const Fabric& fabric) {
  const Router router(fabric);
  std::vector<std::vector<ChannelId>> routes;
  for (const programs::Connection& connection : network.connections) {
    if (router.append_route(NodeId(connection.from), NodeId(connection.to), routes.emplace_back())) continue;
    return error_at(
        {}, fmt::format("there is no route from {} to {} in {}", connection.from, connection.to, described(fabric)),
        Code::route);
  }
  return routes;
}

// One run, for messages of one size. Throws Ended.
class RunInTime {
 public:
  RunInTime(const ProgramNetwork& network, const Followers& followers,
            const std::vector<std::vector<ChannelId>>& routes, const Fabric& fabric, const TransferCosts& costs,
            double bytes_per_chunk, Work& work)
      : network_(network),
        followers_(followers),
        routes_(routes),
        fabric_(fabric),
        times_(fabric, costs, bytes_per_chunk),
        work_(work),
        resources_(fabric, true, work),
        awaits_(followers.awaits),
        ready_(network.actions.size()),
        sends_free_(fabric.processors()),
        receives_free_(fabric.processors()),
        sent_(fabric.processors()),
        received_(fabric.processors()),
        use_(fabric.channels()) {
    for (std::uint32_t id = 0; id < fabric.channels(); ++id) use_[id].channel = ChannelId(id);
  }

  // The number of operations that never began.
  std::uint64_t run() {
    for (std::uint32_t action = 0; action < awaits_.size(); ++action) {
      if (awaits_[action] == 0) queue_.emplace(0.0, action);
    }
    std::uint64_t left = network_.actions.size();
    for (; !queue_.empty(); --left) {
      const auto [ready, action] = queue_.top();
      queue_.pop();
      const double end = carry_out(network_.actions[action], ready);
      end_ = std::max(end_, end);
      for (const std::uint32_t later : followers_.of[action]) {
        ready_[later] = std::max(ready_[later], end);
        if (--awaits_[later] == 0) queue_.emplace(ready_[later], later);
      }
    }
    return left;
  }

  double seconds() const { return end_; }

  std::vector<Contention> contended() {
    constexpr std::size_t most = 5;
    std::erase_if(use_, [](const Contention& it) { return it.waited == 0; });
    std::ranges::stable_sort(use_, std::greater(), &Contention::waited);
    if (use_.size() > most) use_.resize(most);
    return std::move(use_);
  }

 private:
  // Returns when it ends.
  double carry_out(const QueuedOperation& it, double ready) {
    work_.spend(1);
    if (it.out == programs::none) return ready;
    double& sends = sends_free_[network_.connections[it.out].from];
    double& receives =
        (fabric_.rules().duplex == Duplex::half ? sends_free_ : receives_free_)[network_.connections[it.out].to];
    const bool single = fabric_.rules().ports == Ports::single;
    const double begin = prepared(it, single ? std::max({ready, sends, receives}) : ready);
    const double arrived = cross(it, begin + times_.start());
    if (single) sends = receives = arrived;
    return arrived;
  }

  // When both ranks have prepared it, one message after another.
  double prepared(const QueuedOperation& it, double ready) {
    if (times_.overhead() == 0) return ready;
    double& sent = sent_[network_.connections[it.out].from];
    double& received = received_[network_.connections[it.out].to];
    sent = std::max(sent, ready) + times_.overhead();
    received = std::max(received, ready) + times_.overhead();
    return std::max(sent, received);
  }

  double cross(const QueuedOperation& it, double ready) {
    double through = ready;
    double latency = 0;
    for (const ChannelId id : routes_[it.out]) {
      const double takes = times_.turn(id, fabric_.channel(id));
      Contention& use = use_[id.value];
      ++use.messages;
      double free = ready;
      for (std::uint32_t chunk = 0; chunk < it.operation->count; ++chunk) {
        work_.spend(1);
        const double begin = resources_.cross(id, ready, takes);
        use.waited += std::max(0.0, begin - free);
        use.busy += takes;
        free = begin + takes;
      }
      through = std::max(through, free);
      latency += times_.hop(id);
    }
    return through + latency;
  }

  const ProgramNetwork& network_;
  const Followers& followers_;
  const std::vector<std::vector<ChannelId>>& routes_;
  const Fabric& fabric_;
  replaying::ChannelTimes times_;
  Work& work_;
  replaying::TimedResources resources_;
  std::vector<std::uint32_t> awaits_;  // by action
  std::vector<double> ready_;          // likewise
  std::vector<double> sends_free_;     // by processor, where ports are single; in half duplex its one port
  std::vector<double> receives_free_;
  std::vector<double> sent_;  // by processor: when it has prepared all that it sends so far
  std::vector<double> received_;
  std::vector<Contention> use_;  // by channel
  using ReadyOperation = std::pair<double, std::uint32_t>;
  std::priority_queue<ReadyOperation, std::vector<ReadyOperation>, std::greater<>> queue_;
  double end_ = 0;
};

Diagnostic wrong(const std::string& why) {
  return error_at({}, fmt::format("the program is wrong: {}; `quadrille check` tells more", why), Code::invalid);
}

void count_messages(const ProgramNetwork& network, ReplayProgramOutcome& outcome) {
  for (const QueuedOperation& it : network.actions) {
    if (it.out == programs::none) continue;
    ++outcome.messages;
    outcome.chunks += it.operation->count;
  }
}

}  // namespace

Result<ReplayProgramOutcome> run(const ReplayProgramRequest& request, Context& context) {
  const Result<Costs> costs = parse_costs(request.costs);
  if (!costs) return costs.diagnostics();
  const Result<std::vector<std::uint64_t>> sizes = parse_sizes(request.sizes);
  if (!sizes) return sizes.diagnostics();
  const Result<OpenedProgram> opened = open_program({.file = request.file}, context);
  if (!opened) return opened.diagnostics();
  const Result<Fabric> named = fabric_on(request.on, request.without, context);
  if (!named) return named.diagnostics();
  programs::LoadedMsccl loaded = programs::load_msccl(opened->file, opened->calls.front(), 1);
  const programs::Program& program = loaded.program;
  if (program.ranks.size() != named->processors()) {
    return error_at({},
                    fmt::format("{} has {} ranks; {} has {} processors", request.file, program.ranks.size(),
                                described(*named), named->processors()),
                    Code::range);
  }
  ReplayProgramOutcome outcome{
      opened->file.name, asked_for(request.on, request.without), timed(*named, Timing::rounds), 0, 0, *costs, {}};
  tell_stage(context, "replaying the program");
  const Limits limits = remaining(context);
  try {
    Work work(limits);
    const ProgramNetwork network = programs::connect(program, loaded.report, 1, work);
    for (const programs::ProgramProperty property :
         {programs::ProgramProperty::structure, programs::ProgramProperty::matching}) {
      if (loaded.report.of(property).verdict == programs::ProgramVerdict::violated)
        return wrong(fmt::format("{} is violated", to_string(property)));
    }
    const auto routes = routes_of(network, outcome.fabric);
    if (!routes) return routes.diagnostics();
    count_messages(network, outcome);
    const Followers followers = followers_of(network);
    for (const std::uint64_t size : *sizes) {
      const double chunk = static_cast<double>(size) / program.chunks;
      RunInTime run(network, followers, *routes, outcome.fabric, transfer_costs(*costs), chunk, work);
      if (const std::uint64_t left = run.run(); left > 0)
        return wrong(fmt::format("{} of its operations never begin", left));
      outcome.times.push_back({size, run.seconds(), run.contended()});
    }
  } catch (const Ended& ended) {
    outcome.cut = ended.reason;
  }
  return outcome;
}

}  // namespace quadrille::driver
