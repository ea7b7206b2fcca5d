// Connections are found by (from, to, channel); of each, one block sends and one receives. What does not pair is told
// once a connection.
#include "programs/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace quadrille::programs {
namespace {

class NetworkBuilder {
 public:
  NetworkBuilder(const Program& program, Judgement& judgement, std::size_t listed)
      : program_(program), cells_(program), judgement_(judgement), listed_(listed) {}

  Network build() {
    for (std::uint32_t r = 0; r < program_.ranks.size(); ++r) {
      for (const Block& block : program_.ranks[r].blocks) add(r, block);
    }
    for (std::uint32_t a = 0; a < network_.actions.size(); ++a) find_awaited(a);
    for (Connection& connection : network_.connections) pair(connection);
    return std::move(network_);
  }

 private:
  void add(std::uint32_t rank, const Block& block) {
    const auto first = static_cast<std::uint32_t>(network_.actions.size());
    const auto here = static_cast<std::uint32_t>(network_.blocks.size());
    network_.blocks.push_back({rank, &block, first, first});
    firsts_[{rank, block.id}] = first;
    for (std::uint32_t i = 0; i < block.operations.size(); ++i) {
      const Operation& operation = block.operations[i];
      Action action;
      action.operation = &operation;
      action.rank = rank;
      action.block = here;
      action.index = i;
      const auto id = static_cast<std::uint32_t>(network_.actions.size());
      if (sends(operation.kind)) action.out = connection(here, block.send_peer, true);
      if (receives(operation.kind)) action.in = connection(here, block.receive_peer, false);
      if (action.out != none) network_.connections[action.out].sends.push_back(id);
      if (action.in != none) network_.connections[action.in].receives.push_back(id);
      network_.actions.push_back(std::move(action));
      check_offsets(id);
    }
    network_.blocks.back().last = static_cast<std::uint32_t>(network_.actions.size());
  }

  std::uint32_t connection(std::uint32_t lane, std::int64_t peer, bool sending) {
    const Lane& here = network_.blocks[lane];
    const Place at{here.rank, here.block->id, -1, here.block->span, 0};
    if (peer < 0 || peer >= static_cast<std::int64_t>(program_.ranks.size()) || peer == here.rank) {
      if (told_.emplace(lane, sending).second) {
        structure(at, fmt::format("it {}, and its peer is {}", sending ? "sends" : "receives", peer));
      }
      return none;
    }
    const auto other = static_cast<std::uint32_t>(peer);
    const std::uint32_t from = sending ? here.rank : other;
    const std::uint32_t to = sending ? other : here.rank;
    const auto [it, fresh] =
        ids_.try_emplace({from, to, here.block->channel}, static_cast<std::uint32_t>(network_.connections.size()));
    if (fresh) network_.connections.push_back({from, to, here.block->channel});
    Connection& found = network_.connections[it->second];
    std::uint32_t& end = sending ? found.sender : found.receiver;
    if (end == none) end = lane;
    if (end != lane && told_.emplace(lane, sending).second) {
      structure(at, fmt::format("block {} {} on the same channel, too: rank {} to {}, channel {}",
                                network_.blocks[end].block->id, sending ? "sends" : "receives", from, to,
                                here.block->channel));
    }
    return it->second;
  }

  void check_offsets(std::uint32_t id) {
    const Action& action = network_.actions[id];
    const Operation& operation = *action.operation;
    if (operation.count == 0) return;
    if (reads_source(operation.kind)) {
      for (const std::int64_t source : operation.sources) check_offset(id, operation.source, source, "srcoff");
    }
    if (writes_target(operation.kind)) check_offset(id, operation.target, operation.target_offset, "dstoff");
  }

  void check_offset(std::uint32_t id, Space space, std::int64_t offset, const char* what) {
    const Action& action = network_.actions[id];
    const std::int64_t last = offset + action.operation->count - 1;
    if (cells_.cell(action.rank, space, offset) && cells_.cell(action.rank, space, last)) return;
    const Rank& rank = program_.ranks[action.rank];
    const std::uint32_t size = space == Space::input ? rank.input : space == Space::output ? rank.output : rank.scratch;
    structure(place_of(network_, id), fmt::format("{}={} and {} chunks: the {} has {}", what, offset,
                                                  action.operation->count, name_of(space), size));
  }
  static const char* name_of(Space space) {
    return space == Space::input ? "input" : space == Space::output ? "output" : "scratch";
  }

  void find_awaited(std::uint32_t id) {
    Action& action = network_.actions[id];
    const Rank& rank = program_.ranks[action.rank];
    for (const Wait& wait : action.operation->waits) {
      const Operation* setter = programs::awaited(rank, wait);
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

  void structure(Place at, std::string message) {
    judgement_.add({Property::structure, std::move(message), at}, listed_);
  }
  void matching(std::uint32_t from, std::uint32_t to, std::string message) {
    Finding finding{Property::matching, std::move(message)};
    if (from != none) finding.at = place_of(network_, from);
    if (to != none) (from == none ? finding.at : finding.other) = place_of(network_, to);
    judgement_.add(std::move(finding), listed_);
  }

  const Program& program_;
  Cells cells_;
  Judgement& judgement_;
  std::size_t listed_;
  Network network_ = {};
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, std::uint32_t> ids_ = {};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> firsts_ = {};  // action, by rank and block
  std::set<std::pair<std::uint32_t, bool>> told_ = {};
};

}  // namespace

Place place_of(const Network& network, std::uint32_t action) {
  const Action& it = network.actions[action];
  return {it.rank, network.blocks[it.block].block->id, it.operation->written, it.operation->span, it.index};
}

Network connect(const Program& program, Judgement& judgement, std::size_t listed) {
  return NetworkBuilder(program, judgement, listed).build();
}

}  // namespace quadrille::programs
