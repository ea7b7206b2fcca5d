#include "tests/reference/random_reductions.h"

#include <utility>
#include <vector>

namespace quadrille::reference {

namespace {

// SplitMix64: a number after another, from any seed.
class Mixed {
 public:
  explicit Mixed(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t bound) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>((z ^ z >> 31) % bound);
  }

 private:
  std::uint64_t state_;
};

}  // namespace

class WithReductions::Cursor final : public RowCursor {
 public:
  explicit Cursor(const WithReductions& rows) : rows_(rows), inner_(rows.inner_->open()) {}

  std::optional<StepRows> next() override {
    auto batch = inner_->next();
    if (!batch) return std::nullopt;
    words_.clear();
    for (const Row& row : batch->rows) words_.push_back(rows_.words_of(row));
    batch->uses = words_;
    return batch;
  }

 private:
  const WithReductions& rows_;
  std::unique_ptr<RowCursor> inner_;
  std::vector<ReductionUse> words_;
};

std::unique_ptr<RowCursor> WithReductions::open() const { return std::make_unique<Cursor>(*this); }

ReductionUse WithReductions::words_of(const Row& row) const {
  Mixed mixed(seed_ ^ row.chunk.value * 0x100000001b3 ^ std::uint64_t{row.channel.value} << 32 ^ row.lane.value);
  ReductionUse use;
  if (manner_ == Manner::kept) return {{0}, Arrival::kept};
  if (manner_ == Manner::passed) {
    if (collective_.name(row.chunk).origin > 0) use.sent.push_back(1);
    use.sent.push_back(0);
    use.arrival = Arrival::kept;
    return use;
  }
  if (mixed.below(2) == 0) {
    for (std::uint32_t more = mixed.below(3) + 1; more > 0; --more) use.sent.push_back(mixed.below(3));
  }
  if (mixed.below(3) > 0) use.arrival = static_cast<Arrival>(mixed.below(4));
  return use;
}

std::shared_ptr<const RowSource> perhaps_with_words(std::shared_ptr<const RowSource> rows, const Collective& collective,
                                                    Dice& dice) {
  if (!collective.combining()) return rows;
  using Manner = WithReductions::Manner;
  const bool exclusive = collective.kind() == CollectiveKind::exclusive_prefix;
  if (!exclusive && dice.one_in(3)) return rows;
  Manner manner = dice.one_in(2) ? Manner::kept : Manner::wild;
  if (exclusive && !dice.one_in(3)) manner = Manner::passed;
  return std::make_shared<WithReductions>(std::move(rows), collective, manner, dice.below(1U << 30));
}

}  // namespace quadrille::reference
