// Connections are found by (from, to, channel), and made from the blocks' declarations, as set-up does: each needs
// one block at each end. A second block at an end that carries messages is a fault even if it has nothing to send or
// receive. It reads the end's step counter when it begins and writes the same value back when it ends, which loses
// the other block's count. For example, two blocks declare `send="1"` on channel 0, and one of them sends twice. If
// the idle one ends last, the next call begins at message 0, while the receiver expects message 2. Unpaired
// transmissions are reported once for each connection.
#include "programs/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace quadrille::programs {
namespace {

constexpr std::uint64_t work_of_an_action = 32;

class NetworkBuilder {
 public:
  NetworkBuilder(const Program& program, ProgramReport& report, std::size_t listed, Work& work)
      : program_(program), cells_(program), report_(report), listed_(listed), work_(work) {}

  ProgramNetwork build() {
    for (std::uint32_t r = 0; r < program_.ranks.size(); ++r) {
      for (const ThreadBlock& block : program_.ranks[r].blocks) add(r, block);
    }
    for (std::uint32_t a = 0; a < network_.actions.size(); ++a) find_awaited(a);
    for (std::uint32_t c = 0; c < network_.connections.size(); ++c) {
      if (ends_meet(c)) pair(network_.connections[c]);
    }
    return std::move(network_);
  }

 private:
  void add(std::uint32_t rank, const ThreadBlock& block) {
    const auto first = static_cast<std::uint32_t>(network_.actions.size());
    const auto here = static_cast<std::uint32_t>(network_.blocks.size());
    network_.blocks.push_back({rank, &block, first, first});
    firsts_[{rank, block.id}] = first;
    const std::uint32_t out = declared(here, block.send_peer, true);
    const std::uint32_t in = declared(here, block.receive_peer, false);
    for (std::uint32_t i = 0; i < block.operations.size(); ++i) {
      const ProgramOperation& operation = block.operations[i];
      work_.spend(work_of_an_action);
      QueuedOperation action;
      action.operation = &operation;
      action.rank = rank;
      action.block = here;
      action.index = i;
      const auto id = static_cast<std::uint32_t>(network_.actions.size());
      if (sends(operation.kind)) action.out = used(here, out, block.send_peer, true);
      if (receives(operation.kind)) action.in = used(here, in, block.receive_peer, false);
      if (action.out != none) network_.connections[action.out].sends.push_back(id);
      if (action.in != none) network_.connections[action.in].receives.push_back(id);
      network_.actions.push_back(std::move(action));
      check_offsets(id);
    }
    network_.blocks.back().last = static_cast<std::uint32_t>(network_.actions.size());
  }

  // The connection that the block has an end of; none if its peer is no other rank.
  std::uint32_t declared(std::uint32_t lane, std::int64_t peer, bool sending) {
    const Lane& here = network_.blocks[lane];
    if (peer < 0 || peer >= static_cast<std::int64_t>(program_.ranks.size()) || peer == here.rank) return none;
    const auto other = static_cast<std::uint32_t>(peer);
    const std::uint32_t from = sending ? here.rank : other;
    const std::uint32_t to = sending ? other : here.rank;
    const auto [it, fresh] =
        ids_.try_emplace({from, to, here.block->channel}, static_cast<std::uint32_t>(network_.connections.size()));
    if (fresh) {
      network_.connections.push_back({from, to, here.block->channel});
      ends_.emplace_back();
    }
    Connection& found = network_.connections[it->second];
    std::uint32_t& end = sending ? found.sender : found.receiver;
    if (end == none) end = lane;
    ends_[it->second][sending ? 0 : 1].push_back(lane);
    return it->second;
  }

  std::uint32_t used(std::uint32_t lane, std::uint32_t connection, std::int64_t peer, bool sending) {
    if (connection == none && told_.emplace(lane, sending).second) {
      structure(place_of_block(lane), fmt::format("it {}, and its peer is {}", sending ? "sends" : "receives", peer));
    }
    return connection;
  }

  // Whether the connection has a block at each end, and no other block that disturbs its counters.
  bool ends_meet(std::uint32_t id) {
    const Connection& it = network_.connections[id];
    const auto& [senders, receivers] = ends_[id];
    if (senders.empty() || receivers.empty()) {
      for (const std::uint32_t lane : senders) unmet(lane, "send to", it.to, "receive from");
      for (const std::uint32_t lane : receivers) unmet(lane, "receive from", it.from, "send to");
      return false;
    }
    const bool one_sends = alone(it, senders, it.sends, "sends");
    return alone(it, receivers, it.receives, "receives") && one_sends;
  }

  void unmet(std::uint32_t lane, const char* does, std::uint32_t peer, const char* answer) {
    const Location here = place_of_block(lane);
    structure(here,
              fmt::format("it declares to {} rank {} on channel {}, and no block of rank {} declares to {} rank {} "
                          "there: set-up does not connect them",
                          does, peer, network_.blocks[lane].block->channel, peer, answer, here.rank));
  }

