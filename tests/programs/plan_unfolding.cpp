#include "tests/programs/plan_unfolding.h"

#include <algorithm>
#include <numeric>

namespace quadrille::programs {
namespace {

// One of an operation's buffers.
struct Range {
  const PlanChunks* chunks = nullptr;
  bool own = true;
  bool packets = false;
};

// The part of its range that an operation does: from which unit on, and how many.
struct Window {
  std::uint32_t from = 0;
  std::uint32_t count = 0;
};

class PlanUnfolder {
 public:
  PlanUnfolder(const ExecutionPlan& plan, std::uint32_t turns) : plan_(plan), turns_(turns) {}

  UnfoldedPlan all() {
    for_each_operation([&](const PlanOperation& operation) { measure(operation); });
    std::uint32_t units = parts_;
    for_each_operation([&](const PlanOperation& operation) { units = with_windows(units, operation); });
    result_.units = 2 * units;
    for (here_ = 0; here_ < plan_.ranks.size(); ++here_) {
      result_.ranks.emplace_back();
      for (const PlanBlock& block : plan_.ranks[here_].blocks) unfold(block);
    }
    return std::move(result_);
  }

 private:
  template <class Do>
  void for_each_operation(Do each) {
    for (const PlanRank& rank : plan_.ranks) {
      for (const PlanBlock& block : rank.blocks) std::ranges::for_each(block.operations, each);
    }
  }

  void wrong(std::string message) {
    if (!result_.wrong) result_.wrong = PlanFailure{ProgramProperty::structure, std::move(message)};
  }

  // ------------------------------------------------------------------------------------------------ units of a chunk
  void measure(const PlanOperation& operation) {
    parts_ = std::lcm(parts_, std::max(1U, operation.share.parts));
    if (operation.kind != PlanKind::pipeline || operation.unit_bytes == 0 || operation.pipeline_chunks == 0) return;
    // Of two pipelines, the one that moves more chunks for each byte of its window has more turns.
    if (operation.pipeline_chunks * most_unit_ > most_chunks_ * operation.unit_bytes) {
      most_chunks_ = operation.pipeline_chunks;
      most_unit_ = operation.unit_bytes;
    }
  }

  // A window in chunks, as a fraction.
  std::pair<std::uint64_t, std::uint64_t> window_of(const PlanOperation& operation) const {
    const std::uint64_t above = std::max<std::uint64_t>(1, operation.unit_bytes) * most_chunks_;
    const std::uint64_t below = std::max<std::uint64_t>(1, turns_ * most_unit_);
    const std::uint64_t common = std::gcd(above, below);
    return {above / common, below / common};
  }

  std::uint32_t with_windows(std::uint32_t units, const PlanOperation& operation) const {
    if (operation.kind != PlanKind::pipeline || most_chunks_ == 0) return units;
    return std::lcm(units, static_cast<std::uint32_t>(window_of(operation).second));
  }

  // -------------------------------------------------------------------------------------------------------- blocks
  void unfold(const PlanBlock& block) {
    block_ = &block;
    result_.ranks.back().emplace_back();
    for (const PlanOperation& operation : block.operations) {
      if (operation.kind == PlanKind::pipeline) {
        unfold_pipeline(operation);
      } else {
        unfold(operation, share_of(operation));
      }
    }
    for (const UnfoldedStep& step : result_.ranks.back().back().steps) {
      std::uint32_t& threads = result_.ranks.back().back().threads;
      threads = std::max(threads, static_cast<std::uint32_t>(step.lows.size()) + 1);
    }
  }

  std::uint32_t length(const PlanOperation& operation) const {
    return operation.sources.empty() ? 0 : operation.sources.front().size * result_.units;
  }

  Window share_of(const PlanOperation& operation) const {
    const std::uint32_t count = length(operation) / std::max(1U, operation.share.parts);
    return {operation.share.number * count, count};
  }

  void unfold_pipeline(const PlanOperation& pipeline) {
    const auto [above, below] = window_of(pipeline);
    const auto window = static_cast<std::uint32_t>(above * result_.units / below);
    const std::uint32_t all = pipeline.pipeline_chunks * result_.units;
    if (window == 0) return wrong("a pipeline moves nothing in a turn");
    for (std::uint32_t from = 0; from < all; from += window) {
      for (const PlanOperation& inner : pipeline.inner) unfold(inner, {from, std::min(window, all - from)});
    }
  }

