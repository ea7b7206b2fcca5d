// Idea: a message's channels are followed from its receiver outwards. Each node but that one is left by one channel, so
// that they are a path if each is entered by one, and a tree whose ways join if some switches are entered by more.
//
// For example, of the rows 1->s, 2->s and s->0 in one message, 0 is the receiver; s->0 is found first, then 1->s and
// 2->s: one passage for each target and part, of three rows in the order 2->s, 1->s, s->0. Had 2->s another lane for
// one of its packets, they would be three messages of a row each. Cost: rows · log(rows).
#include "compiler/plan/held/passages.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace quadrille {
namespace {

class MessageForm {
 public:
  MessageForm(const StepRows& rows, const Fabric& fabric, const Collective& collective,
              std::span<const std::size_t> members)
      : rows_(rows), fabric_(fabric), collective_(collective), members_(members) {}

  // False if it is not well formed; then nothing is added.
  bool append_to(std::vector<Passage>& passages) {
    const bool path = list_rows([](const Row& row) { return Item(row.chunk.value, 0); }) && leads_to_one(false);
    if (!path && !joins()) return false;
    for (const auto& [item, first] : by_channel_.at(outwards_.back())) {
      Passage passage{first, by_channel_.at(outwards_.front()).at(item), {}};
      for (auto channel = outwards_.rbegin(); !path && channel != outwards_.rend(); ++channel) {
        passage.joining.push_back(by_channel_.at(*channel).at(item));
      }
      passages.push_back(std::move(passage));
    }
    return true;
  }

 private:
  using Item = std::pair<std::uint64_t, std::uint32_t>;  // a packet; where ways join, a target and a part

  bool joins() {
    if (!fabric_.switches_reduce()) return false;
    const auto target_and_part = [this](const Row& row) {
      const ChunkName name = collective_.name(row.chunk);
      return Item(name.target.value_or(0), name.part);
    };
    return list_rows(target_and_part) && leads_to_one(true);
  }

  // Whether the same items cross all channels, each once, and on one lane of each.
  template <class ItemOf>
  bool list_rows(const ItemOf& item_of) {
    by_channel_.clear();
    for (const std::size_t i : members_) {
      const Row& row = rows_.rows[i];
      std::map<Item, std::size_t>& here = by_channel_[row.channel];
      if (!here.emplace(item_of(row), i).second || rows_.rows[here.begin()->second].lane != row.lane) return false;
    }
    const auto same_item = [](const auto& a, const auto& b) { return a.first == b.first; };
    const std::map<Item, std::size_t>& first = by_channel_.begin()->second;
    return std::ranges::all_of(by_channel_,
                               [&](const auto& entry) { return std::ranges::equal(first, entry.second, same_item); });
  }

  // Whether the channels are a path, or, if ways are to join, a tree towards its one receiver. Fills outwards_.
  bool leads_to_one(bool joining) {
    std::map<NodeId, ChannelId> out;
    std::multimap<NodeId, ChannelId> into;
    for (const auto& [channel, items] : by_channel_) {
      if (!out.emplace(fabric_.channel(channel).from, channel).second) return false;
      into.emplace(fabric_.channel(channel).to, channel);
    }
    bool meet = false;
    outwards_.clear();
    for (auto [node, channel] : into) {
      const std::size_t ways = into.count(node);
      if (ways > 1 && (!joining || fabric_.is_processor(node) || !out.contains(node))) return false;
      meet = meet || ways > 1;
      if (!out.contains(node)) outwards_.push_back(channel);
    }
    if (outwards_.size() != 1 || meet != joining) return false;
    // Those that are not reached lie on a circle.
    for (std::size_t i = 0; i < outwards_.size(); ++i) {
      const auto [first, last] = into.equal_range(fabric_.channel(outwards_[i]).from);
      for (auto it = first; it != last; ++it) outwards_.push_back(it->second);
    }
    return outwards_.size() == by_channel_.size();
  }

  const StepRows& rows_;
  const Fabric& fabric_;
  const Collective& collective_;
  std::span<const std::size_t> members_;
  std::map<ChannelId, std::map<Item, std::size_t>> by_channel_;  // rows
  std::vector<ChannelId> outwards_;                              // from the receiver
};

void append_alone(const StepRows& rows, std::vector<std::size_t> members, std::vector<Passage>& passages) {
  std::ranges::stable_sort(members, {}, [&](std::size_t i) {
    const Row& row = rows.rows[i];
    return std::tuple(row.channel, row.lane, row.chunk);
  });
  for (const std::size_t i : members) passages.push_back({i, i, {}});
}

}  // namespace

std::vector<Passage> passages_of(const StepRows& rows, const Fabric& fabric, const Collective& collective) {
  std::vector<std::size_t> order(rows.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Passage> passages;
  std::vector<std::size_t> alone;
  if (rows.messages.empty()) alone.swap(order);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rows.messages[i]; });
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && rows.messages[order[end]] == rows.messages[order[begin]]) ++end;
    const auto members = std::span(order).subspan(begin, end - begin);
    if (!MessageForm(rows, fabric, collective, members).append_to(passages)) {
      alone.insert(alone.end(), members.begin(), members.end());
    }
    begin = end;
  }
  append_alone(rows, std::move(alone), passages);
  return passages;
}

}  // namespace quadrille