  // Whether no two of the blocks at one end disturb each other; this holds if none has anything to do.
  bool alone(const Connection& it, const std::vector<std::uint32_t>& lanes, const std::vector<std::uint32_t>& actions,
             const char* does) {
    if (lanes.size() == 1) return true;
    std::set<std::uint32_t> busy;
    for (const std::uint32_t action : actions) {
      if (network_.actions[action].operation->count > 0) busy.insert(network_.actions[action].block);
    }
    if (busy.empty()) return true;
    for (const std::uint32_t lane : lanes) {
      if (lane == *busy.begin()) continue;
      structure(place_of_block(lane),
                fmt::format("block {} {} on the same channel, too: rank {} to {}, channel {}{}",
                            network_.blocks[*busy.begin()].block->id, does, it.from, it.to, it.channel,
                            busy.contains(lane) ? "" : "; this one never does, and puts its step counter back"));
    }
    return false;
  }

  void check_offsets(std::uint32_t id) {
    const QueuedOperation& action = network_.actions[id];
    const ProgramOperation& operation = *action.operation;
    if (operation.count == 0) return;
    if (reads_source(operation.kind)) {
      for (const std::int64_t source : operation.sources) check_offset(id, operation.source, source, "srcoff");
    }
    if (writes_target(operation.kind)) check_offset(id, operation.target, operation.target_offset, "dstoff");
  }

  void check_offset(std::uint32_t id, Space space, std::int64_t offset, const char* what) {
    const QueuedOperation& action = network_.actions[id];
    const std::int64_t last = offset + action.operation->count - 1;
    if (cells_.cell(action.rank, space, offset) && cells_.cell(action.rank, space, last)) return;
    const Rank& rank = program_.ranks[action.rank];
    const std::uint32_t size = space == Space::input ? rank.input : space == Space::output ? rank.output : rank.scratch;
    structure(place_of(network_, id), fmt::format("{}={} and {} chunks: the {} has {}", what, offset,
                                                  action.operation->count, to_string(space), size));
  }

  void find_awaited(std::uint32_t id) {
    QueuedOperation& action = network_.actions[id];
    const Rank& rank = program_.ranks[action.rank];
    work_.spend(1 + work_of_an_action * action.operation->waits.size());
    for (const FlagWait& wait : action.operation->waits) {
      const ProgramOperation* setter = programs::awaited(rank, wait);
      if (setter == nullptr) {
        action.awaited.push_back(none);
      } else {
        const auto index = static_cast<std::uint32_t>(setter - block_of(rank, wait.block)->operations.data());
        action.awaited.push_back(firsts_.at({action.rank, wait.block}) + index);
      }
    }
  }

  void pair(Connection& connection) {
    const std::size_t both = std::min(connection.sends.size(), connection.receives.size());
    const std::string name =
        fmt::format("from rank {} to rank {} on channel {}", connection.from, connection.to, connection.channel);
    for (std::size_t i = 0; i < both; ++i) {
      work_.spend(work_of_an_action);
      const std::uint32_t from = connection.sends[i];
      const std::uint32_t to = connection.receives[i];
      network_.actions[from].receiver = to;
      network_.actions[to].sender = from;
      const std::uint32_t sent = network_.actions[from].operation->count;
      const std::uint32_t received = network_.actions[to].operation->count;
      if (sent == received) continue;
      matching(from, to,
               fmt::format("transmission {} {} sends {} chunks, and {} are received", i + 1, name, sent, received));
      return;
    }
    if (connection.sends.size() > both) {
      matching(
          connection.sends[both], none,
          fmt::format("{} times something is sent {}, and {} times received", connection.sends.size(), name, both));
    } else if (connection.receives.size() > both) {
      matching(
          none, connection.receives[both],
          fmt::format("{} times something is received {}, and {} times sent", connection.receives.size(), name, both));
    }
  }

  Location place_of_block(std::uint32_t lane) const {
    const Lane& it = network_.blocks[lane];
    return {it.rank, it.block->id, -1, it.block->span, 0};
  }
  void structure(Location at, std::string message) {
    report_.add({ProgramProperty::structure, std::move(message), at}, listed_);
  }
  void matching(std::uint32_t from, std::uint32_t to, std::string message) {
    Finding finding{ProgramProperty::matching, std::move(message)};
    if (from != none) finding.at = place_of(network_, from);
    if (to != none) (from == none ? finding.at : finding.other) = place_of(network_, to);
    report_.add(std::move(finding), listed_);
  }

  const Program& program_;
  Cells cells_;
  ProgramReport& report_;
  std::size_t listed_;
  Work& work_;
  ProgramNetwork network_ = {};
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, std::uint32_t> ids_ = {};
  std::vector<std::array<std::vector<std::uint32_t>, 2>> ends_ = {};  // by connection: blocks that send, that receive
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> firsts_ = {};  // action, by rank and block
  std::set<std::pair<std::uint32_t, bool>> told_ = {};
};

}  // namespace

Location place_of(const ProgramNetwork& network, std::uint32_t action) {
  const QueuedOperation& it = network.actions[action];
  return {it.rank, network.blocks[it.block].block->id, it.operation->written, it.operation->span, it.index};
}

ProgramNetwork connect(const Program& program, ProgramReport& report, std::size_t listed, Work& work) {
  return NetworkBuilder(program, report, listed, work).build();
}

}  // namespace quadrille::programs
