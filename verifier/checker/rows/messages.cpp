// Idea: sort a round's rows by message, chunk and channel. A well-formed message is then a block of chunks × channels
// rows whose lines, one for each chunk, name the same channels and lanes; and these channels are a tree.
//
//   round 1: (0->1, chunk a, message 0), (1->2, a, 0), (0->1, b, 0), (1->2, b, 0)
//   is one message of length 2 from 0 to 2: the lines of a and of b are both 0->1, 1->2. Without the last row the lines
//   differ: one violation, and four, or here three, messages of one row
//
// Where ways join in switches a line is of one target and part, and the channels are a tree if all are turned round.
//
// Cost: r log r for a round of r rows.
#include "verifier/checker/rows/messages.h"

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
        sizeof(order_[0]) + sizeof(CheckedMessage) + 3 * sizeof(ends_[0]) + sizeof(Move) + sizeof(single_[0]);
    share_.add((rows - order_.capacity()) * each);
    order_.reserve(rows);
  }
  messages_.clear();
  ends_.clear();
  starts_.clear();
  inwards_.clear();
  moves_.clear();
  single_.clear();
  sort(batch);
  divide(batch);
  for (const CheckedMessage& message : messages_) add_moves(batch, message);
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
      add_single(first++);
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
  for (const std::size_t place : single_) add_single(place);
}

void Messages::add_ill_formed(const StepRows& batch, std::size_t first, std::size_t last) {
  for (std::size_t place = first; place < last; ++place) single_.push_back(place);
  findings_.add(Property::well_formed, batch.step.value, [&] {
    const Row& row = batch.rows[order_[first]];
    std::string text = fmt::format(
        "message {} of round {} is none: its chunks do not cross the same channels and lanes, from one sender, "
        "branching at switches only ({} and {} rows more)",
        batch.messages[order_[first]].value, batch.step.value, table_.collective.label(row.chunk), last - first - 1);
    return BlamedViolation{{.step = batch.step, .channel = row.channel, .chunk = row.chunk, .message = std::move(text)},
                           RowPlace{batch.step, order_[first]}};
  });
}

// Adds the message in order_[first … last-1]; false if it is not well formed.
bool Messages::read_message(const StepRows& batch, std::size_t first, std::size_t last) {
  if (read_lines(batch, first, last, false)) return true;
  if (!table_.collective.combining() || !table_.fabric.switches_reduce()) return false;
  sort_by_wanted(batch, first, last);
  return read_lines(batch, first, last, true);
}

void Messages::sort_by_wanted(const StepRows& batch, std::size_t first, std::size_t last) {
  const auto key = [&](std::uint32_t index) {
    const Row& row = batch.rows[index];
    return std::tuple(line_of(row.chunk, true), row.channel, row.lane, index);
  };
  std::uint64_t compared = 0;
  std::sort(order_.begin() + static_cast<std::ptrdiff_t>(first), order_.begin() + static_cast<std::ptrdiff_t>(last),
            [&](std::uint32_t a, std::uint32_t b) {
              look_at_limits(limits_, compared++);
              return key(a) < key(b);
            });
}

// What the rows of a line have in common: their packet, or its target and part.
std::uint64_t Messages::line_of(ChunkId chunk, bool joins) const {
  if (!joins) return chunk.value;
  const ChunkName name = table_.collective.name(chunk);
  return std::uint64_t{name.part} * table_.fabric.processors() + *name.target;
}

bool Messages::read_lines(const StepRows& batch, std::size_t first, std::size_t last, bool joins) {
  CheckedMessage message;
  message.first = first;
  message.first_end = ends_.size();
  message.first_start = starts_.size();
  message.first_inward = inwards_.size();
  const auto line_at = [&](std::size_t place) { return line_of(batch.rows[order_[place]].chunk, joins); };
  std::size_t end = first;
  while (end < last && line_at(end) == line_at(first)) ++end;
  message.channels = static_cast<std::uint32_t>(end - first);
  if ((last - first) % message.channels != 0) return false;
  message.chunks = static_cast<std::uint32_t>((last - first) / message.channels);
  if (!alike(batch, message, joins) || !follow_routes(batch, message, joins)) {
    ends_.resize(message.first_end);
    starts_.resize(message.first_start);
    inwards_.resize(message.first_inward);
    return false;
  }
  messages_.push_back(message);
  return true;
}

// Whether every line crosses the first one's channels, on the same lanes, each once.
bool Messages::alike(const StepRows& batch, const CheckedMessage& message, bool joins) const {
  const auto row_at = [&](std::size_t line, std::size_t channel) -> const Row& {
    return batch.rows[order_[message.first + line * message.channels + channel]];
  };
  for (std::size_t c = 1; c < message.channels; ++c) {
    if (row_at(0, c).channel == row_at(0, c - 1).channel) return false;
  }
  for (std::size_t k = 1; k < message.chunks; ++k) {
    const std::uint64_t line = line_of(row_at(k, 0).chunk, joins);
    if (line == line_of(row_at(k - 1, 0).chunk, joins)) return false;
    for (std::size_t c = 0; c < message.channels; ++c) {
      const Row& row = row_at(k, c);
      const Row& other = row_at(0, c);
      if (line_of(row.chunk, joins) != line || row.channel != other.channel || row.lane != other.lane) return false;
    }
  }
  return true;
}

