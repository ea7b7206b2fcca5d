// Each value is asked for by its key, at a place that messages name. For example, in
//
//   {"name": "put", "src_buff": [{"type": "i", "index": 1, "size": 1}], "dst_buff": [{"buffer_id": 0, "index": 0,
//   "size": 1}],
//    "channel_ids": [0], "channel_type": "memory"}
//
// the source is of the GPU itself, and the target of the remote buffer that the block lists first. Keys that the
// executor does not read are passed over, as it does. Cost: linear.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/limits/work.h"
#include "model/text/printable.h"
#include "model/text/read_json.h"
#include "programs/mscclpp/plan.h"

namespace quadrille::programs {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t bytes_of_a_character = 24;  // of text, as JSON and as a plan, measured
constexpr std::array<std::string_view, plan_channels> channel_names = {"memory", "port", "switch"};
constexpr std::array<std::string_view, 31> kind_names = {
    "nop",    "barrier",   "copy",    "put",   "pws",         "pwsf",        "get",       "re",
    "res",    "rre",       "rres",    "ppkt",  "rppkt",       "cpkt",        "upkt",      "repkt",
    "respkt", "recpkt",    "recspkt", "glre",  "glres",       "gstore",      "gstorepkt", "signal",
    "wait",   "rlxsignal", "rlxwait", "flush", "sem_release", "sem_acquire", "pipeline"};

// A value of the file, and its place there.
class PlanValue {
 public:
  PlanValue(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  const std::string& place() const { return place_; }
  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

  PlanValue at(const char* key) const {
    if (!json_.is_object()) refuse("is no object");
    const auto found = json_.find(key);
    if (found == json_.end())
      throw JsonRefusal{fmt::format("{} has no `{}`", place_.empty() ? "the plan" : place_, key)};
    return {*found, place_.empty() ? key : fmt::format("{}.{}", place_, key)};
  }

  // Calls visit(PlanValue) for each element.
  template <class Visit>
  void each(const Visit& visit) const {
    if (!json_.is_array()) refuse("is no list");
    for (std::size_t i = 0; i < json_.size(); ++i) visit(PlanValue{json_[i], fmt::format("{}[{}]", place_, i)});
  }
  template <class Visit>
  void each_of(const char* key, const Visit& visit) const {
    if (has(key)) at(key).each(visit);
  }

  std::uint32_t number() const { return static_cast<std::uint32_t>(whole_number(json_, place_)); }
  std::uint64_t large(const char* key, std::uint64_t otherwise) const {
    if (!has(key)) return otherwise;
    const PlanValue value = at(key);
    if (!value.json_.is_number_unsigned()) value.refuse("is no whole number");
    return value.json_.get<std::uint64_t>();
  }
  const std::string& word() const {
    if (!json_.is_string()) refuse("is no text");
    return json_.get_ref<const std::string&>();
  }
  bool truth(const char* key, bool otherwise) const {
    if (!has(key)) return otherwise;
    const PlanValue value = at(key);
    if (!value.json_.is_boolean()) value.refuse("is neither true nor false");
    return value.json_.get<bool>();
  }
  std::vector<std::uint32_t> numbers() const {
    std::vector<std::uint32_t> all;
    each([&](const PlanValue& it) { all.push_back(it.number()); });
    return all;
  }

  [[noreturn]] void refuse(std::string_view why) const {
    throw JsonRefusal{fmt::format("{} {}", place_.empty() ? "the plan" : place_, why)};
  }

 private:
  const Json& json_;
  std::string place_;
};

Space space_in(const PlanValue& value) {
  constexpr std::array<std::string_view, 3> names = {"i", "o", "s"};
  const auto found = std::ranges::find(names, value.word());
  if (found == names.end()) value.refuse(fmt::format("is \"{}\"; expected i, o or s", printable(value.word())));
  return static_cast<Space>(found - names.begin());
}

PlanChannel channel_in(const PlanValue& value) {
  const auto found = std::ranges::find(channel_names, value.word());
  if (found == channel_names.end())
    value.refuse(fmt::format("is \"{}\"; expected memory, port or switch", printable(value.word())));
  return static_cast<PlanChannel>(found - channel_names.begin());
}

PlanChunks chunks_in(const PlanValue& value) {
  PlanChunks chunks;
  chunks.by_switch = value.has("switch_channel_id");
  if (value.has("type")) {
    chunks.space = space_in(value.at("type"));
  } else {
    chunks.id = value.at(chunks.by_switch ? "switch_channel_id" : "buffer_id").number();
  }
  chunks.index = value.at("index").number();
  chunks.size = value.at("size").number();
  return chunks;
}

PlanOperation operation_in(const PlanValue& value, bool inner) {
  PlanOperation operation;
  const PlanValue name = value.at("name");
  const auto kind = plan_kind_of(name.word());
  if (!kind) name.refuse(fmt::format("is \"{}\", which is no operation", printable(name.word())));
  operation.kind = *kind;
  if (value.has("channel_type")) operation.channel = channel_in(value.at("channel_type"));
  if (value.has("channel_ids")) operation.channels = value.at("channel_ids").numbers();
  value.each_of("src_buff", [&](const PlanValue& it) { operation.sources.push_back(chunks_in(it)); });
  value.each_of("dst_buff", [&](const PlanValue& it) { operation.targets.push_back(chunks_in(it)); });
  if (value.has("tbg_info")) {
    const PlanValue share = value.at("tbg_info");
    operation.share = {share.at("tb_id").number(), share.at("tbg_size").number()};
  }
  if (operation.kind == PlanKind::barrier) {
    operation.barrier = value.at("barrier_id").number();
    operation.barrier_blocks = value.at("num_threadblocks").number();
  }
  if (value.has("semaphore_ids")) operation.semaphores = value.at("semaphore_ids").numbers();
  if (value.has("reduce_op")) operation.reduction = value.at("reduce_op").word();
  if (operation.kind == PlanKind::pipeline) {
    if (inner) value.refuse("is a pipeline within a pipeline");
    const PlanValue turns = value.at("iter_context");
    operation.unit_bytes = turns.at("unit_size").number();
    operation.pipeline_chunks = turns.at("num_chunks").number();
    value.at("ops").each([&](const PlanValue& it) { operation.inner.push_back(operation_in(it, true)); });
  }
  return operation;
}

PlanBlock block_in(const PlanValue& value) {
  PlanBlock block;
  block.id = value.at("id").number();
  value.at("ops").each([&](const PlanValue& it) { block.operations.push_back(operation_in(it, false)); });
  const auto lists = [&](const char* key, const char* type, const char* ids, auto& of_type) {
    value.each_of(key, [&](const PlanValue& it) {
      auto& all = of_type[static_cast<std::size_t>(channel_in(it.at(type)))];
      for (const std::uint32_t id : it.at(ids).numbers()) all.push_back(id);
    });
  };
  lists("channels", "channel_type", "channel_ids", block.channels);
  lists("remote_buffer_refs", "access_channel_type", "remote_buffer_ids", block.remote_buffers);
  return block;
}

void read_channel(const PlanValue& value, PlanRank& rank) {
  const PlanChannel type = channel_in(value.at("channel_type"));
  if (type != PlanChannel::by_switch) {
    for (const std::uint32_t peer : value.at("connected_to").numbers())
      rank.peers[static_cast<std::size_t>(type)].push_back(peer);
    return;
  }
  PlanGroups& groups = rank.switches.emplace_back();
  groups.space = space_in(value.at("buffer_type"));
  value.at("rank_groups").each([&](const PlanValue& it) { groups.groups.push_back(it.at("ranks").numbers()); });
}

PlanRank rank_in(const PlanValue& value) {
  PlanRank rank;
  rank.id = value.at("id").number();
  rank.input = value.at("input_chunks").number();
  rank.output = value.at("output_chunks").number();
  rank.scratch = value.at("scratch_chunks").number();
  value.at("channels").each([&](const PlanValue& it) { read_channel(it, rank); });
  value.at("remote_buffers").each([&](const PlanValue& it) {
    PlanRemoteBuffer& buffer = rank.remote_buffers.emplace_back();
    buffer.rank = it.at("rank").number();
    buffer.space = space_in(it.at("type"));
    it.at("access_channel_types").each([&](const PlanValue& type) { buffer.access.push_back(channel_in(type)); });
  });
  value.each_of("semaphores", [&](const PlanValue& it) { rank.semaphores.push_back(it.at("init_value").number()); });
  value.at("threadblocks").each([&](const PlanValue& it) { rank.blocks.push_back(block_in(it)); });
  return rank;
}

ExecutionPlan plan_in(const PlanValue& value) {
  ExecutionPlan plan;
  plan.name = value.at("name").word();
  plan.collective = value.at("collective").word();
  plan.protocol = value.at("protocol").word();
  value.at("inplace");
  plan.in_place = value.truth("inplace", false);
  plan.reuses = value.truth("reuse_resources", false);
  plan.double_scratch = value.truth("use_double_scratch_buffer", false);
  plan.alignment = value.large("buffer_alignment", plan.alignment);
  plan.threads = value.large("num_threads_per_block", plan.threads);
  plan.bytes_from = value.large("min_message_size", 0);
  const std::uint64_t most = value.large("max_message_size", ~std::uint64_t{0});
  plan.bytes_to = most == ~std::uint64_t{0} ? 0 : most;
  value.at("gpus").each([&](const PlanValue& it) { plan.ranks.push_back(rank_in(it)); });
  return plan;
}

Diagnostic refusal_of(const JsonFault& fault) {
  const std::string where = fault.byte ? fmt::format(" at byte {}", *fault.byte) : "";
  return error_at({}, fmt::format("this JSON cannot be read{}: {}", where, fault.why), Code::syntax);
}

}  // namespace

std::string_view to_string(PlanChannel type) { return channel_names[static_cast<std::size_t>(type)]; }
std::string_view to_string(PlanKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::optional<PlanKind> plan_kind_of(std::string_view name) {
  const auto found = std::ranges::find(kind_names, name);
  return found == kind_names.end() ? std::nullopt : std::optional(static_cast<PlanKind>(found - kind_names.begin()));
}

// A plan may be long, and its keys come in any order: the words that no other JSON has are looked for, not read.
bool is_execution_plan(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
  return begin != std::string_view::npos && text[begin] == '{' && has("\"gpus\"") && has("\"protocol\"");
}

Result<ExecutionPlan> read_execution_plan(std::string_view text, const Limits& limits) {
  Work work(limits);
  work.take(text.size(), bytes_of_a_character);
  const JsonRead read = read_json(text, [&] { work.spend(16); });
  if (read.fault) return refusal_of(*read.fault);
  try {
    return plan_in({read.value, ""});
  } catch (const JsonRefusal& refusal) {
    return error_at({}, refusal.why, refusal.code);
  }
}

}  // namespace quadrille::programs
