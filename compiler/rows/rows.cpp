// The cursor makes rows step by step as they are read: it runs a region when its step comes, and keeps the region's
// sends while they are on their way.
//
// For example, of a region that starts in step 3 and whose routes have up to 4 hops, the first hops are rows of step 3,
// the second ones of step 4, and so on; after step 6 its memory serves another region. Cost: time, each send's
// expressions once; memory, the sends that are on their way, and all expanded flights. A flight whose hops are not
// stored is launched like a send of a region.
#include "compiler/rows/rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/plan/region_runner.h"
#include "compiler/plan/send_routes.h"
#include "compiler/rows/evaluated_cursor.h"
#include "compiler/rows/rows_at.h"
#include "model/per_channel.h"
#include "place/flights/flights.h"

namespace quadrille {
namespace {

// --- flights -------------------------------------------------------------------------------------------------------

// StepIndex are the rows of expanded flights, sorted by step.
//
// For example, hops in the steps 1, 2 and 1 are the rows 0 and 2, which begin at 0, and row 1, which begins at 2.

// A row of an expanded flight.
struct HopRow {
  std::uint32_t flight = 0;
  ChannelId channel;
};

// All rows, step after step, and within a step in the order of their flights.
struct StepIndex {
  std::vector<std::uint32_t> steps;   // the steps that have rows
  std::vector<std::uint64_t> begins;  // by step: the index of its first row; and one more, the end of the last step's
  std::vector<HopRow> rows;
};

// The steps that hops are in, in order; where these are close together, those without hops as well.
std::vector<std::uint32_t> steps_of(const std::vector<Hop>& hops, std::uint32_t last) {
  std::vector<std::uint32_t> steps;
  if (last <= hops.size()) {
    steps.resize(last + 1);
    std::iota(steps.begin(), steps.end(), 0U);
    return steps;
  }
  steps.reserve(hops.size());
  for (const Hop& hop : hops) steps.push_back(hop.step);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

// A counting sort: where each step's rows begin is known when they have been counted. There may be very many rows, so
// each takes 8 bytes, and no step of its own.
// Returns the rows of all flights. Memory: 8 bytes for each hop, and 12 for each step. Cost: the hops, and log(steps)
// for each hop if steps are far apart.
StepIndex sorted_rows(const Flights& flights) {
  StepIndex result{steps_of(flights.hops, flights.last_step()), {}, {}};
  result.begins.resize(result.steps.size() + 1);
  const bool all = result.steps.size() > flights.last_step();
  const auto place = [&](std::uint32_t step) -> std::size_t {
    if (all) return step;
    return static_cast<std::size_t>(std::lower_bound(result.steps.begin(), result.steps.end(), step) -
                                    result.steps.begin());
  };
  for (const Hop& hop : flights.hops) ++result.begins[place(hop.step) + 1];
  std::partial_sum(result.begins.begin(), result.begins.end(), result.begins.begin());
  std::vector<std::uint64_t> next = result.begins;
  result.rows.resize(flights.hops.size());
  for (std::uint32_t f = 0; f < flights.list.size(); ++f) {
    for (const Hop& hop : flights.of(flights.list[f])) result.rows[next[place(hop.step)]++] = {f, hop.channel};
  }
  return result;
}

// --- rows ----------------------------------------------------------------------------------------------------------

bool joins_in_switches(const Plan& plan) {
  const bool switches = plan.fabric().has_switches();
  return switches && plan.fabric().switches_reduce() && plan.collectives.front().combining();
}

// Whether a route may lead through a processor, from one node to another.
bool have_relays(const Fabric& fabric) {
  for (NodeId p(0); fabric.is_processor(p); ++p.value) {
    for (const ChannelId in : fabric.channels_to(p)) {
      for (const ChannelId out : fabric.channels_from(p)) {
        if (fabric.channel(in).from != fabric.channel(out).to) return true;
      }
    }
  }
  return false;
}

bool has_hops(const Flight& flight) { return flight.hops > 0; }

// The data that all cursors of a plan share.
struct Shared {
  std::shared_ptr<const Plan> plan;
  std::vector<Flight> flights;  // whose hops are stored
  StepIndex flight_rows;
  std::vector<Flight> starts;    // the other flights, by their start
  std::optional<Router> router;  // where there are some
};

// The sends that start in one step, on their way.
struct Launched {
  struct ChannelSend {
    ChannelId channel;
    std::uint32_t send = 0;  // index into chunks
  };
  std::uint32_t step = 0;
  std::uint32_t length = 0;  // steps until all have arrived
  std::vector<ChunkId> chunks;
  std::vector<SendSerial> serials;                  // likewise
  std::vector<std::vector<ChannelSend>> crossings;  // by steps since `step`; at least `length` of them

  void cross(std::uint32_t offset, ChannelId channel) {
    if (offset >= length) {
      length = offset + 1;
      if (length > crossings.size()) crossings.resize(length);
    }
    crossings[offset].push_back({channel, static_cast<std::uint32_t>(chunks.size())});
  }
  void clear() {
    for (std::uint32_t offset = 0; offset < length; ++offset) crossings[offset].clear();
    length = 0;
    chunks.clear();
    serials.clear();
  }
};

// Runs the launches as their steps come, and keeps those that are on their way.
class PlanCursor final : public EvaluatedCursor {
 public:
  // `traced`: also keep the serial number of each row's send. `at`: only rows that begin or end there.
  PlanCursor(std::shared_ptr<const Shared> shared, bool traced, std::optional<ProcessorsAt> at = {})
      : shared_(std::move(shared)),
        plan_(*shared_->plan),
        traced_(traced),
        evaluator_(plan_.instance),
        runner_(plan_, evaluator_),
        routes_(plan_.instance),
        channels_(plan_.fabric().all_channels()),
        lanes_(plan_.fabric()),
        at_(at),
        relays_(have_relays(plan_.fabric())),
        joins_(joins_in_switches(plan_)) {}

 private:
  std::optional<StepRows> next_rows() override {
    do {
      rows_.clear();
      forget_sends();
      joined_.clear();
      // Steps in which nothing is on its way are skipped, however many they are.
      if (in_flight_.empty() && !skip_to_next()) return std::nullopt;
      ++step_;
      lanes_.begin();
      launch();
      for (const Launched& launched : in_flight_) take(launched);
      // Only from the front: one that arrived behind another waits for it, which keeps the queue in order of steps.
      while (!in_flight_.empty() && in_flight_.front().step + in_flight_.front().length <= step_ + 1) retire();
      take_flight_rows();
    } while (rows_.empty());
    return StepRows{StepId(step_), rows_};
  }

  // Moves to the step before the next one in which something starts. False at the end.
  bool skip_to_next() {
    std::uint32_t next = 0xffffffff;
    if (next_launch_ < plan_.launches.size()) next = plan_.launches[next_launch_].step;
    const StepIndex& flying = shared_->flight_rows;
    while (next_flying_ < flying.steps.size() && flying.begins[next_flying_] == flying.begins[next_flying_ + 1])
      ++next_flying_;
    if (next_flying_ < flying.steps.size()) next = std::min(next, flying.steps[next_flying_]);
    if (next_start_ < shared_->starts.size()) next = std::min(next, shared_->starts[next_start_].start);
    if (next == 0xffffffff) return false;
    step_ = next - 1;
    return true;
  }

  void launch() {
    const bool regions = next_launch_ < plan_.launches.size() && plan_.launches[next_launch_].step == step_;
    const auto starts = [&] {
      return next_start_ < shared_->starts.size() && shared_->starts[next_start_].start == step_;
    };
    if (!regions && !starts()) return;
    Launched& launched = add_launched();
    for (; starts(); ++next_start_) launch(shared_->starts[next_start_], launched);
    for (; next_launch_ < plan_.launches.size() && plan_.launches[next_launch_].step == step_; ++next_launch_) {
      const std::uint32_t region = plan_.launches[next_launch_].region;
      SendSerial serial = std::uint64_t{region} << 32;
      runner_.run(region, [&](const ResolvedSend& send) {
        if (!at_ || may_touch(send)) launch(send, serial, launched);
        ++serial;
      });
    }
  }

  void launch(const Flight& flight, Launched& launched) {
    if (at_ && !relays_ && !at_->contains(flight.source) && !at_->contains(flight.target)) return;
    route_.clear();
    shared_->router->append_route(flight.source, flight.target, route_);
    std::uint32_t offset = 0;
    for (const ChannelId channel : route_) cross(launched, offset++, channel);
    launched.chunks.push_back(flight.chunk);
    if (traced_) launched.serials.push_back(flight.serial);
  }

  void launch(const ResolvedSend& send, SendSerial serial, Launched& launched) {
    for (const ChunkId chunk : send.chunks) {
      if (SendRoutes::is_default(send)) {
        std::uint32_t offset = 0;
        for (const ChannelId channel : routes_.default_route(send)) cross(launched, offset++, channel);
      } else {
        for (const auto& timed : routes_.route(send)) cross(launched, timed.offset, timed.channel);
      }
      launched.chunks.push_back(chunk);
      if (traced_) launched.serials.push_back(serial);
    }
  }

  void cross(Launched& launched, std::uint32_t offset, ChannelId channel) const {
    if (!at_ || touches(channel)) launched.cross(offset, channel);
  }

  bool touches(ChannelId channel) const {
    return at_->contains(channels_[channel.value].from) || at_->contains(channels_[channel.value].to);
  }

  // A send passes only processors that it names, if none is a relay.
  bool may_touch(const ResolvedSend& send) const {
    return relays_ || !send.along.empty() || !send.links.empty() || at_->contains(send.source) ||
           std::ranges::any_of(send.targets, [&](NodeId target) { return at_->contains(target); });
  }

  Launched& add_launched() {
    if (spare_.empty()) {
      in_flight_.emplace_back();
    } else {
      in_flight_.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
    in_flight_.back().step = step_;
    return in_flight_.back();
  }

  void retire() {
    in_flight_.front().clear();
    spare_.push_back(std::move(in_flight_.front()));
    in_flight_.pop_front();
  }

  // Makes this step's rows of the sends that were launched together.
  void take(const Launched& launched) {
    const std::uint32_t offset = step_ - launched.step;
    if (offset >= launched.length) return;
    for (const auto [channel, send] : launched.crossings[offset]) {
      if (joined_already(channel, launched.chunks[send])) continue;
      rows_.push_back({channel, free_lane(channel), launched.chunks[send]});
      if (traced_) note_send(launched.serials[send]);
    }
  }

  void take_flight_rows() {
    const StepIndex& flying = shared_->flight_rows;
    while (next_flying_ < flying.steps.size() && flying.steps[next_flying_] < step_) ++next_flying_;
    if (next_flying_ == flying.steps.size() || flying.steps[next_flying_] != step_) return;
    const std::uint64_t end = flying.begins[next_flying_ + 1];
    for (std::uint64_t at = flying.begins[next_flying_]; at < end; ++at) {
      const HopRow& row = flying.rows[at];
      const Flight& flight = shared_->flights[row.flight];
      if ((at_ && !touches(row.channel)) || joined_already(row.channel, flight.chunk)) continue;
      rows_.push_back({row.channel, free_lane(row.channel), flight.chunk});
      if (traced_) note_send(flight.serial);
    }
    ++next_flying_;
  }

  // Whether a row on this channel in this step already stands for the chunk. Packets that leave a switch which reduces,
  // for one processor and value, are one packet, whatever their names were on arrival.
  bool joined_already(ChannelId channel, ChunkId chunk) {
    if (!joins_ || plan_.fabric().is_processor(channels_[channel.value].from)) return false;
    const ChunkName name = plan_.collectives.front().name(chunk);
    return !joined_.emplace(channel, *name.target, name.part).second;
  }

  // The channel's next lane in this step; the first again when all are taken.
  LaneId free_lane(ChannelId channel) {
    std::uint32_t& lanes = lanes_[channel];
    if (lanes == channels_[channel.value].capacity) lanes = 0;
    return LaneId(lanes++);
  }

  std::shared_ptr<const Shared> shared_;
  const Plan& plan_;
  bool traced_;
  Evaluator evaluator_;
  RegionRunner runner_;
  SendRoutes routes_;
  std::deque<Launched> in_flight_;  // in order of their steps
  std::vector<Launched> spare_;     // have arrived: memory for others
  ChannelList channels_;
  PerChannel<std::uint32_t> lanes_;  // taken in this step
  std::optional<ProcessorsAt> at_;
  bool relays_;                                                           // whether a packet may pass a processor
  std::vector<Row> rows_;                                                 // of the current step
  bool joins_;                                                            // switches do, in a combining collective
  std::set<std::tuple<ChannelId, std::uint32_t, std::uint32_t>> joined_;  // of this step: channel, target, part
  std::uint32_t step_ = 0;
  std::size_t next_launch_ = 0;
  std::size_t next_flying_ = 0;  // index into StepIndex::steps
  std::size_t next_start_ = 0;   // index into Shared::starts
  std::vector<ChannelId> route_;
};

class PlanRows final : public PlannedRows {
 public:
  PlanRows(std::shared_ptr<const Plan> plan, Flights flights) {
    std::vector<Flight> stored;
    std::ranges::copy_if(flights.list, std::back_inserter(stored), &has_hops);
    std::erase_if(flights.list, &has_hops);
    std::vector<Flight> starts = std::move(flights.list);
    std::ranges::sort(starts, {}, [](const Flight& f) { return std::tuple(f.start, f.serial, f.chunk); });
    flights.list = std::move(stored);
    StepIndex rows = sorted_rows(flights);
    auto router = starts.empty() ? std::optional<Router>() : Router(plan->fabric());
    shared_ = std::make_shared<Shared>(
        Shared{std::move(plan), std::move(flights.list), std::move(rows), std::move(starts), std::move(router)});
  }

  std::unique_ptr<RowCursor> open() const override { return std::make_unique<PlanCursor>(shared_, false); }
  std::unique_ptr<EvaluatedCursor> open_traced() const override { return std::make_unique<PlanCursor>(shared_, true); }
  std::unique_ptr<RowCursor> open_at(const ProcessorsAt& at) const {
    return std::make_unique<PlanCursor>(shared_, false, at);
  }
  std::optional<std::uint64_t> row_count() const override {
    if (joins_in_switches(*shared_->plan)) return std::nullopt;  // it depends on which packets meet
    return shared_->plan->rows;
  }
  std::optional<StepId> last_step() const override { return StepId(shared_->plan->last_step); }

  std::unique_ptr<OriginCursor> open_origins() const override { return trace_origins(shared_->plan, open_traced()); }

 private:
  std::shared_ptr<const Shared> shared_;
};

}  // namespace

bool leaves_out_rows(const RowSource& rows) { return dynamic_cast<const PlanRows*>(&rows) != nullptr; }

std::unique_ptr<RowCursor> open_at(const RowSource& rows, const ProcessorsAt& processors) {
  const auto* planned = dynamic_cast<const PlanRows*>(&rows);
  return planned == nullptr ? rows.open() : planned->open_at(processors);
}

std::shared_ptr<const PlannedRows> plan_rows(std::shared_ptr<Plan> plan) {
  Flights flights = std::move(plan->flights);
  return std::make_shared<PlanRows>(std::move(plan), std::move(flights));
}

}  // namespace quadrille
