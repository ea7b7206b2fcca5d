// A discipline leaves the times of sends to first-come-first-served queues; they are worked out here, step by step.
//
// Every hop is a task that becomes ready when the packet has arrived at its channel's tail. In each step every channel
// serves the first tasks of its queue, as many as it has lanes. For example, in `by fifo: send 1 -> 0` and `send 2 ->
// 0` on star:3 both packets are at the hub after step 1; one crosses the channel to 0 in step 2, the one that came by
// the channel of the lower number, the other in step 3. Nothing is decided for later steps, so the result is what
// switches with such queues would do. Steps in which nothing is ready are skipped.
//
// Cost: hops · log(queue length), and the channels in use for each step.
#include "place/steps/queues.h"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <set>
#include <tuple>

#include "model/text/evaluation_error.h"
#include "place/calendar/calendar.h"

namespace quadrille {
namespace {

constexpr std::uint32_t by_none = std::numeric_limits<std::uint32_t>::max();

class Queues {
 public:
  Queues(const Flights& flights, const Fabric& fabric, QueueOrder order, const Limits& limits)
      : result_(flights), fabric_(fabric), order_(order), pulse_(limits), calendar_(fabric) {
    require_listed_channels(fabric);
    queues_.resize(fabric.channels());
  }

  Flights run() {
    find_children();
    release_all();
    for (std::uint32_t step = 1; waiting_ > 0 || !releases_.empty(); ++step) {
      if (active_.empty() && !releases_.empty()) step = std::max(step, releases_.top().first);
      while (!releases_.empty() && releases_.top().first <= step) {
        enqueue(releases_.top().second, step - 1, by_none);
        releases_.pop();
      }
      serve(step);
    }
    return std::move(result_);
  }

 private:
  // Smaller goes first: length (farthest first only, negated), step of arrival, channel it came by, flight, task.
  using Key = std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>;

  // For each hop, the hops of its flight that start where it ends.
  void find_children() {
    const std::size_t count = result_.hops.size();
    flight_of_.resize(count);
    parent_.assign(count, count);
    child_count_.assign(count + 1, 0);
    std::vector<std::uint64_t> brought(fabric_.nodes(), count);  // the latest hop that ends at the node
    for (std::size_t f = 0; f < result_.list.size(); ++f) {
      const Flight& flight = result_.list[f];
      for (std::uint64_t i = flight.first_hop; i < flight.first_hop + flight.hops; ++i) {
        const Channel& channel = fabric_.channel(result_.hops[i].channel);
        flight_of_[i] = static_cast<std::uint32_t>(f);
        const std::uint64_t before = brought[channel.from.value];
        // Out of the source a hop waits for nothing; elsewhere for the hop of its flight that ends at its tail.
        if (channel.from != flight.source && before < count && flight_of_[before] == f) {
          parent_[i] = before;
          ++child_count_[before + 1];
        }
        brought[channel.to.value] = i;
      }
    }
    for (std::size_t i = 0; i < count; ++i) child_count_[i + 1] += child_count_[i];
    children_.resize(child_count_[count]);
    std::vector<std::uint64_t> next(child_count_.begin(), child_count_.end() - 1);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (parent_[i] < count) children_[next[parent_[i]]++] = i;
    }
  }

  void release_all() {
    for (std::uint64_t i = 0; i < result_.hops.size(); ++i) {
      if (parent_[i] == result_.hops.size()) releases_.emplace(result_.hops[i].step, i);
    }
  }

  void enqueue(std::uint64_t task, std::uint32_t arrived, std::uint32_t by) {
    look_at_limits();
    const ChannelId channel = result_.hops[task].channel;
    const std::int64_t length =
        order_ == QueueOrder::fifo ? 0 : -static_cast<std::int64_t>(result_.list[flight_of_[task]].hops);
    queues_[channel.value].emplace(length, arrived, by == by_none ? 0 : by + 1, flight_of_[task], task);
    active_.insert(channel.value);
    ++waiting_;
  }

  void serve(std::uint32_t step) {
    if (step % FreeSteps::window == 0) calendar_.forget_before(step);
    std::vector<std::uint64_t> done;
    for (auto place = active_.begin(); place != active_.end();) {
      look_at_limits();
      const ChannelId id(*place);
      auto& queue = queues_[id.value];
      while (!queue.empty() && calendar_.free(id, step)) {
        const std::uint64_t task = std::get<4>(*queue.begin());
        queue.erase(queue.begin());
        result_.hops[task].step = step;
        done.push_back(task);
        --waiting_;
        uses_.clear();
        calendar_.add_route(std::array{TimedChannel{id}}, uses_);
        calendar_.book(uses_, step);
      }
      place = queue.empty() ? active_.erase(place) : std::next(place);
    }
    // The arrivals queue up only now: a packet that arrives in a step leaves in the next one at the soonest.
    for (const std::uint64_t task : done) {
      for (std::uint64_t k = child_count_[task]; k < child_count_[task + 1]; ++k) {
        enqueue(children_[k], step, result_.hops[task].channel.value);
      }
    }
  }

  void look_at_limits() {
    if (pulse_.reached()) fail_at_limit(pulse_.reason(), "serving the queues of a discipline");
  }

  using Release = std::pair<std::uint32_t, std::uint64_t>;  // step, task

  Flights result_;
  const Fabric& fabric_;
  QueueOrder order_;
  Pulse pulse_;
  Calendar calendar_;
  std::vector<Use> uses_;              // of the task at work
  std::vector<std::set<Key>> queues_;  // by channel
  std::set<std::uint32_t> active_;     // channels whose queue is not empty
  std::priority_queue<Release, std::vector<Release>, std::greater<>> releases_;
  std::vector<std::uint32_t> flight_of_;
  std::vector<std::uint64_t> parent_;
  std::vector<std::uint64_t> child_count_;  // children of task i: children_[child_count_[i] … child_count_[i+1])
  std::vector<std::uint64_t> children_;
  std::uint64_t waiting_ = 0;
};

}  // namespace

Flights queued(const Flights& flights, const Fabric& fabric, QueueOrder order, const Limits& limits) {
  return Queues(flights, fabric, order, limits).run();
}

}  // namespace quadrille
