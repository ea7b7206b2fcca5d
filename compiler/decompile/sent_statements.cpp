// A send of processor 0 stands for n of them if the same one, shifted, leaves every processor.
//
// For example, on ring:4 the sends 0 -> 1, 1 -> 2, 2 -> 3 and 3 -> 0 of one step, each with the packet from its sender
// to its receiver, are one statement. Cost: sends · log sends.
#include "compiler/decompile/sent_statements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "model/topology.h"

namespace quadrille {

Shifts::Shifts(const Fabric& fabric) : n_(fabric.processors()), extents_(fabric.topology().shifts()) {
  binary_ = std::all_of(extents_.begin(), extents_.end(), [](std::uint32_t extent) { return extent == 2; });
}

std::uint32_t Shifts::plus(std::uint32_t p, std::uint32_t x) const {
  std::uint32_t sum = 0;
  std::uint32_t weight = n_;
  for (const std::uint32_t extent : extents_) {
    weight /= extent;
    sum += (p / weight + x / weight) % extent * weight;
  }
  return sum;
}

SentFlight Shifts::shifted(SentFlight send, std::uint32_t x) const {
  send.from = plus(send.from, x);
  for (std::uint32_t& to : send.to) to = plus(to, x);
  for (ChunkName& chunk : send.chunks) {
    chunk.origin = plus(chunk.origin, x);
    if (chunk.target) chunk.target = plus(*chunk.target, x);
  }
  send.sum = shifted(send.sum, x);
  std::ranges::sort(send.to);
  std::ranges::sort(send.chunks);
  return send;
}

std::vector<ContributionSet::Interval> Shifts::shifted(const std::vector<ContributionSet::Interval>& sum,
                                                       std::uint32_t x) const {
  std::vector<std::uint32_t> numbers;
  for (const auto& [first, last] : sum) {
    for (std::uint32_t p = first; p <= last; ++p) numbers.push_back(plus(p, x));
  }
  std::ranges::sort(numbers);
  const ContributionSet moved(numbers);
  return {moved.all().begin(), moved.all().end()};
}

std::string Shifts::declaration() const {
  if (binary_ || extents_.size() == 1) return {};
  std::vector<std::string> digits;
  std::uint32_t weight = n_;
  for (const std::uint32_t extent : extents_) {
    weight /= extent;
    digits.push_back(fmt::format("(k / {0} + x / {0}) mod {1} * {0}", weight, extent));
  }
  return fmt::format("let plus(k, x) = {}\n\n", fmt::join(digits, " + "));
}

std::string Shifts::text(std::uint32_t x) const { return x == 0 ? "k" : text(fmt::format("{}", x)); }

std::string Shifts::text(const std::string& x) const {
  if (binary_) return fmt::format("k xor {}", x);
  return extents_.size() == 1 ? fmt::format("(k + {}) mod n", x) : fmt::format("plus(k, {})", x);
}

std::vector<SentStatement> statements_of(SentFlights sends, const Fabric& fabric) {
  const Shifts shifts(fabric);
  std::map<SentFlight, std::size_t> times;  // that each is sent, and no statement stands for yet
  for (SentFlight& flight : sends.flights) ++times[std::move(flight)];
  const auto stands_for_all = [&](const SentFlight& flight) {
    if (sends.joined || !shifts.any() || flight.from != 0 || !flight.along.empty() || !flight.links.empty() ||
        (flight.stays() && fabric.topology().tree() == nullptr))
      return false;
    for (std::uint32_t x = 0; x < fabric.processors(); ++x) {
      const auto found = times.find(shifts.shifted(flight, x));
      if (found == times.end() || found->second != 1) return false;
    }
    return true;
  };
  std::vector<SentStatement> statements;
  for (auto& [flight, count] : times) {
    if (stands_for_all(flight)) {
      statements.push_back({flight, true});
      for (std::uint32_t x = 0; x < fabric.processors(); ++x) times[shifts.shifted(flight, x)] = 0;
    }
    for (; count > 0; --count) statements.push_back({flight, false});
  }
  return statements;
}

}  // namespace quadrille
