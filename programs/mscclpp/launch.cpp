// Blocks are walked through one after another. `open_` is the last joint; what has come since is `segment_`. For
// example,
//
//   put; nop; signal 0, 1; wait 0
//
// makes: start → put → nop → signal 0 → wait 0 → the next start, and nop → signal 1 → the next start.
//
// That an operation of all threads begins only when the block's threads have passed those before it orders no bytes,
// but keeps it from beginning: such edges are `needs`. A thread passes an operation when its own part is done, for
// which the packets have to be there (`packets`).
#include "programs/mscclpp/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "programs/mscclpp/structure.h"

namespace quadrille::programs {
namespace {

constexpr std::size_t lanes = 16;
constexpr std::uint64_t bytes_of_a_plan_event = 256;  // with its edges and its effect

class LaunchMaker {
 public:
  LaunchMaker(const ExecutionPlan& plan, const PlanMemory& memory, std::uint32_t turns, Work& work)
      : plan_(plan), memory_(memory), turns_(turns), work_(work) {}

  PlanLaunch all() {
    for (std::uint32_t r = 0; r < plan_.ranks.size(); ++r) {
      launch_.events.push_back({.kind = PlanEvent::Kind::start, .at = {.rank = r}});
      launch_.next.emplace_back(r, r);
    }
    for (at_.rank = 0; at_.rank < plan_.ranks.size(); ++at_.rank) {
      const PlanRank& rank = plan_.ranks[at_.rank];
      for (at_.block = 0; at_.block < rank.blocks.size(); ++at_.block) block(rank, rank.blocks[at_.block]);
    }
    for (const auto& [key, items] : pushed_) follow(items);
    for (auto& [key, counter] : counters_) {
      settle(counter);
      launch_.counters.push_back(std::move(counter));
    }
    return std::move(launch_);
  }

 private:
  using Kind = PlanEvent::Kind;
  struct Item {
    std::uint32_t push;
    std::uint32_t begin;
    std::uint32_t end;
  };
  struct PacketWork {  // that reads packets alone
    std::uint32_t size;
    PlanShare share;
    std::vector<std::uint32_t> events;  // by part
  };

  void block(const PlanRank& rank, const PlanBlock& block) {
    rank_ = &rank;
    block_ = &block;
    open_ = at_.rank;
    segment_number_ = 0;
    begin_segment();
    at_.index = 0;
    for (std::uint32_t o = 0; o < block.operations.size(); ++o) {
      const PlanOperation& operation = block.operations[o];
      at_.step = o;
      const std::uint32_t index = at_.index;
      for (turn_ = 0; operation.kind == PlanKind::pipeline && turn_ < turns_; ++turn_) {
        at_.index = index;
        for (const PlanOperation& inner : operation.inner) {
          ++at_.index;
          step(inner, true);
        }
      }
      at_.index = index;
      if (operation.kind != PlanKind::pipeline) step(operation, false);
      at_.index = static_cast<std::uint32_t>(index + 1 + operation.inner.size());
    }
    for (const std::uint32_t e : segment_) launch_.next.emplace_back(e, at_.rank);
    launch_.next.emplace_back(open_, at_.rank);
  }

  void begin_segment() {
    segment_.clear();
    since_work_.clear();
    packet_work_.clear();
    last_work_ = last_packets_ = none;
    last_.fill(none);
  }

  std::uint32_t add(Kind kind, std::size_t lane = 0) {
    work_.spend(64);
    work_.take(1, bytes_of_a_plan_event);
    launch_.events.push_back({kind, static_cast<std::uint8_t>(lane), at_, segment_number_});
    return static_cast<std::uint32_t>(launch_.events.size() - 1);
  }
  void order(std::uint32_t from, std::uint32_t to) { launch_.order.emplace_back(from, to); }

  void step(const PlanOperation& operation, bool in_pipeline) {
    const PlanKindRules rules = rules_of(operation);
    windowed_ = in_pipeline;
    switch (operation.kind) {
      case PlanKind::nop:
        return join(add(Kind::joint));
      case PlanKind::barrier: {
        const std::uint32_t use = uses_[{at_.rank, at_.block, operation.barrier}]++;
        const auto [it, fresh] = barriers_.try_emplace({at_.rank, operation.barrier, use}, 0);
        if (fresh) it->second = add(Kind::joint);
        return join(it->second);
      }
      case PlanKind::flush:
      case PlanKind::pipeline:
        return;
      case PlanKind::release:
      case PlanKind::acquire:
        for (std::size_t i = 0; i < operation.semaphores.size(); ++i) use_semaphore(operation, i);
        return;
      case PlanKind::signal:
      case PlanKind::relaxed_signal:
        for (std::size_t i = 0; i < operation.channels.size(); ++i) signal(operation, i);
        return;
      case PlanKind::wait:
      case PlanKind::relaxed_wait:
        for (std::size_t i = 0; i < operation.channels.size(); ++i) wait(operation, i);
        return;
      case PlanKind::pass_packets:
        if (operation.channel == PlanChannel::port) return pass_by_port(operation);
        break;
      default:
        break;
    }
    if (rules.low) {
      for (std::size_t i = 0; i < operation.targets.size(); ++i) transfer(operation, i, operation.sources[i]);
    } else if (rules.pairs) {
      for (std::size_t i = 0; i < operation.targets.size(); ++i) pair(operation, rules, i);
    } else {
      whole(operation, rules);
    }
  }

