// Complete graphs: a channel from every processor to every other; the default route is that channel. MPI's algorithms
// are usually stated on this fabric, with ports=single (Thakur, Rabenseifner, Gropp: Optimization of Collective
// Communication Operations in MPICH, 2005).
//
//   complete:4      0 -> 1, 0 -> 2, 0 -> 3, 1 -> 0, …: the channel from a to b is number a·3 + b, less 1 if b > a
#include "model/topologies/complete.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/topologies/parameters.h"
#include "model/topologies/permutations.h"

namespace quadrille {

std::vector<TopologyArgument> Complete::arguments() const {
  std::vector<TopologyArgument> all{{"nodes", processors_, {}, true}};
  if (capacity_ != 1) all.push_back({"capacity", capacity_});
  return all;
}

std::optional<WiringSize> Complete::size() const {
  const std::uint64_t n = processors_;
  return WiringSize{n, n * (n - std::min<std::uint64_t>(n, 1)), false};
}

Result<Wiring> Complete::wiring(Span where) const {
  if (processors_ == 0) return error_at(where, "a complete graph has no processors; expected at least 1", Code::range);
  if (capacity_ == 0) return error_at(where, "capacity is 0; expected at least 1", Code::range);
  if (size()->too_large()) {
    return error_at(where,
                    fmt::format("a complete graph of {} processors is too large; expected at most {}", processors_,
                                max_complete_size),
                    Code::range);
  }
  Wiring wiring;
  wiring.processors = wiring.nodes = processors_;
  wiring.all_to_all = capacity_;
  return wiring;
}

std::optional<std::vector<std::uint32_t>> Complete::hamiltonian_cycle() const {
  std::vector<std::uint32_t> cycle(processors_);
  std::iota(cycle.begin(), cycle.end(), 0U);
  return cycle;
}

std::optional<std::vector<Symmetry>> Complete::symmetries(const Fabric& fabric) const {
  return topologies::exchanges(fabric);
}

namespace topologies {
namespace {

using namespace terms;

std::optional<Crossings> complete_crossings(const FabricForm& form) {
  CrossingArguments arguments(form, "nodes");
  const auto nodes = arguments.number("nodes");
  const auto capacity = arguments.number("capacity", Term(1));
  if (!nodes || !capacity) return std::nullopt;
  Crossings result;
  result.name = "complete graph";
  result.parameters = arguments.parameters();
  result.processors = *nodes;
  result.valid = at_most(1, *nodes);
  ChannelClass link;
  link.name = "link";
  link.crossed = !equal(source(), target());
  result.hops = conditional(link.crossed, 1, 0);
  link.channel = {source(), target()};
  link.capacity = *capacity;
  link.from = source();
  link.to = target();
  result.classes = {link};
  result.capacities = TermCapacities{(*nodes - 1) * *capacity};
  return result;
}

}  // namespace

TopologyFamily complete() {
  return family_of_nodes<Complete>("complete", "every processor linked to every other", max_complete_size,
                                   complete_crossings);
}

}  // namespace topologies
}  // namespace quadrille
