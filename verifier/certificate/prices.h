// Prices: the priced capacity of T steps, and the priced demand: what any schedule must pay at least.
//
// One dynamic program over the steps for each set of processors at which packets start: cost[v] is the price of the
// cheapest way, in time, from the set to node v; after step t it is the smaller of cost[v] (wait) and cost[u] + price
// of crossing u->v in step t. A packet (or, in combining collectives, a value) pays the largest of the costs of those
// who want it. On the line 0-1, with price 5 for 0->1 in step 1 and 2 in step 2, a packet from 0 to 1 pays 2. And it
// pays no less than the cheapest rows into all those who want it, nor, in combining collectives, than the cheapest rows
// out of all those who contribute: these rows are different ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/limits/work.h"
#include "verifier/certificate.h"

namespace quadrille::certificate {

// Sums of prices may come to this, no further.
inline constexpr std::uint64_t largest_sum = std::uint64_t{1} << 62;

// The priced capacity of all resources; nothing if it is more than largest_sum.
std::optional<std::uint64_t> worth_of(const Certificate& certificate, const std::vector<Price>& prices);

struct Payment {
  std::uint64_t paid = 0;
  std::optional<std::string> no_way;  // for whom there is no way in T steps: "from 0 to 5"
  std::optional<std::string> fault;   // why there is no sum
};

// Requires that worth_of(…) has a value: then no way costs more than that, so that no cost can overflow. Throws Ended.
Payment payment_of(const Certificate& certificate, const std::vector<Price>& prices, Work& work);

}  // namespace quadrille::certificate
