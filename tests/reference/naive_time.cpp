// Every row or message looks at all before it.
#include "tests/reference/naive_time.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/reference/round_messages.h"

namespace quadrille::reference {
namespace {

// What a chunk of one byte takes on a channel.
class Speeds {
 public:
  Speeds(const Fabric& fabric, const TransferCosts& costs) : costs_(costs), speeds_(fabric.link_speeds()) {}

  double chunk(ChannelId channel) const {
    const auto bandwidth = speeds_.empty() ? std::nullopt : speeds_[channel.value].bandwidth;
    return bandwidth ? 1 / static_cast<double>(*bandwidth) : costs_.byte;
  }
  double hop(ChannelId channel) const {
    const auto latency = speeds_.empty() ? std::nullopt : speeds_[channel.value].latency;
    return latency ? static_cast<double>(*latency) / 1e12 : costs_.hop;
  }

 private:
  TransferCosts costs_;
  std::vector<LinkSpeed> speeds_;
};

struct Leaving {
  NodeId node;
  ChunkId chunk;
  std::vector<std::uint32_t> words = {};  // those that it is made of, if its row says
};

struct Arriving {
  NodeId node;
  ChunkId chunk;
  Arrival arrival = Arrival::joined;
};

// A row of a table in steps, or a message: from whom, whereto, and what it uses.
struct Item {
  std::uint32_t step = 0;
  std::vector<Leaving> leaves;
  std::vector<Arriving> arrives;
  std::vector<std::pair<ChannelId, std::uint32_t>> ways;  // with lanes
  std::uint64_t length = 1;
  double end = 0;       // when it has arrived
  double released = 0;  // when its lanes and ports are free
};

// In the table's order: by step, channel, lane and packet.
std::vector<Item> items_of_rows(const SendTable& table) {
  std::vector<Item> items;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    const auto first = static_cast<std::ptrdiff_t>(items.size());
    for (std::size_t i = 0; i < batch->rows.size(); ++i) {
      const Row& row = batch->rows[i];
      const Channel& channel = table.fabric.channel(row.channel);
      const ReductionUse use = batch->uses.empty() ? ReductionUse{} : batch->uses[i];
      items.push_back({batch->step.value,
                       {{channel.from, row.chunk, use.sent}},
                       {{channel.to, row.chunk, use.arrival}},
                       {{row.channel, row.lane.value}}});
    }
    std::stable_sort(items.begin() + first, items.end(), [](const Item& a, const Item& b) {
      return std::tie(a.ways.front(), a.leaves.front().chunk) < std::tie(b.ways.front(), b.leaves.front().chunk);
    });
  }
  return items;
}

std::vector<Item> items_of_messages(const SendTable& table) {
  std::vector<Item> items;
  for (const RoundMessage& message : messages_of(table).all) {
    Item item{message.round, {}, {}, {message.ways.begin(), message.ways.end()}, message.length};
    for (const auto& [key, use] : message.words) {
      const Channel& channel = table.fabric.channel(key.second);
      const auto ends = [&](const auto& end) { return end.receiver == channel.to; };
      if (message.senders.contains(channel.from)) item.leaves.push_back({channel.from, key.first, use.sent});
      if (std::any_of(message.ends.begin(), message.ends.end(), ends))
        item.arrives.push_back({channel.to, key.first, use.arrival});
    }
    items.push_back(item);
  }
  return items;
}

double slowest_path(const Fabric& fabric, const Speeds& speeds, const Item& item) {
  std::map<NodeId, double> reached;
  for (std::size_t pass = 0; pass < item.ways.size(); ++pass) {
    for (const auto& [channel, lane] : item.ways) {
      const Channel& it = fabric.channel(channel);
      reached[it.to] = std::max(reached[it.to], reached[it.from] + speeds.hop(channel));
    }
  }
  double slowest = 0;
  for (const auto& [node, way] : reached) slowest = std::max(slowest, way);
  return slowest;
}

// Every item looks at all before it, in the table's order. No half duplex of several lanes, where any of them serves.
class NaiveTime {
 public:
  NaiveTime(const SendTable& table, const TransferCosts& costs)
      : fabric_(table.fabric),
        collective_(table.collective),
        costs_(costs),
        speeds_(table.fabric, costs),
        items_(!table.fabric.in_rounds() ? items_of_rows(table) : items_of_messages(table)) {}

  double seconds() {
    double end = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      run(i);
      end = std::max(end, items_[i].end);
    }
    return end;
  }

