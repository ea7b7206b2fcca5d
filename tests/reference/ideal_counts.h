// The recurrences of Broadcast and Associative Operations on Fat-Trees, and its lower bounds, by themselves: no
// schedule, no table and no fabric is asked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::reference {

// capacities[k] = w(2^k): above a subtree of 2^k leaves, in an ideal fat tree of 2^capacities.size() leaves.
using Capacities = std::vector<std::uint64_t>;

// A family of capacities that keeps w(n) <= w(2n) <= 2w(n) and w(1) = 1.
struct CapacityFamily {
  std::string name;                                 // "log n + 1"
  std::uint64_t (*of)(std::uint64_t k);             // w(2^k), before it is made to keep them
  std::uint64_t (*exponent)(std::uint64_t k) = {};  // log w(2^k), rounded down, for trees that are too large for `of`
};
// Those of the paper's Table 1, and others.
const std::vector<CapacityFamily>& capacity_families();
// The one of that name; throws std::logic_error if there is none.
const CapacityFamily& capacity_family(const std::string& name);
Capacities capacities_of(const CapacityFamily& family, std::uint64_t levels);
Capacities capacities_of(const std::string& family, std::uint64_t levels);
// "1,2,3", as the command line has it.
std::string listed(const Capacities& capacities);

// Steps of the obvious broadcast, which halves, whatever the capacities: 2L + 2(L-1) + … + 2.
constexpr std::uint64_t halving_steps(std::uint64_t levels) { return levels * (levels + 1); }
// Steps for powers of two of copies: equations (2) and (3), and (4).
std::uint64_t broadcast_steps(const Capacities& capacities);
std::uint64_t pipelined_steps(const Capacities& capacities);
// Steps of bursts over one lane, up to a tree of 2^levels leaves; by height. Each is the least number such that the
// longest copies, one a step, fill the other half in time, and the own half needs no more.
std::vector<std::uint64_t> burst_steps(std::uint64_t levels);
// Of a tree of 2^levels leaves, of any number of levels up to 10,000 or so. Requires the family's exponent.
std::uint64_t broadcast_steps(const CapacityFamily& family, std::uint64_t levels);
std::uint64_t pipelined_steps(const CapacityFamily& family, std::uint64_t levels);

// Theorem 2 as it stands, with numbers of leaves rounded down to powers of two; T(1) = 0.
std::uint64_t theorem_2(const Capacities& capacities);
// What its proof shows: L + E(N/2), with E(n) = log n + E(n/2^d), E(1) = 1 and the least d such that more than
// w(n)·(log n - d) subtrees are there.
std::uint64_t counting_bound(const Capacities& capacities);
// Theorem 3: steps of any schedule in rounds are more than this.
double theorem_3(const Capacities& capacities);

}  // namespace quadrille::reference
