// Private to programs/: the binary form of GOAL, as spcl/LogGOPSim 76451de has it (Parser.hpp, Graph::serialize_mmap).
//
//   8 bytes  4223                    2342: a simulation has used it up
//   4        ranks
//   1 + 1    largest cpu, largest nic
//   8 + 8    of each rank: where its part begins and ends, counted from byte 8 on
// and of each rank, one after another:
//   4        operations
//   4        roots: operations that wait for none
//   4        each root's index
//   39       of each operation: 4 how many dependencies it has, 1 its kind, 4 peer, 8 size, 4 tag, 1 cpu, 1 nic,
//            4 how many operations wait for its end, 4 where their list begins, 4 + 4 likewise those for its beginning
//   4        each index in these lists, which lie one after another
//
// All numbers are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quadrille::programs {

inline constexpr std::uint64_t goal_cookie = 4223;
inline constexpr std::uint64_t goal_used_cookie = 2342;
inline constexpr std::size_t goal_base = 8;  // the byte from which offsets are counted
inline constexpr std::size_t goal_fixed_head = 14;
inline constexpr std::size_t goal_rank_entry = 16;
inline constexpr std::size_t goal_operation_size = 39;

}  // namespace quadrille::programs
