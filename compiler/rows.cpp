#include "compiler/rows.h"

#include <algorithm>
#include <bit>
#include <map>

namespace quadrille {
namespace {

// A row of a spelled-out flight, with its step.
struct FlightRow {
  std::uint32_t step = 0;
  std::uint32_t flight = 0;
  ChannelId channel;
};

std::vector<FlightRow> sorted_rows(const Flights& flights) {
  std::vector<FlightRow> rows;
  rows.reserve(flights.hops.size());
  for (std::uint32_t f = 0; f < flights.list.size(); ++f) {
    for (const Hop& hop : flights.of(flights.list[f])) rows.push_back({hop.step, f, hop.channel});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const FlightRow& a, const FlightRow& b) { return a.step < b.step; });
  return rows;
}

// Everything that cursors share.
struct Shared {
  std::shared_ptr<const Plan> plan;
  std::vector<FlightRow> flight_rows;
};

// Launched sends put their rows into one bucket for each step to come; a bucket is complete when its step is reached.
class PlanCursor final : public RowCursor {
 public:
  // `traced`: also keep the serial number of each row's send.
  PlanCursor(std::shared_ptr<const Shared> shared, bool traced)
      : shared_(std::move(shared)),
        plan_(*shared_->plan),
        traced_(traced),
        evaluator_(plan_.instance),
        runner_(plan_, evaluator_),
        routes_(plan_.instance),
        buckets_(std::bit_ceil(std::size_t{plan_.longest_route} + 1)),
        traces_(traced ? buckets_.size() : 0),
        mask_(static_cast<std::uint32_t>(buckets_.size() - 1)),
        used_(plan_.instance.fabric->channels()) {}

  std::optional<StepRows> next() override {
    do {
      current_.clear();
      current_trace_.clear();
      if (in_flight_ == 0 && !skip_to_next()) return std::nullopt;
      ++step_;
      launch();
      const std::uint32_t slot = step_ & mask_;
      std::swap(current_, buckets_[slot]);
      if (traced_) std::swap(current_trace_, traces_[slot]);
      in_flight_ -= current_.size();
      take_flight_rows();
    } while (current_.empty());
    assign_lanes();
    return StepRows{StepId(step_), current_};
  }

  const std::vector<SendSerial>& trace() const { return current_trace_; }

 private:
  // Moves to the step before the next one in which something starts. False at the end.
  bool skip_to_next() {
    std::uint32_t next = 0xffffffff;
    if (next_launch_ < plan_.launches.size()) next = plan_.launches[next_launch_].step;
    if (next_flight_row_ < shared_->flight_rows.size())
      next = std::min(next, shared_->flight_rows[next_flight_row_].step);
    if (next == 0xffffffff) return false;
    step_ = next - 1;
    return true;
  }

  void launch() {
    for (; next_launch_ < plan_.launches.size() && plan_.launches[next_launch_].step == step_; ++next_launch_) {
      const std::uint32_t region = plan_.launches[next_launch_].region;
      send_ = std::uint64_t{region} << 32;
      runner_.run(region, [this](const ResolvedSend& send) {
        if (SendRoutes::is_natural(send)) {
          std::uint32_t at = step_;
          for (const ChannelId channel : routes_.natural(send)) put(at++, channel, send.chunk);
          in_flight_ += at - step_;
        } else {
          for (const auto& timed : routes_.route(send)) {
            put(step_ + timed.offset, timed.channel, send.chunk);
            ++in_flight_;
          }
        }
        ++send_;
      });
    }
  }

  void put(std::uint32_t step, ChannelId channel, ChunkId chunk) {
    buckets_[step & mask_].push_back({channel, LaneId(0), chunk});
    if (traced_) traces_[step & mask_].push_back(send_);
  }

  void take_flight_rows() {
    const auto& rows = shared_->flight_rows;
    for (; next_flight_row_ < rows.size() && rows[next_flight_row_].step == step_; ++next_flight_row_) {
      const FlightRow& row = rows[next_flight_row_];
      const Flight& flight = plan_.flights.list[row.flight];
      current_.push_back({row.channel, LaneId(0), flight.chunk});
      if (traced_) current_trace_.push_back(flight.serial);
    }
  }

  void assign_lanes() {
    const std::span<const Channel> channels = plan_.instance.fabric->all_channels();
    for (Row& row : current_) {
      Use& use = used_[row.channel.value];
      if (use.step != step_) use = {step_, 0};
      const std::uint32_t capacity = channels[row.channel.value].capacity;
      if (use.lanes == capacity) use.lanes = 0;
      row.lane = LaneId(use.lanes++);
    }
  }

  // The lanes of a channel taken in a step.
  struct Use {
    std::uint32_t step = 0;
    std::uint32_t lanes = 0;
  };

  std::shared_ptr<const Shared> shared_;
  const Plan& plan_;
  bool traced_;
  Evaluator evaluator_;
  RegionRunner runner_;
  SendRoutes routes_;
  std::vector<std::vector<Row>> buckets_;        // by step, modulo their number
  std::vector<std::vector<SendSerial>> traces_;  // likewise
  std::uint32_t mask_;
  std::vector<Use> used_;  // by channel
  std::vector<Row> current_;
  std::vector<SendSerial> current_trace_;
  std::uint32_t step_ = 0;
  SendSerial send_ = 0;
  std::size_t next_launch_ = 0;
  std::size_t next_flight_row_ = 0;
  std::uint64_t in_flight_ = 0;
};

class PlanRows final : public RowSource {
 public:
  explicit PlanRows(std::shared_ptr<const Plan> plan)
      : shared_(std::make_shared<Shared>(Shared{plan, sorted_rows(plan->flights)})) {}

  std::unique_ptr<RowCursor> open() const override { return std::make_unique<PlanCursor>(shared_, false); }
  std::optional<std::uint64_t> row_count() const override { return shared_->plan->rows; }
  std::optional<StepId> last_step() const override { return StepId(shared_->plan->last_step); }

  std::vector<RowOrigin> origins(std::span<const RowPlace> places) const override {
    std::vector<RowOrigin> result(places.size());
    std::map<StepId, std::vector<std::size_t>> wanted;  // step -> indices into `places`
    for (std::size_t i = 0; i < places.size(); ++i) wanted[places[i].step].push_back(i);
    PlanCursor cursor(shared_, true);
    while (!wanted.empty()) {
      const auto rows = cursor.next();
      if (!rows) break;
      const auto found = wanted.find(rows->step);
      if (found == wanted.end()) continue;
      for (const std::size_t i : found->second) {
        if (places[i].index < cursor.trace().size()) result[i] = origin(cursor.trace()[places[i].index]);
      }
      wanted.erase(found);
    }
    return result;
  }

 private:
  // Runs the send's region again, up to that send.
  RowOrigin origin(SendSerial serial) const {
    const Plan& plan = *shared_->plan;
    Evaluator evaluator(plan.instance);
    RegionRunner runner(plan, evaluator);
    RowOrigin result;
    std::uint64_t number = serial & 0xffffffff;
    runner.run(static_cast<std::uint32_t>(serial >> 32), [&](const ResolvedSend& send) {
      if (number-- == 0) result = {send.span, runner.variables()};
    });
    return result;
  }

  std::shared_ptr<const Shared> shared_;
};

}  // namespace

std::shared_ptr<const RowSource> plan_rows(std::shared_ptr<const Plan> plan) {
  return std::make_shared<PlanRows>(std::move(plan));
}

}  // namespace quadrille
