// A message's rows name every chunk on every channel. Sorted by chunk, then channel, they are lines that must name
// the same channels and lanes. For example, two chunks from 0 over switch 4 to 1 are four rows, and one message with
// two hops and two lines.
//
// The channels must be a tree. It is walked from its root, the one node that no channel enters: the sender. If paths
// join in switches, the root is the receiver, all channels are seen in the opposite direction, and a line is what
// joins: the rows of one target and part. Cost: for a round of r rows, r log r.
#include "motion/step_messages.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace quadrille {

StepMessages::StepMessages(const Fabric& fabric, const Collective& collective, Work& work, bool in_order)
    : fabric_(fabric),
      collective_(collective),
      work_(work),
      sorted_(in_order || fabric.in_rounds() || collective.combining() || fabric.switches_forward()),
      order_(&work),
      alone_(&work),
      ill_formed_(&work),
      extents_(&work),
      hops_(&work),
      from_(&work),
      to_(&work),
      rows_(&work),
      inwards_(&work),
      links_(&work),
      entered_(&work),
      open_(&work),
      messages_(&work) {}

std::span<const Message> StepMessages::read(const StepRows& batch) {
  drop_to({});
  extents_.clear();
  alone_.clear();
  ill_formed_.clear();
  order_.resize(batch.rows.size());
  std::iota(order_.begin(), order_.end(), 0U);
  if (!batch.messages.empty()) {
    divide(batch);
  } else {
    alone_ = order_;
  }
  if (sorted_) {
    const auto key = [&](std::uint32_t at) {
      const Row& row = batch.rows[at];
      return std::tuple(row.channel, row.lane, row.chunk, batch.messages.empty() ? MessageId{} : batch.messages[at],
                        at);
    };
    std::sort(alone_.begin(), alone_.end(), [&](std::uint32_t a, std::uint32_t b) {
      work_.spend(1);
      return key(a) < key(b);
    });
  }
  for (const std::uint32_t row : alone_) add_row(batch, row);
  make_messages();
  return messages_;
}

// Each run of one message number is a message.
void StepMessages::divide(const StepRows& batch) {
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    work_.spend(1);
    return std::tie(batch.messages[a], a) < std::tie(batch.messages[b], b);
  });
  for (std::size_t first = 0; first < order_.size();) {
    std::size_t last = first + 1;
    while (last < order_.size() && batch.messages[order_[last]] == batch.messages[order_[first]]) ++last;
    const std::span<std::uint32_t> rows = std::span(order_).subspan(first, last - first);
    if (!add_message(batch, rows)) {
      ill_formed_.push_back(rows.front());
      alone_.insert(alone_.end(), rows.begin(), rows.end());
    }
    first = last;
  }
}

void StepMessages::add_row(const StepRows& batch, std::uint32_t at) {
  extents_.push_back(here());
  const Row& row = batch.rows[at];
  const Channel& channel = fabric_.channel(row.channel);
  hops_.push_back({row.channel, row.lane});
  from_.push_back({channel.from, 0});
  to_.push_back({channel.to, 0});
  rows_.push_back(at);
  inwards_.push_back(0);
}

// False if it is not well formed.
bool StepMessages::add_message(const StepRows& batch, std::span<std::uint32_t> rows) {
  const bool join = collective_.combining() && fabric_.switches_reduce();
  for (const Grows grows : {Grows::from_sender, Grows::from_receiver}) {
    if (grows == Grows::from_receiver && !join) break;
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      work_.spend(1);
      const Row& one = batch.rows[a];
      const Row& other = batch.rows[b];
      return std::tuple(line_of(one.chunk, grows), one.channel, one.lane, a) <
             std::tuple(line_of(other.chunk, grows), other.channel, other.lane, b);
    });
    extents_.push_back(here());
    if (lines_alike(batch, rows, grows) && follow(grows)) {
      rows_.insert(rows_.end(), rows.begin(), rows.end());
      return true;
    }
    drop_to(extents_.back());
    extents_.pop_back();
  }
  return false;
}

// What all rows of a line have in common: their packet; or its target and part.
std::uint64_t StepMessages::line_of(ChunkId chunk, Grows grows) const {
  if (grows == Grows::from_sender) return chunk.value;
  const ChunkName name = collective_.name(chunk);
  return std::uint64_t{name.part} * fabric_.processors() + *name.target;
}

// Whether all lines name the same channels and lanes, each channel once; these are noted.
bool StepMessages::lines_alike(const StepRows& batch, std::span<const std::uint32_t> rows, Grows grows) {
  const auto line = [&](std::size_t i) { return line_of(batch.rows[rows[i]].chunk, grows); };
  std::size_t width = 0;
  while (width < rows.size() && line(width) == line(0)) ++width;
  if (rows.size() % width != 0) return false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    work_.spend(1);
    const Row& row = batch.rows[rows[i]];
    const Row& first = batch.rows[rows[i % width]];
    if (row.channel != first.channel || row.lane != first.lane) return false;
    if (i % width > 0 && line(i) != line(i - 1)) return false;
    if (i % width == 0 && i > 0 && line(i) == line(i - 1)) return false;
    if (i > 0 && i < width && row.channel == batch.rows[rows[i - 1]].channel) return false;
    if (i < width) hops_.push_back({row.channel, row.lane});
  }
  extents_.back().packets = static_cast<std::uint32_t>(rows.size() / width);
  return true;
}

