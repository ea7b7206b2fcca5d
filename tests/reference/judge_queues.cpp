// The reference checker, in steps: how many packets wait in switches and before channels.
#include <algorithm>
#include <map>

#include "tests/reference/judge.h"

namespace quadrille::reference {

void Judge::wait_for(ChannelId channel, Step arrival, Step departure) {
  for (Step step = arrival + 1; step <= departure - 1; ++step) ++waiting_[{channel, step}];
}

void Judge::measure_queues() {
  std::map<std::tuple<NodeId, ChunkId, Step>, Step> last_departure;  // of an arrival: (switch, packet, its step)
  for (const Hop& hop : hops_) {
    if (processor(hop.from) || forwarding() || reducing()) continue;
    const auto arrival = latest_arrival(hop.from, hop.packet, hop.step);
    if (!arrival) continue;  // a departure that belongs to none
    wait_for(hop.channel, *arrival, hop.step);
    Step& last = last_departure[{hop.from, hop.packet, *arrival}];
    last = std::max(last, hop.step);
  }
  std::map<std::pair<NodeId, Step>, std::uint64_t> held;
  for (const auto& [key, last] : last_departure) {
    const auto& [node, packet, arrival] = key;
    for (Step step = arrival + 1; step <= last - 1; ++step) ++held[{node, step}];
  }
  for (const SwitchPacket& it : contents_.all()) {
    for (Step step = it.arrival + 1; it.departure && step <= *it.departure - 1; ++step) ++held[{it.at, step}];
  }

  const auto raise = [](std::uint64_t& largest, std::uint64_t size) { largest = std::max(largest, size); };
  for (const auto& [key, size] : held) {
    raise(found_.max_queue, size);
    raise(found_.queue_by_level[fabric_.level(key.first)], size);
    if (const auto limit = fabric_.rules().queue.limit; limit && size > *limit) violation(queue);
  }
  for (const auto& [key, size] : waiting_) {
    raise(found_.max_channel_queue, size);
    raise(found_.channel_queue_by_level[fabric_.level(fabric_.channel(key.first).from)], size);
    raise(found_.queue_of_channel[key.first], size);
  }
}

// After each step: what each processor has received so far, and sends later.
void Judge::measure_buffers() {
  using Key = std::pair<NodeId, std::uint64_t>;
  std::map<Key, std::set<Step>> received;
  std::map<Key, std::set<Step>> sent;
  for (const Hop& hop : hops_) {
    const std::uint64_t chunk =
        collective_.combining() ? std::uint64_t{collective_.value_of(hop.packet)} : hop.packet.value;
    received[{hop.to, chunk}].insert(hop.step);
    if (hop.joins) {
      for (const NodeId sender : messages_.all[hop.message].senders) sent[{sender, chunk}].insert(hop.step);
    } else {
      sent[{hop.from, chunk}].insert(hop.step);
    }
  }
  std::map<std::pair<NodeId, Step>, std::uint64_t> buffered;
  for (const auto& [key, steps] : received) {
    if (!processor(key.first) || !sent.contains(key)) continue;
    for (Step step = *steps.begin(); step < *sent[key].rbegin(); ++step) ++buffered[{key.first, step}];
  }
  for (const auto& [key, chunks] : buffered) found_.max_buffer = std::max(found_.max_buffer, chunks);
}

}  // namespace quadrille::reference