  void join(std::uint32_t joint) {
    order(open_, joint);
    for (const std::uint32_t e : segment_) order(e, joint);
    open_ = joint;
    ++segment_number_;
    begin_segment();
  }

  // An event of all threads.
  std::uint32_t work(bool waits_for_packets) {
    const std::uint32_t event = add(Kind::work);
    order(open_, event);
    if (last_work_ != none) launch_.needs.emplace_back(last_work_, event);
    for (const std::uint32_t e : since_work_) launch_.needs.emplace_back(e, event);
    since_work_.clear();
    if (waits_for_packets) {
      const std::uint32_t there = add(Kind::packets);
      launch_.needs.emplace_back(there, event);
      if (last_packets_ != none) launch_.needs.emplace_back(last_packets_, there);
      last_packets_ = there;
    }
    last_work_ = event;
    segment_.push_back(event);
    return event;
  }

  std::uint32_t low(std::size_t lane) {
    const std::uint32_t event = add(Kind::low, lane);
    order(last_[lane] == none ? open_ : last_[lane], event);
    if (last_packets_ != none) launch_.needs.emplace_back(last_packets_, event);
    last_[lane] = event;
    segment_.push_back(event);
    since_work_.push_back(event);
    return event;
  }

  PlanCounter& counter(std::optional<PlanChannel> type, std::uint32_t rank, std::uint32_t number) {
    const auto key = std::tuple(rank, type ? static_cast<std::uint32_t>(*type) : 3u, number);
    const auto [it, fresh] = counters_.try_emplace(key);
    if (fresh) it->second = {.type = type, .rank = rank, .number = number};
    return it->second;
  }

  std::uint32_t channel(const PlanOperation& operation, std::size_t i) const {
    return block_->channels[static_cast<std::size_t>(*operation.channel)][operation.channels[i]];
  }

  void use_semaphore(const PlanOperation& operation, std::size_t i) {
    PlanCounter& it = counter(std::nullopt, at_.rank, operation.semaphores[i]);
    it.from = at_.rank;
    it.first = rank_->semaphores[operation.semaphores[i]];
    (operation.kind == PlanKind::release ? it.releases : it.acquires).push_back({low(i), false});
  }

  void wait(const PlanOperation& operation, std::size_t i) {
    if (operation.channel == PlanChannel::by_switch) return;
    const std::uint32_t number = channel(operation, i);
    PlanCounter& it = counter(operation.channel, at_.rank, number);
    it.from = rank_->peers[static_cast<std::size_t>(*operation.channel)][number];
    const bool relaxed = operation.kind == PlanKind::relaxed_wait && operation.channel == PlanChannel::memory;
    it.acquires.push_back({low(i), relaxed});
  }

  void signal(const PlanOperation& operation, std::size_t i) {
    if (operation.channel == PlanChannel::by_switch) return;
    const std::uint32_t event = low(i);
    if (operation.channel == PlanChannel::port) return signalled(operation, i, item(operation, i, event), false);
    signalled(operation, i, event, operation.kind == PlanKind::relaxed_signal);
  }

  void signalled(const PlanOperation& operation, std::size_t i, std::uint32_t event, bool relaxed) {
    const auto end = other_end(plan_, *operation.channel, {at_.rank, channel(operation, i)});
    if (!end) {
      PlanCounter& it = counter(operation.channel, at_.rank, unpaired_end + channel(operation, i));
      it.from = at_.rank;
      return it.releases.push_back({event, relaxed});
    }
    PlanCounter& it = counter(operation.channel, end->rank, end->channel);
    it.from = at_.rank;
    it.releases.push_back({event, relaxed});
  }

  // What a port does for a push, later.
  std::uint32_t item(const PlanOperation& operation, std::size_t i, std::uint32_t push) {
    const std::uint32_t event = add(Kind::item, i);
    order(push, event);
    pushed_[{at_.rank, channel(operation, i)}].push_back({push, event, event});
    return event;
  }

