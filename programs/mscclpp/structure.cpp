// The rules of each kind of operation stand in one table; the judge walks through the plan once and asks it. Numbers
// mean something to the loader alone: it looks at none of them but the operations of a block.
//
// For example, in a block that lists the GPU's memory channels 3 and 5, `channel_ids: [1]` is the GPU's channel 5, and
// `[2]` is out of range: the loader would read beyond the list.
#include "programs/mscclpp/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/text/counted.h"
#include "model/text/printable.h"

namespace quadrille::programs {
namespace {

constexpr std::size_t most_operations = 64;          // MAX_OPERATION, of a block
constexpr std::size_t most_block_channels = 16;      // MAX_CHANNEL, of a type
constexpr std::size_t most_channels = 8;             // MAX_CHANNEL_PER_OPERATION
constexpr std::size_t most_buffers = 10;             // MAX_SRC_…, MAX_DST_… per operation
constexpr std::uint32_t barriers = 16;               // MAX_DEVICE_SYNCERS
constexpr std::size_t most_semaphores = 16;          // of an operation
constexpr std::uint64_t most_counted_turns = 65535;  // of a pipeline: 16 bits
constexpr std::uint64_t most_offset = 0xffffffff;    // bytes in a buffer: 32 bits
constexpr std::uint64_t shared_scratch = 1 << 26;    // PREDFINED_SCRATCH_SIZE, bytes

using KindRules = PlanKindRules;

std::string_view name_of(Space space) {
  return space == Space::input ? "input" : space == Space::output ? "output" : "scratch";
}

std::uint32_t chunks_of(const PlanRank& rank, Space space) {
  return space == Space::input ? rank.input : space == Space::output ? rank.output : rank.scratch;
}

class PlanStructureJudge {
 public:
  PlanStructureJudge(const ExecutionPlan& plan, std::size_t listed, ProgramReport& report)
      : plan_(plan), listed_(listed), report_(report) {}

  void all() {
    judge_sizes();
    for (at_.rank = 0; at_.rank < plan_.ranks.size(); ++at_.rank) judge_rank(plan_.ranks[at_.rank]);
    settle_sizes();
  }

 private:
  void wrong(std::string message) { tell(ProgramProperty::structure, std::move(message)); }
  void beyond(std::string message) { tell(ProgramProperty::limits, std::move(message)); }
  void tell(ProgramProperty property, std::string message) {
    report_.add(
        {.property = property, .message = std::move(message), .at = placed_ ? std::optional(at_) : std::nullopt},
        listed_);
  }

  // Chunks are as large in all buffers of all GPUs.
  void judge_sizes() {
    if (plan_.ranks.empty()) wrong("there are no gpus");
    if (plan_.threads == 0 || plan_.threads > 1024)
      beyond(fmt::format("blocks have {}; the executor runs 1 to 1024", counted(plan_.threads, "thread")));
    if (plan_.alignment == 0) wrong("buffer_alignment is 0: the loader divides by it");
    if (plan_.bytes_to != 0 && plan_.bytes_from > plan_.bytes_to)
      wrong(fmt::format("min_message_size {} is more than max_message_size {}", plan_.bytes_from, plan_.bytes_to));
    for (const PlanRank& rank : plan_.ranks) {
      const PlanRank& first = plan_.ranks.front();
      for (const auto& [chunks, space] : {std::pair(rank.input, Space::input), {rank.output, Space::output}}) {
        if (chunks == 0)
          wrong(fmt::format("gpu {} has no chunk of {}: the loader divides by their number", rank.id, name_of(space)));
      }
      if (rank.input != first.input || rank.output != first.output) {
        wrong(
            fmt::format("gpu {} has {} and {} chunks of input and output, and gpu {} has {} and {}: their chunks are "
                        "not of one size",
                        rank.id, rank.input, rank.output, first.id, first.input, first.output));
      }
      if (plan_.double_scratch && rank.scratch != first.scratch) {
        wrong(fmt::format("gpu {} has {} of scratch, and gpu {} has {}: with two halves senders take their own",
                          rank.id, counted(rank.scratch, "chunk"), first.id, first.scratch));
      }
    }
  }

