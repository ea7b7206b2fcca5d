// Numbers the variables, in the order of verifier/COMBINING_FORMULA.md, and applies the group to them. Proofs refer
// to variables by number, so the search and the judge must agree on each number.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "verifier/search/formulas/combining_formula.h"

namespace quadrille::searching {
namespace {

// The bit positions of a packed key's parts: up to 2^24 subjects and places, 2^12 contributions.
constexpr unsigned place_at = 12;
constexpr unsigned subject_at = 36;
constexpr unsigned kind_at = 60;

}  // namespace

CombiningFormula::CombiningFormula(const CombiningSetting& setting, std::uint32_t T, const Group& group, Watch* watch)
    : setting_(setting),
      fabric_(setting.fabric()),
      watch_(watch),
      steps_(T),
      n_(fabric_.processors()),
      to_(std::size_t{setting.collective().values()} * n_),
      users_(fabric_.channels()) {
  const auto names = static_cast<std::uint32_t>(setting.names().size());
  for (std::uint32_t c = 0; c < names; ++c) {
    require_open(watch_);
    const CombiningPacket& name = setting.names()[c];
    to_[std::size_t{name.value} * n_ + name.target].push_back(c);
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      if (setting.may_cross(name, fabric_.channel(ChannelId{e}))) users_[e].push_back(c);
    }
  }
  // The trivial group has no images: every variable is its own orbit.
  if (group.elements.size() > 1) images_ = images_of(group);
  for (std::uint32_t c = 0; c < names; ++c) number_packet(c);
  for (std::uint32_t value = 0; value < setting.collective().values(); ++value) {
    for (std::uint32_t p = 0; p < n_; ++p) number_held(value, p);
  }
}

// --- symmetry -----------------------------------------------------------------------------------------------------

std::uint64_t CombiningFormula::packed(const Key& key) {
  return std::uint64_t{static_cast<std::uint8_t>(key.kind)} << kind_at | std::uint64_t{key.subject} << subject_at |
         std::uint64_t{key.place} << place_at | key.contribution;
}

CombiningFormula::Key CombiningFormula::unpacked(std::uint64_t key) {
  const auto bits = [key](unsigned from, unsigned to) {
    return static_cast<std::uint32_t>(key >> from & ((std::uint64_t{1} << (to - from)) - 1));
  };
  return {static_cast<Kind>(key >> kind_at), bits(subject_at, kind_at), bits(place_at, subject_at), bits(0, place_at)};
}

std::vector<CombiningFormula::Image> CombiningFormula::images_of(const Group& group) const {
  const Collective& collective = setting_.collective();
  std::unordered_map<std::uint64_t, std::uint32_t> number;
  for (const CombiningPacket& name : setting_.names()) {
    number.emplace(name.chunk.value, static_cast<std::uint32_t>(number.size()));
  }
  std::vector<Image> images;
  for (const Permutation& element : group.elements) {
    Image image;
    image.nodes = element;
    for (std::uint32_t value = 0; value < collective.values(); ++value) {
      image.values.push_back(image_of_value(collective, value, element));
    }
    for (const Channel& channel : fabric_.all_channels()) {
      const auto to = fabric_.channel_between(NodeId{element[channel.from.value]}, NodeId{element[channel.to.value]});
      image.channels.push_back(to.value().value);
    }
    for (const CombiningPacket& name : setting_.names()) {
      const ChunkName other{element[name.origin], element[name.target], image.values[name.value]};
      image.names.push_back(number.at(collective.chunk(other).value().value));
    }
    images.push_back(std::move(image));
  }
  return images;
}

CombiningFormula::Key CombiningFormula::image(const Key& key, const Image& by) const {
  // The kind decides what a key's parts are: a value or a packet, a node or a channel.
  const bool of_value = key.kind == Kind::hold || key.kind == Kind::come;
  const bool at_node =
      key.kind == Kind::at || key.kind == Kind::stay || key.kind == Kind::carry || key.kind == Kind::hold;
  const bool of_contribution = key.kind != Kind::hop && key.kind != Kind::at && key.kind != Kind::stay;
  return {key.kind, of_value ? by.values[key.subject] : by.names[key.subject],
          at_node ? by.nodes[key.place] : by.channels[key.place], of_contribution ? by.nodes[key.contribution] : 0};
}

bool CombiningFormula::is_first(const Key& key) const {
  return std::none_of(images_.begin(), images_.end(),
                      [&](const Image& by) { return packed(image(key, by)) < packed(key); });
}

// --- variables ----------------------------------------------------------------------------------------------------

// Makes variables for steps first … last, if there is any such step.
void CombiningFormula::number(const Key& key, std::int64_t first, std::int64_t last) {
  if (first > last) return;
  // The least key names an orbit: whichever member comes first makes the variables, and the others share them.
  std::uint64_t least = packed(key);
  for (const Image& by : images_) least = std::min(least, packed(image(key, by)));
  const auto [known, added] = ranges_.try_emplace(least, VariableBlock{next_, first, last});
  const VariableBlock range = known->second;
  if (added) next_ += static_cast<int>(last - first + 1);
  ranges_.try_emplace(packed(key), range);
}

