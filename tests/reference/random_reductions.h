// What rows of random tables say of words (model/MODEL.md, Words).
#pragma once

#include <cstdint>
#include <memory>

#include "model/send_table.h"
#include "tests/reference/random_tables.h"

namespace quadrille::reference {

// Rows that say something of words: what, depends on the row alone, so that rows alike say the same.
class WithReductions final : public RowSource {
 public:
  enum class Manner : std::uint8_t {
    wild,   // some rows name words, some arrivals are stored, combined or kept
    kept,   // rows name their own contribution, and all arrivals are kept
    passed  // rows name what has been kept, and their own; all arrivals are kept
  };

  WithReductions(std::shared_ptr<const RowSource> inner, const Collective& collective, Manner manner,
                 std::uint64_t seed)
      : inner_(std::move(inner)), collective_(collective), manner_(manner), seed_(seed) {}

  std::unique_ptr<RowCursor> open() const override;
  bool has_messages() const override { return inner_->has_messages(); }
  bool has_partial_reductions() const override { return true; }

  // The same of other rows.
  std::shared_ptr<const RowSource> with(std::shared_ptr<const RowSource> rows) const {
    return std::make_shared<WithReductions>(std::move(rows), collective_, manner_, seed_);
  }

 private:
  class Cursor;
  ReductionUse words_of(const Row& row) const;

  std::shared_ptr<const RowSource> inner_;
  Collective collective_;
  Manner manner_;
  std::uint64_t seed_;
};

// The rows themselves, or with words: in some of the tables of combining collectives.
std::shared_ptr<const RowSource> perhaps_with_words(std::shared_ptr<const RowSource> rows, const Collective& collective,
                                                    Dice& dice);

}  // namespace quadrille::reference
