// Most texts have their rows in order of steps, as writers put them. Such rows are kept as a binary table has them: 8
// bytes each, step after step, and an index of the steps. A step's rows are put in order when the next one begins;
// where one does not fit into 8 bytes (a lane that does not exist, say), all of its step take 16. The first row of an
// earlier step spills all of them into a list that is sorted in the end. Cost: linear in the rows, or a sort of them.
#include "formats/row_list.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>
#include <utility>

#include "formats/packed_rows.h"

namespace quadrille {
namespace {

constexpr std::size_t words_of_row = sizeof(Row) / sizeof(std::uint64_t);

auto place_of(const Row& row) { return std::tuple(row.channel, row.lane, row.chunk); }

// The indices of the rows, in the order of their keys and then of their messages.
template <class KeyAt>
std::vector<std::size_t> order_of(std::size_t count, const std::vector<MessageId>& messages, const KeyAt& key_at) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(key_at(a), messages[a]) < std::tuple(key_at(b), messages[b]);
  });
  return order;
}

template <class Value>
void permute(Value* values, const std::vector<std::size_t>& order) {
  const std::vector<Value> before(values, values + order.size());
  for (std::size_t i = 0; i < order.size(); ++i) values[i] = before[order[i]];
}

}  // namespace

RowList::RowList(const Limits& limits, std::uint64_t memory, RowBits bits, std::uint64_t rows)
    : pulse_(limits), memory_(memory), bits_(bits) {
  packed_.words.reserve(std::min(rows, memory / 2 / sizeof(std::uint64_t)));
}

Reason RowList::add_any(const StoredRows::StepRow& row, std::optional<MessageId> message) {
  if (!spilled_ && row.step.value < step_) spill();
  if (spilled_) return keep(row, message);
  if (!room(1)) return Reason::limit;
  if (row.step.value != step_) begin_step(row.step);
  put(row.row, message);
  return pulse_.reached() ? pulse_.reason() : Reason::none;
}

// Whether memory holds so many more rows. While the list grows there are both the old and the new one.
bool RowList::room(std::size_t rows) {
  const std::size_t words = packed_.words.size() + rows * words_of_row;
  return words <= packed_.words.capacity() || words <= memory_ / (4 * sizeof(std::uint64_t));
}

void RowList::begin_step(StepId step) {
  end_step();
  step_ = step.value;
  begin_ = packed_.words.size();
  plain_ = !bits_.usable();
  sorted_ = true;
}

void RowList::put(const Row& row, std::optional<MessageId> message) {
  auto& words = packed_.words;
  if (!plain_ && !bits_.fits(row)) make_plain();
  if (plain_) {
    words.resize(words.size() + words_of_row);
    std::memcpy(words.data() + words.size() - words_of_row, &row, sizeof(row));
    sorted_ = false;  // it is seen when the step ends
  } else {
    const std::uint64_t packed = bits_.pack(row);
    sorted_ = sorted_ && !message && (words.size() == begin_ || words.back() <= packed);
    words.push_back(packed);
  }
  if (message) step_messages_.push_back(*message);
  ++count_;
}

// The step's rows so far take 16 bytes each from now on.
void RowList::make_plain() {
  auto& words = packed_.words;
  const std::vector<std::uint64_t> packed(words.begin() + static_cast<std::ptrdiff_t>(begin_), words.end());
  words.resize(begin_ + packed.size() * words_of_row);
  for (std::size_t i = 0; i < packed.size(); ++i) plain_rows()[i] = bits_.unpack(packed[i]);
  plain_ = true;
}

std::span<Row> RowList::plain_rows() {
  return {reinterpret_cast<Row*>(packed_.words.data() + begin_), (packed_.words.size() - begin_) / words_of_row};
}

void RowList::sort_step() {
  const std::span packed = std::span(packed_.words).subspan(begin_);
  if (step_messages_.empty() && !plain_) return std::sort(packed.begin(), packed.end());
  const std::span<Row> rows = plain_ ? plain_rows() : std::span<Row>();
  if (step_messages_.empty())
    return std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return place_of(a) < place_of(b); });
  const auto order = plain_ ? order_of(rows.size(), step_messages_, [&](std::size_t i) { return place_of(rows[i]); })
                            : order_of(packed.size(), step_messages_, [&](std::size_t i) { return packed[i]; });
  plain_ ? permute(rows.data(), order) : permute(packed.data(), order);
  permute(step_messages_.data(), order);
}

