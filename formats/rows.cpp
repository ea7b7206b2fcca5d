// Rows as numbers: channel, lane and packet side by side in 64 bits, so that the order of numbers is the order of rows.
// A step's rows are sorted by a radix sort of these (boost::sort::spreadsort), or as they are, where they do not fit.
// For example, on a fabric of 12 channels with 2 lanes and 30 packets, a row has 4 + 1 + 5 bits. Cost: linear in the
// rows.
#include "formats/rows.h"

#include <fmt/format.h>

#include <boost/sort/spreadsort/integer_sort.hpp>
#include <charconv>
#include <numeric>
#include <tuple>

namespace quadrille {

namespace {

auto key_of(const Row& row) { return std::tuple(row.channel, row.lane, row.chunk); }
bool before(const Row& a, const Row& b) { return key_of(a) < key_of(b); }

unsigned bits_below(std::uint64_t count) {
  return static_cast<unsigned>(std::max<std::uint64_t>(1, std::bit_width(count - 1)));
}

std::string target_text(const RowWords& words) { return words.target ? fmt::format("{}", *words.target) : "*"; }

// Null if there is none.
const char* number_fault(std::string_view text, std::uint64_t& result) {
  const char* last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, result);
  if (end != last || status == std::errc::invalid_argument) return "is not a number";
  if (text.size() > 1 && text.front() == '0') return "begins with a 0";
  return status == std::errc::result_out_of_range ? "is too large a number" : nullptr;
}

bool too_large(std::uint64_t number) { return number > 0xffffffff; }

}  // namespace

RowBits RowBits::of(const Fabric& fabric, const Collective& collective) {
  // Widths are those of the fabric and the collective, not of the rows, so they are known before the first row is.
  return {bits_below(std::max(1U, fabric.channels())), bits_below(std::max(1U, fabric.largest_capacity())),
          bits_below(std::max<std::uint64_t>(1, collective.chunk_ids()))};
}

// One pass packs, and sees whether all fit and are in order; most tables are, and are not sorted.
std::optional<std::span<const std::uint64_t>> StepOrder::packed(std::span<const Row> rows) {
  if (!bits_.usable()) return std::nullopt;
  packed_.resize(rows.size());
  bool fits = true;
  bool in_order = true;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    fits &= bits_.fits(rows[i]);
    packed_[i] = bits_.pack(rows[i]);
    in_order &= last <= packed_[i];
    last = packed_[i];
  }
  if (!fits) return std::nullopt;
  if (!in_order) boost::sort::spreadsort::integer_sort(packed_.begin(), packed_.end());
  return packed_;
}

std::span<const Row> StepOrder::sorted(std::span<const Row> rows) {
  if (std::is_sorted(rows.begin(), rows.end(), before)) return rows;
  rows_.assign(rows.begin(), rows.end());
  if (const auto keys = packed(rows)) {
    std::transform(keys->begin(), keys->end(), rows_.begin(), [this](std::uint64_t key) { return bits_.unpack(key); });
  } else {
    std::sort(rows_.begin(), rows_.end(), before);
  }
  return rows_;
}

StepRows StepOrder::sorted(const StepRows& step) {
  if (step.messages.empty()) return {step.step, sorted(step.rows)};
  std::vector<std::size_t> order(step.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(key_of(step.rows[a]), step.messages[a]) < std::tuple(key_of(step.rows[b]), step.messages[b]);
  });
  rows_.clear();
  messages_.clear();
  for (const std::size_t index : order) {
    rows_.push_back(step.rows[index]);
    messages_.push_back(step.messages[index]);
  }
  return {step.step, rows_, messages_};
}

std::string number_fault(std::string_view name, std::string_view text, std::uint64_t& result) {
  const char* why = number_fault(text, result);
  return why == nullptr ? std::string() : fmt::format("{} `{}` {}", name, text, why);
}

std::optional<NodeId> node_of(const Fabric& fabric, std::string_view name) {
  std::uint64_t number = 0;
  const bool plain = number_fault(name, number) == nullptr;
  if (plain && number < fabric.processors()) return NodeId(static_cast<std::uint32_t>(number));
  return fabric.node_named(name);
}

std::optional<StoredRows::StepRow> row_of(const RowWords& words, const Fabric& fabric, const Collective& collective,
                                          RowFault& fault) {
  const auto blame = [&fault](std::size_t first, std::size_t last, std::string message, Code code = Code::range) {
    fault = {first, last, std::move(message), code};
    return std::nullopt;
  };
  if (words.step == 0) return blame(0, 0, "step 0: steps are numbered from 1");
  if (words.step > max_step)
    return blame(0, 0, fmt::format("step {}: the last possible one is {}", words.step, max_step));
  const auto from = node_of(fabric, words.from);
  if (!from) return blame(1, 1, fmt::format("the fabric has no node `{}`", words.from), Code::name);
  const auto to = node_of(fabric, words.to);
  if (!to) return blame(2, 2, fmt::format("the fabric has no node `{}`", words.to), Code::name);
  const auto channel = fabric.channel_between(*from, *to);
  if (!channel)
    return blame(1, 2, fmt::format("the fabric has no channel from {} to {}", words.from, words.to), Code::name);
  if (too_large(words.lane)) return blame(3, 3, fmt::format("lane {} is not a 32-bit number", words.lane));
  if (too_large(words.message)) return blame(7, 7, fmt::format("message {} is not a 32-bit number", words.message));
  // Numbers beyond 32 bits name no packet, and must not become small ones by narrowing.
  const bool possible = !too_large(words.origin) && !too_large(words.target.value_or(0)) && !too_large(words.part);
  const auto narrow = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  ChunkName name{narrow(words.origin), std::nullopt, narrow(words.part)};
  if (words.target) name.target = narrow(*words.target);
  const auto chunk = possible ? collective.chunk(name) : std::nullopt;
  if (!chunk) {
    return blame(
        4, 6, fmt::format("the collective has no packet {}->{} part {}", words.origin, target_text(words), words.part),
        Code::name);
  }
  return StoredRows::StepRow{StepId(narrow(words.step)), Row{*channel, LaneId(narrow(words.lane)), *chunk}};
}

}  // namespace quadrille