void CombiningFormula::number_packet(std::uint32_t c) {
  require_open(watch_);
  const CombiningPacket& name = setting_.names()[c];
  for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
    const Channel& channel = fabric_.channel(ChannelId{e});
    if (!setting_.may_cross(name, channel)) continue;
    number({Kind::hop, c, e}, setting_.first_leaving(name, channel.from.value),
           setting_.last_reaching(name, channel.to.value, steps_));
  }
  const auto& limit = fabric_.rules().queue.limit;
  for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
    if (v == name.origin || v == name.target) continue;
    const std::int64_t first = setting_.hops(name.origin, v);
    const std::int64_t last = setting_.last_reaching(name, v, steps_);
    number({Kind::at, c, v}, first, last);
    if (!limit || *limit > 0 || fabric_.is_processor(NodeId{v})) number({Kind::stay, c, v}, first + 1, last);
    for (std::uint32_t k = 0; k < n_; ++k) {
      if (k == name.origin || !setting_.may_carry(name, k)) continue;
      number({Kind::carry, c, v, k}, first + setting_.hops(k, name.origin), last);
    }
  }
}

void CombiningFormula::number_held(std::uint32_t value, std::uint32_t processor) {
  require_open(watch_);
  const std::int64_t last = std::int64_t{steps_} - setting_.reach(value, processor);
  for (std::uint32_t k = 0; k < n_; ++k) {
    if (k == processor || !setting_.may_hold(value, processor, k)) continue;
    number({Kind::hold, value, processor, k}, setting_.hops(k, processor), last);
  }
  for (Key arrival : arrivals(value, processor)) {
    for (arrival.contribution = 0; arrival.contribution < n_; ++arrival.contribution) {
      if (!setting_.may_hold(value, processor, arrival.contribution)) continue;
      number(arrival, std::max(1U, setting_.hops(arrival.contribution, processor)), last);
    }
  }
}

int CombiningFormula::literal(const Key& key, std::int64_t t) const {
  const auto found = ranges_.find(packed(key));
  if (found == ranges_.end()) return never;
  const VariableBlock& range = found->second;
  return range.first <= t && t <= range.last ? range.variable + static_cast<int>(t - range.first) : never;
}

int CombiningFormula::held(std::uint32_t value, std::uint32_t processor, std::int64_t t, std::uint32_t k) const {
  return k == processor ? always : literal({Kind::hold, value, processor, k}, t);
}

// The literal that says that the partial reduction of packet c that leaves the node in step t + 1 contains k.
int CombiningFormula::leaving(std::uint32_t c, std::uint32_t node, std::int64_t t, std::uint32_t k) const {
  const CombiningPacket& name = setting_.names()[c];
  if (node == name.origin) return held(name.value, node, t, k);
  return k == name.origin ? always : literal({Kind::carry, c, node, k}, t);
}

// The keys, without contributions, of all packets that can come to the processor.
std::vector<CombiningFormula::Key> CombiningFormula::arrivals(std::uint32_t value, std::uint32_t processor) const {
  std::vector<Key> keys;
  for (const ChannelId e : fabric_.channels_to(NodeId{processor})) {
    const Channel& channel = fabric_.channel(e);
    if (channel.capacity == 1) {
      keys.push_back({Kind::come, value, e.value});
      continue;
    }
    for (const std::uint32_t c : to_[std::size_t{value} * n_ + processor]) {
      if (setting_.may_cross(setting_.names()[c], channel)) keys.push_back({Kind::come_named, c, e.value});
    }
  }
  return keys;
}

// Names the variables of a formula over partial reductions, for people who read it as DIMACS CNF.

void CombiningFormula::name_variables(const NameVariables& say) const {
  std::map<int, std::pair<Key, VariableBlock>> by_number;
  for (const auto& [key, range] : ranges_) by_number.try_emplace(range.variable, unpacked(key), range);
  for (const auto& [variable, it] : by_number) say(variable, it.second.first, it.second.last, meaning(it.first));
}

std::string CombiningFormula::meaning(const Key& key) const {
  const auto packet = [&] { return setting_.collective().label(setting_.names()[key.subject].chunk); };
  const auto node = [&] { return fabric_.name(NodeId{key.place}); };
  const auto channel = [&] { return fabric_.name(ChannelId{key.place}); };
  switch (key.kind) {
    case Kind::hop:
      return fmt::format("{} crosses {}", packet(), channel());
    case Kind::at:
      return fmt::format("{} is at {} when the step ends", packet(), node());
    case Kind::stay:
      return fmt::format("{} is at {} as it was before", packet(), node());
    case Kind::carry:
      return fmt::format("{} has {} at {}", packet(), key.contribution, node());
    case Kind::hold:
      return fmt::format("{} holds {} in value {} when the step ends", node(), key.contribution, key.subject);
    case Kind::come:
      return fmt::format("{} comes over {} in value {}", key.contribution, channel(), key.subject);
    case Kind::come_named:
      return fmt::format("{} comes over {} in {}", key.contribution, channel(), packet());
  }
  return {};
}

}  // namespace quadrille::searching
