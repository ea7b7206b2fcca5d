// For example,
//
//   {"msccl_type":"algorithm", "name":"pair", "topology":{"links":[[0,1],[1,0]]},
//    "collective":{"nodes":2, "chunks":[{"pre":[0],"post":[0,1],"addr":0}, {"pre":[1],"post":[0,1],"addr":1}]},
//    "steps":[{"rounds":1, "sends":[[0,0,1],[1,1,0]]}]}
//
// is an all-gather of two in one round: chunk 0 (its address comes first) goes from 0 to 1, and 1 from 1 to 0.
#include "formats/sccl_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "model/route.h"
#include "model/text/counted.h"
#include "model/text/printable.h"
#include "model/text/read_json.h"

namespace quadrille {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_bytes = std::size_t{64} << 20;

const Json& member(const Json& object, const char* key, const std::string& place) {
  if (!object.is_object()) throw JsonRefusal{fmt::format("{} is no object", place.empty() ? "the file" : place)};
  const auto found = object.find(key);
  if (found == object.end()) throw JsonRefusal{fmt::format("{} has no `{}`", place.empty() ? "the file" : place, key)};
  return *found;
}

const Json& list(const Json& object, const char* key, const std::string& place) {
  const Json& found = member(object, key, place);
  if (!found.is_array()) throw JsonRefusal{fmt::format("{}/{} is no list", place, key)};
  return found;
}

// A chunk as the file has it; who has it before and after, in order.
struct ScclChunk {
  std::uint64_t address = 0;
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> after;
};

std::vector<std::uint32_t> processors_in(const Json& json, std::uint32_t processors, const std::string& place) {
  if (!json.is_array()) throw JsonRefusal{place + " is no list of processors"};
  std::set<std::uint32_t> result;
  for (const Json& each : json) {
    const std::uint64_t processor = whole_number(each, place);
    if (processor >= processors)
      throw JsonRefusal{fmt::format("{} names processor {} of {}", place, processor, processors)};
    result.insert(static_cast<std::uint32_t>(processor));
  }
  return {result.begin(), result.end()};
}

std::vector<ScclChunk> chunks_in(const Json& collective, std::uint32_t processors) {
  const Json& chunks = list(collective, "chunks", "/collective");
  std::vector<ScclChunk> result;
  std::map<std::uint64_t, std::size_t> addresses;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::string place = fmt::format("/collective/chunks/{}", i);
    ScclChunk chunk{whole_number(member(chunks[i], "addr", place), place + "/addr"),
                    processors_in(member(chunks[i], "pre", place), processors, place + "/pre"),
                    processors_in(member(chunks[i], "post", place), processors, place + "/post")};
    if (chunk.before.empty()) throw JsonRefusal{place + "/pre is empty: nobody has the chunk"};
    const auto [known, added] = addresses.emplace(chunk.address, i);
    if (!added) {
      throw JsonRefusal{fmt::format("{} has the address {} of /collective/chunks/{}: what is reduced is not read",
                                    place, chunk.address, known->second),
                        Code::unsupported};
    }
    result.push_back(std::move(chunk));
  }
  if (result.empty()) throw JsonRefusal{"/collective/chunks is empty"};
  return result;
}

// --- which collective it is ------------------------------------------------------------------------------------------

// The names of chunks, in the order of the file; nothing for one that is where it should be and has no name.
using Names = std::vector<std::optional<ChunkName>>;

struct Named {
  CollectiveDescription description;
  Names names;
};

// The chunks of that kind: each has one processor before, and everybody after (`target`: one). Nothing if they are not.
std::optional<Named> named(CollectiveKind kind, const std::vector<ScclChunk>& chunks, std::uint32_t processors) {
  const bool one_target = kind == CollectiveKind::total_exchange;
  Named result;
  result.description.kind = kind;
  result.description.root = chunks.front().before.front();
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> counts;  // by origin and target
  for (const ScclChunk& chunk : chunks) {
    const bool fits = chunk.before.size() == 1 && chunk.after.size() == (one_target ? 1 : processors);
    if (!fits) return std::nullopt;
    const std::uint32_t origin = chunk.before.front();
    if (kind == CollectiveKind::broadcast && origin != result.description.root) return std::nullopt;
    const std::uint32_t part = counts[{origin, one_target ? chunk.after.front() : 0}]++;
    const auto target = one_target ? std::optional(chunk.after.front()) : std::nullopt;
    const bool stays = target == origin;
    result.names.push_back(stays ? std::nullopt : std::optional(ChunkName{origin, target, part}));
  }
  std::erase_if(counts, [&](const auto& it) { return one_target && it.first.first == it.first.second; });
  if (counts.empty()) return std::nullopt;
  const std::uint64_t all = kind == CollectiveKind::broadcast   ? 1
                            : kind == CollectiveKind::allgather ? processors
                                                                : std::uint64_t{processors} * (processors - 1);
  result.description.parts = counts.begin()->second;
  const bool alike =
      std::all_of(counts.begin(), counts.end(), [&](const auto& it) { return it.second == result.description.parts; });
  return alike && counts.size() == all ? std::optional(std::move(result)) : std::nullopt;
}

