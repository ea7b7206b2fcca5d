// For example, a step in which rank 0 sends a chunk to rank 1, gets one from rank 3 and adds it up is
//
//   nop; put input 0 → rank 1's scratch 0; nop; signal 1; wait 3; nop; re scratch 0 := input 0 + scratch 0
//
// `nop` is the only order between operations of a block that are done by different threads. So it stands before
// whatever depends on an operation since the last one: before a signal, on which all puts depend; before the sums,
// which depend on the waits; and between two operations on the same chunks, one of which writes.
#include "export/mscclpp_block.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

namespace quadrille::exporting {
namespace {

using programs::PlanBlock;
using programs::PlanChannel;
using programs::PlanChunks;
using programs::PlanKind;
using programs::PlanOperation;
using programs::PlanRank;
using programs::Space;

constexpr std::size_t most_operations = 64;      // the executor's limits: programs/PROGRAMS.md
constexpr std::size_t most_block_channels = 16;  // of a type
constexpr std::size_t most_channels = 8;         // of an operation
constexpr std::size_t most_buffers = 10;         // likewise

class BlockBuilder {
 public:
  BlockBuilder(const PlanExchanges& exchanges, const BlockChain& chain, const PlanFrame& frame, PlanRank& rank)
      : exchanges_(exchanges), chain_(chain), frame_(frame), rank_(rank) {}

  PlanBlock build() {
    block_.id = static_cast<std::uint32_t>(rank_.blocks.size());
    add_channels();
    begin();
    for (const PlanExchange& exchange : exchanges_) add_exchange(exchange);
    end();
    return std::move(block_);
  }

 private:
  using PlanPeers = std::array<std::vector<std::uint32_t>, 2>;  // by type of channel

  static std::size_t index(PlanChannel type) { return static_cast<std::size_t>(type); }
  PlanChannel type_to(std::uint32_t peer) const { return frame_.between(rank_.id, peer); }

  PlanPeers by_type(const std::set<std::uint32_t>& peers) const {
    PlanPeers all;
    for (const std::uint32_t peer : peers) all[index(type_to(peer))].push_back(peer);
    return all;
  }

  void add_channels() {
    std::set<std::uint32_t> peers;
    for (const PlanExchange& exchange : exchanges_) {
      senders_.insert(exchange.senders.begin(), exchange.senders.end());
      for (const auto& [peer, pieces] : exchange.sent) receivers_.insert(peer);
    }
    std::ranges::set_union(senders_, receivers_, std::inserter(peers, peers.end()));
    for (const std::uint32_t peer : peers) {
      const std::size_t type = index(type_to(peer));
      channel_to_[peer] = static_cast<std::uint32_t>(block_.channels[type].size());
      block_.channels[type].push_back(static_cast<std::uint32_t>(rank_.peers[type].size()));
      rank_.peers[type].push_back(peer);
    }
  }

  PlanOperation& add(PlanKind kind) {
    PlanOperation& operation = block_.operations.emplace_back();
    operation.kind = kind;
    return operation;
  }

  void order() {
    if (!block_.operations.empty() && block_.operations.back().kind != PlanKind::nop) add(PlanKind::nop);
    touched_.clear();
    waited_ = false;
  }

  // Signals or waits: one operation for as many channels as it takes.
  void add_for(PlanKind kind, const PlanPeers& peers) {
    for (const PlanChannel type : {PlanChannel::memory, PlanChannel::port}) {
      const std::vector<std::uint32_t>& all = peers[index(type)];
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % most_channels == 0) add(kind).channel = type;
        block_.operations.back().channels.push_back(channel_to_.at(all[i]));
      }
    }
  }

  void begin() {
    add_for(PlanKind::relaxed_signal, by_type(senders_));
    add_for(PlanKind::relaxed_wait, by_type(receivers_));
    if (chain_.acquired) add(PlanKind::acquire).semaphores = {*chain_.acquired};
    waited_ = true;
  }

