#include "tests/programs/plan_maker.h"

#include <algorithm>
#include <charconv>

namespace quadrille::programs {
namespace {

// Takes the number off the text's begin.
std::uint32_t number_off(std::string_view& text) {
  std::uint32_t result = 0;
  const char* end = std::from_chars(text.data(), text.data() + text.size(), result).ptr;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return result;
}

Space space_off(std::string_view& text) {
  const char letter = text.front();
  text.remove_prefix(1);
  return letter == 'i' ? Space::input : letter == 'o' ? Space::output : Space::scratch;
}

}  // namespace

BlockMaker& BlockMaker::pipeline(std::uint64_t unit_bytes, std::uint32_t chunks) {
  add({.kind = PlanKind::pipeline, .unit_bytes = unit_bytes, .pipeline_chunks = chunks});
  piped_ = true;
  return *this;
}

BlockMaker& BlockMaker::add(PlanOperation operation) {
  auto& list = piped_ ? block().operations.back().inner : block().operations;
  list.push_back(std::move(operation));
  return *this;
}

std::uint32_t BlockMaker::channel_to(std::uint32_t peer) {
  const auto& list = block().channels[static_cast<std::size_t>(type_)];
  const auto& peers = rank().peers[static_cast<std::size_t>(type_)];
  const auto found = std::ranges::find_if(list, [&](std::uint32_t channel) { return peers[channel] == peer; });
  return static_cast<std::uint32_t>(found - list.begin());
}

BlockMaker& BlockMaker::on_channels(PlanKind kind, const Numbers& peers) {
  PlanOperation operation{.kind = kind, .channel = type_};
  for (const std::uint32_t peer : peers) operation.channels.push_back(channel_to(peer));
  return add(std::move(operation));
}

std::uint32_t BlockMaker::remote_buffer(std::uint32_t peer, Space space) {
  auto& all = rank().remote_buffers;
  auto& refs = block().remote_buffers[static_cast<std::size_t>(type_)];
  for (std::uint32_t i = 0; i < refs.size(); ++i) {
    if (all[refs[i]].rank == peer && all[refs[i]].space == space) return i;
  }
  refs.push_back(static_cast<std::uint32_t>(all.size()));
  all.push_back({peer, space, {type_}});
  return static_cast<std::uint32_t>(refs.size() - 1);
}

PlanChunks BlockMaker::chunks(std::string_view text) {
  PlanChunks result;
  result.by_switch = text.front() == 'w';
  if (result.by_switch) text.remove_prefix(1);
  if (text.find(':') != std::string_view::npos) {
    const std::uint32_t whose = number_off(text);
    text.remove_prefix(1);
    const Space space = space_off(text);
    result.id = result.by_switch ? whose : remote_buffer(whose, space);
  } else {
    result.space = space_off(text);
  }
  result.index = number_off(text);
  if (text.empty()) return result;
  text.remove_prefix(1);
  result.size = number_off(text);
  return result;
}

BlockMaker& BlockMaker::move(PlanKind kind, const Buffers& from, const Buffers& to) {
  PlanOperation operation{.kind = kind, .share = share_};
  const auto elsewhere = [](const std::string& text) { return text.find(':') != std::string::npos && text[0] != 'w'; };
  if (std::ranges::any_of(from, elsewhere) || std::ranges::any_of(to, elsewhere)) operation.channel = type_;
  for (const std::string& text : from) operation.sources.push_back(chunks(text));
  for (const std::string& text : to) {
    operation.targets.push_back(chunks(text));
    std::string_view peer = text;
    if (elsewhere(text) && type_ == PlanChannel::port) operation.channels.push_back(channel_to(number_off(peer)));
  }
  return add(std::move(operation));
}

PlanMaker::PlanMaker(std::string collective, std::uint32_t ranks, const PlanSizes& sizes) {
  plan.name = "small";
  plan.collective = std::move(collective);
  plan.protocol = "Simple";
  plan.bytes_to = std::uint64_t{1} << 20;  // so that no offset is too large
  for (std::uint32_t r = 0; r < ranks; ++r)
    plan.ranks.push_back({.id = r, .input = sizes.input, .output = sizes.output, .scratch = sizes.scratch});
}

BlockMaker PlanMaker::block(std::uint32_t rank) {
  auto& blocks = plan.ranks[rank].blocks;
  blocks.push_back({.id = static_cast<std::uint32_t>(blocks.size())});
  return {plan, rank, blocks.back().id};
}

void PlanMaker::connect_one_way(End from, std::uint32_t peer, PlanChannel type) {
  PlanRank& rank = plan.ranks[from.first];
  auto& peers = rank.peers[static_cast<std::size_t>(type)];
  rank.blocks[from.second].channels[static_cast<std::size_t>(type)].push_back(static_cast<std::uint32_t>(peers.size()));
  peers.push_back(peer);
}

void PlanMaker::connect(End a, End b, PlanChannel type) {
  connect_one_way(a, b.first, type);
  connect_one_way(b, a.first, type);
}

std::vector<BlockMaker> PlanMaker::mesh(PlanChannel type) {
  std::vector<BlockMaker> result;
  const auto ranks = static_cast<std::uint32_t>(plan.ranks.size());
  for (std::uint32_t r = 0; r < ranks; ++r) result.push_back(block(r).by(type));
  for (std::uint32_t a = 0; a < ranks; ++a) {
    for (std::uint32_t b = a + 1; b < ranks; ++b) connect({a, 0}, {b, 0}, type);
  }
  return result;
}

void PlanMaker::join_by_switch(Space space) {
  std::vector<std::uint32_t> all;
  for (const PlanRank& rank : plan.ranks) all.push_back(rank.id);
  for (PlanRank& rank : plan.ranks) {
    rank.blocks[0].channels[static_cast<std::size_t>(PlanChannel::by_switch)].push_back(
        static_cast<std::uint32_t>(rank.switches.size()));
    rank.switches.push_back({space, {all}});
  }
}

std::vector<std::uint32_t> PlanMaker::others(std::uint32_t rank) const {
  std::vector<std::uint32_t> result;
  for (const PlanRank& other : plan.ranks) {
    if (other.id != rank) result.push_back(other.id);
  }
  return result;
}

}  // namespace quadrille::programs