  UnfoldedStep& step(UnfoldedStep::Kind kind) {
    auto& steps = result_.ranks.back().back().steps;
    steps.emplace_back();
    steps.back().kind = kind;
    return steps.back();
  }

  void unfold(const PlanOperation& operation, Window window) {
    switch (operation.kind) {
      case PlanKind::nop:
        step(UnfoldedStep::Kind::meet);
        break;
      case PlanKind::barrier: {
        UnfoldedStep& join = step(UnfoldedStep::Kind::join);
        join.barrier = operation.barrier;
        join.blocks = operation.barrier_blocks;
        break;
      }
      case PlanKind::signal:
      case PlanKind::wait:
      case PlanKind::relaxed_signal:
      case PlanKind::relaxed_wait:
        unfold_channels(operation);
        break;
      case PlanKind::release:
      case PlanKind::acquire: {
        UnfoldedStep& low = step(UnfoldedStep::Kind::low);
        for (const std::uint32_t semaphore : operation.semaphores)
          low.lows.push_back({.kind = operation.kind, .number = semaphore});
        break;
      }
      case PlanKind::flush:  // does nothing
      case PlanKind::group_load_reduce:
      case PlanKind::pipeline:
        break;
      default:
        unfold_moves(operation, window);
    }
  }

  // The GPU's number of a channel that the block lists.
  std::uint32_t channel_of(const PlanOperation& operation, std::size_t i) {
    const auto& list = block_->channels[static_cast<std::size_t>(operation.channel.value_or(PlanChannel::memory))];
    if (i >= operation.channels.size() || operation.channels[i] >= list.size()) {
      wrong("a channel that the block does not list");
      return 0;
    }
    return list[operation.channels[i]];
  }

  void unfold_channels(const PlanOperation& operation) {
    UnfoldedStep& low = step(UnfoldedStep::Kind::low);
    for (std::size_t i = 0; i < operation.channels.size(); ++i) {
      low.lows.push_back({.kind = operation.kind,
                          .type = operation.channel.value_or(PlanChannel::memory),
                          .number = channel_of(operation, i)});
    }
  }

  // ----------------------------------------------------------------------------------------------------------- moves
  void unfold_moves(const PlanOperation& operation, Window window) {
    if (operation.sources.empty() || operation.targets.empty()) return wrong("an operation without buffers");
    const bool by_port = operation.channel == PlanChannel::port;
    switch (operation.kind) {
      case PlanKind::put:
      case PlanKind::put_signal:
      case PlanKind::put_signal_flush:
      case PlanKind::put_packets:
        return by_port ? push(operation, window) : put(operation, window);
      case PlanKind::get:
        return get(operation, window);
      case PlanKind::pass_packets:
        return by_port ? push_packets(operation, window) : add(operation, window);
      default:
        add(operation, window);
    }
  }

  // Memory: the sources are of the first one's buffer.
  void put(const PlanOperation& operation, Window window) {
    UnfoldedStep& work = step(UnfoldedStep::Kind::work);
    const bool packets = operation.kind == PlanKind::put_packets;
    for (std::size_t i = 0; i < std::min(operation.sources.size(), operation.targets.size()); ++i) {
      PlanChunks source = operation.sources[i];
      source.space = operation.sources.front().space;
      for (std::uint32_t p = 0; p < window.count; ++p) {
        UnitTask task{.position = p, .packets = packets};
        task.reads = places({&source, true, false}, window.from + p);
        (packets ? task.puts : task.writes) =
            places({&operation.targets[i], false, packets}, window.from + p, operation);
        work.tasks.push_back(std::move(task));
      }
    }
  }

  // The executor takes each one's offset for the other one.
  void get(const PlanOperation& operation, Window window) {
    UnfoldedStep& work = step(UnfoldedStep::Kind::work);
    for (std::size_t i = 0; i < std::min(operation.sources.size(), operation.targets.size()); ++i) {
      PlanChunks source = operation.sources[i];
      PlanChunks target = operation.targets[i];
      std::swap(source.index, target.index);
      for (std::uint32_t p = 0; p < window.count; ++p) {
        UnitTask task{.position = p};
        task.reads = places({&source, false, false}, window.from + p, operation);
        task.writes = places({&target, true, false}, window.from + p);
        work.tasks.push_back(std::move(task));
      }
    }
  }

