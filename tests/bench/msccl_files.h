// Large MSCCL XML files, made.
#pragma once

#include <string>

#include "programs/msccl/xml.h"

namespace quadrille::bench {

inline programs::MscclFile msccl_file(const char* collective, std::int64_t ranks, std::int64_t chunks) {
  programs::MscclFile file;
  file.name = collective;
  file.ranks = ranks;
  file.chunks = chunks;
  file.channels = 8;
  file.collective = collective;
  file.out_of_place = true;
  file.least_bytes = 0;
  file.most_bytes = 0;
  for (std::int64_t r = 0; r < ranks; ++r) file.members.push_back({r, chunks, chunks, 0});
  return file;
}

inline programs::MscclStep msccl_step(std::int64_t s, programs::Kind kind, programs::Space source, std::int64_t from,
                                      programs::Space target, std::int64_t to) {
  programs::MscclStep step;
  step.s = s;
  step.kind = kind;
  step.source = source;
  step.source_offset = from;
  step.target = target;
  step.target_offset = to;
  step.count = 1;
  return step;
}

// Every rank sends a chunk to every other, a block for each distance.
inline programs::MscclFile large_alltoall(std::int64_t ranks) {
  using enum programs::Space;
  programs::MscclFile file = msccl_file("alltoall", ranks, ranks);
  for (programs::MscclRank& rank : file.members) {
    for (std::int64_t k = 0; k < ranks; ++k) {
      const std::int64_t to = (rank.id + k) % ranks;
      const std::int64_t from = (rank.id + ranks - k) % ranks;
      programs::MscclBlock block{k, k == 0 ? -1 : to, k == 0 ? -1 : from, k % 8};
      if (k == 0) {
        block.steps = {msccl_step(0, programs::Kind::copy, input, rank.id, output, rank.id)};
      } else {
        block.steps = {msccl_step(0, programs::Kind::send, input, to, output, rank.id),
                       msccl_step(1, programs::Kind::receive, input, from, output, from)};
      }
      rank.blocks.push_back(block);
    }
  }
  return file;
}

// An in-place allreduce over `rings` rings: 2·ranks - 1 steps of each block.
inline programs::MscclFile large_allreduce(std::int64_t ranks, std::int64_t rings) {
  using enum programs::Space;
  using programs::Kind;
  programs::MscclFile file = msccl_file("allreduce", ranks, ranks * rings);
  file.in_place = true;
  file.out_of_place = false;
  file.channels = 32;
  for (programs::MscclRank& rank : file.members) {
    for (std::int64_t ring = 0; ring < rings; ++ring) {
      programs::MscclBlock block{ring, (rank.id + 1) % ranks, (rank.id + ranks - 1) % ranks, ring};
      for (std::int64_t t = 0; t < 2 * ranks - 1; ++t) {
        const std::int64_t chunk = (rank.id + 2 * ranks - t) % ranks * rings + ring;
        const Kind kind = t == 0              ? Kind::send
                          : t < ranks - 1     ? Kind::receive_reduce_send
                          : t == ranks - 1    ? Kind::receive_reduce_copy_send
                          : t < 2 * ranks - 2 ? Kind::receive_copy_send
                                              : Kind::receive;
        block.steps.push_back(msccl_step(t, kind, input, chunk, input, chunk));
      }
      rank.blocks.push_back(block);
    }
  }
  return file;
}

}  // namespace quadrille::bench
