// SCCL's steps have sends of chunks from processor to processor, all of them under way at once; so rounds are steps as
// they are, and so are steps of a table where no packet passes a switch. What passes switches is sent in the step in
// which it arrives, as its sender still has it then. How many rounds a step takes follows from its sends.
//
// A tree as cuts: for example, of a star of three the link of processor 0 is the two cuts {0} against {1, 2}, and back.
#include "export/sccl.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/route.h"
#include "motion/followed_moves.h"

namespace quadrille::exporting {
namespace {

using Json = nlohmann::ordered_json;

Diagnostic no_sccl(std::string why) { return error_at({}, std::move(why), Code::unsupported); }

// --- the topology ----------------------------------------------------------------------------------------------------

// The processors on the side of `to`, without the link that leads there; nothing if the other end is among them, too.
std::optional<std::vector<bool>> side_behind(const Fabric& fabric, NodeId from, NodeId to) {
  std::vector<bool> seen(fabric.nodes());
  std::vector<NodeId> open{to};
  seen[to.value] = true;
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (const ChannelId id : fabric.channels_from(node)) {
      const NodeId next = fabric.channel(id).to;
      if (node == to && next == from) continue;
      if (next == from) return std::nullopt;
      if (!seen[next.value]) open.push_back(next);
      seen[next.value] = true;
    }
  }
  seen.resize(fabric.processors());
  return seen;
}

Json processors_on(const std::vector<bool>& side, bool wanted) {
  Json list = Json::array();
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (side[i] == wanted) list.push_back(i);
  }
  return list;
}

// A cut for each channel. Nothing if the links are not those of a tree whose leaves are the processors.
std::optional<Json> cuts_of(const Fabric& fabric) {
  Json cuts = Json::array();
  if (fabric.channels() != 2 * (fabric.nodes() - 1)) return std::nullopt;
  for (NodeId node(0); node.value < fabric.processors(); ++node.value) {
    if (fabric.channels_from(node).size() != 1) return std::nullopt;
  }
  for (const Channel& channel : fabric.all_channels()) {
    const auto behind = side_behind(fabric, channel.from, channel.to);
    if (!behind || !fabric.channel_between(channel.to, channel.from)) return std::nullopt;
    const Json from = processors_on(*behind, false);
    const Json to = processors_on(*behind, true);
    if (from.empty() || to.empty()) continue;  // a switch that leads nowhere
    cuts.push_back(
        {from, to, channel.capacity, fmt::format("{}->{}", fabric.name(channel.from), fabric.name(channel.to))});
  }
  return cuts;
}

std::optional<Json> topology_of(const Fabric& fabric) {
  const std::uint32_t n = fabric.processors();
  const bool switches = fabric.nodes() > n;
  std::uint32_t most = 1;
  most = std::max(most, fabric.largest_capacity());
  std::vector<std::vector<std::uint32_t>> links(n, std::vector<std::uint32_t>(n, switches ? most : 0));
  for (std::uint32_t i = 0; i < n; ++i) links[i][i] = 0;
  if (!switches) {
    for (const Channel& channel : fabric.all_channels()) links[channel.to.value][channel.from.value] = channel.capacity;
  }
  Json topology{{"msccl_type", "topology"}, {"name", fabric.title()}, {"switches", Json::array()}, {"links", links}};
  if (!switches) return topology;
  auto cuts = cuts_of(fabric);
  if (!cuts) return std::nullopt;
  topology["switches"] = *std::move(cuts);
  return topology;
}

// --- the collective --------------------------------------------------------------------------------------------------

struct SentChunk {
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> after;
};