  // A thread for each transfer.
  void push(const PlanOperation& operation, Window window) {
    UnfoldedStep& low = step(UnfoldedStep::Kind::low);
    const bool packets = operation.kind == PlanKind::put_packets;
    for (std::size_t i = 0; i < std::min(operation.sources.size(), operation.targets.size()); ++i)
      low.lows.push_back(transfer(operation, i, operation.sources[i], packets, window));
  }

  LowTask transfer(const PlanOperation& operation, std::size_t i, const PlanChunks& source, bool packets,
                   Window window) {
    LowTask task{.kind = operation.kind, .type = PlanChannel::port, .number = channel_of(operation, i)};
    for (std::uint32_t p = 0; p < window.count; ++p) {
      UnitPlace from = place({&source, true, packets}, window.from + p);
      UnitPlace to = places({&operation.targets[i], false, packets}, window.from + p, operation).front();
      from.halved = packets && from.space == Space::scratch;
      for (int cell = packets ? 2 : 1; cell > 0; --cell) {
        task.moves.emplace_back(from, to);
        ++from.unit;
        ++to.unit;
      }
    }
    return task;
  }

  // All threads wait for their packets and meet; then some push them on.
  void push_packets(const PlanOperation& operation, Window window) {
    UnfoldedStep& work = step(UnfoldedStep::Kind::work);
    for (std::uint32_t p = 0; p < window.count; ++p) {
      work.tasks.push_back({.position = p,
                            .packets = true,
                            .takes = {place({&operation.sources.front(), true, true}, window.from + p)}});
    }
    step(UnfoldedStep::Kind::meet);
    UnfoldedStep& low = step(UnfoldedStep::Kind::low);
    for (std::size_t i = 0; i < operation.targets.size(); ++i)
      low.lows.push_back(transfer(operation, i, operation.sources.front(), true, window));
  }

  // All sources are added, and the sum is written to all targets.
  void add(const PlanOperation& operation, Window window) {
    const std::vector<Range> sources = sources_of(operation);
    const std::vector<Range> targets = targets_of(operation);
    const auto packets = [](const Range& range) { return range.packets; };
    const bool any = std::ranges::any_of(sources, packets) || std::ranges::any_of(targets, packets);
    UnfoldedStep& work = step(UnfoldedStep::Kind::work);
    for (std::uint32_t p = 0; p < window.count; ++p) {
      UnitTask task{.position = p, .packets = any};
      for (const Range& range : sources)
        append(range.packets ? task.takes : task.reads, places(range, window.from + p, operation));
      for (const Range& range : targets)
        append(range.packets ? task.puts : task.writes, places(range, window.from + p, operation));
      work.tasks.push_back(std::move(task));
    }
  }

  static void append(std::vector<UnitPlace>& list, const std::vector<UnitPlace>& more) {
    list.insert(list.end(), more.begin(), more.end());
  }

  static std::vector<Range> sources_of(const PlanOperation& operation) {
    std::vector<Range> result;
    for (std::size_t i = 0; i < operation.sources.size(); ++i) {
      Range range{&operation.sources[i]};
      switch (operation.kind) {
        case PlanKind::read_reduce:
        case PlanKind::read_reduce_send:
          range.own = i == 0;
          break;
        case PlanKind::group_load_reduce_store:
          range.own = false;
          break;
        case PlanKind::pass_packets:
        case PlanKind::unpack_packets:
        case PlanKind::group_store_packets:  // which stores packets as they are in the own scratch
          range.packets = true;
          break;
        case PlanKind::reduce_packets:
        case PlanKind::reduce_send_packets:
        case PlanKind::reduce_copy_packets:
        case PlanKind::reduce_copy_send_packets:
          range.packets = i > 0;
          break;
        default:
          break;
      }
      result.push_back(range);
      if (takes_one(operation.kind)) break;
    }
    return result;
  }

  static bool takes_one(PlanKind kind) {
    return kind == PlanKind::copy || kind == PlanKind::copy_packets || kind == PlanKind::unpack_packets ||
           kind == PlanKind::pass_packets || kind == PlanKind::group_store || kind == PlanKind::group_store_packets ||
           kind == PlanKind::group_load_reduce_store;
  }

