// Each part of a plan becomes one object of JSON. Keys that an operation does not need are left out, as MSCCL++'s own
// tools do; lists of a GPU stand there even if they are empty, as the loader asks for them.
#include "programs/mscclpp/write_plan.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace quadrille::programs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

std::string_view letter(Space space) { return space == Space::input ? "i" : space == Space::output ? "o" : "s"; }

// The list of what `piece` makes of each element.
template <class List, class Piece>
Json list_of(const List& list, const Piece& piece) {
  Json all = Json::array();
  for (const auto& it : list) all.push_back(piece(it));
  return all;
}

Json chunks_json(const PlanChunks& chunks) {
  Json json;
  if (chunks.space) json["type"] = letter(*chunks.space);
  if (chunks.by_switch) {
    json["switch_channel_id"] = chunks.id;
  } else if (!chunks.space) {
    json["buffer_id"] = chunks.id;
  }
  json["index"] = chunks.index;
  json["size"] = chunks.size;
  return json;
}

Json operation_json(const PlanOperation& operation) {
  Json json;
  json["name"] = to_string(operation.kind);
  if (!operation.sources.empty()) json["src_buff"] = list_of(operation.sources, chunks_json);
  if (!operation.targets.empty()) json["dst_buff"] = list_of(operation.targets, chunks_json);
  if (!operation.channels.empty()) json["channel_ids"] = operation.channels;
  if (operation.channel) json["channel_type"] = to_string(*operation.channel);
  if (!operation.reduction.empty()) json["reduce_op"] = operation.reduction;
  if (operation.share != PlanShare{})
    json["tbg_info"] = {{"tb_id", operation.share.number}, {"tbg_size", operation.share.parts}};
  if (operation.kind == PlanKind::barrier) {
    json["barrier_id"] = operation.barrier;
    json["num_threadblocks"] = operation.barrier_blocks;
  }
  if (!operation.semaphores.empty()) json["semaphore_ids"] = operation.semaphores;
  if (operation.kind == PlanKind::pipeline) {
    json["iter_context"] = {{"unit_size", operation.unit_bytes}, {"num_chunks", operation.pipeline_chunks}};
    json["ops"] = list_of(operation.inner, operation_json);
  }
  return json;
}

// One object for each type that has ids.
Json by_type(const std::array<std::vector<std::uint32_t>, plan_channels>& ids, const char* type_key,
             const char* ids_key) {
  Json all = Json::array();
  for (std::size_t type = 0; type < plan_channels; ++type) {
    if (!ids[type].empty())
      all.push_back({{type_key, to_string(static_cast<PlanChannel>(type))}, {ids_key, ids[type]}});
  }
  return all;
}

Json block_json(const PlanBlock& block) {
  return {{"id", block.id},
          {"ops", list_of(block.operations, operation_json)},
          {"channels", by_type(block.channels, "channel_type", "channel_ids")},
          {"remote_buffer_refs", by_type(block.remote_buffers, "access_channel_type", "remote_buffer_ids")}};
}

Json channels_json(const PlanRank& rank) {
  Json all = Json::array();
  for (std::size_t type = 0; type < rank.peers.size(); ++type) {
    if (rank.peers[type].empty()) continue;
    all.push_back({{"channel_type", to_string(static_cast<PlanChannel>(type))}, {"connected_to", rank.peers[type]}});
  }
  for (const PlanGroups& groups : rank.switches) {
    const auto group = [](const std::vector<std::uint32_t>& ranks) -> Json {
      return {{"size", ranks.size()}, {"ranks", ranks}};
    };
    all.push_back({{"channel_type", "switch"},
                   {"buffer_type", letter(groups.space)},
                   {"rank_groups", list_of(groups.groups, group)}});
  }
  return all;
}

Json rank_json(const PlanRank& rank) {
  const auto buffer = [](const PlanRemoteBuffer& it) -> Json {
    return {{"rank", it.rank},
            {"type", letter(it.space)},
            {"access_channel_types", list_of(it.access, [](PlanChannel type) { return to_string(type); })}};
  };
  const auto semaphore = [](std::uint32_t first) {
    Json json;
    json["init_value"] = first;
    return json;
  };
  return {{"id", rank.id},
          {"input_chunks", rank.input},
          {"output_chunks", rank.output},
          {"scratch_chunks", rank.scratch},
          {"threadblocks", list_of(rank.blocks, block_json)},
          {"channels", channels_json(rank)},
          {"remote_buffers", list_of(rank.remote_buffers, buffer)},
          {"semaphores", list_of(rank.semaphores, semaphore)}};
}

}  // namespace

std::string write_execution_plan(const ExecutionPlan& plan) {
  const Json json{{"name", plan.name},
                  {"collective", plan.collective},
                  {"protocol", plan.protocol},
                  {"inplace", plan.in_place},
                  {"reuse_resources", plan.reuses},
                  {"gpus", list_of(plan.ranks, rank_json)},
                  {"num_threads_per_block", plan.threads},
                  {"use_double_scratch_buffer", plan.double_scratch},
                  {"buffer_alignment", plan.alignment},
                  {"min_message_size", plan.bytes_from},
                  {"max_message_size", plan.bytes_to == 0 ? no_limit : plan.bytes_to}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace quadrille::programs