// By their names' order. Processors keep what they have, so that is asked of them, too, where all ask for it.
std::map<ChunkId, SentChunk> chunks_of(const Collective& collective) {
  std::map<ChunkId, SentChunk> chunks;
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    const auto [chunk, processor] = collective.demand_at(i);
    chunks[chunk].after.push_back(processor.value);
  }
  if (collective.listed()) {
    for (const CustomChunk& it : collective.description().chunks)
      chunks[*collective.chunk(it.name)] = {it.held_by, it.wanted_by};
    return chunks;
  }
  for (auto& [chunk, it] : chunks) {
    const ChunkName name = collective.name(chunk);
    it.before.push_back(name.origin);
    if (!name.target) it.after.push_back(name.origin);
    std::sort(it.after.begin(), it.after.end());
  }
  return chunks;
}

// --- the whole -------------------------------------------------------------------------------------------------------

Diagnostic not_written(Reason reason) {
  return error_at({}, fmt::format("nothing has been written: {}", to_string(reason)), code_of(reason));
}

class ScclWriter {
 public:
  explicit ScclWriter(const ExportInput& input)
      : table_(input.table),
        limits_(input.limits),
        work_(input.limits),
        followed_(table_, work_, true),
        rounds_(table_.fabric.in_rounds()),
        chunks_(chunks_of(table_.collective)),
        router_(table_.fabric) {
    for (const auto& [chunk, it] : chunks_) addresses_.emplace(chunk, addresses_.size());
  }

  std::optional<Diagnostic> read_steps() {
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      if (const Reason reason = limits_.reached(); reason != Reason::none) return not_written(reason);
      while (steps_.size() + 1 < step->step.value) add_step(Json::array(), 1);
      Json sends = Json::array();
      if (auto wrong = read_sends(*step, sends)) return wrong;
      add_step(std::move(sends), rounds());
      rows_ += step->rows.size();
      if (rows_ > limits_.memory / bytes_of_a_row) return not_written(Reason::limit);
    }
    if (const Reason reason = cursor->ended_early(); reason != Reason::none) return not_written(reason);
    return std::nullopt;
  }

  Json whole(Json topology) const {
    const std::uint32_t n = table_.fabric.processors();
    Json input = Json::object();
    Json output = Json::object();
    for (std::uint32_t i = 0; i < n; ++i) input[fmt::to_string(i)] = output[fmt::to_string(i)] = Json::array();
    Json chunks = Json::array();
    for (const auto& [chunk, it] : chunks_) {
      const std::uint64_t address = addresses_.at(chunk);
      chunks.push_back({{"msccl_type", "chunk"}, {"pre", it.before}, {"post", it.after}, {"addr", address}});
      for (const std::uint32_t each : it.before) input[fmt::to_string(each)].push_back(address);
      for (const std::uint32_t each : it.after) output[fmt::to_string(each)].push_back(address);
    }
    const std::string name = table_.schedule.empty() ? table_.collective.notation() : table_.schedule;
    return {{"msccl_type", "algorithm"},
            {"name", name},
            {"instance",
             {{"msccl_type", "instance"},
              {"steps", steps_.size()},
              {"extra_rounds", all_rounds_ - steps_.size()},
              {"chunks", table_.collective.description().parts},
              {"pipeline", nullptr},
              {"extra_memory", nullptr},
              {"allow_exchange", false}}},
            {"input_map", input},
            {"output_map", output},
            {"steps", steps_},
            {"collective",
             {{"msccl_type", "collective"},
              {"name", table_.collective.kind().facts().name},
              {"nodes", n},
              {"chunks", chunks}}},
            {"topology", std::move(topology)}};
  }

 private:
  static constexpr std::uint64_t bytes_of_a_row = 512;  // in JSON's own form

  std::optional<Diagnostic> read_sends(const StepRows& step, Json& sends) {
    loads_.clear();
    longest_ = 1;
    if (const auto wrong = followed_.read(step)) return no_sccl(wrong->why);
    std::map<std::tuple<MessageId, NodeId, NodeId>, std::uint64_t> lengths;
    for (const ChunkMove& move : followed_.arrivals()) {
      if (auto wrong = add(move.chunk, move.from, move.to, sends)) return wrong;
      if (rounds_) longest_ = std::max(longest_, ++lengths[{move.message, move.from, move.to}]);
    }
    return std::nullopt;
  }

  // A message to several receivers is a send for each, and each takes its way for itself.
  std::optional<Diagnostic> add(ChunkId chunk, NodeId from, NodeId to, Json& sends) {
    const auto found = addresses_.find(chunk);
    if (found == addresses_.end())
      return no_sccl(fmt::format("packet {} is sent, and nobody asks for it", table_.collective.label(chunk)));
    if (!switches_ && !table_.fabric.channel_between(from, to)) {
      return no_sccl(
          fmt::format("{} goes from {} to {} by other processors in one round, and a send goes over one link; "
                      "try --timing steps",
                      table_.collective.label(chunk), from.value, to.value));
    }
    sends.push_back({found->second, from.value, to.value});
    route_.clear();
    router_.append_route(from, to, route_);
    for (const ChannelId channel : route_) ++loads_[channel];
    return std::nullopt;
  }

  // As many as its most loaded link takes, and its longest message, where each has one lane of its own.
  std::uint64_t rounds() const {
    std::uint64_t most = rounds_ && table_.fabric.rules().paths == Paths::held ? longest_ : 1;
    for (const auto& [channel, load] : loads_) {
      const std::uint64_t capacity = table_.fabric.channel(channel).capacity;
      most = std::max(most, (load + capacity - 1) / capacity);
    }
    return most;
  }

  void add_step(Json sends, std::uint64_t rounds) {
    steps_.push_back({{"msccl_type", "step"}, {"rounds", rounds}, {"sends", std::move(sends)}});
    all_rounds_ += rounds;
  }

  const SendTable& table_;
  const Limits& limits_;
  Work work_;
  FollowedMoves followed_;
  bool rounds_;
  bool switches_ = table_.fabric.has_switches();
  std::map<ChunkId, SentChunk> chunks_;
  std::map<ChunkId, std::uint64_t> addresses_;
  Json steps_ = Json::array();
  std::uint64_t all_rounds_ = 0;
  std::uint64_t rows_ = 0;
  Router router_;
  // The rest is of the step that is read.
  std::vector<ChannelId> route_;
  std::map<ChannelId, std::uint64_t> loads_;
  std::uint64_t longest_ = 1;  // chunks of a message
};

}  // namespace