  // The targets of a kind: how many are written, how many of them are the GPU's own, and from which on are packets.
  struct Targets {
    std::size_t most = 1;
    std::size_t own = 1;
    std::size_t packets = 10;
  };
  static Targets rule_of(PlanKind kind) {
    constexpr std::size_t any = 10;
    switch (kind) {
      case PlanKind::reduce_send:
      case PlanKind::read_reduce_send:
        return {any, 1, any};
      case PlanKind::pass_packets:
        return {any, 0, 0};
      case PlanKind::copy_packets:
        return {1, 1, 0};
      case PlanKind::reduce_send_packets:
        return {any, 1, 1};
      case PlanKind::reduce_copy_packets:
        return {2, 2, 1};
      case PlanKind::reduce_copy_send_packets:
        return {any, 2, 1};
      case PlanKind::group_load_reduce_store:
      case PlanKind::group_store:
        return {1, 0, any};
      case PlanKind::group_store_packets:
        return {1, 0, 0};
      default:
        return {};
    }
  }

  static std::vector<Range> targets_of(const PlanOperation& operation) {
    const Targets rule = rule_of(operation.kind);
    std::vector<Range> result;
    for (std::size_t i = 0; i < std::min(rule.most, operation.targets.size()); ++i)
      result.push_back({&operation.targets[i], i < rule.own, i >= rule.packets});
    return result;
  }

  // ---------------------------------------------------------------------------------------------------------- places
  UnitPlace checked(std::uint32_t rank, Space space, const Range& range, std::uint32_t offset, bool halved) {
    const std::uint32_t width = range.packets ? 2 : 1;
    const std::uint32_t unit = width * (range.chunks->index * result_.units + offset);
    if (rank >= plan_.ranks.size() || (range.packets && space != Space::scratch) ||
        unit + width > room_in_chunks(plan_, plan_.ranks[rank], space) * result_.units) {
      wrong("a chunk beyond its buffer");
      return {};
    }
    return {rank, space, unit, halved};
  }

  UnitPlace place(const Range& range, std::uint32_t offset) {
    if (!range.chunks->space) {
      wrong("a remote buffer where the own one is meant");
      return {};
    }
    return checked(here_, *range.chunks->space, range, offset, *range.chunks->space == Space::scratch);
  }

  std::vector<UnitPlace> places(const Range& range, std::uint32_t offset, const PlanOperation& operation = {}) {
    if (range.own) return {place(range, offset)};
    if (range.chunks->by_switch) return by_switch(range, offset);
    const auto& list =
        block_->remote_buffers[static_cast<std::size_t>(operation.channel.value_or(PlanChannel::memory))];
    const auto& buffers = plan_.ranks[here_].remote_buffers;
    if (range.chunks->space || range.chunks->id >= list.size() || list[range.chunks->id] >= buffers.size()) {
      wrong("a remote buffer that the block does not list");
      return {UnitPlace{}};
    }
    const PlanRemoteBuffer& buffer = buffers[list[range.chunks->id]];
    return {checked(buffer.rank, buffer.space, range, offset, range.packets)};
  }

  // Plain accesses to others' scratch go to its begin, whichever half is in use.
  std::vector<UnitPlace> by_switch(const Range& range, std::uint32_t offset) {
    const auto& list = block_->channels[static_cast<std::size_t>(PlanChannel::by_switch)];
    const auto& switches = plan_.ranks[here_].switches;
    std::vector<UnitPlace> result;
    if (range.chunks->id < list.size() && list[range.chunks->id] < switches.size()) {
      const PlanGroups& groups = switches[list[range.chunks->id]];
      for (const auto& group : groups.groups) {
        if (std::ranges::find(group, here_) == group.end()) continue;
        for (const std::uint32_t rank : group)
          result.push_back(checked(rank, groups.space, range, offset, range.packets));
      }
    }
    if (result.empty()) wrong("a switch channel without this gpu");
    return result;
  }

  const ExecutionPlan& plan_;
  std::uint32_t turns_;
  UnfoldedPlan result_ = {};
  std::uint32_t parts_ = 1;
  std::uint64_t most_chunks_ = 0;  // of the pipeline with most turns
  std::uint64_t most_unit_ = 1;
  std::uint32_t here_ = 0;
  const PlanBlock* block_ = nullptr;
};

}  // namespace

std::uint32_t room_in_chunks(const ExecutionPlan& plan, const PlanRank& rank, Space space) {
  if (space == Space::scratch) return rank.scratch * (plan.packets() ? 2 : 1);
  return space == Space::input ? rank.input : rank.output;
}

UnfoldedPlan unfold_plan(const ExecutionPlan& plan, std::uint32_t turns) { return PlanUnfolder(plan, turns).all(); }

}  // namespace quadrille::programs