  void judge_rank(const PlanRank& rank) {
    if (rank.id != at_.rank) wrong(fmt::format("gpus[{}] has the id {}", at_.rank, rank.id));
    const auto judge_peer = [&](std::uint32_t peer, const std::string& whose) {
      if (peer >= plan_.ranks.size()) {
        wrong(fmt::format("gpu {}: {} gpu {} of {}", at_.rank, whose, peer, plan_.ranks.size()));
      } else if (peer == at_.rank) {
        wrong(fmt::format("gpu {}: {} the gpu itself", at_.rank, whose));
      }
    };
    for (const PlanChannel type : {PlanChannel::memory, PlanChannel::port}) {
      for (const std::uint32_t peer : rank.peers[static_cast<std::size_t>(type)])
        judge_peer(peer, fmt::format("a {} channel is to", to_string(type)));
    }
    for (const PlanRemoteBuffer& buffer : rank.remote_buffers) judge_peer(buffer.rank, "a remote buffer is of");
    for (const PlanGroups& groups : rank.switches) {
      for (const auto& group : groups.groups) judge_group(group);
    }
    std::set<std::uint32_t> barriers_used;
    placed_ = true;
    for (std::uint32_t b = 0; b < rank.blocks.size(); ++b) {
      const PlanBlock& block = rank.blocks[b];
      at_.block = b;
      at_.step = -1;
      at_.index = 0;
      if (block.id != b)
        wrong(fmt::format("threadblocks[{}] has the id {}: operations are taken in the file's order", b, block.id));
      judge_block(rank, block, barriers_used);
    }
    placed_ = false;
  }

  void judge_group(const std::vector<std::uint32_t>& group) {
    for (const std::uint32_t rank : group) {
      if (rank >= plan_.ranks.size())
        wrong(
            fmt::format("gpu {}: a group of a switch channel names gpu {} of {}", at_.rank, rank, plan_.ranks.size()));
    }
  }

  void judge_block(const PlanRank& rank, const PlanBlock& block, std::set<std::uint32_t>& barriers_used) {
    for (std::size_t type = 0; type < plan_channels; ++type) {
      const std::size_t have = type < rank.peers.size() ? rank.peers[type].size() : rank.switches.size();
      const std::string_view name = channel_name(type);
      for (const std::uint32_t id : block.channels[type]) {
        if (id >= have) wrong(fmt::format("{} channel {}: the gpu has {}", name, id, have));
      }
      for (const std::uint32_t id : block.remote_buffers[type]) {
        if (id >= rank.remote_buffers.size())
          wrong(fmt::format("remote buffer {}: the gpu has {}", id, rank.remote_buffers.size()));
      }
      if (block.channels[type].size() > most_block_channels) {
        beyond(fmt::format("{} {} channels in a block; the executor has room for {}", block.channels[type].size(), name,
                           most_block_channels));
      }
    }
    std::size_t operations = 0;
    for (const PlanOperation& operation : block.operations) operations += 1 + operation.inner.size();
    if (operations > most_operations) {
      beyond(fmt::format("{} operations in a block, those in pipelines included; the executor takes {}", operations,
                         most_operations));
    }
    for (std::uint32_t o = 0, index = 0; o < block.operations.size(); ++o) {
      at_.step = o;
      at_.index = index;
      index += static_cast<std::uint32_t>(1 + block.operations[o].inner.size());
      const PlanOperation& operation = block.operations[o];
      judge_operation(rank, block, operation);
      if (operation.kind == PlanKind::pipeline) judge_pipeline(rank, block, operation);
      if (operation.kind == PlanKind::barrier) barriers_used.insert(operation.barrier);
    }
  }

  static std::string_view channel_name(std::size_t type) { return to_string(static_cast<PlanChannel>(type)); }

  void judge_pipeline(const PlanRank& rank, const PlanBlock& block, const PlanOperation& pipeline) {
    if (pipeline.unit_bytes == 0) wrong("unit_size is 0: the pipeline never ends");
    if (plan_.alignment != 0 && pipeline.unit_bytes % plan_.alignment != 0)
      wrong(fmt::format("unit_size {} is no multiple of buffer_alignment {}", pipeline.unit_bytes, plan_.alignment));
    if (pipeline.pipeline_chunks != 0) {
      fit(most_counted_turns * pipeline.unit_bytes / pipeline.pipeline_chunks,
          "the turns of a pipeline are counted in 16 bits");
    }
    in_pipeline_ = true;
    for (const PlanOperation& inner : pipeline.inner) {
      ++at_.index;
      judge_operation(rank, block, inner);
      if (inner.share.parts > 1)
        wrong(fmt::format("{} in a pipeline does a part of its chunks: windows are of whole ones",
                          to_string(inner.kind)));
      const auto covers = [&](const PlanChunks& chunks) { return chunks.size == pipeline.pipeline_chunks; };
      if (!std::ranges::all_of(inner.sources, covers) || !std::ranges::all_of(inner.targets, covers)) {
        wrong(fmt::format("{} in a pipeline is not of {}: its last windows reach beyond them", to_string(inner.kind),
                          counted(pipeline.pipeline_chunks, "chunk")));
      }
    }
    in_pipeline_ = false;
  }

