// MSCCL XML files in a few lines, for tests.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "programs/judge.h"
#include "programs/msccl/load.h"
#include "programs/msccl/xml.h"

namespace quadrille::programs {

// Ranks with no block yet, whose buffers have the chunks that the collective gives them; out of place, any size.
inline MscclFile small_file(const std::string& collective, std::int64_t ranks, std::int64_t chunks,
                            Protocol protocol = Protocol::simple) {
  MscclFile file;
  file.name = "small";
  file.protocol = protocol;
  file.channels = 4;
  file.chunks = chunks;
  file.ranks = ranks;
  file.collective = collective;
  file.out_of_place = true;
  file.least_bytes = 0;
  file.most_bytes = 0;
  for (std::int64_t r = 0; r < ranks; ++r) {
    MscclRank rank;
    rank.id = r;
    rank.input_chunks = collective == "allgather" ? chunks / ranks : chunks;
    rank.output_chunks = collective == "reducescatter" ? chunks / ranks : chunks;
    rank.scratch_chunks = 40;
    file.members.push_back(rank);
  }
  return file;
}

inline MscclBlock& add_block(MscclFile& file, std::int64_t rank, std::int64_t send, std::int64_t receive,
                             std::int64_t channel = 0) {
  MscclRank& member = file.members[static_cast<std::size_t>(rank)];
  member.blocks.push_back({static_cast<std::int64_t>(member.blocks.size()), send, receive, channel});
  return member.blocks.back();
}

struct StepExtras {
  std::int64_t count = 1;
  std::int64_t depends_on_block = -1;
  std::int64_t depends_on_step = -1;
  std::int64_t has_dependence = 0;
};

// "re", "i0", "s3": the source and the target, each a buffer and an offset.
inline MscclStep& add_step(MscclBlock& block, std::string_view type, const std::string& source,
                           const std::string& target, const StepExtras& extras = {}) {
  const auto space = [](char c) { return c == 'i' ? Space::input : c == 'o' ? Space::output : Space::scratch; };
  constexpr std::string_view names[] = {"s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re"};
  MscclStep step;
  step.s = static_cast<std::int64_t>(block.steps.size());
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == type) step.kind = static_cast<Kind>(i);
  }
  step.source = space(source[0]);
  step.source_offset = std::stoll(source.substr(1));
  step.target = space(target[0]);
  step.target_offset = std::stoll(target.substr(1));
  step.count = extras.count;
  step.depends_on_block = extras.depends_on_block;
  step.depends_on_step = extras.depends_on_step;
  step.has_dependence = extras.has_dependence;
  block.steps.push_back(step);
  return block.steps.back();
}

struct SmallCall {
  std::string executor = "rccl";
  bool in_place = false;
  std::optional<std::uint64_t> buffer = {};
  std::optional<ByteRange> bytes = {};
};

inline MscclCall call_of(const MscclFile& file, const SmallCall& small) {
  MscclCall call;
  call.executor = executor_named(small.executor);
  call.in_place = small.in_place;
  call.buffer = small.buffer;
  const ByteRange range = small.bytes.value_or(bytes_of(file, *call.executor));
  call.bytes_from = range.from;
  call.bytes_to = range.to;
  return call;
}

inline LoadedMsccl judged(const MscclFile& file, const SmallCall& small = {}) {
  LoadedMsccl loaded = load_msccl(file, call_of(file, small), 5);
  judge(loaded.program, loaded.report, {});
  return loaded;
}

inline ProgramVerdict verdict_of(const MscclFile& file, ProgramProperty property, const SmallCall& small = {}) {
  return judged(file, small).report.of(property).verdict;
}

// One of tests/programs/samples.
inline MscclFile sample(const std::string& name) {
  std::ifstream stream(QUADRILLE_SOURCE_FOLDER "/tests/programs/samples/" + name);
  const Source source{name, {std::istreambuf_iterator<char>(stream), {}}};
  return *read_msccl_xml(source, 0);
}

}  // namespace quadrille::programs