// Whether the channels are a path, or a tree where that may be: from one root, each node entered once, all reached.
bool Messages::follow_routes(const StepRows& batch, CheckedMessage& message, bool joins) {
  path_channels_.clear();
  const auto path = rows(message).first(message.channels);
  for (std::uint32_t at = 0; at < message.channels; ++at) {
    const Channel& channel = table_.fabric.channel(batch.rows[path[at]].channel);
    path_channels_.push_back({joins ? channel.to : channel.from, joins ? channel.from : channel.to, at, 0});
  }
  const auto by_to = [](const PathChannel& a, const PathChannel& b) { return a.to < b.to; };
  std::sort(path_channels_.begin(), path_channels_.end(), by_to);
  const auto entered_twice = [](const PathChannel& a, const PathChannel& b) { return a.to == b.to; };
  if (std::adjacent_find(path_channels_.begin(), path_channels_.end(), entered_twice) != path_channels_.end())
    return false;
  std::uint32_t roots = 0;
  NodeId root;
  for (const PathChannel& path_channel : path_channels_) {
    const bool entered = std::binary_search(path_channels_.begin(), path_channels_.end(),
                                            PathChannel{{}, path_channel.from, 0, 0}, by_to);
    if (entered) continue;
    if (roots > 0 && root == path_channel.from) continue;  // it branches; judged below
    ++roots;
    root = path_channel.from;
  }
  if (roots != 1) return false;
  std::sort(path_channels_.begin(), path_channels_.end(),
            [](const PathChannel& a, const PathChannel& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  const bool trees = !table_.collective.combining() && !table_.fabric.switches_forward();
  for (std::size_t i = 1; i < path_channels_.size(); ++i) {
    const bool branches = path_channels_[i].from == path_channels_[i - 1].from;
    if (branches && ((!trees && !joins) || table_.fabric.is_processor(path_channels_[i].from))) return false;
  }
  return reach_all(root, message, joins);
}

// Walks the tree from its root, which must reach every channel; notes the senders, the receivers and the longest way.
bool Messages::reach_all(NodeId root, CheckedMessage& message, bool joins) {
  const auto out_of = [&](NodeId node) {
    return std::equal_range(path_channels_.begin(), path_channels_.end(), PathChannel{node, {}, 0, 0},
                            [](const PathChannel& a, const PathChannel& b) { return a.from < b.from; });
  };
  std::vector<PathChannel*> reached;
  const auto enter = [&](NodeId node, std::uint32_t depth) {
    const auto [begin, end] = out_of(node);
    for (auto path_channel = begin; path_channel != end; ++path_channel) {
      path_channel->depth = depth;
      reached.push_back(&*path_channel);
    }
    return static_cast<std::size_t>(end - begin);
  };
  const std::size_t at_root = enter(root, 1);
  std::vector<std::uint32_t>& roots = joins ? ends_ : starts_;
  std::vector<std::uint32_t>& leaves = joins ? starts_ : ends_;
  roots.push_back(reached.front()->at);
  std::uint32_t leaf_count = 0;
  for (std::size_t i = 0; i < reached.size() && reached.size() <= message.channels; ++i) {
    const PathChannel path_channel = *reached[i];
    message.longest = std::max(message.longest, path_channel.depth);
    if (enter(path_channel.to, path_channel.depth + 1) > 0) continue;
    leaves.push_back(path_channel.at);
    ++leaf_count;
  }
  if (reached.size() != message.channels) return false;
  message.starts = joins ? leaf_count : 1;
  message.ends = joins ? 1 : leaf_count;
  if (!joins) return true;
  for (std::size_t i = reached.size(); i-- > 0;) inwards_.push_back(reached[i]->at);
  return at_root == 1 && leaf_count > 1;
}

void Messages::add_single(std::size_t place) {
  CheckedMessage message;
  message.chunks = message.channels = message.longest = message.ends = message.starts = 1;
  message.first = place;
  message.first_end = ends_.size();
  message.first_start = starts_.size();
  messages_.push_back(message);
  ends_.push_back(0);
  starts_.push_back(0);
}

void Messages::add_moves(const StepRows& batch, const CheckedMessage& message) {
  const auto rows = this->rows(message);
  const std::uint32_t first = starts(message).front();
  for (std::uint32_t line = 0; line < message.chunks; ++line) {
    for (const std::uint32_t end : ends(message)) {
      look_at_limits(limits_, moves_.size());
      const std::size_t line_begin = std::size_t{line} * message.channels;
      const std::uint32_t index = rows[line_begin + end];
      const std::uint32_t first_row = rows[line_begin + first];
      const Row& row = batch.rows[index];
      moves_.push_back({table_.fabric.channel(batch.rows[first_row].channel).from,
                        table_.fabric.channel(row.channel).to, row.channel, row.lane, row.chunk, index, first_row,
                        message.joins() ? &message : nullptr, line});
    }
  }
}

}  // namespace quadrille::checker