  void judge_operation(const PlanRank& rank, const PlanBlock& block, const PlanOperation& operation) {
    const KindRules rules = rules_of(operation);
    const std::string_view name = to_string(operation.kind);
    if (operation.kind == PlanKind::group_load_reduce) return wrong("glre: the loader takes no such operation");
    judge_counts(operation, rules);
    judge_channels(block, operation, rules);
    if (operation.share.number >= operation.share.parts) {
      wrong(fmt::format("{} does part {} of {} (tbg_info); parts are numbered from 0", name, operation.share.number,
                        operation.share.parts));
    }
    if (const std::size_t lanes =
            std::max({operation.channels.size(), operation.semaphores.size(), operation.targets.size()});
        rules.low && lanes > plan_.threads) {
      wrong(fmt::format("{} of {} channels or semaphores by {}, each of which does one", name, lanes,
                        counted(plan_.threads, "thread")));
    }
    judge_readings(operation, rules);
    for (const std::uint32_t id : operation.semaphores) {
      if (id >= rank.semaphores.size())
        wrong(fmt::format("{} of semaphore {}: the gpu has {}", name, id, rank.semaphores.size()));
    }
    if (operation.kind == PlanKind::barrier && operation.barrier >= barriers)
      beyond(fmt::format("barrier {}; the executor has {}", operation.barrier, barriers));
    for (std::size_t i = 0; i < operation.sources.size(); ++i)
      judge_chunks(rank, block, operation, operation.sources[i], i < rules.own_sources, i >= rules.packet_sources,
                   "reads");
    for (std::size_t i = 0; i < operation.targets.size(); ++i)
      judge_chunks(rank, block, operation, operation.targets[i], i < rules.own_targets, i >= rules.packet_targets,
                   "writes");
  }

  // What the executor reads in another way than the file says.
  void judge_readings(const PlanOperation& operation, const KindRules& rules) {
    const std::string_view name = to_string(operation.kind);
    if (!operation.reduction.empty() && operation.reduction != "sum") {
      beyond(fmt::format("{} has the reduce_op \"{}\", which the executor does not read: it adds", name,
                         printable(operation.reduction)));
    }
    const bool by_packets = rules.packet_sources != KindRules::none || rules.packet_targets != KindRules::none;
    if (plan_.alignment % 16 != 0 && (rules.adds || by_packets)) {
      beyond(fmt::format("{} with a buffer_alignment of {}: what is left of a size beyond a multiple of 16 bytes is {}",
                         name, plan_.alignment, by_packets ? "not sent" : "read in the wrong place"));
    }
    for (std::size_t i = 0; rules.pairs && i < std::min(operation.sources.size(), operation.targets.size()); ++i) {
      const PlanChunks& source = operation.sources[i];
      if (operation.kind == PlanKind::get && source.index != operation.targets[i].index) {
        beyond(fmt::format("get of chunk {} into chunk {}: the executor takes the one index for the other",
                           source.index, operation.targets[i].index));
      }
      if (operation.channel != PlanChannel::port && rules.own_sources != 0 &&
          source.space != operation.sources[0].space) {
        beyond(fmt::format("{} of several buffers: the executor reads all of them in the first one, the {}", name,
                           name_of(operation.sources[0].space.value_or(Space::input))));
      }
    }
  }

  static bool elsewhere(const PlanChunks& chunks) { return !chunks.space && !chunks.by_switch; }

