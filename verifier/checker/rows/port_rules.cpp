// Idea: count the rows of each link and port, compare, and clear only the counters that the step has touched.
//
//   half duplex, link 0->1 of capacity 1, one row each way in step 3: 1 + 1 > 1, a violation; in steps 3 and 4: none
//
// Cost: two passes over the step's rows for each rule that the fabric has.
#include <fmt/format.h>

#include <algorithm>

#include "verifier/checker/rows/row_rules.h"

namespace quadrille::checker {

PortRules::PortRules(const SendTable& table, Findings& findings, Budget& budget)
    : table_(table),
      findings_(findings),
      share_(budget),
      half_(table.fabric.rules().duplex == Duplex::half),
      single_(table.fabric.rules().ports == Ports::single) {
  const std::size_t processors = single_ ? table.fabric.processors() : 0;
  share_.add(2 * processors * sizeof(Count) + (half_ ? PerChannel<Count>::memory(table.fabric) : 0));
  if (half_) on_channel_ = PerChannel<Count>(table.fabric);
  sent_.resize(processors);
  received_.resize(processors);
}

void PortRules::step(const StepRows& batch) {
  if (half_) judge_links(batch);
  if (single_) judge_processors(batch);
}

void PortRules::judge_links(const StepRows& batch) {
  const Fabric& fabric = table_.fabric;
  if (batch.rows.size() > most_rows_) {
    share_.add(2 * (batch.rows.size() - most_rows_) * on_channel_.memory_for_each());
    most_rows_ = batch.rows.size();
  }
  on_channel_.begin();
  for (std::size_t index = 0; index < batch.rows.size(); ++index) {
    Count& count = on_channel_[batch.rows[index].channel];
    ++count.rows;
    count.latest = static_cast<std::uint32_t>(index);
  }
  for (const Row& row : batch.rows) {
    const ChannelId low = fabric.link(row.channel);
    const auto high = fabric.reverse(low);
    Count& up = on_channel_[low];
    if (!high) {
      // The link goes one way: its lanes are its own, and Slots counts them.
      up = Count{};
      continue;
    }
    Count& down = on_channel_[*high];
    const std::uint32_t capacity = fabric.channel(low).capacity;
    // What is too much for one way alone is a violation of the channel, which Slots counts.
    const bool alone = up.rows > capacity || down.rows > fabric.channel(*high).capacity;
    if (!alone && up.rows + down.rows > capacity) {
      findings_.add(Property::capacity, batch.step.value, [&] {
        std::string text = fmt::format(
            "the half-duplex link {} of capacity {} carries {} packets in step {}: {} one way, {} the other",
            fabric.name(low), capacity, up.rows + down.rows, batch.step.value, up.rows, down.rows);
        return BlamedViolation{{.step = batch.step, .channel = low, .message = std::move(text)},
                               RowPlace{batch.step, std::max(up.latest, down.latest)}};
      });
    }
    // So each link is judged at its first row only.
    up = down = Count{};
  }
}

void PortRules::judge_processors(const StepRows& batch) {
  const Fabric& fabric = table_.fabric;
  for (std::size_t index = 0; index < batch.rows.size(); ++index) {
    const Channel& channel = fabric.channel(batch.rows[index].channel);
    if (fabric.is_processor(channel.from)) {
      Count& sent = sent_[channel.from.value];
      sent = {sent.rows + 1, static_cast<std::uint32_t>(index)};
    }
    if (fabric.is_processor(channel.to)) {
      Count& received = received_[channel.to.value];
      received = {received.rows + 1, static_cast<std::uint32_t>(index)};
    }
  }
  for (const Row& row : batch.rows) {
    const Channel& channel = fabric.channel(row.channel);
    if (fabric.is_processor(channel.from)) judge_processor(batch, channel.from);
    if (fabric.is_processor(channel.to)) judge_processor(batch, channel.to);
  }
}

// Judges and clears the processor's two counts; cleared ones are in order.
void PortRules::judge_processor(const StepRows& batch, NodeId processor) {
  Count& sent = sent_[processor.value];
  Count& received = received_[processor.value];
  const auto add = [&](std::uint32_t latest, const std::string& what) {
    findings_.add(Property::capacity, batch.step.value, [&] {
      std::string text = fmt::format("processor {} {} in step {}", processor.value, what, batch.step.value);
      return BlamedViolation{{.step = batch.step, .node = processor, .message = std::move(text)},
                             RowPlace{batch.step, latest}};
    });
  };
  if (sent.rows > 1) add(sent.latest, fmt::format("with a single port sends {} packets", sent.rows));
  if (received.rows > 1) add(received.latest, fmt::format("with a single port receives {} packets", received.rows));
  if (half_ && sent.rows == 1 && received.rows == 1) {
    add(std::max(sent.latest, received.latest), "with a single half-duplex port both sends and receives");
  }
  sent = received = Count{};
}

}  // namespace quadrille::checker
