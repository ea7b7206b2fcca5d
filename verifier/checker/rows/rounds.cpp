// Idea: list which message is on which lane, sort by channel and lane, and judge each run. Lists as long as what the
// round has, so that a large fabric costs nothing.
//
//   held paths, channel 0->1 of capacity 1: messages 0->1 and 0->2 by way of 1 in one round are two on one lane, a
//   violation of contention_free and one of capacity; shared paths: a load of 2, and a volume of 2
//
// Cost: r log r for a round of r rows.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "verifier/checker/rows/row_rules.h"

namespace quadrille::checker {
namespace {

// Calls visit(run) for each run of elements that are alike.
template <class Element, class Alike, class Visit>
void each_run(std::span<const Element> all, const Alike& alike, const Visit& visit) {
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first + 1;
    while (last < all.size() && alike(all[first], all[last])) ++last;
    visit(all.subspan(first, last - first));
    first = last;
  }
}

}  // namespace

Rounds::Rounds(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits)
    : table_(table), findings_(findings), limits_(limits), share_(budget) {
  if (table.fabric.rules().paths == Paths::shared) load_ = Fraction();
}

void Rounds::step(const StepRows& batch, const Messages& messages) {
  if (batch.rows.size() > uses_.capacity()) {
    share_.add((batch.rows.size() - uses_.capacity()) * (sizeof(Use) + 2 * sizeof(Port) + sizeof(CarriedRow)));
    uses_.reserve(batch.rows.size());
  }
  list_uses(batch, messages);
  judge_lanes(batch);
  const Rules& rules = table_.fabric.rules();
  if (rules.paths == Paths::held && rules.duplex == Duplex::half) judge_links(batch);
  if (rules.ports == Ports::single) judge_ports(batch, messages);
  std::uint64_t longest_path = 0;
  for (const CheckedMessage& message : messages.all()) {
    longest_path = std::max<std::uint64_t>(longest_path, message.longest);
    const auto sent_by_processor = [&](std::uint32_t start) {
      return table_.fabric.is_processor(sender(batch, messages.path(message)[start]));
    };
    sent_ += std::ranges::any_of(messages.starts(message), sent_by_processor) ? 1 : 0;
  }
  hops_ += longest_path;
  if (rules.paths == Paths::shared) return add_loads(batch);
  volume_ += longest(messages);
}

void Rounds::list_uses(const StepRows& batch, const Messages& messages) {
  uses_.clear();
  for (std::uint32_t number = 0; number < messages.all().size(); ++number) {
    for (const std::uint32_t index : messages.path(messages.all()[number])) {
      const Row& row = batch.rows[index];
      uses_.push_back({row.channel, row.lane, number, index});
    }
  }
  std::sort(uses_.begin(), uses_.end(), [&](const Use& a, const Use& b) {
    look_while_sorting();
    return std::tie(a.channel, a.lane, a.message) < std::tie(b.channel, b.lane, b.message);
  });
}

// Rows out of their channel's range are counted one by one, whatever message they are of.
void Rounds::judge_lanes(const StepRows& batch) {
  for (std::size_t index = 0; index < batch.rows.size(); ++index) {
    const Row& row = batch.rows[index];
    const std::uint32_t capacity = table_.fabric.channel(row.channel).capacity;
    if (row.lane.value < capacity) continue;
    findings_.add(Property::well_formed, batch.step.value, [&] {
      std::string text = fmt::format("lane {} of channel {} does not exist: its capacity is {} ({})", row.lane.value,
                                     table_.fabric.name(row.channel), capacity, table_.collective.label(row.chunk));
      return BlamedViolation{
          {.step = batch.step, .channel = row.channel, .chunk = row.chunk, .message = std::move(text)},
          RowPlace{batch.step, index}};
    });
  }
  if (table_.fabric.rules().paths == Paths::shared) return;
  const std::span<const Use> uses(uses_);
  each_run(
      uses, [](const Use& a, const Use& b) { return a.channel == b.channel; },
      [&](std::span<const Use> of_channel) {
        each_run(
            of_channel, [](const Use& a, const Use& b) { return a.lane == b.lane; },
            [&](std::span<const Use> of_lane) { judge_lane(batch, of_lane); });
        judge_channel(batch, of_channel);
      });
}

void Rounds::judge_lane(const StepRows& batch, std::span<const Use> uses) {
  if (uses.size() < 2) return;
  findings_.add(Property::contention_free, batch.step.value, [&] {
    const Row& latest = batch.rows[uses.back().row];
    std::string text =
        fmt::format("lane {} of channel {} is on the paths of {} messages in round {}: {} and {}", latest.lane.value,
                    table_.fabric.name(latest.channel), uses.size(), batch.step.value,
                    table_.collective.label(batch.rows[uses.front().row].chunk), table_.collective.label(latest.chunk));
    return BlamedViolation{
        {.step = batch.step, .channel = latest.channel, .chunk = latest.chunk, .message = std::move(text)},
        RowPlace{batch.step, uses.back().row}};
  });
}

void Rounds::judge_channel(const StepRows& batch, std::span<const Use> uses) {
  const ChannelId channel = uses.front().channel;
  const std::uint32_t capacity = table_.fabric.channel(channel).capacity;
  if (uses.size() <= capacity) return;
  findings_.add(Property::capacity, batch.step.value, [&] {
    std::string text = fmt::format("channel {} of capacity {} is on the paths of {} messages in round {}",
                                   table_.fabric.name(channel), capacity, uses.size(), batch.step.value);
    return BlamedViolation{{.step = batch.step, .channel = channel, .message = std::move(text)},
                           RowPlace{batch.step, uses.back().row}};
  });
}