 private:
  void run(std::size_t i) {
    Item& item = items_[i];
    const bool shared = fabric_.rules().paths == Paths::shared;
    const auto length = static_cast<double>(item.length);
    double start = 0;
    for (const Leaving& leaving : item.leaves) start = std::max(start, input(i, leaving));
    for (std::size_t j = 0; j < i; ++j) {
      if (ports_meet(items_[j], item)) start = std::max(start, items_[j].released);
    }
    if (costs_.overhead > 0) start = prepared(item, start);
    for (std::size_t j = 0; !shared && j < i; ++j) {
      if (lanes_meet(items_[j], item)) start = std::max(start, items_[j].released);
    }
    double slowest = 0;
    for (const auto& [channel, lane] : item.ways) slowest = std::max(slowest, speeds_.chunk(channel));
    double through = start + costs_.start + length * slowest;
    if (shared) through = cross(item, start + costs_.start);
    item.end = through + slowest_path(fabric_, speeds_, item);
    item.released = fabric_.in_rounds() ? item.end : through;
  }

  // Each of its processors prepares one message after another.
  double prepared(const Item& item, double ready) {
    std::set<std::pair<bool, NodeId>> who;
    for (const Leaving& it : item.leaves) who.emplace(true, it.node);
    for (const Arriving& it : item.arrives) who.emplace(false, it.node);
    double done = ready;
    for (const auto& one : who) {
      if (!fabric_.is_processor(one.second)) continue;
      prepared_[one] = std::max(prepared_[one], ready) + costs_.overhead;
      done = std::max(done, prepared_[one]);
    }
    return done;
  }

  double cross(const Item& item, double ready) {
    double through = ready;
    for (const auto& [channel, lane] : item.ways) {
      double& free = free_[fabric_.rules().duplex == Duplex::half ? fabric_.link(channel) : channel];
      for (std::uint64_t chunk = 0; chunk < item.length; ++chunk) {
        free = std::max(free, ready) + speeds_.chunk(channel) / fabric_.channel(channel).capacity;
        through = std::max(through, free);
      }
    }
    return through;
  }

  bool lanes_meet(const Item& a, const Item& b) const {
    for (const auto& [channel, lane] : a.ways) {
      for (const auto& [other, other_lane] : b.ways) {
        if (channel == other && lane == other_lane) return true;
        const bool half = fabric_.rules().duplex == Duplex::half;
        if (half && fabric_.link(channel) == fabric_.link(other)) return true;  // of one lane
      }
    }
    return false;
  }

  bool ports_meet(const Item& a, const Item& b) const {
    if (fabric_.rules().ports == Ports::multi) return false;
    const auto meet = [&](const auto& some, const auto& others) {
      for (const auto& one : some) {
        for (const auto& other : others) {
          if (one.node == other.node && fabric_.is_processor(one.node)) return true;
        }
      }
      return false;
    };
    const bool half = fabric_.rules().duplex == Duplex::half;
    return meet(a.leaves, b.leaves) || meet(a.arrives, b.arrives) ||
           (half && (meet(a.leaves, b.arrives) || meet(a.arrives, b.leaves)));
  }

  bool alike(ChunkId a, ChunkId b) const {  // of one target and part
    const ChunkName one = collective_.name(a);
    const ChunkName other = collective_.name(b);
    return one.target == other.target && one.part == other.part;
  }

  double input(std::size_t i, const Leaving& leaving) const {
    const auto& [node, chunk, words] = leaving;
    const bool combining = collective_.combining();
    const bool at_switch = !fabric_.is_processor(node);
    if (combining && collective_.name(chunk).origin == node.value) {
      double time = words.empty() ? word(i, leaving, 0) : 0;
      for (const std::uint32_t number : words) time = std::max(time, word(i, leaving, number));
      return time;
    }
    if (!combining && !at_switch && collective_.starts_at(chunk, node)) return 0;
    if (at_switch && fabric_.switches_forward()) return copy(i, node, chunk);
    if (at_switch && combining && fabric_.switches_reduce()) return joined_at_switch(i, leaving);
    const bool moves = at_switch && !combining && collective_.unicast();
    std::optional<double> came;
    bool left = false;  // since it came
    for (std::size_t first = 0, next = 0; first < items_.size() && items_[first].step < items_[i].step; first = next) {
      while (next < items_.size() && items_[next].step == items_[first].step) ++next;
      for (std::size_t j = first; j < next; ++j) {
        for (const Leaving& it : items_[j].leaves) left = left || (it.node == node && it.chunk == chunk);
      }
      for (std::size_t j = first; j < next; ++j) {
        for (const Arriving& it : items_[j].arrives) {
          if (it.node != node || it.chunk != chunk) continue;
          const bool counts = combining || !came || (moves && left);
          came = counts ? items_[j].end : std::min(*came, items_[j].end);
          left = false;
        }
      }
    }
    return came.value_or(0);
  }

  // When a word of a processor is there, as far as steps before that of item i bring it: word 0 with the last that is
  // joined; of those that are kept, with the last of its step.
  double word(std::size_t i, const Leaving& leaving, std::uint32_t number) const {
    double joined = 0;
    std::vector<std::pair<std::uint32_t, double>> kept;  // step, time
    for (const Item& item : items_) {
      if (item.step >= items_[i].step) break;
      for (const Arriving& it : item.arrives) {
        const bool here = it.node == leaving.node && collective_.name(it.chunk).target == leaving.node.value;
        if (!here || collective_.value_of(it.chunk) != collective_.value_of(leaving.chunk)) continue;
        if (it.arrival == Arrival::kept) {
          kept.emplace_back(item.step, item.end);
        } else {
          joined = std::max(joined, item.end);
        }
      }
    }
    if (number == 0) return joined;
    double comes = 0;
    for (const auto& [step, time] : kept) comes = step == kept.at(number - 1).first ? std::max(comes, time) : comes;
    return comes;
  }

