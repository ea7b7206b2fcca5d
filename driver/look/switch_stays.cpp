// There are three kinds of switches. A switch that copies keeps a packet from its arrival to its last departure
// before it comes again. A switch that forwards hands on each copy once, first in, first out. A switch that reduces
// holds one partial reduction for each target and part, from its first arrival to its departure.
#include "driver/look/switch_stays.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

namespace quadrille::driver {
namespace {

using Key = std::pair<NodeId, ChunkId>;
struct Hash {
  std::size_t operator()(const Key& key) const {
    return static_cast<std::size_t>((key.second.value * 0x9e3779b97f4a7c15U) ^ key.first.value);
  }
};

class Copying final : public SwitchStays {
 public:
  explicit Copying(const Fabric& fabric) : SwitchStays(fabric) {}

 private:
  struct Visit {
    std::uint32_t arrival = 0;
    std::uint32_t departure = 0;  // the last; 0: none
  };

  void depart(NodeId node, ChunkId chunk, std::uint32_t step) override {
    if (const auto found = visits_.find({node, chunk}); found != visits_.end()) found->second.departure = step;
  }
  void arrive(NodeId node, ChunkId chunk, std::uint32_t step) override {
    Visit& visit = visits_[{node, chunk}];
    keep(node, visit.arrival, visit.departure);
    visit = {step, 0};
  }
  void end() override {
    for (const auto& [key, visit] : visits_) keep(key.first, visit.arrival, visit.departure);
  }

  std::unordered_map<Key, Visit, Hash> visits_;
};

class Forwarding final : public SwitchStays {
 public:
  explicit Forwarding(const Fabric& fabric) : SwitchStays(fabric) {}

 private:
  void depart(NodeId node, ChunkId chunk, std::uint32_t step) override {
    const auto found = copies_.find({node, chunk});
    if (found == copies_.end() || found->second.empty()) return;
    keep(node, found->second.front(), step);
    found->second.pop_front();
  }
  void arrive(NodeId node, ChunkId chunk, std::uint32_t step) override { copies_[{node, chunk}].push_back(step); }

  std::unordered_map<Key, std::deque<std::uint32_t>, Hash> copies_;  // their arrivals
};

class Reducing final : public SwitchStays {
 public:
  explicit Reducing(const SendTable& table) : SwitchStays(table.fabric), collective_(table.collective) {}

 private:
  // The key of all packets for the same target and part.
  Key held(NodeId node, ChunkId chunk) const {
    const ChunkName name = collective_.name(chunk);
    const std::uint64_t target = name.target ? *name.target + std::uint64_t{1} : 0;
    return {node, ChunkId(target << 32 | name.part)};
  }
  void depart(NodeId node, ChunkId chunk, std::uint32_t step) override {
    const Key key = held(node, chunk);
    const auto found = arrivals_.find(key);
    if (found == arrivals_.end()) return;
    if (std::ranges::find(leaving_, key) != leaving_.end()) return;
    keep(node, found->second, step);
    leaving_.push_back(key);
  }
  void departed() override {
    for (const Key& key : leaving_) arrivals_.erase(key);
    leaving_.clear();
  }
  void arrive(NodeId node, ChunkId chunk, std::uint32_t step) override {
    arrivals_.try_emplace(held(node, chunk), step);
  }

  const Collective& collective_;
  std::unordered_map<Key, std::uint32_t, Hash> arrivals_;  // the first of what is held
  std::vector<Key> leaving_;                               // in this step
};

}  // namespace

void SwitchStays::add(const StepRows& batch) {
  for (const Row& row : batch.rows) {
    const NodeId from = fabric_.channel(row.channel).from;
    if (!fabric_.is_processor(from)) depart(from, row.chunk, batch.step.value);
  }
  departed();
  for (const Row& row : batch.rows) {
    const NodeId to = fabric_.channel(row.channel).to;
    if (!fabric_.is_processor(to)) arrive(to, row.chunk, batch.step.value);
  }
}

void SwitchStays::keep(NodeId node, std::uint32_t arrival, std::uint32_t departure) {
  if (departure > arrival + 1) stays_.push_back({node, arrival + 1, departure - 1});
}

std::vector<BufferedStay> SwitchStays::finished() {
  end();
  std::ranges::sort(stays_, [](const BufferedStay& a, const BufferedStay& b) {
    return std::pair(a.node, a.first) < std::pair(b.node, b.first);
  });
  return std::move(stays_);
}

std::unique_ptr<SwitchStays> switch_stays(const SendTable& table) {
  switch (table.fabric.rules().switches) {
    case Switching::forward:
      return std::make_unique<Forwarding>(table.fabric);
    case Switching::reduce:
      if (table.collective.combining()) return std::make_unique<Reducing>(table);
      return std::make_unique<Copying>(table.fabric);
    case Switching::copy:
      break;
  }
  return std::make_unique<Copying>(table.fabric);
}

}  // namespace quadrille::driver
