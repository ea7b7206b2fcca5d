// Idea: sort a round's rows by message, chunk and channel. A well-formed message is then a block of chunks × channels
// rows whose lines, one for each chunk, name the same channels and lanes; and these channels are a tree.
//
//   round 1: (0->1, chunk a, message 0), (1->2, a, 0), (0->1, b, 0), (1->2, b, 0)
//   is one message of length 2 from 0 to 2: the lines of a and of b are both 0->1, 1->2. Without the last row the lines
//   differ: one violation, and four, or here three, messages of one row
//
// Cost: r log r for a round of r rows.
#include "verifier/checker/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace quadrille::checker {

void moves_of_rows(const StepRows& batch, const Fabric& fabric, std::vector<Move>& moves) {
  moves.clear();
  moves.reserve(batch.rows.size());
  for (std::size_t index = 0; index < batch.rows.size(); ++index) {
    const Row& row = batch.rows[index];
    const Channel& channel = fabric.channel(row.channel);
    const auto at = static_cast<std::uint32_t>(index);
    moves.push_back({channel.from, channel.to, row.channel, row.lane, row.chunk, at, at});
  }
}

Messages::Messages(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits)
    : table_(table), findings_(findings), limits_(limits), share_(budget) {}

void Messages::read(const StepRows& batch) {
  const std::size_t rows = batch.rows.size();
  if (rows > order_.capacity()) {
    constexpr std::size_t each =
        sizeof(order_[0]) + sizeof(Message) + sizeof(ends_[0]) + sizeof(Move) + sizeof(single_[0]);
    share_.add((rows - order_.capacity()) * each);
    order_.reserve(rows);
  }
  messages_.clear();
  ends_.clear();
  moves_.clear();
  single_.clear();
  sort(batch);
  divide(batch);
  for (const Message& message : messages_) add_moves(batch, message);
}

void Messages::sort(const StepRows& batch) {
  order_.resize(batch.rows.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::uint64_t compared = 0;
  const auto key = [&](std::uint32_t index) {
    const Row& row = batch.rows[index];
    const MessageId message = batch.messages.empty() ? MessageId{} : batch.messages[index];
    return std::tuple(message, row.chunk, row.channel, row.lane, index);
  };
  const auto alone = [&](std::uint32_t index) {
    const Row& row = batch.rows[index];
    return std::tuple(row.channel, row.lane, row.chunk, index);
  };
  const auto sort_by = [&](const auto& of) {
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      look_at_limits(limits_, compared++);
      return of(a) < of(b);
    });
  };
  if (batch.messages.empty()) {
    sort_by(alone);
  } else {
    sort_by(key);
  }
}

// Each run of one message number is a message; rows without numbers are one each.
void Messages::divide(const StepRows& batch) {
  for (std::size_t first = 0; first < order_.size();) {
    look_at_limits(limits_, first);
    if (batch.messages.empty()) {
      add_single(batch, first++);
      continue;
    }
    const MessageId number = batch.messages[order_[first]];
    std::size_t last = first + 1;
    while (last < order_.size() && batch.messages[order_[last]] == number) ++last;
    if (!read_message(batch, first, last)) add_ill_formed(batch, first, last);
    first = last;
  }
  std::sort(single_.begin(), single_.end(), [&](std::size_t a, std::size_t b) {
    const Row& one = batch.rows[order_[a]];
    const Row& other = batch.rows[order_[b]];
    return std::tuple(one.channel, one.lane, one.chunk, batch.messages[order_[a]]) <
           std::tuple(other.channel, other.lane, other.chunk, batch.messages[order_[b]]);
  });
  for (const std::size_t place : single_) add_single(batch, place);
}

void Messages::add_ill_formed(const StepRows& batch, std::size_t first, std::size_t last) {
  for (std::size_t place = first; place < last; ++place) single_.push_back(place);
  findings_.add(Property::well_formed, batch.step.value, [&] {
    const Row& row = batch.rows[order_[first]];
    std::string text = fmt::format(
        "message {} of round {} is none: its chunks do not cross the same channels and lanes, from one sender, "
        "branching at switches only ({} and {} rows more)",
        batch.messages[order_[first]].value, batch.step.value, table_.collective.label(row.chunk), last - first - 1);
    return Finding{{.step = batch.step, .channel = row.channel, .chunk = row.chunk, .message = std::move(text)},
                   RowPlace{batch.step, order_[first]}};
  });
}

// Adds the message in order_[first … last-1]; false if it is not well formed.
bool Messages::read_message(const StepRows& batch, std::size_t first, std::size_t last) {
  Message message;
  message.first = first;
  message.first_end = ends_.size();
  const ChunkId chunk = batch.rows[order_[first]].chunk;
  std::size_t end = first;
  while (end < last && batch.rows[order_[end]].chunk == chunk) ++end;
  message.channels = static_cast<std::uint32_t>(end - first);
  if ((last - first) % message.channels != 0) return false;
  message.chunks = static_cast<std::uint32_t>((last - first) / message.channels);
  if (!alike(batch, message) || !follow_ways(batch, message)) {
    ends_.resize(message.first_end);
    return false;
  }
  messages_.push_back(message);
  return true;
}