  void end() {
    const PlanPeers senders = by_type(senders_);
    const PlanPeers receivers = by_type(receivers_);
    if (!senders[1].empty() || !receivers[1].empty()) {
      order();
      add_for(PlanKind::signal, {{{}, senders[1]}});
      add_for(PlanKind::wait, {{{}, receivers[1]}});
    }
    if (!chain_.released) return;
    order();
    add(PlanKind::release).semaphores = {*chain_.released};
  }

  void add_exchange(const PlanExchange& exchange) {
    if (!exchange.sent.empty() || !exchange.senders.empty()) {
      order();
      add_puts(exchange);
      waited_ = true;
      if (!frame_.choices.packets()) announce(exchange);
    }
    for (const PlanSum& sum : exchange.sums) add_sum(sum);
  }

  void announce(const PlanExchange& exchange) {
    std::set<std::uint32_t> receivers;
    for (const auto& [peer, pieces] : exchange.sent) {
      if (!flushes(peer)) receivers.insert(peer);
    }
    if (!receivers.empty()) order();
    add_for(PlanKind::signal, by_type(receivers));
    add_for(PlanKind::wait, by_type(exchange.senders));
    waited_ = !exchange.senders.empty() || receivers.size() < exchange.sent.size();
  }

  bool flushes(std::uint32_t peer) const { return frame_.flushes && type_to(peer) == PlanChannel::port; }
  bool are_packets(const BufferSlot& slot) const { return frame_.choices.packets() && slot.buffer == Buffer::kept; }

  // The transfers that one operation can take: by one type of channel and from one buffer; of packets that are passed
  // on, the same ones.
  using PutGroup = std::tuple<PlanChannel, Space, std::uint64_t, std::uint64_t>;
  PutGroup group_of(std::uint32_t peer, const PlanPiece& piece) const {
    const bool passes = are_packets(piece.from);
    return {type_to(peer), *own(piece.from, 1).space, passes ? piece.from.slot : 0, passes ? piece.count : 0};
  }

  using PutGroups = std::map<PutGroup, std::vector<std::pair<std::uint32_t, const PlanPiece*>>>;

  // Where a port's transfers are waited for, the last one to each rank is a put, its signal and the wait in one, behind
  // all before it on its channel.
  void add_puts(const PlanExchange& exchange) {
    PutGroups first;
    PutGroups last;
    for (const auto& [peer, pieces] : exchange.sent) {
      for (const PlanPiece& piece : pieces) {
        PutGroups& groups = flushes(peer) && &piece == &pieces.back() ? last : first;
        groups[group_of(peer, piece)].emplace_back(peer, &piece);
      }
    }
    add_groups(first, PlanKind::put);
    if (!last.empty()) order();
    add_groups(last, PlanKind::put_signal_flush);
  }

