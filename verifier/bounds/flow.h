// Fractional flow over time: packets that may be split, and may travel and wait anywhere, in T steps. If even such a
// flow is impossible, there are prices at which the priced demand is more than the priced capacity. Such prices are a
// solution of the dual linear program, which this code solves:
//
//     Largest   sum of packets · d(s, w, T)  over the wants s -> w
//     where     d(s, s, t) = 0;   d(s, v, t) <= d(s, v, t-1);
//               d(s, v, t) <= d(s, u, t-1) + the prices in step t of the resources that a row of u->v uses;
//               all prices >= 0, and the priced capacity of T steps is 1.
//
// d(s, v, t) is the price of the cheapest path from s to v in t steps. A value of more than 1 means that there is no
// schedule. Prices and d are the same for all pairs of nodes of one class (PairClasses). Pairs of one class are in
// equally many triangles of each kind, so averaging a solution over each class gives a solution, and nothing is lost.
// The prices found are rounded to whole numbers and checked exactly. (Multicommodity flows over time: L. Fleischer,
// M. Skutella, Quickest Flows Over Time, SIAM J. Comput. 36(6), 2007.)
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/fabric.h"
#include "model/limits/limits.h"
#include "verifier/bounds/linear_program.h"
#include "verifier/bounds/resources.h"

namespace quadrille::bounds {

// Classes of pairs of nodes that play the same part in a fabric with wants. They are the stable colours that result
// when each pair's colour is repeatedly combined with the colours of the pairs that make triangles with it (the
// two-dimensional Weisfeiler-Leman method; its result is a coherent configuration). Pairs that an automorphism maps
// to each other have the same class; the converse need not hold.
class PairClasses {
 public:
  // The coarsest stable classes that refine the given colours; colours[u · nodes + v] is the colour of (u, v).
  // Requires that if (u, v) and (w, x) have the same colour, so have (v, u) and (x, w), and that no (u, u) has the
  // colour of a (v, w). Cost: nodes^3 for each round; the rounds are few, at most nodes^2. If the limits are reached,
  // the classes are coarser than that.
  PairClasses(std::uint32_t nodes, const std::vector<std::uint64_t>& colours, const Limits& limits = {});

  std::uint32_t of(std::uint32_t u, std::uint32_t v) const { return classes_[u * nodes_ + v]; }
  std::uint32_t count() const { return count_; }

 private:
  bool refine(const Limits& limits);  // once; returns whether there are more classes now
  void number(const std::vector<std::uint64_t>& colours);

  std::size_t nodes_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> classes_;
};

// Prices that show that T steps are too few.
struct Infeasibility {
  StepPrices prices;
  std::uint64_t capacity = 0;  // the priced capacity of all resources
  std::uint64_t demand = 0;    // the least price that the packets pay; more than `capacity`
};

class Flow {
 public:
  // Keeps a reference to the fabric. Cost: nodes^3, some times. The object is of no use if the limits were reached.
  Flow(const Fabric& fabric, std::vector<PacketDemand> wants, const Limits& limits = {});

  const Resources& resources() const { return resources_; }

  std::uint64_t packets() const;  // number of packets that are wanted
  // The approximate number of rows of the linear program for T steps.
  std::uint64_t size(std::uint32_t T) const;

  // Prices at which T steps are too few; nothing if there are none, none were found, or the limits are reached.
  // Requires a path of T hops or fewer for every want.
  std::optional<Infeasibility> infeasibility(std::uint32_t T, int most_iterations, const Limits& limits = {}) const;

 private:
  // The columns of d(s, v, t) for t = first … last; `column` is the first of them.
  struct Window {
    std::size_t column = 0;
    std::uint32_t first = 1;
    std::uint32_t last = 0;
  };
  using Windows = std::map<std::uint32_t, Window>;  // the key is the class of (s, v)

  std::uint32_t hops(std::uint32_t from, std::uint32_t to) const { return hops_[std::size_t{from} * nodes_ + to]; }
  void find_last_uses(const Limits& limits);
  std::uint32_t last_use(std::uint32_t source, std::uint32_t node, std::uint32_t T) const;
  Windows windows(std::uint32_t T, std::size_t& columns) const;
  void add_paths(LinearProgram& program, const Windows& windows, std::uint32_t source, std::uint32_t T) const;
  std::optional<Infeasibility> rounded(const std::vector<double>& columns, std::uint32_t T, const Limits& limits) const;

  const Fabric& fabric_;
  std::uint32_t nodes_;
  std::vector<PacketDemand> wants_;
  Resources resources_;
  std::vector<std::uint32_t> hops_;
  PairClasses pairs_;
  std::vector<std::uint32_t> sources_;  // one of each class
  // For each source, by node: the hops from the node to the nearest processor that wants something of the source.
  std::map<std::uint32_t, std::vector<std::uint32_t>> to_wants_;
  std::vector<std::uint32_t> price_of_;  // [resource]: its class
  std::vector<std::uint64_t> capacity_;  // [class]: of all its resources
};

}  // namespace quadrille::bounds