  void judge_channels(const PlanBlock& block, const PlanOperation& operation, const KindRules& rules) {
    const std::string_view name = to_string(operation.kind);
    const bool remote =
        std::ranges::any_of(operation.sources, elsewhere) || std::ranges::any_of(operation.targets, elsewhere);
    if (!operation.channel) {
      if (rules.channels || remote || !operation.channels.empty()) wrong(fmt::format("{} has no channel_type", name));
      return;
    }
    if (rules.channels && operation.channels.empty()) wrong(fmt::format("{} has no channel_ids", name));
    const std::string_view type = to_string(*operation.channel);
    const std::size_t have = block.channels[static_cast<std::size_t>(*operation.channel)].size();
    for (const std::uint32_t id : operation.channels) {
      if (id >= have) wrong(fmt::format("{} on {} channel {} of the block, which has {}", name, type, id, have));
    }
    if (operation.channel == PlanChannel::by_switch && (rules.channels || remote))
      wrong(fmt::format("{} on switch channels: the executor has none for it", name));
    if (operation.channel != PlanChannel::port || !remote) return;
    if (!rules.by_port)
      return wrong(fmt::format("{} on port channels: the executor takes memory channels for it", name));
    if (operation.channels.size() < operation.targets.size())
      wrong(fmt::format("{} of {} by {}: each needs its own", name, counted(operation.targets.size(), "target"),
                        counted(operation.channels.size(), "channel")));
  }

  void judge_counts(const PlanOperation& operation, const KindRules& rules) {
    const std::string_view name = to_string(operation.kind);
    const auto at_least = [&](std::size_t count, std::size_t least, const char* what) {
      if (count < least) wrong(fmt::format("{} has {}; it needs {}", name, counted(count, what), least));
    };
    at_least(operation.sources.size(), rules.sources, "source");
    at_least(operation.targets.size(), rules.targets, "target");
    if (rules.pairs && operation.sources.size() != operation.targets.size()) {
      wrong(fmt::format("{} has {} and {}", name, counted(operation.sources.size(), "source"),
                        counted(operation.targets.size(), "target")));
    }
    const auto sizes = [&](std::size_t i) {
      return rules.pairs ? std::pair(operation.sources[i].size, operation.targets[i].size)
                         : std::pair(operation.sources.front().size, operation.targets[i].size);
    };
    for (std::size_t i = 0; i < operation.targets.size() && !operation.sources.empty(); ++i) {
      if (rules.pairs && i >= operation.sources.size()) break;
      if (const auto [from, to] = sizes(i); from != to)
        wrong(fmt::format("{} of {} into {}", name, counted(from, "chunk"), to));
    }
    for (const PlanChunks& source : operation.sources) {
      if (rules.adds && source.size != operation.sources.front().size)
        wrong(fmt::format("{} adds {} to {}", name, counted(source.size, "chunk"), operation.sources.front().size));
    }
    const auto within = [&](std::size_t count, std::size_t most, const char* what) {
      if (count > most)
        beyond(fmt::format("{} has {}; the executor has room for {} and writes beyond it", name, counted(count, what),
                           most));
    };
    within(operation.sources.size(), most_buffers, "source");
    within(operation.targets.size(), most_buffers, "target");
    within(operation.channels.size(), most_channels, "channel");
    within(operation.semaphores.size(), most_semaphores, "semaphore");
  }

  void judge_chunks(const PlanRank& rank, const PlanBlock& block, const PlanOperation& operation,
                    const PlanChunks& chunks, bool own, bool packets, const char* does) {
    const std::string_view name = to_string(operation.kind);
    if (chunks.size == 0) wrong(fmt::format("{} {} no chunk", name, does));
    if (own != chunks.space.has_value()) {
      return wrong(fmt::format("{} {} {}, where it {} {}", name, does,
                               chunks.space ? "the gpu's own buffer" : "elsewhere", does,
                               own ? "the gpu's own buffer" : "elsewhere"));
    }
    if (own) return judge_range(rank, at_.rank, *chunks.space, operation, chunks, packets, does);
    if (chunks.by_switch) {
      const auto& ids = block.channels[static_cast<std::size_t>(PlanChannel::by_switch)];
      if (chunks.id >= ids.size())
        return wrong(
            fmt::format("{} {} switch channel {} of the block, which has {}", name, does, chunks.id, ids.size()));
      if (ids[chunks.id] >= rank.switches.size()) return;  // told already
      const PlanGroups& groups = rank.switches[ids[chunks.id]];
      return judge_range(rank, at_.rank, groups.space, operation, chunks, packets, does);
    }
    const PlanChannel access = operation.channel.value_or(PlanChannel::memory);
    const auto& ids = block.remote_buffers[static_cast<std::size_t>(access)];
    if (chunks.id >= ids.size()) {
      return wrong(fmt::format("{} {} remote buffer {} of the block, which has {} for {} channels", name, does,
                               chunks.id, ids.size(), to_string(access)));
    }
    if (ids[chunks.id] >= rank.remote_buffers.size()) return;  // told already
    const PlanRemoteBuffer& buffer = rank.remote_buffers[ids[chunks.id]];
    if (std::ranges::find(buffer.access, access) == buffer.access.end())
      wrong(fmt::format("{} {} gpu {}'s {} by a {} channel, which the file does not list for it", name, does,
                        buffer.rank, name_of(buffer.space), to_string(access)));
    if (buffer.rank < plan_.ranks.size())
      judge_range(plan_.ranks[buffer.rank], buffer.rank, buffer.space, operation, chunks, packets, does);
  }

