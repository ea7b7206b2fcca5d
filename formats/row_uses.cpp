// Tables with words are small, as a rule: their rows are kept one by one, as StoredRows has them. Cost: a sort of the
// rows; some 200 bytes a row.
#include "formats/row_uses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace quadrille {
namespace {

constexpr std::array<std::string_view, 4> arrival_texts = {"", "store", "combine", "keep"};  // in the order of Arrival

bool leaves_origin(const Row& row, const Fabric& fabric, const ChunkName& name) {
  return fabric.channel(row.channel).from.value == name.origin;
}
bool reaches_target(const Row& row, const Fabric& fabric, const ChunkName& name) {
  return fabric.channel(row.channel).to.value == name.target;
}

// The part of a use that means something: words at the packet's origin, and an arrival at its target.
ReductionUse meant(const ReductionUse& use, const Row& row, const SendTable& table) {
  const ChunkName name = table.collective.name(row.chunk);
  ReductionUse result;
  if (leaves_origin(row, table.fabric, name)) result.sent = use.sent;
  if (reaches_target(row, table.fabric, name)) result.arrival = use.arrival;
  return result;
}

// The numbers between `+`.
bool read_sent(std::string_view text, ReductionUse& use, UseFault& fault) {
  for (std::size_t begin = 0; begin <= text.size(); ++begin) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string_view piece = text.substr(begin, end - begin);
    std::uint64_t word = 0;
    std::string wrong = number_fault("word", piece, word);
    if (wrong.empty() && word > 0xffffffff) wrong = fmt::format("word {} is not a 32-bit number", word);
    if (!wrong.empty()) {
      fault = {piece, std::move(wrong)};
      return false;
    }
    use.sent.push_back(static_cast<std::uint32_t>(word));
    begin = end;
  }
  return true;
}

}  // namespace

std::pair<std::string, std::string> use_texts(const ReductionUse& use) {
  return {fmt::format("{}", fmt::join(use.sent, "+")),
          std::string(arrival_texts[static_cast<std::size_t>(use.arrival)])};
}

Reason each_reduction_row(const SendTable& table, const VisitReductionRow& visit) {
  const auto cursor = table.rows->open();
  bool going = true;
  for (auto step = cursor->next(); step && going; step = going ? cursor->next() : std::nullopt) {
    std::vector<std::size_t> order(step->rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto message = [&](std::size_t i) {
      return step->messages.empty() ? std::nullopt : std::optional(step->messages[i]);
    };
    const auto key = [&](std::size_t i) {
      const Row& row = step->rows[i];
      return std::tuple(row.channel, row.lane, row.chunk, message(i), i);
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (auto i = order.begin(); going && i != order.end(); ++i)
      going = visit(step->step, step->rows[*i], message(*i), meant(step->uses[*i], step->rows[*i], table));
  }
  return cursor->ended_early();
}

std::string use_fault(const ReductionUse& use, const Row& row, const Fabric& fabric, const Collective& collective) {
  const ChunkName name = collective.name(row.chunk);
  if (!use.sent.empty() && !leaves_origin(row, fabric, name))
    return fmt::format("words are named by rows out of the packet's origin, {}", name.origin);
  if (use.arrival != Arrival::joined && !reaches_target(row, fabric, name))
    return fmt::format("an arrival is that of a row into the packet's target, {}", *name.target);
  return {};
}

std::optional<ReductionUse> use_of(std::string_view sent, std::string_view arrival, const Row& row,
                                   const Fabric& fabric, const Collective& collective, UseFault& fault) {
  ReductionUse use;
  // Whose row it is comes first: what it says does not matter then.
  if (!sent.empty()) use.sent.push_back(0);
  if (std::string wrong = use_fault(use, row, fabric, collective); !wrong.empty()) {
    fault = {sent, std::move(wrong)};
    return std::nullopt;
  }
  use.sent.clear();
  if (!arrival.empty()) {
    const ReductionUse some{{}, Arrival::kept};
    if (std::string wrong = use_fault(some, row, fabric, collective); !wrong.empty()) {
      fault = {arrival, std::move(wrong)};
      return std::nullopt;
    }
  }
  if (!sent.empty() && !read_sent(sent, use, fault)) return std::nullopt;
  const auto known = std::find(arrival_texts.begin(), arrival_texts.end(), arrival);
  if (known == arrival_texts.end()) {
    fault = {arrival, fmt::format("arrival `{}`; expected store, combine, keep or nothing", arrival)};
    return std::nullopt;
  }
  use.arrival = static_cast<Arrival>(known - arrival_texts.begin());
  return use;
}

Reason ReductionRowList::add(const StoredRows::StepRow& row, std::optional<MessageId> message, ReductionUse use) {
  constexpr std::uint64_t copies = 4;  // while they are sorted
  taken_ += copies * (sizeof(row) + sizeof(ReductionUse) + use.sent.size() * sizeof(std::uint32_t));
  if (taken_ > memory_) return Reason::limit;
  rows_.push_back(row);
  if (message) messages_.push_back(*message);
  uses_.push_back(std::move(use));
  return pulse_.reached() ? pulse_.reason() : Reason::none;
}

std::string ReductionRowList::contradiction(const Fabric& fabric, const Collective& collective) const {
  std::vector<std::size_t> order(rows_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [this](std::size_t i) {
    const StoredRows::StepRow& it = rows_[i];
    return std::tuple(it.step, it.row.channel, it.row.lane, it.row.chunk,
                      messages_.empty() ? MessageId() : messages_[i]);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (key(order[i - 1]) != key(order[i]) || uses_[order[i - 1]] == uses_[order[i]]) continue;
    const StoredRows::StepRow& it = rows_[order[i]];
    return fmt::format("two rows of {} across {} in step {} are alike, but say different things of words",
                       collective.label(it.row.chunk), fabric.name(it.row.channel), it.step.value);
  }
  return {};
}

std::shared_ptr<const RowSource> ReductionRowList::take() {
  return std::make_shared<StoredRows>(std::move(rows_), messages_, uses_);
}

}  // namespace quadrille