  // With the last that has come since something left.
  double joined_at_switch(std::size_t i, const Leaving& leaving) const {
    std::uint32_t left = 0;
    for (std::size_t j = 0; j < i; ++j) {
      for (const Leaving& other : items_[j].leaves) {
        if (other.node == leaving.node && alike(other.chunk, leaving.chunk) && items_[j].step < items_[i].step)
          left = items_[j].step;
      }
    }
    double time = 0;
    for (const Item& item : items_) {
      if (item.step >= items_[i].step) break;
      for (const Arriving& it : item.arrives) {
        if (it.node == leaving.node && alike(it.chunk, leaving.chunk) && item.step >= left)
          time = std::max(time, item.end);
      }
    }
    return time;
  }

  // As many copies have left as items before it took.
  double copy(std::size_t i, NodeId node, ChunkId chunk) const {
    const auto alike = [&](const auto& other) { return other.node == node && other.chunk == chunk; };
    std::ptrdiff_t taken = 0;
    for (std::size_t j = 0; j < i; ++j) {
      taken += std::count_if(items_[j].leaves.begin(), items_[j].leaves.end(), alike);
    }
    for (const Item& item : items_) {
      taken -= std::count_if(item.arrives.begin(), item.arrives.end(), alike);
      if (taken < 0) return item.end;
    }
    return 0;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  TransferCosts costs_;
  Speeds speeds_;
  std::vector<Item> items_;
  std::map<ChannelId, double> free_;                    // shared: by channel, when it is free
  std::map<std::pair<bool, NodeId>, double> prepared_;  // by whether it sends, and processor: when it has prepared all
};

}  // namespace

double naive_seconds(const SendTable& table, const TransferCosts& costs) { return NaiveTime(table, costs).seconds(); }

namespace {

// The most items of a step that one processor sends, or receives.
double most_of_a_processor(const Fabric& fabric, const std::vector<Item>& items, std::uint32_t step) {
  std::size_t most = 0;
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    std::size_t sent = 0, received = 0;
    for (const Item& item : items) {
      if (item.step != step) continue;
      const auto here = [&](const auto& end) { return end.node == NodeId(p); };
      sent += std::any_of(item.leaves.begin(), item.leaves.end(), here) ? 1 : 0;
      received += std::any_of(item.arrives.begin(), item.arrives.end(), here) ? 1 : 0;
    }
    most = std::max({most, sent, received});
  }
  return static_cast<double>(most);
}

}  // namespace

double naive_lock_step(const SendTable& table, const TransferCosts& costs) {
  const Speeds speeds(table.fabric, costs);
  const std::vector<Item> rows = items_of_rows(table);
  double seconds = 0;
  for (std::uint32_t step = 1; !rows.empty() && step <= rows.back().step; ++step) {
    double hop = -1;
    double chunk = -1;
    for (const Item& row : rows) {
      if (row.step != step) continue;
      hop = std::max(hop, speeds.hop(row.ways.front().first));
      chunk = std::max(chunk, speeds.chunk(row.ways.front().first));
    }
    seconds += costs.start + (hop < 0 ? costs.hop : hop) + (chunk < 0 ? costs.byte : chunk) +
               costs.overhead * most_of_a_processor(table.fabric, rows, step);
  }
  return seconds;
}

double naive_lock_step_in_rounds(const SendTable& table, const TransferCosts& costs) {
  const Fabric& fabric = table.fabric;
  const Speeds speeds(fabric, costs);
  const std::vector<Item> messages = items_of_messages(table);
  double seconds = 0;
  for (std::uint32_t round = 1; !messages.empty() && round <= messages.back().step; ++round) {
    double path = 0;
    double longest = 0;
    std::map<ChannelId, double> busy;
    for (const Item& message : messages) {
      if (message.step != round) continue;
      path = std::max(path, slowest_path(fabric, speeds, message));
      for (const auto& [channel, lane] : message.ways) {
        const double takes = static_cast<double>(message.length) * speeds.chunk(channel);
        longest = std::max(longest, takes);
        busy[fabric.rules().duplex == Duplex::half ? fabric.link(channel) : channel] +=
            takes / fabric.channel(channel).capacity;
      }
    }
    double busiest = 0;
    for (const auto& [channel, its] : busy) busiest = std::max(busiest, its);
    seconds += costs.start + path + (fabric.rules().paths == Paths::shared ? busiest : longest) +
               costs.overhead * most_of_a_processor(fabric, messages, round);
  }
  return seconds;
}

}  // namespace quadrille::reference