  void transfer(const PlanOperation& operation, std::size_t i, const PlanChunks& source) {
    const std::uint32_t push = low(i);
    std::uint32_t moved = item(operation, i, push);
    PlanEffect effect{.event = moved, .waits = false};
    effect.by_packets = operation.kind == PlanKind::put_packets || operation.kind == PlanKind::pass_packets;
    add_ranges(effect.sources, operation, source, effect.by_packets, effect.cells);
    add_ranges(effect.targets, operation, operation.targets[i], effect.by_packets, effect.cells);
    if (effect.by_packets) {
      const std::uint32_t begin = std::exchange(moved, add(Kind::item, i));
      pushed_[{at_.rank, channel(operation, i)}].back().end = moved;
      order(begin, moved);
      by_parts(std::move(effect), [&] {
        const std::uint32_t part = add(Kind::item, i);
        order(begin, part);
        order(part, moved);
        return part;
      });
    } else {
      launch_.effects.push_back(std::move(effect));
    }
    if (operation.kind != PlanKind::put_signal && operation.kind != PlanKind::put_signal_flush) return;
    const std::uint32_t told = item(operation, i, push);
    order(moved, told);
    signalled(operation, i, told, false);
    if (operation.kind == PlanKind::put_signal_flush) order(told, low(i));
  }

  // All threads wait for the packets, then come together, and the first ones hand them over.
  void pass_by_port(const PlanOperation& operation) {
    PlanEffect effect{.by_packets = true};
    add_ranges(effect.sources, operation, operation.sources[0], true, effect.cells);
    work(operation, std::move(effect), true);
    join(add(Kind::joint));
    for (std::size_t i = 0; i < operation.targets.size(); ++i) transfer(operation, i, operation.sources[0]);
  }

  void pair(const PlanOperation& operation, const PlanKindRules& rules, std::size_t i) {
    PlanEffect effect{.by_packets = rules.packet_targets == 0};
    add_ranges(effect.sources, operation, operation.sources[i], false, effect.cells);
    add_ranges(effect.targets, operation, operation.targets[i], effect.by_packets, effect.cells);
    work(operation, std::move(effect), false);
  }

  // Packets are added first, and the own chunk last.
  void whole(const PlanOperation& operation, const PlanKindRules& rules) {
    const bool waits = rules.packet_sources < operation.sources.size();
    PlanEffect effect{.by_packets = waits || rules.packet_targets < operation.targets.size()};
    const auto source = [&](std::size_t i) {
      add_ranges(effect.sources, operation, operation.sources[i], i >= rules.packet_sources, effect.cells);
    };
    const std::size_t first = rules.packet_sources == 1 ? 1 : 0;
    for (std::size_t i = first; i < std::min(operation.sources.size(), rules.most_sources); ++i) source(i);
    if (first == 1) source(0);
    for (std::size_t i = 0; i < std::min(operation.targets.size(), rules.most_targets); ++i)
      add_ranges(effect.targets, operation, operation.targets[i], i >= rules.packet_targets, effect.cells);
    work(operation, std::move(effect), waits);
  }

  // Work of all threads; by packets, part by part, since a part is done when its own packets are there.
  void work(const PlanOperation& operation, PlanEffect effect, bool waits) {
    for (PlanRange& range : effect.targets) {
      range.again = range.packets && effect.sources.size() == 1 && effect.sources[0].packets &&
                    effect.sources[0].rank == range.rank && effect.sources[0].cell == range.cell;
    }
    if (!effect.by_packets) {
      effect.event = work(waits);
      launch_.effects.push_back(std::move(effect));
      return;
    }
    const bool only_packets = std::ranges::all_of(effect.sources, &PlanRange::packets);
    const PlanShare share = windowed_ ? PlanShare{turn_, turns_} : operation.share;
    PacketWork now{operation.sources[0].size, share, {}};
    by_parts(std::move(effect), [&] { return now.events.emplace_back(work(waits)); });
    for (const PacketWork& before : packet_work_) {
      if (before.size != now.size || before.share != now.share) continue;
      for (std::size_t p = 0; p < now.events.size(); ++p) launch_.weak.emplace_back(before.events[p], now.events[p]);
    }
    if (only_packets) packet_work_.push_back(std::move(now));
  }

  // `event` makes the event of a part.
  template <class Event>
  void by_parts(PlanEffect effect, const Event& event) {
    const std::uint32_t parts = std::exchange(effect.cells, 1);
    for (std::uint32_t p = 0; p < parts; ++p) {
      effect.event = event();
      launch_.effects.push_back(effect);
      for (auto* ranges : {&effect.sources, &effect.targets})
        for (PlanRange& range : *ranges) range.cell += range.packets ? memory_.packet_cells() : 1;
    }
  }