  // Packets take twice the room of what they carry; with protocol LL the scratch is twice as large for that.
  void judge_range(const PlanRank& rank, std::uint32_t number, Space space, const PlanOperation& operation,
                   const PlanChunks& chunks, bool packets, const char* does) {
    const std::uint64_t end = std::uint64_t{chunks.index} + chunks.size;
    const std::uint64_t have = chunks_of(rank, space);
    if (packets && space != Space::scratch) {
      return wrong(fmt::format("{} {} packets in gpu {}'s {}; packets are in scratch", to_string(operation.kind), does,
                               number, name_of(space)));
    }
    const std::uint64_t factor = space != Space::scratch ? 1 : plan_.packets() ? 2 : 1;
    const std::uint64_t needed = (packets ? 2 : 1) * end;
    if (needed > factor * have) {
      wrong(fmt::format("{} {} {} {}..{} of gpu {}, which has {}{}", to_string(operation.kind), does, name_of(space),
                        chunks.index, end - 1, number, have,
                        packets && factor == 1 ? "; packets take twice the room, and the protocol is not LL" : ""));
    }
    if (needed == 0) return;  // told already
    const bool halved = space == Space::scratch && plan_.double_scratch;
    fit(most_offset / (needed + (halved ? factor * have : 0)), "offsets are counted in 32 bits");
    if (space == Space::scratch && plan_.reuses && !in_pipeline_)
      fit(shared_scratch / (halved ? 2 : 1) / needed, "scratch that plans share has 64 MiB");
  }

  // The chunks of a GPU may have so many bytes at most. A whole message is the input, of an all-gather the output.
  void fit(std::uint64_t bytes, std::string_view why) {
    const PlanRank& rank = plan_.ranks[at_.rank];
    const std::uint64_t chunks = plan_.collective == "allgather" ? rank.output : rank.input;
    if (chunks == 0 || plan_.alignment == 0) return;  // told already
    const auto aligned = [&](std::uint64_t size) { return size / plan_.alignment * plan_.alignment; };
    const std::uint64_t most = aligned(bytes);
    const std::uint64_t least = std::max(plan_.alignment, plan_.bytes_from / chunks + (plan_.bytes_from % chunks != 0));
    if (most < least) {
      return beyond(fmt::format("{}, so that chunks have {} bytes at most; those of the smallest message have {}", why,
                                most, least));
    }
    if (plan_.bytes_to != 0 && aligned(plan_.bytes_to / chunks) <= most) return;
    if (most_bytes_ && *most_bytes_ / chunks <= most) return;
    most_bytes_ = most > ~std::uint64_t{0} / chunks ? ~std::uint64_t{0} : most * chunks;
    why_most_ = why;
  }

  // Larger messages than fit are a condition, and no finding.
  void settle_sizes() {
    PropertyVerdict& limits = report_.of(ProgramProperty::limits);
    if (!most_bytes_ || limits.verdict != ProgramVerdict::holds) return;
    limits.verdict = ProgramVerdict::conditional;
    limits.condition = {.bytes_from = plan_.bytes_from, .bytes_to = *most_bytes_};
    limits.why = why_most_;
  }

