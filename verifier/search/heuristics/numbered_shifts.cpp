// Idea: a digit is a part of the number, p / weight mod extent. Adding one to it, and starting anew at the extent, is
// a permutation of the processors; it keeps the fabric if the switches can be permuted along. Digits that do not
// overlap give a group together, in which shifts commute.
//
//   three servers of two GPUs, GPU i of each on rail i: the digits p mod 2 and p / 2; a shift of the first moves the
//   rails in a circle, one of the second the servers; the group has six elements
//
// A switch goes where its neighbours go: switches that are alike in what is known of their neighbours are taken in
// their order, those with neighbours that are known first. Whether the result keeps the fabric is tested.
//
// Cost: pairs (weight, extent) x channels x log.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "verifier/search/heuristics/trips.h"

namespace quadrille::searching {
namespace {

constexpr std::uint32_t most_processors = 4096;
constexpr std::size_t most_groups = 12;
constexpr std::size_t most_alike = 2;  // of one size
constexpr std::uint32_t unmapped = std::numeric_limits<std::uint32_t>::max();

struct ShiftedDigit {
  std::uint32_t weight;
  std::uint32_t extent;
  std::uint32_t by = 1;  // what is added to it
  std::uint32_t order() const { return extent / by; }
};

std::uint32_t shifted(std::uint32_t processor, const ShiftedDigit& digit) {
  const std::uint32_t value = processor / digit.weight % digit.extent;
  return processor - value * digit.weight + (value + digit.by) % digit.extent * digit.weight;
}

// A permutation of the processors, continued to the switches; nothing if that does not keep the fabric.
class Continued {
 public:
  Continued(const Fabric& fabric, const ShiftedDigit& digit) : fabric_(fabric), images_(fabric.nodes(), unmapped) {
    sources_.assign(fabric.nodes(), unmapped);
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) map(p, shifted(p, digit));
  }

  std::optional<Permutation> run() {
    for (bool more = true; more;) more = map_some();
    if (std::ranges::find(images_, unmapped) != images_.end() || !is_automorphism(fabric_, images_))
      return std::nullopt;
    return std::move(images_);
  }

 private:
  // The known neighbours of a switch: their images (or, of an image, the neighbours themselves), by direction and
  // capacity.
  using KnownNeighbours = std::vector<std::tuple<std::uint32_t, bool, std::uint32_t>>;

  void map(std::uint32_t from, std::uint32_t to) {
    images_[from] = to;
    sources_[to] = from;
  }

  // Maps the switches with most neighbours that are known; false if none was mapped.
  bool map_some() {
    std::map<KnownNeighbours, std::vector<std::uint32_t>> from;
    std::map<KnownNeighbours, std::vector<std::uint32_t>> to;
    std::size_t most = 0;
    for (std::uint32_t v = fabric_.processors(); v < fabric_.nodes(); ++v) {
      if (images_[v] == unmapped) {
        KnownNeighbours known = known_neighbours(v, [&](std::uint32_t w) { return images_[w]; });
        most = std::max(most, known.size());
        from[std::move(known)].push_back(v);
      }
      if (sources_[v] == unmapped)
        to[known_neighbours(v, [&](std::uint32_t w) { return sources_[w] == unmapped ? unmapped : w; })].push_back(v);
    }
    bool mapped = false;
    for (const auto& [known, switches] : from) {
      const auto images = to.find(known);
      if (known.size() < most || known.empty() || images == to.end() || images->second.size() != switches.size())
        continue;
      for (std::size_t i = 0; i < switches.size(); ++i) map(switches[i], images->second[i]);
      mapped = true;
    }
    return mapped;
  }

  // `image` gives a node's image, or `unmapped`.
  template <class Image>
  KnownNeighbours known_neighbours(std::uint32_t node, const Image& image) const {
    KnownNeighbours known;
    for (const bool out : {true, false}) {
      for (const ChannelId id : out ? fabric_.channels_from(NodeId{node}) : fabric_.channels_to(NodeId{node})) {
        const Channel channel = fabric_.channel(id);
        const std::uint32_t its_image = image((out ? channel.to : channel.from).value);
        if (its_image != unmapped) known.emplace_back(its_image, out, channel.capacity);
      }
    }
    std::ranges::sort(known);
    return known;
  }

  const Fabric& fabric_;
  Permutation images_;
  Permutation sources_;
};

// The group of all sums of shifts of these digits.
Group group_of(const Fabric& fabric, const std::vector<std::pair<ShiftedDigit, Permutation>>& digits) {
  std::vector<std::string> names;
  Group group = trivial_group(fabric);
  for (const auto& [digit, permutation] : digits) {
    const std::size_t before = group.elements.size();
    for (std::size_t i = 0; i + before < before * digit.order(); ++i) {
      Permutation next = group.elements[i];
      for (std::uint32_t& node : next) node = permutation[node];
      group.elements.push_back(std::move(next));
    }
    const std::string value = digit.weight == 1 ? "k" : fmt::format("k/{}", digit.weight);
    const bool whole = digit.weight * digit.extent == fabric.processors();
    names.push_back(fmt::format("{}{}{}", value, whole ? "" : fmt::format(" mod {}", digit.extent),
                                digit.by == 1 ? "" : fmt::format(" by {}", digit.by)));
  }
  group.name = fmt::format("shifts of {}", fmt::join(names, ", "));
  return group;
}

class NumberedShifts {
 public:
  NumberedShifts(const Fabric& fabric, Watch& watch) : fabric_(fabric), watch_(watch), n_(fabric.processors()) {}

