// Cycle by cycle: what each event does is done on a list of where messages are, then what stays where it was is
// counted.
#include "tests/reference/router_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace quadrille::reference {
namespace {

using Kind = RouterEvent::Kind;

struct RouterPlace {
  enum class State { at_source, on_the_way, delivered } state = State::at_source;
  NodeId node;
  std::uint32_t crossed = 0;  // the last cycle in which it did
  std::uint32_t injected = 0;
};

class RouterJudge {
 public:
  RouterJudge(const Fabric& fabric, const std::vector<RoutedMessage>& messages, const RouterOptions& options,
              const RouterRun& run, bool ready)
      : fabric_(fabric), messages_(messages), options_(options), run_(run), ready_(ready), places_(messages.size()) {}

  std::string judge(const std::vector<RouterEvent>& trace) {
    std::size_t i = 0;
    for (cycle_ = 1; cycle_ <= run_.cycles && wrong_.empty(); ++cycle_) {
      for (auto* each : {&crossings_, &injections_, &deliveries_, &referrals_}) each->clear();
      per_processor_.clear();
      counted_ = false;
      for (; i < trace.size() && trace[i].cycle == cycle_; ++i) take(trace[i]);
      if (!counted_) count_waiting();
    }
    expect(i == trace.size(), "events out of their cycles");
    check_end();
    return wrong_;
  }

 private:
  using Counts = std::map<std::uint32_t, std::uint32_t>;

  void expect(bool holds, const std::string& what) {
    if (!holds && wrong_.empty()) wrong_ = fmt::format("cycle {}: {}", cycle_, what);
  }

  // The node that it hangs on, for the one way or the other; itself where it is a router.
  bool hangs(NodeId p) const {
    if (!fabric_.is_processor(p)) return false;
    const auto out = fabric_.channels_from(p);
    const auto in = fabric_.channels_to(p);
    return out.size() == 1 && in.size() == 1 && !fabric_.is_processor(fabric_.channel(out[0]).to) &&
           !fabric_.is_processor(fabric_.channel(in[0]).from);
  }
  NodeId source_router(std::uint32_t p) const {
    return hangs(NodeId(p)) ? fabric_.channel(fabric_.channels_from(NodeId(p))[0]).to : NodeId(p);
  }
  NodeId target_router(std::uint32_t p) const {
    return hangs(NodeId(p)) ? fabric_.channel(fabric_.channels_to(NodeId(p))[0]).from : NodeId(p);
  }

  // Wires from every node to that one, through routers only.
  const std::map<std::uint32_t, std::uint32_t>& distances_to(NodeId target) {
    auto [place, added] = distances_.try_emplace(target.value);
    if (!added) return place->second;
    auto& distance = place->second;
    distance[target.value] = 0;
    for (bool more = true; more;) {
      more = false;
      for (const Channel& channel : fabric_.all_channels()) {
        if (hangs(channel.from) || hangs(channel.to) || !distance.contains(channel.to.value)) continue;
        const std::uint32_t here = distance[channel.to.value] + 1;
        if (distance.contains(channel.from.value) && distance[channel.from.value] <= here) continue;
        distance[channel.from.value] = here;
        more = true;
      }
    }
    return distance;
  }

  void take(const RouterEvent& event) {
    if (event.message >= messages_.size()) return expect(false, "no such message");
    if (event.kind == Kind::delivered) return deliver(event);
    expect(!counted_, "a message moves after the first is delivered");
    if (event.kind == Kind::injected) return inject(event);
    cross(event);
  }

  void inject(const RouterEvent& event) {
    RouterPlace& place = places_[event.message];
    const std::uint32_t processor = messages_[event.message].from;
    expect(place.state == RouterPlace::State::at_source, "injected twice");
    for (std::size_t i = 0; i < event.message; ++i) {
      expect(messages_[i].from != processor || places_[i].state != RouterPlace::State::at_source,
             "injected out of turn");
    }
    place = {RouterPlace::State::on_the_way, source_router(processor), 0, cycle_};
    expect(++injections_[place.node.value] <= options_.inject, "a router injects too many");
    if (!hangs(NodeId(processor))) return;
    const Channel& channel = fabric_.channel(fabric_.channels_from(NodeId(processor))[0]);
    expect(++per_processor_[processor] <= channel.capacity, "a processor's channel is overloaded");
  }