// Whether every chunk crosses the first one's channels, on the same lanes, each once.
bool Messages::alike(const StepRows& batch, const Message& message) const {
  const auto row_at = [&](std::size_t chunk, std::size_t channel) -> const Row& {
    return batch.rows[order_[message.first + chunk * message.channels + channel]];
  };
  for (std::size_t c = 1; c < message.channels; ++c) {
    if (row_at(0, c).channel == row_at(0, c - 1).channel) return false;
  }
  for (std::size_t k = 1; k < message.chunks; ++k) {
    if (row_at(k, 0).chunk == row_at(k - 1, 0).chunk) return false;
    for (std::size_t c = 0; c < message.channels; ++c) {
      const Row& row = row_at(k, c);
      const Row& other = row_at(0, c);
      if (row.chunk != row_at(k, 0).chunk || row.channel != other.channel || row.lane != other.lane) return false;
    }
  }
  return true;
}

// Whether the channels are a path, or a tree where that may be: from one sender, each node entered once, all reached.
bool Messages::follow_ways(const StepRows& batch, Message& message) {
  ways_.clear();
  const auto path = this->path(message);
  for (std::uint32_t at = 0; at < message.channels; ++at) {
    const Channel& channel = table_.fabric.channel(batch.rows[path[at]].channel);
    ways_.push_back({channel.from, channel.to, at, 0});
  }
  const auto by_to = [](const Way& a, const Way& b) { return a.to < b.to; };
  std::sort(ways_.begin(), ways_.end(), by_to);
  const auto entered_twice = [](const Way& a, const Way& b) { return a.to == b.to; };
  if (std::adjacent_find(ways_.begin(), ways_.end(), entered_twice) != ways_.end()) return false;
  std::uint32_t senders = 0;
  for (const Way& way : ways_) {
    const bool entered = std::binary_search(ways_.begin(), ways_.end(), Way{{}, way.from, 0, 0}, by_to);
    if (entered) continue;
    if (senders > 0 && message.sender == way.from) continue;  // it branches; judged below
    ++senders;
    message.sender = way.from;
  }
  if (senders != 1) return false;
  std::sort(ways_.begin(), ways_.end(),
            [](const Way& a, const Way& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  const bool may_branch = !table_.collective.combining();
  for (std::size_t i = 1; i < ways_.size(); ++i) {
    const bool branches = ways_[i].from == ways_[i - 1].from;
    if (branches && (!may_branch || table_.fabric.is_processor(ways_[i].from))) return false;
  }
  return reach_all(message);
}

// Walks the tree from the sender, which must reach every channel; notes the ends and the longest way.
bool Messages::reach_all(Message& message) {
  const auto out_of = [&](NodeId node) {
    return std::equal_range(ways_.begin(), ways_.end(), Way{node, {}, 0, 0},
                            [](const Way& a, const Way& b) { return a.from < b.from; });
  };
  std::vector<Way*> reached;
  const auto enter = [&](NodeId node, std::uint32_t depth) {
    const auto [begin, end] = out_of(node);
    for (auto way = begin; way != end; ++way) {
      way->depth = depth;
      reached.push_back(&*way);
    }
    return begin != end;
  };
  enter(message.sender, 1);
  for (std::size_t i = 0; i < reached.size() && reached.size() <= message.channels; ++i) {
    const Way way = *reached[i];
    message.longest = std::max(message.longest, way.depth);
    if (enter(way.to, way.depth + 1)) continue;
    ends_.push_back(way.at);
    ++message.ends;
  }
  return reached.size() == message.channels;
}

void Messages::add_single(const StepRows& batch, std::size_t place) {
  const Channel& channel = table_.fabric.channel(batch.rows[order_[place]].channel);
  messages_.push_back({channel.from, 1, 1, 1, place, ends_.size(), 1});
  ends_.push_back(0);
}

// The place in path() of a channel out of the sender.
std::uint32_t Messages::first_of(const StepRows& batch, const Message& message) const {
  const auto path = this->path(message);
  const auto first = std::find_if(path.begin(), path.end(), [&](std::uint32_t index) {
    return table_.fabric.channel(batch.rows[index].channel).from == message.sender;
  });
  return static_cast<std::uint32_t>(first - path.begin());
}

void Messages::add_moves(const StepRows& batch, const Message& message) {
  const auto rows = this->rows(message);
  const std::uint32_t first = first_of(batch, message);
  for (std::uint32_t chunk = 0; chunk < message.chunks; ++chunk) {
    for (std::size_t end = message.first_end; end < message.first_end + message.ends; ++end) {
      look_at_limits(limits_, moves_.size());
      const std::size_t line = std::size_t{chunk} * message.channels;
      const std::uint32_t index = rows[line + ends_[end]];
      const Row& row = batch.rows[index];
      moves_.push_back({message.sender, table_.fabric.channel(row.channel).to, row.channel, row.lane, row.chunk, index,
                        rows[line + first]});
    }
  }
}

}  // namespace quadrille::checker
