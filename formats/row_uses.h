// Private to formats/: what rows say of words (model/MODEL.md, Words), in any form of a table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/rows.h"
#include "model/limits/limits.h"
#include "model/send_table.h"

namespace quadrille {

inline constexpr std::size_t use_fields = 2;

// The fields `words` and `arrival` of a row: "1+0" and "keep". Empty where it says nothing.
std::pair<std::string, std::string> use_texts(const ReductionUse& use);

// Calls visit(step, row, its message, what it says of words) for each row of a table, in the order in which writers put
// them, until it says false. What means nothing is left out. Why they end before the table does, if so.
using VisitReductionRow = std::function<bool(StepId, const Row&, std::optional<MessageId>, const ReductionUse&)>;
Reason each_reduction_row(const SendTable& table, const VisitReductionRow& visit);

// The fault of one of these two fields, and where in it.
struct UseFault {
  std::string_view piece;
  std::string message;
};

// The use that the two fields say of that row; nothing, and a fault, if it cannot say that.
std::optional<ReductionUse> use_of(std::string_view sent, std::string_view arrival, const Row& row,
                                   const Fabric& fabric, const Collective& collective, UseFault& fault);

// Why a row cannot say that; empty if it can.
std::string use_fault(const ReductionUse& use, const Row& row, const Fabric& fabric, const Collective& collective);

// The rows of a table that says something of words, in any order, and what they say.
class ReductionRowList {
 public:
  // Within the limits' time and `memory` bytes.
  ReductionRowList(const Limits& limits, std::uint64_t memory) : pulse_(limits), memory_(memory) {}

  // Why no more rows can be taken; none if this one was. All rows have a message, or none has.
  Reason add(const StoredRows::StepRow& row, std::optional<MessageId> message, ReductionUse use);

  // Where two rows are alike in everything else and say different things of words: that, in words; empty if none do.
  std::string contradiction(const Fabric& fabric, const Collective& collective) const;

  // All of them. The list is empty afterwards.
  std::shared_ptr<const RowSource> take();

 private:
  Pulse pulse_;
  std::uint64_t memory_;
  std::uint64_t taken_ = 0;
  std::vector<StoredRows::StepRow> rows_;
  std::vector<MessageId> messages_;
  std::vector<ReductionUse> uses_;
};

}  // namespace quadrille