  void cross(const RouterEvent& event) {
    RouterPlace& place = places_[event.message];
    const Channel& channel = fabric_.channel(event.channel);
    expect(place.state == RouterPlace::State::on_the_way && place.node == channel.from, "crosses from where it is not");
    expect(place.crossed != cycle_, "crosses twice");
    expect(!hangs(channel.to), "crosses to a processor");
    expect(++crossings_[event.channel.value] <= channel.capacity, "more than a message a lane");
    if (!wrong_.empty()) return;
    const auto& distance = distances_to(target_router(messages_[event.message].to));
    const bool nearer = distance.at(channel.to.value) < distance.at(channel.from.value);
    expect(nearer || event.kind == Kind::referred, "routed along a wire that is not useful");
    if (event.kind == Kind::referred) ++referrals_[channel.from.value], ++referred_;
    place.node = channel.to;
    place.crossed = cycle_;
    ++hops_;
  }

  // What has not crossed in this cycle has been buffered.
  void count_waiting() {
    counted_ = true;
    if (!wrong_.empty()) return;
    Counts waiting;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const RouterPlace& place = places_[i];
      if (place.state != RouterPlace::State::on_the_way || place.crossed == cycle_) continue;
      const std::uint32_t now = ++waiting[place.node.value];
      expect(now <= options_.buffers, "more wait than there are buffers");
      peak_ = std::max(peak_, now);
      ++buffered_;
      if (ready_ && run_.refers) check_no_useful_wire(messages_[i], place.node);
    }
    for (const auto& [node, count] : referrals_) {
      expect(waiting[node] == options_.buffers, "referred though there is a buffer");
    }
  }

  void check_no_useful_wire(const RoutedMessage& it, NodeId node) {
    const auto& distance = distances_to(target_router(it.to));
    for (const ChannelId id : fabric_.channels_from(node)) {
      const Channel& channel = fabric_.channel(id);
      if (hangs(channel.to) || distance.at(channel.to.value) >= distance.at(node.value)) continue;
      expect(crossings_[id.value] == channel.capacity, "waits though a useful wire is free");
    }
  }

  void deliver(const RouterEvent& event) {
    if (!counted_) count_waiting();
    RouterPlace& place = places_[event.message];
    const std::uint32_t processor = messages_[event.message].to;
    expect(place.state == RouterPlace::State::on_the_way && place.node == target_router(processor),
           "delivered elsewhere");
    place.state = RouterPlace::State::delivered;
    expect(++deliveries_[place.node.value] <= options_.deliver, "a router delivers too many");
    ++delays_[cycle_];
    ++delays_inside_[cycle_ - place.injected + 1];
    ++delivered_;
    if (!hangs(NodeId(processor))) return;
    const Channel& channel = fabric_.channel(fabric_.channels_to(NodeId(processor))[0]);
    expect(++to_processor_[{cycle_, processor}] <= channel.capacity, "a processor's channel is overloaded");
  }

  void check_end() {
    for (const RouterPlace& place : places_) expect(place.state == RouterPlace::State::delivered, "a message is lost");
    expect(run_.reason == Reason::none, "ended early");
    expect(delivered_ == messages_.size() && run_.delivered == delivered_, "the number delivered");
    expect(run_.hops == hops_ && run_.referrals == referred_, "the number of hops or referrals");
    expect(run_.peak_buffered == peak_ && run_.buffered == buffered_, "the use of buffers");
    expect(run_.delays == delays_ && run_.delays_inside == delays_inside_, "the delays");
    expect(run_.least.cycles <= run_.cycles, fmt::format("fewer cycles than the bound: {}", run_.least.reason));
    std::uint32_t diameter = 1;
    for (const auto& [target, distance] : distances_) {
      for (const auto& [node, wires] : distance) diameter = std::max(diameter, wires);
    }
    const std::uint64_t most = messages_.size() * std::uint64_t{diameter};
    expect(!run_.refers || run_.cycles <= most, "more cycles than messages times the diameter");
  }

  const Fabric& fabric_;
  const std::vector<RoutedMessage>& messages_;
  const RouterOptions& options_;
  const RouterRun& run_;
  bool ready_;
  std::vector<RouterPlace> places_;
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> distances_;  // by target, by node
  std::uint32_t cycle_ = 0;
  bool counted_ = false;
  Counts crossings_, injections_, deliveries_, referrals_, per_processor_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> to_processor_;
  std::uint64_t hops_ = 0, referred_ = 0, delivered_ = 0, buffered_ = 0;
  std::uint32_t peak_ = 0;
  Delays delays_, delays_inside_;
  std::string wrong_;
};

}  // namespace

std::string judge_router(const Fabric& fabric, const std::vector<RoutedMessage>& messages, const RouterOptions& options,
                         const RouterRun& run, const std::vector<RouterEvent>& trace, bool ready) {
  return RouterJudge(fabric, messages, options, run, ready).judge(trace);
}

}  // namespace quadrille::reference