  // The range of the chunks; of a switch channel one for each rank of the group. Sets the number of cells.
  void add_ranges(std::vector<PlanRange>& ranges, const PlanOperation& operation, const PlanChunks& chunks,
                  bool packets, std::uint32_t& cells) const {
    const PlanShare share = windowed_ ? PlanShare{turn_, turns_} : operation.share;
    const std::uint64_t all = memory_.cells_of(chunks.size);
    const std::uint64_t begin = all * share.number / share.parts;
    cells = static_cast<std::uint32_t>(all * (share.number + 1) / share.parts - begin);
    const bool fixed = !packets && (!chunks.space || operation.channel == PlanChannel::port);
    const auto range = [&](std::uint32_t rank, Space space) {
      const std::uint64_t width = packets ? memory_.packet_cells() : 1;
      const std::uint32_t first = memory_.cell(rank, space, chunks.index, packets);
      ranges.push_back({.rank = rank,
                        .cell = first + static_cast<std::uint32_t>(begin * width),
                        .packets = packets,
                        .fixed = fixed});
    };
    if (chunks.space) return range(at_.rank, *chunks.space);
    if (!chunks.by_switch) {
      const auto access = static_cast<std::size_t>(operation.channel.value_or(PlanChannel::memory));
      const PlanRemoteBuffer& buffer = rank_->remote_buffers[block_->remote_buffers[access][chunks.id]];
      return range(buffer.rank, buffer.space);
    }
    const PlanGroups& groups =
        rank_->switches[block_->channels[static_cast<std::size_t>(PlanChannel::by_switch)][chunks.id]];
    for (const auto& group : groups.groups) {
      if (std::ranges::find(group, at_.rank) == group.end()) continue;
      for (const std::uint32_t rank : group) range(rank, groups.space);
      return;
    }
  }

  // Whether two events of one rank, the first listed first, come in that order whatever happens.
  bool in_order(std::uint32_t first, std::uint32_t second) const {
    const PlanEvent& a = launch_.events[first];
    const PlanEvent& b = launch_.events[second];
    return a.at.block == b.at.block && (a.segment < b.segment || (a.segment == b.segment && a.lane == b.lane));
  }

  // A port does what it is given one after another: in the order of pushes that are ordered, and launch by launch.
  void follow(const std::vector<Item>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool follows = i > 0 && in_order(items[i - 1].push, items[i].push);
      if (follows) order(items[i - 1].end, items[i].begin);
      for (std::size_t j = 0; !follows && j < items.size(); ++j) {
        work_.spend(4);
        const bool last = j + 1 == items.size() || !in_order(items[j].push, items[j + 1].push);
        if (last) launch_.next.emplace_back(items[j].end, items[i].begin);
      }
    }
  }

  void settle(PlanCounter& counter) const {
    const auto& waits = counter.acquires;
    for (std::size_t i = 0; i + 1 < waits.size() && counter.unknown.empty(); ++i) {
      if (in_order(waits[i].event, waits[i + 1].event)) continue;
      const PlanEvent& a = launch_.events[waits[i].event];
      const PlanEvent& b = launch_.events[waits[i + 1].event];
      counter.unknown =
          a.at.block != b.at.block
              ? fmt::format("blocks {} and {} wait at {}, and nothing orders them", a.at.block, b.at.block,
                            counter.name())
              : fmt::format("two threads of block {} wait at {}, and nothing orders them", a.at.block, counter.name());
    }
    for (const CounterUse& release : counter.releases) {
      std::uint32_t others = 0;
      for (const CounterUse& other : counter.releases) {
        work_.spend(4);
        const auto [a, b] = std::pair(release.event, other.event);
        others += a != b && !(a < b && in_order(a, b)) ? 1 : 0;
      }
      counter.without.push_back(others);
    }
  }

  const ExecutionPlan& plan_;
  const PlanMemory& memory_;
  std::uint32_t turns_;
  Work& work_;
  PlanLaunch launch_ = {};

  const PlanRank* rank_ = nullptr;
  const PlanBlock* block_ = nullptr;
  Location at_ = {};
  std::uint32_t turn_ = 0;
  bool windowed_ = false;

  std::uint32_t open_ = 0;
  std::uint32_t segment_number_ = 0;
  std::vector<std::uint32_t> segment_ = {};
  std::vector<std::uint32_t> since_work_ = {};
  std::vector<PacketWork> packet_work_ = {};
  std::uint32_t last_work_ = none;
  std::uint32_t last_packets_ = none;
  std::array<std::uint32_t, lanes> last_ = {};

  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> uses_ = {};
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> barriers_ = {};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Item>> pushed_ = {};
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, PlanCounter> counters_ = {};
};

}  // namespace

std::string PlanCounter::name() const {
  return type ? fmt::format("{} channel {} of gpu {}", to_string(*type), number, rank)
              : fmt::format("semaphore {} of gpu {}", number, rank);
}

PlanLaunch launch_of(const ExecutionPlan& plan, const PlanMemory& memory, std::uint32_t turns, Work& work) {
  return LaunchMaker(plan, memory, turns, work).all();
}

}  // namespace quadrille::programs