  std::vector<Group> run() {
    find_digits();
    std::vector<std::vector<std::size_t>> chosen;
    add_choices(1, {}, chosen);
    const auto size = [&](const std::vector<std::size_t>& choice) {
      std::uint64_t product = 1;
      for (const std::size_t i : choice) product *= digits_[i].first.order();
      return product;
    };
    // Among groups of one size, the one with fewer digits has the longer circles.
    std::ranges::stable_sort(chosen, [&](const auto& a, const auto& b) {
      return std::pair(size(a), b.size()) > std::pair(size(b), a.size());
    });
    std::vector<Group> groups;
    std::map<std::uint64_t, std::size_t> alike;  // how many are taken, by size
    for (const auto& choice : chosen) {
      if (groups.size() == most_groups) break;
      if (alike[size(choice)] == most_alike) continue;
      ++alike[size(choice)];
      std::vector<std::pair<ShiftedDigit, Permutation>> digits;
      for (const std::size_t i : choice) digits.push_back(digits_[i]);
      groups.push_back(group_of(fabric_, digits));
    }
    return groups;
  }

 private:
  void find_digits() {
    for (std::uint32_t weight = 1; weight < n_; ++weight) {
      if (n_ % weight != 0) continue;
      for (std::uint32_t extent = 2; extent <= n_ / weight; ++extent) {
        if (n_ / weight % extent != 0) continue;
        watch_.require_open();
        const ShiftedDigit digit{weight, extent};
        if (auto permutation = Continued(fabric_, digit).run()) digits_.emplace_back(digit, *std::move(permutation));
        const ShiftedDigit doubled{weight, extent, 2};
        if (extent % 2 != 0 || extent == 2) continue;
        if (auto permutation = Continued(fabric_, doubled).run())
          digits_.emplace_back(doubled, *std::move(permutation));
      }
    }
  }

  // Every choice of digits that do not overlap, from this weight on.
  void add_choices(std::uint32_t weight, const std::vector<std::size_t>& before,
                   std::vector<std::vector<std::size_t>>& chosen) const {
    constexpr std::size_t most_choices = 4096;
    for (std::size_t i = 0; i < digits_.size() && chosen.size() < most_choices; ++i) {
      const ShiftedDigit& digit = digits_[i].first;
      if (digit.weight % weight != 0) continue;
      std::vector<std::size_t> choice = before;
      choice.push_back(i);
      chosen.push_back(choice);
      add_choices(digit.weight * digit.extent, choice, chosen);
    }
  }

  const Fabric& fabric_;
  Watch& watch_;
  std::uint32_t n_;
  std::vector<std::pair<ShiftedDigit, Permutation>> digits_;
};

}  // namespace

std::vector<Group> numbered_shifts(const Fabric& fabric, Watch& watch) {
  if (fabric.processors() > most_processors) return {};
  return NumberedShifts(fabric, watch).run();
}

// Idea: the images of the first processor that has no orbit yet are an orbit; as many images as there are elements must
// differ, or some element keeps a processor in place. Likewise for channels; those between switches may stay where they
// are.
//
//   the rotations of a ring of 6: one orbit of processors, two of channels; those by 2 and 4: two and four
//   a reflection of it that keeps two processors in place: no shifts
//
// Cost: elements x (processors + channels).

namespace {

constexpr std::uint32_t no_orbit = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::optional<ShiftGroup> ShiftGroup::make(const Fabric& fabric, const Group& group) {
  ShiftGroup shifts(fabric, group);
  return shifts.place_all() ? std::optional(std::move(shifts)) : std::nullopt;
}

bool ShiftGroup::place_all() {
  // Returns how many shifts map the first member to itself; 0 if it has an orbit already.
  const auto place = [&](auto first, std::vector<decltype(first)>& orbits, std::vector<OrbitPlace>& places) {
    if (places[first.value].orbit != no_orbit) return 0U;
    const auto orbit = static_cast<std::uint32_t>(orbits.size());
    orbits.push_back(first);
    std::uint32_t kept = 0;
    for (std::uint32_t shift = 0; shift < number(); ++shift) {
      const auto here = image(first, shift);
      kept += here == first ? 1 : 0;
      if (places[here.value].orbit == no_orbit) places[here.value] = {orbit, shift};
    }
    return kept;
  };
  processor_places_.assign(fabric_->processors(), {no_orbit, 0});
  channel_places_.assign(fabric_->channels(), {no_orbit, 0});
  for (std::uint32_t p = 0; p < fabric_->processors(); ++p) {
    if (place(NodeId{p}, processors_, processor_places_) > 1) return false;
  }
  for (std::uint32_t e = 0; e < fabric_->channels(); ++e) {
    if (const std::uint32_t kept = place(ChannelId{e}, channels_, channel_places_)) keep_.push_back(kept);
  }
  return true;
}

ChannelId ShiftGroup::image(ChannelId channel, std::uint32_t shift) const {
  if (shift == 0) return channel;  // the identity is the first element
  const Channel ends = fabric_->channel(channel);
  return fabric_->channel_between(image(ends.from, shift), image(ends.to, shift)).value();
}

// Elements that agree on one processor agree everywhere, so that products can be compared there.
bool ShiftGroup::commute() const {
  if (processor_orbits() != 1) return false;
  const NodeId base = first_processor(0);
  for (std::uint32_t a = 1; a < number(); ++a) {
    for (std::uint32_t b = 1; b < a; ++b) {
      if (image(image(base, a), b) != image(image(base, b), a)) return false;
    }
  }
  return true;
}

}  // namespace quadrille::searching
