// Each message of a round becomes a row for each of its packets on each of its channels. Where paths are held, the
// messages that cross a channel in a round take its lanes in the order of their sends, and begin again at the first
// when there are no more (the checker will find it); where they are shared, lanes say nothing, and all rows are on lane
// 0.
//
// Where switches reduce, what is combined is joined first (joined_messages.h).
//
// For example, two packets from 0 to 2 by way of 1, on ring:4, are four rows, all of message 0. Cost: the rows, of one
// round at a time.
#include "compiler/rows/round_rows.h"

#include "compiler/plan/round_maker.h"
#include "compiler/rows/evaluated_cursor.h"
#include "model/per_channel.h"
#include "place/flights/flights.h"
#include "place/rounds/joined_messages.h"

namespace quadrille {
namespace {

class RoundCursor final : public EvaluatedCursor {
 public:
  RoundCursor(std::shared_ptr<const Plan> plan, bool traced)
      : plan_(std::move(plan)),
        traced_(traced),
        held_(plan_->fabric().rules().paths == Paths::held),
        maker_(*plan_),
        lanes_(held_ ? PerChannel<std::uint32_t>(plan_->fabric()) : PerChannel<std::uint32_t>()) {
    const Collective& collective = plan_->collectives[0];
    if (JoinedMessages::apply(plan_->fabric(), collective, plan_->partial_reductions)) {
      joined_.emplace(plan_->fabric(), collective);
    }
  }

  std::optional<StepRows> next_rows() override {
    do {
      rows_.clear();
      messages_.clear();
      forget_sends();
      lanes_.begin();
      number_ = 0;
      const auto round =
          maker_.next([&](const MadeMessage& message) { joined_ ? joined_->add(message) : add(message); });
      if (!round) return std::nullopt;
      if (joined_) add_joined();
      step_ = *round;
    } while (rows_.empty());
    return StepRows{StepId(step_), rows_, messages_};
  }

 private:
  void add(const MadeMessage& message) {
    for (const ChannelId channel : message.channels) add_rows(channel, message.chunks, message.serial);
    ++number_;
  }

  void add_joined() {
    for (const JoinedMessages::JoinedMessage& message : joined_->all()) {
      for (const JoinedMessages::MessageChannel& crossing : message.crossings) {
        const JoinedMessages::Sent& sent = joined_->sent(crossing);
        add_rows(crossing.channel, sent.chunks, sent.serial);
      }
      ++number_;
    }
    joined_->clear();
  }

  void add_rows(ChannelId channel, std::span<const ChunkId> chunks, SendSerial serial) {
    const LaneId lane = held_ ? free_lane(channel) : LaneId(0);
    for (const ChunkId chunk : chunks) {
      rows_.push_back({channel, lane, chunk});
      messages_.emplace_back(number_);
      if (traced_) note_send(serial);
    }
  }

  LaneId free_lane(ChannelId channel) {
    std::uint32_t& lanes = lanes_[channel];
    if (lanes == plan_->fabric().channel(channel).capacity) lanes = 0;
    return LaneId(lanes++);
  }

  std::shared_ptr<const Plan> plan_;
  bool traced_;
  bool held_;
  RoundMaker maker_;
  std::optional<JoinedMessages> joined_;  // of the round at work
  PerChannel<std::uint32_t> lanes_;       // taken in this round
  std::uint32_t step_ = 0;
  std::uint32_t number_ = 0;  // of the next message
  std::vector<Row> rows_;
  std::vector<MessageId> messages_;
};

class RoundRows final : public PlannedRows {
 public:
  explicit RoundRows(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}

  std::unique_ptr<RowCursor> open() const override { return std::make_unique<RoundCursor>(plan_, false); }
  std::unique_ptr<EvaluatedCursor> open_traced() const override { return std::make_unique<RoundCursor>(plan_, true); }
  std::optional<std::uint64_t> row_count() const override { return plan_->rows; }
  std::optional<StepId> last_step() const override { return StepId(plan_->last_step); }
  bool has_messages() const override { return true; }

  std::unique_ptr<OriginCursor> open_origins() const override { return trace_origins(plan_, open_traced()); }

 private:
  std::shared_ptr<const Plan> plan_;
};

}  // namespace

std::shared_ptr<const PlannedRows> round_rows(std::shared_ptr<const Plan> plan) {
  return std::make_shared<RoundRows>(std::move(plan));
}

void try_rounds(Plan& plan) {
  constexpr std::uint64_t row_bytes = sizeof(Row) + sizeof(MessageId);
  plan.rows = 0;
  plan.last_step = 0;
  std::uint64_t rows = 0;
  const auto note_round = [&](std::uint32_t round) {
    if (rows > plan.instance.limits.memory / row_bytes) times_too_large(plan.instance.limits.memory, {});
    plan.rows += rows;
    if (rows > 0) plan.last_step = round;
    rows = 0;
  };
  const Fabric& fabric = plan.placed ? plan.fabric() : *plan.instance.fabric;
  if (JoinedMessages::apply(fabric, plan.collectives[0], plan.partial_reductions)) {
    JoinedMessages joined(fabric, plan.collectives[0]);
    RoundMaker maker(plan);
    while (const auto round = maker.next([&](const MadeMessage& message) { joined.add(message); })) {
      for (const JoinedMessages::JoinedMessage& message : joined.all()) {
        for (const JoinedMessages::MessageChannel& crossing : message.crossings)
          rows += joined.sent(crossing).chunks.size();
      }
      joined.clear();
      note_round(*round);
    }
    return;
  }
  const auto count = [&](const MadeMessage& message) { rows += message.channels.size() * message.chunks.size(); };
  for (RoundMaker maker(plan); const auto round = maker.next(count);) note_round(*round);
}

}  // namespace quadrille