// Half duplex: both ways of a link together, if neither alone is too much. Judged once, at the way of the lower number
// if that has messages.
void Rounds::judge_links(const StepRows& batch) {
  const Fabric& fabric = table_.fabric;
  const auto uses_of = [&](ChannelId channel) {
    const auto [begin, end] = std::equal_range(uses_.begin(), uses_.end(), Use{channel, {}, 0, 0},
                                               [](const Use& a, const Use& b) { return a.channel < b.channel; });
    return std::span<const Use>(begin, end);
  };
  const auto judge = [&](std::span<const Use> one_way) {
    const ChannelId channel = one_way.front().channel;
    const auto back = fabric.reverse(channel);
    if (!back) return;
    const std::span<const Use> other_way = uses_of(*back);
    if (*back < channel && !other_way.empty()) return;
    const ChannelId low = std::min(channel, *back);
    const std::uint32_t capacity = fabric.channel(low).capacity;
    const std::size_t both = one_way.size() + other_way.size();
    const bool alone =
        one_way.size() > fabric.channel(channel).capacity || other_way.size() > fabric.channel(*back).capacity;
    if (alone || both <= capacity) return;
    findings_.add(Property::capacity, batch.step.value, [&] {
      std::string text =
          fmt::format("the half-duplex link {} of capacity {} is on the paths of {} messages in round {}, both ways",
                      fabric.name(low), capacity, both, batch.step.value);
      const std::uint32_t other_row = other_way.empty() ? 0 : other_way.back().row;
      return BlamedViolation{{.step = batch.step, .channel = low, .message = std::move(text)},
                             RowPlace{batch.step, std::max(one_way.back().row, other_row)}};
    });
  };
  each_run(
      std::span<const Use>(uses_), [](const Use& a, const Use& b) { return a.channel == b.channel; }, judge);
}

void Rounds::judge_ports(const StepRows& batch, const Messages& messages) {
  ports_.clear();
  for (const CheckedMessage& message : messages.all()) {
    const auto path = messages.path(message);
    for (const std::uint32_t start : messages.starts(message)) {
      const NodeId from = sender(batch, path[start]);
      if (table_.fabric.is_processor(from)) ports_.push_back({from, false, path[start]});
    }
    for (const std::uint32_t end : messages.ends(message)) {
      const NodeId to = table_.fabric.channel(batch.rows[path[end]].channel).to;
      if (table_.fabric.is_processor(to)) ports_.push_back({to, true, path[end]});
    }
  }
  std::sort(ports_.begin(), ports_.end(), [&](const Port& a, const Port& b) {
    look_while_sorting();
    return std::tie(a.processor, a.receives, a.row) < std::tie(b.processor, b.receives, b.row);
  });
  each_run(
      std::span<const Port>(ports_), [](const Port& a, const Port& b) { return a.processor == b.processor; },
      [&](std::span<const Port> ports) { judge_processor(batch, ports); });
}

void Rounds::judge_processor(const StepRows& batch, std::span<const Port> ports) {
  const auto received = static_cast<std::size_t>(std::ranges::count_if(ports, &Port::receives));
  const std::size_t sent = ports.size() - received;
  const auto add = [&](const Port& blamed, const std::string& what) {
    findings_.add(Property::capacity, batch.step.value, [&] {
      std::string text = fmt::format("processor {} {} in round {}", blamed.processor.value, what, batch.step.value);
      return BlamedViolation{{.step = batch.step, .node = blamed.processor, .message = std::move(text)},
                             RowPlace{batch.step, blamed.row}};
    });
  };
  if (sent > 1) add(ports[sent - 1], fmt::format("with a single port sends {} messages", sent));
  if (received > 1) add(ports.back(), fmt::format("with a single port receives {} messages", received));
  if (table_.fabric.rules().duplex == Duplex::half && sent == 1 && received == 1) {
    add(ports.back(), "with a single half-duplex port both sends and receives");
  }
}

std::uint64_t Rounds::longest(const Messages& messages) const {
  std::uint64_t result = 0;
  for (const CheckedMessage& message : messages.all()) result = std::max<std::uint64_t>(result, message.chunks);
  return result;
}

// The channel, or half-duplex link, with the most on it: in whole turns of its lanes, and exactly.
void Rounds::add_loads(const StepRows& batch) {
  const Fabric& fabric = table_.fabric;
  const bool half = fabric.rules().duplex == Duplex::half;
  carried_.clear();
  for (const Row& row : batch.rows) {
    const auto back = half ? fabric.reverse(row.channel) : std::nullopt;
    carried_.push_back({back ? std::min(row.channel, *back) : row.channel, row.channel});
  }
  std::sort(carried_.begin(), carried_.end(), [&](const CarriedRow& a, const CarriedRow& b) {
    look_while_sorting();
    return a < b;
  });
  std::uint64_t turns = 0;
  std::optional<Fraction> most = Fraction();
  const auto on_link = [&](std::span<const CarriedRow> of_link) {
    const std::uint64_t capacity = fabric.channel(of_link.front().link).capacity;
    turns = std::max(turns, (of_link.size() + capacity - 1) / capacity);
    std::optional<Fraction> load = Fraction();
    each_run(
        of_link, [](const CarriedRow& a, const CarriedRow& b) { return a.channel == b.channel; },
        [&](std::span<const CarriedRow> rows) {
          if (load) load = sum(*load, Fraction(rows.size(), fabric.channel(rows.front().channel).capacity));
        });
    most = most && load ? std::optional(std::max(*most, *load)) : std::nullopt;
  };
  each_run(
      std::span<const CarriedRow>(carried_), [](const CarriedRow& a, const CarriedRow& b) { return a.link == b.link; },
      on_link);
  volume_ += turns;
  load_ = load_ && most ? sum(*load_, *most) : std::nullopt;
}

}  // namespace quadrille::checker
