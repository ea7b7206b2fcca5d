// The rows of a round with one number form one message, whose channels lead from its sender over paths that part at
// switches. For example, the rows 0->1 and 1->2 of message 0 with the packets 0->1 and 0->2 on each are `send 0 -> 2
// carrying 0 -> {1, 2}` on a line.
#include "compiler/decompile/sent_messages.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/route.h"

namespace quadrille {
namespace {

class MessageReader {
 public:
  explicit MessageReader(const SendTable& table) : table_(table), fabric_(table.fabric), router_(table.fabric) {}

  std::optional<std::vector<SentMessage>> read() {
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      if (!read_round(*step)) return std::nullopt;
    }
    if (cursor->ended_early() != Reason::none) return std::nullopt;
    return std::move(messages_);
  }

 private:
  struct Shape {
    std::set<ChannelId> channels;
    std::set<ChunkId> chunks;
    std::size_t rows = 0;
  };
  using Path = std::vector<ChannelId>;

  // A row without a number is a message of its own.
  bool read_round(const StepRows& round) {
    std::map<std::uint64_t, Shape> shapes;
    for (std::size_t i = 0; i < round.rows.size(); ++i) {
      Shape& shape = shapes[round.messages.empty() ? i : round.messages[i].value];
      shape.channels.insert(round.rows[i].channel);
      shape.chunks.insert(round.rows[i].chunk);
      ++shape.rows;
    }
    std::set<std::uint32_t> receivers;
    const bool join = table_.collective.combining() && fabric_.switches_reduce() && fabric_.has_switches();
    for (const auto& [number, shape] : shapes) {
      auto message = message_of(shape);
      if (!message) return false;
      message->round = round.step.value;
      for (const std::uint32_t receiver : message->to) {
        if (!receivers.insert(receiver).second && join) return false;
      }
      messages_.push_back(*std::move(message));
    }
    return true;
  }

  std::optional<SentMessage> message_of(const Shape& shape) const {
    if (shape.rows != shape.channels.size() * shape.chunks.size()) return std::nullopt;
    const auto from = sender_of(shape.channels);
    if (!from) return std::nullopt;
    SentMessage message;
    message.from = from->value;
    for (const ChunkId chunk : shape.chunks) message.chunks.push_back(table_.collective.name(chunk));
    std::ranges::sort(message.chunks);
    const auto paths = paths_from(*from, shape.channels);
    if (!paths || !find_targets(*from, *paths, message)) return std::nullopt;
    std::ranges::sort(message.to);
    return message;
  }

  // Returns the node from which the channels lead; nothing if it is no processor, or if there are several.
  std::optional<NodeId> sender_of(const std::set<ChannelId>& channels) const {
    std::set<NodeId> entered;
    for (const ChannelId channel : channels) {
      if (!entered.insert(fabric_.channel(channel).to).second) return std::nullopt;
    }
    std::optional<NodeId> sender;
    for (const ChannelId channel : channels) {
      const NodeId from = fabric_.channel(channel).from;
      if (entered.contains(from)) continue;
      if ((sender && *sender != from) || !fabric_.is_processor(from)) return std::nullopt;
      sender = from;
    }
    return sender;
  }

  // Returns a path to each node at which the channels end; nothing if some are not reached, or if paths part where they
  // must not.
  std::optional<std::vector<Path>> paths_from(NodeId sender, const std::set<ChannelId>& channels) const {
    std::map<NodeId, std::vector<ChannelId>> out;
    for (const ChannelId channel : channels) out[fabric_.channel(channel).from].push_back(channel);
    const bool may_part = !table_.collective.combining() && !fabric_.switches_forward();
    std::vector<Path> ended;
    std::vector<std::pair<NodeId, Path>> open{{sender, {}}};
    std::size_t reached = 0;
    while (!open.empty()) {
      const auto [node, path] = std::move(open.back());
      open.pop_back();
      const auto ways = out.find(node);
      if (ways == out.end()) {
        ended.push_back(path);
        continue;
      }
      if (ways->second.size() > 1 && (!may_part || fabric_.is_processor(node))) return std::nullopt;
      for (const ChannelId channel : ways->second) {
        Path longer = path;
        longer.push_back(channel);
        open.emplace_back(fabric_.channel(channel).to, std::move(longer));
        ++reached;
      }
    }
    return reached == channels.size() ? std::optional(std::move(ended)) : std::nullopt;
  }

  bool find_targets(NodeId from, const std::vector<Path>& paths, SentMessage& message) const {
    for (const Path& path : paths) {
      const NodeId target = fabric_.channel(path.back()).to;
      if (!fabric_.is_processor(target)) return false;
      message.to.push_back(target.value);
      Path usual;
      if (paths.size() == 1) {
        router_.append_route(from, target, usual);
      } else {
        router_.append_route_in_tree(from, target, usual);
      }
      if (usual == path) continue;
      if (paths.size() > 1) return false;
      for (std::size_t hop = 1; hop < path.size(); ++hop) message.along.push_back(fabric_.channel(path[hop]).from);
    }
    return true;
  }

  const SendTable& table_;
  const Fabric& fabric_;
  Router router_;
  std::vector<SentMessage> messages_;
};

}  // namespace

std::optional<std::vector<SentMessage>> sent_messages(const SendTable& table) { return MessageReader(table).read(); }

}  // namespace quadrille
