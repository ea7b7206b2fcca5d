// The rules of a fabric as clauses: constraints 7 to 9 of verifier/FORMULA.md, each an "at most" over the hops of a
// step.
//
//   a channel of capacity 1 that three chunks may cross: at most 1 of their three hops, for each step
//
// Cost: steps x channels x the hops of each, and the counters.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/fabric.h"
#include "model/limits/watch.h"
#include "verifier/search/problem/symmetry.h"
#include "verifier/search/solver/solver.h"

namespace quadrille::searching {

// Appends the variables of all hops over the channel in this step.
using AppendHops = std::function<void(ChannelId channel, std::uint32_t step, std::vector<int>& literals)>;

// `orbits`: only their first channels and nodes get clauses; null: all do. `next`: the next free variable.
void write_fabric_rules(const Fabric& fabric, std::uint32_t steps, const AppendHops& append_hops, const Orbits* orbits,
                        ClauseSink& sink, int& next, Watch* watch);

}  // namespace quadrille::searching
