// A send of processor 0 stands for n of them if the same one, shifted, leaves every processor.
//
// For example, on ring:4 the sends 0 -> 1, 1 -> 2, 2 -> 3 and 3 -> 0 of one step, each with the packet from its sender
// to its receiver, are one statement. Cost: sends · log sends.
#include "compiler/decompile/sent_statements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
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

std::vector<SentStatement> statements_of(const SentFlights& sent, const Fabric& fabric) {
  const Shifts shifts(fabric);
  std::vector<bool> stated(sent.sends.size());  // a statement stands for it
  // The one send that is alike; nothing if there is none, or if there are several.
  const auto only = [&](const SentFlight& flight) -> std::optional<std::size_t> {
    const auto first = std::ranges::lower_bound(sent.sends, flight, {}, &SentWithHops::flight);
    if (first == sent.sends.end() || first->flight != flight) return std::nullopt;
    if (std::next(first) != sent.sends.end() && std::next(first)->flight == flight) return std::nullopt;
    const auto at = static_cast<std::size_t>(first - sent.sends.begin());
    return stated[at] ? std::nullopt : std::optional(at);
  };
  const auto sends_of_all = [&](const SentFlight& flight) {
    std::vector<std::size_t> sends;
    if (sent.joined || !shifts.any() || flight.from != 0 || !flight.along.empty() || !flight.links.empty() ||
        (flight.stays() && fabric.topology().tree() == nullptr))
      return sends;
    for (std::uint32_t x = 0; x < fabric.processors(); ++x) {
      const auto found = only(shifts.shifted(flight, x));
      if (!found) return std::vector<std::size_t>();
      sends.push_back(*found);
    }
    return sends;
  };
  std::vector<SentStatement> statements;
  for (std::size_t i = 0; i < sent.sends.size(); ++i) {
    if (stated[i]) continue;
    std::vector<std::size_t> sends = sends_of_all(sent.sends[i].flight);
    if (sends.empty()) sends = {i};
    for (const std::size_t one : sends) stated[one] = true;
    statements.push_back({std::move(sends)});
  }
  return statements;
}

}  // namespace quadrille