// Whether the channels noted last are a tree as it may be; notes its ends.
bool StepMessages::follow(Grows grows) {
  links_.clear();
  const std::size_t first = extents_.back().hops;
  for (std::size_t i = first; i < hops_.size(); ++i) {
    const Channel& channel = fabric_.channel(hops_[i].channel);
    const auto at = static_cast<std::uint32_t>(i - first);
    if (grows == Grows::from_sender) {
      links_.push_back({channel.from, channel.to, at, 1});
    } else {
      links_.push_back({channel.to, channel.from, at, 1});
    }
  }
  std::sort(links_.begin(), links_.end(), [](const Link& a, const Link& b) { return a.near < b.near; });
  NodeId root;
  return root_of(grows, root) && walk(grows, root);
}

// The one node that no link enters, if there is one; each other node is entered once, and ways part only where they
// may.
bool StepMessages::root_of(Grows grows, NodeId& root) {
  entered_.clear();
  for (const Link& link : links_) entered_.push_back(link.far);
  std::sort(entered_.begin(), entered_.end());
  if (std::adjacent_find(entered_.begin(), entered_.end()) != entered_.end()) return false;
  const bool trees = !collective_.combining() && !fabric_.switches_forward();
  const bool may_part = grows == Grows::from_receiver || trees;
  std::uint32_t roots = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const NodeId near = links_[i].near;
    const bool parts = i > 0 && links_[i - 1].near == near;
    if (parts && (!may_part || fabric_.is_processor(near))) return false;
    if (parts || std::binary_search(entered_.begin(), entered_.end(), near)) continue;
    root = near;
    ++roots;
  }
  return roots == 1;
}

// From the root along all links, which it must reach.
bool StepMessages::walk(Grows grows, NodeId root) {
  Extent& extent = extents_.back();
  open_.clear();
  const auto enter = [&](NodeId node, std::uint32_t depth) {
    auto link =
        std::lower_bound(links_.begin(), links_.end(), node, [](const Link& a, NodeId b) { return a.near < b; });
    const std::size_t before = open_.size();
    for (; link != links_.end() && link->near == node; ++link) {
      link->depth = depth;
      open_.push_back(&*link);
    }
    return open_.size() - before;
  };
  auto& roots = grows == Grows::from_sender ? from_ : to_;
  auto& leaves = grows == Grows::from_sender ? to_ : from_;
  const std::size_t first_leaf = leaves.size();
  const std::size_t parts_at_once = enter(root, 1);
  roots.push_back({root, open_.front()->hop});
  for (std::size_t i = 0; i < open_.size(); ++i) {
    work_.spend(1);
    const Link link = *open_[i];
    extent.longest = std::max(extent.longest, link.depth);
    if (enter(link.far, link.depth + 1) == 0) leaves.push_back({link.far, link.hop});
  }
  if (open_.size() != links_.size()) return false;
  for (std::size_t i = open_.size(); i-- > 0;) inwards_.push_back(open_[i]->hop);
  std::sort(leaves.begin() + static_cast<std::ptrdiff_t>(first_leaf), leaves.end(),
            [](const Message::End& a, const Message::End& b) { return a.hop < b.hop; });
  // What joins comes from several, and by one channel to its receiver.
  return grows == Grows::from_sender || (parts_at_once == 1 && leaves.size() - first_leaf > 1);
}

StepMessages::Extent StepMessages::here() const {
  return {hops_.size(), from_.size(), to_.size(), rows_.size(), inwards_.size()};
}

void StepMessages::drop_to(const Extent& extent) {
  hops_.resize(extent.hops);
  from_.resize(extent.from);
  to_.resize(extent.to);
  rows_.resize(extent.rows);
  inwards_.resize(extent.inwards);
}

void StepMessages::make_messages() {
  messages_.clear();
  extents_.push_back(here());
  for (std::size_t i = 0; i + 1 < extents_.size(); ++i) {
    const Extent& now = extents_[i];
    const Extent& next = extents_[i + 1];
    const auto piece = [](const auto& all, std::size_t first, std::size_t last) {
      return std::span(all).subspan(first, last - first);
    };
    messages_.push_back({piece(hops_, now.hops, next.hops), piece(from_, now.from, next.from),
                         piece(to_, now.to, next.to), piece(rows_, now.rows, next.rows),
                         piece(inwards_, now.inwards, next.inwards), now.packets, now.longest});
  }
}

}  // namespace quadrille