// Its rows in order, then their messages, and its entry in the index.
void RowList::end_step() {
  auto& words = packed_.words;
  if (words.size() == begin_) return;
  if (!sorted_) sort_step();
  const std::size_t rows = (words.size() - begin_) / (plain_ ? words_of_row : 1);
  const std::uint32_t message = step_messages_.empty() ? 0 : message_size;
  packed_.index.push_back({step_, (plain_ ? plain_size : packed_size) + message, rows});
  if (step_messages_.empty()) return;
  const std::size_t end = words.size();
  words.resize(begin_ + static_cast<std::size_t>(step_bytes(rows, packed_.index.back().row_size)) / packed_size);
  std::memcpy(words.data() + end, step_messages_.data(), step_messages_.size() * sizeof(MessageId));
  step_messages_.clear();
}

void RowList::spill() {
  const bool of_messages = !step_messages_.empty();
  const auto source = take();
  rows_.clear();
  const auto cursor = source->open();
  while (const auto step = cursor->next()) {
    for (const Row& row : step->rows) rows_.push_back({step->step, row});
    if (of_messages) messages_.insert(messages_.end(), step->messages.begin(), step->messages.end());
  }
  spilled_ = true;
}

Reason RowList::keep(const StoredRows::StepRow& row, std::optional<MessageId> message) {
  constexpr std::uint64_t most_copies = 4;
  if (rows_.size() == rows_.capacity() && rows_.size() > memory_ / (most_copies * sizeof(row))) return Reason::limit;
  rows_.push_back(row);
  if (message) messages_.push_back(*message);
  return pulse_.reached() ? pulse_.reason() : Reason::none;
}

Reason RowList::append(RowList&& other) {
  Reason stopped = Reason::none;
  for (std::size_t i = 0; i < other.rows_.size() && stopped == Reason::none; ++i)
    stopped = add(other.rows_[i], other.messages_.empty() ? std::nullopt : std::optional(other.messages_[i]));
  other.end_step();
  const std::uint64_t* words = other.packed_.words.data();
  for (const StepEntry& step : other.packed_.index) {
    if (stopped != Reason::none) return stopped;
    stopped = append_step(step, words);
    words += step_bytes(step.rows, step.row_size) / sizeof(*words);
  }
  return stopped;
}

// A step of another list, as it is packed there: as a whole where it can go behind the rows that are here.
Reason RowList::append_step(const StepEntry& step, const std::uint64_t* words) {
  const bool whole = step.row_size == packed_size && !spilled_ && step.step >= step_ && !(step.step == step_ && plain_);
  if (whole) {
    if (!room(step.rows)) return Reason::limit;
    if (step.step != step_) begin_step(StepId(step.step));
    auto& mine = packed_.words;
    sorted_ = sorted_ && (mine.size() == begin_ || mine.back() <= *words);
    mine.insert(mine.end(), words, words + step.rows);
    count_ += step.rows;
    return pulse_.reached() ? pulse_.reason() : Reason::none;
  }
  const PackedRows source({}, reinterpret_cast<const char*>(words), {&step, 1}, step.rows, bits_, memory_);
  const auto cursor = source.open();
  Reason stopped = Reason::none;
  while (const auto rows = cursor->next()) {
    for (std::size_t i = 0; i < rows->rows.size() && stopped == Reason::none; ++i)
      stopped =
          add({rows->step, rows->rows[i]}, rows->messages.empty() ? std::nullopt : std::optional(rows->messages[i]));
  }
  return stopped == Reason::none ? cursor->ended_early() : stopped;
}

std::shared_ptr<const RowSource> RowList::take() {
  if (spilled_) {
    return messages_.empty() ? std::make_shared<StoredRows>(std::move(rows_))
                             : std::make_shared<StoredRows>(std::move(rows_), messages_);
  }
  end_step();
  step_ = 0;
  begin_ = 0;
  const auto kept = std::make_shared<Packed>(std::exchange(packed_, {}));
  const auto* bytes = reinterpret_cast<const char*>(kept->words.data());
  const SharedBytes owned{kept, {bytes, kept->words.size() * sizeof(std::uint64_t)}};
  return std::make_shared<PackedRows>(owned, bytes, kept->index, std::exchange(count_, 0), bits_, memory_);
}

}  // namespace quadrille
