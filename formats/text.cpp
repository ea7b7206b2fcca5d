// Writing rows as text: numbers by std::to_chars straight into a buffer, which goes out when it is full; the name of a
// node is formatted once, at its first row. A row of CSV is `1,0,1,0,0,1,0`: in step 1 from 0 to 1 on lane 0, the
// packet 0 -> 1, part 0. Cost: linear in the bytes written; memory, a text for each node in use.
#include "formats/text.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "formats/row_uses.h"
#include "formats/rows.h"

namespace quadrille {

namespace {

// "node," for each node, written down when it is first asked for.
class NodeTexts {
 public:
  NodeTexts(const Fabric& fabric, const RowStyle& style) : fabric_(fabric), style_(style), places_(fabric.nodes()) {}

  // Valid until the next call.
  std::string_view of(NodeId node) {
    NodeText& place = places_[node.value];
    if (place.size == 0) {
      const std::string text = style_.node(fabric_.name(node)) + ",";
      place = {texts_.size(), text.size()};
      texts_ += text;
    }
    return std::string_view(texts_).substr(place.begin, place.size);
  }

 private:
  struct NodeText {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  const Fabric& fabric_;
  const RowStyle& style_;
  std::vector<NodeText> places_;
  std::string texts_;
};

constexpr std::size_t number_size = 20;  // digits of the largest 64-bit number

char* copy(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

char* number(char* at, std::uint32_t value, char after) {
  at = std::to_chars(at, at + number_size, value).ptr;
  *at = after;
  return at + 1;
}

// The fields after the channel: lane,origin,target,part, perhaps message.
char* packet(char* at, LaneId lane, const ChunkName& name, std::string_view everyone) {
  at = number(at, lane.value, ',');
  at = number(at, name.origin, ',');
  if (name.target) {
    at = number(at, *name.target, ',');
  } else {
    at = copy(at, everyone);
    *at++ = ',';
  }
  return std::to_chars(at, at + number_size, name.part).ptr;
}

// Writes rows with two fields more, the texts of their uses, one by one: such tables are small.
Reason put_reduction_rows(const SendTable& table, const RowStyle& style, TableOutput& output) {
  std::string_view open = style.first;
  const auto put = [&](StepId step, const Row& row, std::optional<MessageId> message, const ReductionUse& use) {
    const Channel& channel = table.fabric.channel(row.channel);
    const ChunkName name = table.collective.name(row.chunk);
    const auto [sent, arrival] = use_texts(use);
    output.put(std::exchange(open, style.open));
    output.put(fmt::format("{},{},{},{},{},{},{}", step.value, style.node(table.fabric.name(channel.from)),
                           style.node(table.fabric.name(channel.to)), row.lane.value, name.origin, *name.target,
                           name.part));
    if (message) output.put(fmt::format(",{}", message->value));
    output.put(fmt::format(",{},{}{}", style.node(sent), style.node(arrival), style.close));
    return output.ok();
  };
  return each_reduction_row(table, put);
}

}  // namespace

char* TableOutput::room(std::size_t size) {
  if (used_ + size > buffer_.size()) flush();
  if (size > buffer_.size()) buffer_.resize(size);
  return buffer_.data() + used_;
}

void TableOutput::put(std::string_view text) {
  for (std::size_t done = 0; done < text.size(); done += piece) {
    const auto part = text.substr(done, piece);
    wrote(copy(room(part.size()), part));
  }
}

bool TableOutput::finish() {
  flush();
  return ok_;
}

void TableOutput::flush() {
  if (used_ > 0) ok_ = ok_ && sink_(std::string_view(buffer_.data(), used_));
  used_ = 0;
}

Reason put_rows(const SendTable& table, const RowStyle& style, TableOutput& output) {
  if (table.rows->has_partial_reductions()) return put_reduction_rows(table, style, output);
  const std::size_t around = style.first.size() + style.open.size() + style.close.size() + style.everyone.size();
  const ChannelList channels = table.fabric.all_channels();
  NodeTexts nodes(table.fabric, style);
  StepOrder order(RowBits::of(table.fabric, table.collective));
  std::string_view open = style.first;
  const auto cursor = table.rows->open();
  for (auto step = cursor->next(); step && output.ok(); step = cursor->next()) {
    char digits[number_size];
    const std::string_view step_text(digits, static_cast<std::size_t>(number(digits, step->step.value, ',') - digits));
    const StepRows sorted = order.sorted(*step);
    for (std::size_t i = 0; i < sorted.rows.size(); ++i) {
      const Row& row = sorted.rows[i];
      const Channel channel = channels[row.channel.value];
      nodes.of(channel.from);  // so that the next call adds no text
      const auto to = nodes.of(channel.to);
      const auto from = nodes.of(channel.from);
      char* at = output.room(around + from.size() + to.size() + message_fields * (number_size + 1));
      at = copy(copy(copy(copy(at, open), step_text), from), to);
      at = packet(at, row.lane, table.collective.name(row.chunk), style.everyone);
      if (!sorted.messages.empty()) {
        *at++ = ',';
        at = std::to_chars(at, at + number_size, sorted.messages[i].value).ptr;
      }
      output.wrote(copy(at, style.close));
      open = style.open;
    }
  }
  return cursor->ended_early();
}

}  // namespace quadrille
