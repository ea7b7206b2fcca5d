// The block is not used in place: rows with words are kept as StoredRows has them. For example, of a row that sends its
// words 1 and 0, which are kept: 4·2 + 3, 1, 0. Cost: a pass over the block, and a sort of the rows.
#include "formats/binary_reductions.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "formats/binary_layout.h"
#include "formats/row_uses.h"

namespace quadrille {
namespace {

class ReductionsReader {
 public:
  ReductionsReader(const ReductionsBlock& block, const TableHead& head, const Limits& limits)
      : block_(block), head_(head), list_(limits, memory_beside(head, limits)) {}

  Result<std::shared_ptr<const RowSource>> read(const RowSource& rows) {
    const auto cursor = rows.open();
    while (const auto step = cursor->next()) {
      for (std::size_t i = 0; i < step->rows.size(); ++i) {
        const auto message = step->messages.empty() ? std::nullopt : std::optional(step->messages[i]);
        if (auto fault = add({step->step, step->rows[i]}, message)) return *fault;
      }
    }
    if (cursor->ended_early() != Reason::none) return not_read(block_.name, cursor->ended_early());
    if (at_ < block_.numbers.size() && block_.numbers.size() % 2 == 0 && block_.numbers[at_] == 0) ++at_;
    if (at_ != block_.numbers.size()) return fault("this is more than the rows say of words");
    std::string found = list_.contradiction(head_.fabric, head_.collective);
    if (!found.empty()) return error_at({}, fmt::format("{}: {}", block_.name, found), Code::syntax);
    return list_.take();
  }

 private:
  Diagnostic fault(std::string_view message) const {
    return error_at({},
                    fmt::format("{}: byte {}: {}", block_.name, block_.offset + at_ * sizeof(std::uint32_t), message),
                    Code::syntax);
  }

  // Nothing if all is well.
  std::optional<Diagnostic> add(const StoredRows::StepRow& row, std::optional<MessageId> message) {
    if (at_ == block_.numbers.size()) return fault("what rows say of words ends before the rows");
    const std::uint32_t first = block_.numbers[at_];
    const std::size_t count = first >> arrival_bits;
    if (count > block_.numbers.size() - at_ - 1) return fault(fmt::format("{} words, which are not there", count));
    const auto sent = block_.numbers.subspan(at_ + 1, count);
    ReductionUse use{{sent.begin(), sent.end()}, static_cast<Arrival>(first & ((1U << arrival_bits) - 1))};
    if (const std::string wrong = use_fault(use, row.row, head_.fabric, head_.collective); !wrong.empty())
      return fault(wrong);
    const Reason reason = list_.add(row, message, std::move(use));
    if (reason != Reason::none) return not_read(block_.name, reason);
    at_ += 1 + count;
    return std::nullopt;
  }

  const ReductionsBlock& block_;
  const TableHead& head_;
  ReductionRowList list_;
  std::size_t at_ = 0;  // index of the next number
};

}  // namespace

Result<std::shared_ptr<const RowSource>> with_reductions(const ReductionsBlock& block, const RowSource& rows,
                                                         const TableHead& head, const Limits& limits) {
  if (!head.collective.combining())
    return error_at({}, fmt::format("{}: words are for collectives that combine", block.name), Code::invalid);
  return ReductionsReader(block, head, limits).read(rows);
}

}  // namespace quadrille
