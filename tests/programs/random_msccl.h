// Random MSCCL XML files, right or wrong, for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/programs/small_msccl.h"

namespace quadrille::programs {

// Two or three ranks with some blocks each; what is sent is received, with the same counts; dependencies come to flags,
// most of them to earlier steps.
class RandomMsccl {
 public:
  explicit RandomMsccl(std::uint64_t seed) : random_(seed) {}

  MscclFile file() {
    const auto ranks = static_cast<std::int64_t>(2 + below(2));
    MscclFile it = small_file("allreduce", ranks, 15, static_cast<Protocol>(below(3)));
    for (MscclRank& rank : it.members) rank.scratch_chunks = 15;
    const std::size_t connections = 1 + below(3);
    for (std::size_t c = 0; c < connections; ++c) connect(it, static_cast<std::int64_t>(c));
    for (std::int64_t r = 0; r < ranks; ++r) {
      for (std::size_t n = below(2); n > 0; --n) {
        MscclBlock& block = add_block(it, r, -1, -1);
        for (std::size_t i = 1 + below(3); i > 0; --i) local(block);
      }
    }
    for (MscclRank& rank : it.members) depend(rank);
    return it;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  std::string chunk(std::int64_t count) {
    return std::string(1, "ios"[below(3)]) + std::to_string(below(static_cast<std::size_t>(16 - count)));
  }

  void local(MscclBlock& block) {
    const auto count = static_cast<std::int64_t>(1 + below(2));
    add_step(block, below(2) == 0 ? "cpy" : "re", chunk(count), chunk(count), {.count = count});
  }

  // A pair of blocks, each of which sends to the other, with transmissions of random kinds in random places.
  void connect(MscclFile& file, std::int64_t channel) {
    const std::size_t a = below(file.members.size());
    const std::size_t b = (a + 1 + below(file.members.size() - 1)) % file.members.size();
    std::vector<std::int64_t> there;
    std::vector<std::int64_t> back;
    for (std::size_t n = 1 + below(4); n > 0; --n) there.push_back(static_cast<std::int64_t>(1 + below(3)));
    for (std::size_t n = below(3); n > 0; --n) back.push_back(static_cast<std::int64_t>(1 + below(3)));
    fill(add_block(file, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), static_cast<std::int64_t>(b),
                   channel),
         there, back);
    fill(add_block(file, static_cast<std::int64_t>(b), static_cast<std::int64_t>(a), static_cast<std::int64_t>(a),
                   channel),
         back, there);
  }

  void fill(MscclBlock& block, const std::vector<std::int64_t>& sent, const std::vector<std::int64_t>& received) {
    constexpr const char* both[] = {"rcs", "rrs", "rrcs"};
    std::size_t s = 0;
    std::size_t r = 0;
    while (s < sent.size() || r < received.size()) {
      if (below(4) == 0) local(block);
      if (s < sent.size() && r < received.size() && sent[s] == received[r] && below(2) == 0) {
        step(block, both[below(3)], sent[s]);
        ++s;
        ++r;
      } else if (s < sent.size() && (r == received.size() || below(8) != 0)) {
        step(block, "s", sent[s++]);
      } else if (r < received.size()) {
        step(block, below(2) == 0 ? "r" : "rrc", received[r++]);
      }
    }
  }
  void step(MscclBlock& block, const char* type, std::int64_t count) {
    add_step(block, type, chunk(count), chunk(count), {.count = count});
  }

  void depend(MscclRank& rank) {
    for (MscclBlock& block : rank.blocks) {
      for (std::size_t i = 0; i < block.steps.size(); ++i) {
        if (below(4) != 0) continue;
        MscclBlock& other = rank.blocks[below(rank.blocks.size())];
        if (other.steps.empty() || &other == &block) continue;
        const std::size_t which = below(std::min(other.steps.size(), i + 1));
        other.steps[which].has_dependence = 1;
        block.steps[i].depends_on_block = other.id;
        block.steps[i].depends_on_step = static_cast<std::int64_t>(which);
      }
    }
  }

  std::mt19937_64 random_;
};

}  // namespace quadrille::programs