  const ExecutionPlan& plan_;
  std::size_t listed_;
  ProgramReport& report_;
  Location at_;
  bool placed_ = false;                           // at_ is a block or an operation
  bool in_pipeline_ = false;                      // at_ is an operation of a pipeline
  std::optional<std::uint64_t> most_bytes_ = {};  // the largest message that fits; nothing: all do that there are
  std::string why_most_ = {};
};

}  // namespace

PlanKindRules rules_of(PlanKind kind) {
  switch (kind) {
    case PlanKind::nop:
    case PlanKind::barrier:
    case PlanKind::pipeline:
      return {};
    case PlanKind::copy:
      return {.sources = 1, .targets = 1, .most_sources = 1, .most_targets = 1};
    case PlanKind::put:
      return {.sources = 1, .targets = 1, .pairs = true, .own_targets = 0, .by_port = true};
    case PlanKind::put_signal:
    case PlanKind::put_signal_flush:
      return {
          .sources = 1, .targets = 1, .pairs = true, .own_targets = 0, .by_port = true, .channels = true, .low = true};
    case PlanKind::get:
      return {.sources = 1, .targets = 1, .pairs = true, .own_sources = 0};
    case PlanKind::reduce:
      return {.sources = 1, .targets = 1, .most_targets = 1, .adds = true};
    case PlanKind::reduce_send:
      return {.sources = 1, .targets = 2, .own_targets = 1, .adds = true};
    case PlanKind::read_reduce:
      return {.sources = 2, .targets = 1, .most_targets = 1, .own_sources = 1, .adds = true};
    case PlanKind::read_reduce_send:
      return {.sources = 2, .targets = 2, .own_sources = 1, .own_targets = 1, .adds = true};
    case PlanKind::put_packets:
      return {.sources = 1, .targets = 1, .pairs = true, .own_targets = 0, .packet_targets = 0, .by_port = true};
    case PlanKind::pass_packets:
      return {.sources = 1,
              .targets = 1,
              .most_sources = 1,
              .own_targets = 0,
              .packet_sources = 0,
              .packet_targets = 0,
              .by_port = true};
    case PlanKind::copy_packets:
      return {.sources = 1, .targets = 1, .most_sources = 1, .most_targets = 1, .packet_targets = 0};
    case PlanKind::unpack_packets:
      return {.sources = 1, .targets = 1, .most_sources = 1, .most_targets = 1, .packet_sources = 0};
    case PlanKind::reduce_packets:
      return {.sources = 2, .targets = 1, .most_targets = 1, .packet_sources = 1, .adds = true};
    case PlanKind::reduce_send_packets:
      return {.sources = 2, .targets = 2, .own_targets = 1, .packet_sources = 1, .packet_targets = 1, .adds = true};
    case PlanKind::reduce_copy_packets:
      return {.sources = 2, .targets = 2, .most_targets = 2, .packet_sources = 1, .packet_targets = 1, .adds = true};
    case PlanKind::reduce_copy_send_packets:
      return {.sources = 2, .targets = 3, .own_targets = 2, .packet_sources = 1, .packet_targets = 1, .adds = true};
    case PlanKind::group_load_reduce:
      return {};
    case PlanKind::group_load_reduce_store:
      return {.sources = 1,
              .targets = 1,
              .most_sources = 1,
              .most_targets = 1,
              .own_sources = 0,
              .own_targets = 0,
              .by_switch = true};
    case PlanKind::group_store:
      return {.sources = 1, .targets = 1, .most_sources = 1, .most_targets = 1, .own_targets = 0, .by_switch = true};
    case PlanKind::group_store_packets:
      return {.sources = 1,
              .targets = 1,
              .most_sources = 1,
              .most_targets = 1,
              .own_targets = 0,
              .packet_sources = 0,
              .packet_targets = 0,
              .by_switch = true};
    case PlanKind::signal:
    case PlanKind::wait:
    case PlanKind::relaxed_signal:
    case PlanKind::relaxed_wait:
    case PlanKind::flush:
      return {.packet_sources = KindRules::none, .channels = true, .low = true};
    case PlanKind::release:
    case PlanKind::acquire:
      return {.low = true};
  }
  return {};
}

PlanKindRules rules_of(const PlanOperation& operation) {
  KindRules rules = rules_of(operation.kind);
  if (operation.channel != PlanChannel::port) return rules;
  if (operation.kind == PlanKind::put_packets) rules.packet_sources = 0;
  if (operation.kind == PlanKind::put || operation.kind == PlanKind::put_packets) rules.channels = rules.low = true;
  return rules;
}

std::optional<ChannelEnd> other_end(const ExecutionPlan& plan, PlanChannel type, ChannelEnd end) {
  const auto& here = plan.ranks[end.rank].peers[static_cast<std::size_t>(type)];
  const std::uint32_t peer = here[end.channel];
  auto before = std::count(here.begin(), here.begin() + end.channel, peer);
  const auto& there = plan.ranks[peer].peers[static_cast<std::size_t>(type)];
  for (std::uint32_t c = 0; c < there.size(); ++c) {
    if (there[c] == end.rank && before-- == 0) return ChannelEnd{peer, c};
  }
  return std::nullopt;
}

void judge_plan_structure(const ExecutionPlan& plan, std::size_t listed, ProgramReport& report) {
  report.covers = plan_properties;
  PlanStructureJudge(plan, listed, report).all();
}

}  // namespace quadrille::programs
