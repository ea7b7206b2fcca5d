// Makes the rows of the next steps on another thread while the current thread works on the current step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/send_table.h"

namespace quadrille {

// The rows of `inner`, in the same order. Each cursor has a thread of its own that runs ahead by at most `rows_ahead`
// rows (16 bytes each), or by one step, where a step has more. This pays from about a million rows on. Where making a
// row costs as much as judging it, the work takes little more than half the time.
class PrefetchedRows final : public RowSource {
 public:
  static constexpr std::size_t usual_rows_ahead = std::size_t{1} << 21;

  explicit PrefetchedRows(std::shared_ptr<const RowSource> inner, std::size_t rows_ahead = usual_rows_ahead);

  std::unique_ptr<RowCursor> open() const override;
  std::optional<std::uint64_t> row_count() const override { return inner_->row_count(); }
  std::optional<StepId> last_step() const override { return inner_->last_step(); }
  bool has_messages() const override { return inner_->has_messages(); }
  bool has_partial_reductions() const override { return inner_->has_partial_reductions(); }
  std::unique_ptr<OriginCursor> open_origins() const override { return inner_->open_origins(); }
  std::vector<RowOrigin> origins(std::span<const RowPlace> places) const override { return inner_->origins(places); }

 private:
  class Cursor;
  std::shared_ptr<const RowSource> inner_;
  std::size_t rows_ahead_;
};

}  // namespace quadrille