Named custom(const std::vector<ScclChunk>& chunks) {
  Named result;
  result.description.kind = CollectiveKind::custom;
  std::map<std::pair<std::uint32_t, std::optional<std::uint32_t>>, std::uint32_t> parts;
  for (const ScclChunk& chunk : chunks) {
    const std::uint32_t origin = chunk.before.front();
    const auto target = chunk.after.size() == 1 ? std::optional(chunk.after.front()) : std::nullopt;
    const ChunkName name{origin, target, parts[{origin, target}]++};
    result.names.emplace_back(name);
    result.description.chunks.push_back({name, chunk.before, chunk.after});
  }
  return result;
}

// --- the whole file --------------------------------------------------------------------------------------------------

class ScclReader {
 public:
  explicit ScclReader(const TableInput& input) : input_(input) {}

  Result<SendTable> read() {
    if (input_.source.text.size() > most_bytes) return fault("is longer than 64 MiB", Code::limit);
    JsonRead read = read_json(input_.source.text);
    if (read.fault) return fault_of(*read.fault);
    whole_ = std::move(read.value);
    try {
      return table();
    } catch (const JsonRefusal& refusal) {
      return fault(refusal.why, refusal.code);
    }
  }

 private:
  Diagnostic fault(const std::string& why, Code code) const {
    return error_at({}, fmt::format("{}: {}", input_.source.name, why), code);
  }

  Diagnostic fault_of(const JsonFault& json) const {
    if (json.kind == JsonFault::Kind::large_number) return fault("a number is too large", Code::syntax);
    const auto at = static_cast<std::uint32_t>(json.byte.value_or(0));
    return error_at({input_.source_number, at, at},
                    json.kind == JsonFault::Kind::second_key ? json.why : "this is no JSON", Code::syntax);
  }

  Result<SendTable> table() {
    list(whole_, "steps", "");
    const Json& collective = member(whole_, "collective", "");
    const ReadFile itself = [&](const std::string&) { return FileText(input_.source.text); };
    Result<Fabric> fabric = parse_fabric({input_.source.name, "sccl:" + path()}, input_.source_number, itself,
                                         input_.families, input_.limits);
    if (!fabric) return fault(fabric.diagnostics().front().message, fabric.diagnostics().front().code);
    const std::uint64_t nodes = whole_number(member(collective, "nodes", "/collective"), "/collective/nodes");
    if (nodes != fabric->processors()) {
      throw JsonRefusal{fmt::format("/collective/nodes is {}, and the topology has {}", nodes,
                                    counted(fabric->processors(), "processor"))};
    }
    chunks_ = chunks_in(collective, fabric->processors());
    for (std::size_t i = 0; i < chunks_.size(); ++i) by_address_.emplace(chunks_[i].address, i);
    const Named named = collective_named(fabric->processors());
    Result<Collective> bound = Collective::make(named.description, fabric->processors());
    if (!bound) return fault(bound.diagnostics().front().message, bound.diagnostics().front().code);
    read_steps(*fabric, *bound, named.names);
    return SendTable{*fabric, *bound, name(), claims(), std::make_shared<StoredRows>(std::move(rows_), messages_)};
  }

  // The fabric is called by it, as far as a notation can say it.
  std::string path() const {
    const std::string& path = input_.source.name;
    const bool plain = path.find_first_of(",: ()\"") == path.npos && !path.empty();
    return plain ? path : "algorithm";
  }

  std::string name() const {
    const auto found = whole_.find("name");
    if (found == whole_.end() || !found->is_string()) return {};
    return printable(found->get<std::string>());
  }