Result<ExportOutcome> export_sccl(const ExportInput& input, const Sink& sink) {
  const SendTable& table = input.table;
  if (table.collective.combining()) return no_sccl("what is reduced cannot be said there so far");
  if (table.collective.demands() == 0) return no_sccl("nobody asks for anything: there is no algorithm without chunks");
  constexpr std::uint32_t most_processors = 1024;
  constexpr std::uint64_t most_demands = std::uint64_t{1} << 22;
  if (table.fabric.processors() > most_processors || table.collective.demands() > most_demands)
    return no_sccl(fmt::format("{} processors: expected at most {}", table.fabric.processors(), most_processors));
  auto topology = topology_of(table.fabric);
  if (!topology) {
    return no_sccl(fmt::format("{} has switches, and is no tree below which all processors are: no cuts say its links",
                               table.fabric.title()));
  }
  ScclWriter writer(input);
  try {
    if (auto wrong = writer.read_steps()) return *std::move(wrong);
  } catch (const Ended& ended) {
    return not_written(ended.reason);
  }
  sink(writer.whole(*std::move(topology)).dump(1) + "\n");
  ExportOutcome outcome;
  const Rules& rules = table.fabric.rules();
  if (rules.ports == Ports::single || rules.duplex == Duplex::half || rules.queue.limit || rules.paths == Paths::held) {
    outcome.notes.emplace_back("ports, duplex and lanes held are left out: links have bandwidths, and nothing else");
  }
  return outcome;
}

}  // namespace quadrille::exporting