  void add_groups(const PutGroups& groups, PlanKind kind) {
    for (const auto& [group, pieces] : groups) {
      const PlanChannel type = std::get<PlanChannel>(group);
      const std::size_t most = type == PlanChannel::port ? most_channels : most_buffers;
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto& [peer, piece] = pieces[i];
        const bool passes = are_packets(piece->from);
        if (i % most == 0) {
          PlanOperation& put = add(passes                     ? PlanKind::pass_packets
                                   : frame_.choices.packets() ? PlanKind::put_packets
                                                              : kind);
          put.channel = type;
          put.share = chain_.share;
        }
        PlanOperation& put = block_.operations.back();
        if (type == PlanChannel::port) put.channels.push_back(channel_to_.at(peer));
        if (!passes || put.sources.empty()) put.sources.push_back(own(piece->from, piece->count));
        put.targets.push_back(remote(peer, *piece));
      }
    }
  }

  PlanChunks own(const BufferSlot& slot, std::uint64_t count) const {
    const bool scratch = slot.buffer == Buffer::scratch;
    const Space space = slot.buffer == Buffer::input    ? Space::input
                        : slot.buffer == Buffer::output ? Space::output
                                                        : Space::scratch;
    const std::uint64_t first = slot.slot + (scratch ? frame_.arrivals[rank_.id] : 0);
    return {.space = space, .index = static_cast<std::uint32_t>(first), .size = static_cast<std::uint32_t>(count)};
  }

  PlanChunks remote(std::uint32_t peer, const PlanPiece& piece) {
    const PlanChannel type = type_to(peer);
    const Space space = piece.to.buffer == Buffer::output ? Space::output : Space::scratch;
    std::vector<programs::PlanRemoteBuffer>& all = rank_.remote_buffers;
    auto found = std::ranges::find_if(all, [&](const auto& it) { return it.rank == peer && it.space == space; });
    if (found == all.end()) found = all.insert(all.end(), {peer, space, {type}});
    const auto number = static_cast<std::uint32_t>(found - all.begin());
    std::vector<std::uint32_t>& listed = block_.remote_buffers[index(type)];
    auto place = std::ranges::find(listed, number);
    if (place == listed.end()) place = listed.insert(listed.end(), number);
    return {.id = static_cast<std::uint32_t>(place - listed.begin()),
            .index = static_cast<std::uint32_t>(piece.to.slot),
            .size = static_cast<std::uint32_t>(piece.count)};
  }

  void add_sum(const PlanSum& sum) {
    if (waited_ || conflicts(sum)) order();
    const bool unpacks = std::ranges::any_of(sum.sources, [&](const BufferSlot& it) { return are_packets(it); });
    const bool single = sum.sources.size() == 1;
    PlanOperation& operation = add(single ? (unpacks ? PlanKind::unpack_packets : PlanKind::copy)
                                          : (unpacks ? PlanKind::reduce_packets : PlanKind::reduce));
    operation.share = chain_.share;
    for (const BufferSlot& source : sum.sources) operation.sources.push_back(own(source, sum.count));
    operation.targets = {own(sum.target, sum.count)};
    touched_.push_back(&sum);
  }

  static bool meet(const BufferSlot& a, std::uint64_t count_a, const BufferSlot& b, std::uint64_t count_b) {
    return a.buffer == b.buffer && a.slot < b.slot + count_b && b.slot < a.slot + count_a;
  }
  static bool touches(const PlanSum& sum, const BufferSlot& slot, std::uint64_t count, bool written) {
    const auto met = [&](const BufferSlot& it) { return meet(it, sum.count, slot, count); };
    return met(sum.target) || (written && std::ranges::any_of(sum.sources, met));
  }

  // Whether an operation since the last order writes what the sum reads or writes, or reads what it writes.
  bool conflicts(const PlanSum& sum) const {
    return std::ranges::any_of(touched_, [&](const PlanSum* before) {
      return touches(*before, sum.target, sum.count, true) ||
             std::ranges::any_of(sum.sources,
                                 [&](const BufferSlot& it) { return touches(*before, it, sum.count, false); });
    });
  }

  const PlanExchanges& exchanges_;
  const BlockChain& chain_;
  const PlanFrame& frame_;
  PlanRank& rank_;
  PlanBlock block_;
  std::set<std::uint32_t> senders_;
  std::set<std::uint32_t> receivers_;
  std::map<std::uint32_t, std::uint32_t> channel_to_;  // by peer: the number in the block's list of its type
  std::vector<const PlanSum*> touched_;                // since the last order
  bool waited_ = false;                                // likewise
};

}  // namespace

void add_block(const PlanExchanges& exchanges, const BlockChain& chain, const PlanFrame& frame, PlanRank& rank) {
  PlanBlock block = BlockBuilder(exchanges, chain, frame, rank).build();
  rank.blocks.push_back(std::move(block));
}

bool fits_block(const PlanExchanges& exchanges, const PlanFrame& frame, std::uint32_t rank) {
  PlanRank alone;
  alone.id = rank;
  const PlanBlock block = BlockBuilder(exchanges, {0, 0, {}}, frame, alone).build();
  return block.operations.size() <= most_operations &&
         std::ranges::all_of(block.channels, [](const auto& ids) { return ids.size() <= most_block_channels; });
}

}  // namespace quadrille::exporting