  // A custom one, too, if chunks are sent that are where they should be.
  Named collective_named(std::uint32_t processors) const {
    std::set<std::uint64_t> sent;
    for (const Json& step : whole_["steps"]) {
      if (!step.is_object() || !step.contains("sends") || !step["sends"].is_array()) continue;
      for (const Json& send : step["sends"]) {
        if (send.is_array() && !send.empty() && send[0].is_number_unsigned()) sent.insert(send[0].get<std::uint64_t>());
      }
    }
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::broadcast, CollectiveKind::total_exchange}) {
      auto result = named(kind, chunks_, processors);
      if (!result) continue;
      bool all = true;
      for (std::size_t i = 0; i < chunks_.size(); ++i)
        all = all && (result->names[i] || !sent.contains(chunks_[i].address));
      if (all) return *std::move(result);
    }
    return custom(chunks_);
  }

  void read_steps(const Fabric& fabric, const Collective& collective, const Names& names) {
    const Router router(fabric);
    const Json& steps = whole_["steps"];
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string place = fmt::format("/steps/{}", i);
      const StepId round(static_cast<std::uint32_t>(i + 1));
      const Json& sends = list(steps[i], "sends", place);
      loads_.clear();
      for (std::size_t j = 0; j < sends.size(); ++j) {
        const std::string at = fmt::format("{}/sends/{}", place, j);
        const Send send = send_in(sends[j], fabric.processors(), at);
        const auto chunk = collective.chunk(*names[send.chunk]);
        add(fabric, router, round, static_cast<std::uint32_t>(j), send, *chunk, at);
      }
      compare_rounds(fabric, steps[i], place);
    }
  }

  struct Send {
    std::size_t chunk = 0;
    NodeId from;
    NodeId to;
  };

  Send send_in(const Json& json, std::uint32_t processors, const std::string& place) const {
    if (!json.is_array() || json.size() != 3) throw JsonRefusal{place + " is not [address, from, to]"};
    const auto found = by_address_.find(whole_number(json[0], place + "/0"));
    if (found == by_address_.end())
      throw JsonRefusal{fmt::format("{}: no chunk has the address {}", place, json[0].dump())};
    const std::uint64_t from = whole_number(json[1], place + "/1");
    const std::uint64_t to = whole_number(json[2], place + "/2");
    if (from >= processors || to >= processors) throw JsonRefusal{place + " names a processor that is not there"};
    if (from == to) throw JsonRefusal{fmt::format("{}: processor {} sends to itself", place, from)};
    return {found->second, NodeId(static_cast<std::uint32_t>(from)), NodeId(static_cast<std::uint32_t>(to))};
  }

  // A message of one chunk, over a link or by way of switches.
  void add(const Fabric& fabric, const Router& router, StepId round, std::uint32_t message, const Send& send,
           ChunkId chunk, const std::string& place) {
    route_.clear();
    const bool found = router.append_route(send.from, send.to, route_);
    const bool direct = std::all_of(route_.begin(), route_.end(), [&](ChannelId id) {
      return fabric.channel(id).to == send.to || !fabric.is_processor(fabric.channel(id).to);
    });
    if (!found || !direct)
      throw JsonRefusal{fmt::format("{}: there is no link from {} to {}", place, send.from.value, send.to.value)};
    for (const ChannelId channel : route_) {
      rows_.push_back({round, {channel, LaneId(0), chunk}});
      messages_.emplace_back(message);
      ++loads_[channel];
    }
  }

  void compare_rounds(const Fabric& fabric, const Json& step, const std::string& place) {
    const std::uint64_t said = whole_number(member(step, "rounds", place), place + "/rounds");
    for (const auto& [channel, load] : loads_) {
      const std::uint64_t capacity = fabric.channel(channel).capacity;
      const std::uint64_t taken = (load + capacity - 1) / capacity;
      if (taken <= said || !too_short_.empty()) continue;
      too_short_ = fmt::format("{} says {}, and {} over {} take {}", place, counted(said, "round"),
                               counted(load, "chunk"), fabric.name(channel), taken);
    }
  }

  std::vector<TableClaim> claims() const {
    return {{"no step takes more rounds than the file says",
             {input_.source_number, 0, 0},
             [why = too_short_](const Measured&) {
               return std::pair(why.empty() ? Verdict::holds : Verdict::violated, why);
             }}};
  }

  const TableInput& input_;
  Json whole_;
  std::vector<ScclChunk> chunks_;
  std::map<std::uint64_t, std::size_t> by_address_;
  std::vector<StoredRows::StepRow> rows_;
  std::vector<MessageId> messages_;
  std::vector<ChannelId> route_;
  std::map<ChannelId, std::uint64_t> loads_;  // of the step
  std::string too_short_;                     // the first step that is
};

Match recognise(std::string_view beginning) {
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  if (first == beginning.npos || beginning[first] != '{') return Match::no;
  return beginning.find("\"msccl_type\"") != beginning.npos ? Match::yes : Match::no;
}

}  // namespace

Format sccl_format() {
  return {
      .name = "sccl", .summary = "an algorithm of SCCL", .recognise = recognise, .read = [](const TableInput& input) {
        return ScclReader(input).read();
      }};
}

FormatList with_sccl(FormatList formats) {
  formats.push_back(sccl_format());
  return formats;
}

}  // namespace quadrille
