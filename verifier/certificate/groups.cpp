// Idea: groups.h. Two pairs of processors, 0, 1 and 2, 3, that one channel joins each way: an all-reduce of one value
// makes 2 entries, and there is room for 2 a step; one of 5 values takes more than 4 steps, because 10 > 4 · 2.
#include "verifier/certificate/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory_resource>
#include <utility>

#include "verifier/certificate/names.h"

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t largest_count = std::uint64_t{1} << 62;
constexpr std::uint64_t bytes_per_group = 2 * sizeof(GroupCuts::GroupCut);  // in lists that grow
constexpr std::uint64_t bytes_per_member = 2 * sizeof(ChannelId);

// --- whether the argument holds ----------------------------------------------------------------------------------

// Why a unit need not make so many entries, or one row may serve several of them.
std::optional<std::string> why_no_entries(const Fabric& fabric, const Collective& collective,
                                          GroupCuts::Crossed border) {
  if (fabric.in_rounds()) return "groups are of steps, and the fabric counts rounds";
  if (border == GroupCuts::Crossed::both && fabric.rules().duplex != Duplex::half) {
    return "links have a capacity of their own in half duplex only";
  }
  const auto& shape = collective.shape();
  if (!shape) return "nothing is known of the entries that listed chunks make";
  if (shape->by_rank()) return "not all want the contributions of all";
  if (shape->combining()) {
    if (fabric.has_switches() && fabric.switches_reduce()) return "switches may join what makes several entries";
    return std::nullopt;
  }
  if (!shape->shared()) return "each chunk is for one processor";
  if (fabric.has_switches() && !fabric.switches_forward()) return "switches may copy what makes several entries";
  return std::nullopt;
}

std::uint64_t units_of(const Collective& collective) {
  const DemandShape& shape = *collective.shape();
  if (shape.combining()) return collective.values();
  return std::uint64_t{shape.suppliers == DemandShape::Ends::each ? collective.processors() : 1U} * shape.parts;
}

// The crossings of borders that each unit makes, among so many groups.
std::uint64_t crossings_of(const Collective& collective, std::uint64_t groups, GroupCuts::Crossed border) {
  const DemandShape& shape = *collective.shape();
  const std::uint64_t entries = (shape.combining() && shape.shared() ? 2 : 1) * (groups - 1);
  return border == GroupCuts::Crossed::both ? 2 * entries : entries;  // each also leaves a group
}

// --- whether the groups are what they should be ------------------------------------------------------------------

class BorderCheck {
 public:
  BorderCheck(const Fabric& fabric, const GroupCuts& groups, Work& work)
      : fabric_(fabric),
        groups_(groups),
        work_(work),
        group_of_(fabric.processors(), none, &work),
        seen_in_(fabric.nodes(), none, &work) {}

  // Every processor must be in one group, and no group may be empty.
  std::optional<std::string> why_no_partition() {
    for (std::uint32_t g = 0; g < groups_.groups.size(); ++g) {
      const std::vector<NodeId>& processors = groups_.groups[g].processors;
      if (processors.empty()) return fmt::format("group {} has no processors", g + 1);
      work_.spend(processors.size());
      for (const NodeId p : processors) {
        if (group_of_[p.value] != none) return fmt::format("processor {} is named twice", p.value);
        group_of_[p.value] = g;
      }
    }
    const auto left = std::ranges::find(group_of_, none);
    if (left == group_of_.end()) return std::nullopt;
    return fmt::format("processor {} is in no group", left - group_of_.begin());
  }

  // Whether any way over other channels leads across the border. Requires a partition.
  std::optional<std::string> why_not_cut_off(std::uint32_t g) {
    const GroupCuts::GroupCut& group = groups_.groups[g];
    cut_.assign(group.channels.begin(), group.channels.end());
    std::ranges::sort(cut_);
    reached_.assign(group.processors.begin(), group.processors.end());
    for (const NodeId p : reached_) seen_in_[p.value] = g;
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const NodeId node = reached_[i];
      if (fabric_.is_processor(node) && group_of_[node.value] != g) {
        return fmt::format("the channels of group {} do not cut it off: there is another way {} processor {}", g + 1,
                           groups_.border == GroupCuts::Crossed::out ? "to" : "from", node.value);
      }
      if (groups_.border != GroupCuts::Crossed::out) {
        for (const ChannelId id : fabric_.channels_to(node)) visit(id, fabric_.channel(id).from, g);
      }
      if (groups_.border != GroupCuts::Crossed::in) {
        for (const ChannelId id : fabric_.channels_from(node)) visit(id, fabric_.channel(id).to, g);
      }
    }
    return std::nullopt;
  }

  // How many rows that serve different crossings there may be in a step.
  std::uint64_t room(const GroupCuts::GroupCut& group) const {
    std::uint64_t room = 0;
    for (const ChannelId id : group.channels) room += capacity(id);
    if (fabric_.rules().ports == Ports::multi) return room;
    // Each has a row from a processor on one side to the next processor of its way, on the other.
    const std::uint64_t inside = group.processors.size();
    return std::min({room, inside, fabric_.processors() - inside});
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // Both directions of a link together carry no more than its lower-numbered one could.
  std::uint64_t capacity(ChannelId id) const {
    const std::uint32_t own = fabric_.channel(id).capacity;
    if (fabric_.rules().duplex == Duplex::full) return own;
    return std::min(own, fabric_.channel(fabric_.link(id)).capacity);
  }

  void visit(ChannelId id, NodeId next, std::uint32_t g) {
    work_.spend(1);
    const ChannelId named = groups_.border == GroupCuts::Crossed::both ? fabric_.link(id) : id;
    if (seen_in_[next.value] == g || std::ranges::binary_search(cut_, named)) return;
    seen_in_[next.value] = g;
    reached_.push_back(next);
  }

  const Fabric& fabric_;
  const GroupCuts& groups_;
  Work& work_;
  std::pmr::vector<std::uint32_t> group_of_;  // by processor
  std::pmr::vector<std::uint32_t> seen_in_;   // by node, the last group from which it was reached
  std::pmr::vector<ChannelId> cut_{&work_};
  std::pmr::vector<NodeId> reached_{&work_};
};

EntryCount fault(std::string why) { return {.fault = std::move(why)}; }

}  // namespace

EntryCount count_entries(const Certificate& certificate, const GroupCuts& groups, Work& work) {
  if (auto why = why_no_entries(certificate.fabric, certificate.collective, groups.border)) return fault(*why);
  if (groups.groups.empty()) return fault("there are no groups");
  BorderCheck check(certificate.fabric, groups, work);
  if (auto why = check.why_no_partition()) return fault(*why);
  std::uint64_t room = 0;
  for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
    if (auto why = check.why_not_cut_off(g)) return fault(*why);
    room += check.room(groups.groups[g]);
    if (room > largest_count / std::max(certificate.steps, 1U)) return fault("there is room for more than 2^62");
  }
  const std::uint64_t units = units_of(certificate.collective);
  const std::uint64_t each = crossings_of(certificate.collective, groups.groups.size(), groups.border);
  if (units > largest_count / std::max<std::uint64_t>(each, 1)) return fault("more than 2^62 entries must be made");
  return {.needed = units * each, .room = room * certificate.steps};
}

GroupCuts read_groups(Pieces& text, const std::vector<TextPiece>& lines, GroupCuts::Crossed border,
                      const Fabric& fabric, Work& work) {
  const FabricNames names(text, fabric);
  GroupCuts groups{border, {}};
  for (const TextPiece line : lines) {
    if (text.full()) break;
    work.take(1, bytes_per_group);
    work.spend(line.end - line.begin);
    const TextPiece colon{text.find(':', line), line.end};
    if (colon.begin == line.end) {
      text.report_error(line, "expected `group PROCESSOR …: CHANNEL …`, such as `group 0 1: 2->0 3->1`");
      continue;
    }
    GroupCuts::GroupCut group;
    for (TextPiece rest = text.trimmed({line.begin, colon.begin}); rest.begin < rest.end && !text.full();) {
      work.take(1, bytes_per_member);
      if (const auto processor = names.processor(text.take_word(rest))) group.processors.push_back(*processor);
    }
    for (TextPiece rest = text.trimmed({colon.begin + 1, line.end}); rest.begin < rest.end && !text.full();) {
      work.take(1, bytes_per_member);
      const TextPiece name = text.take_word(rest);
      const auto channel = border == GroupCuts::Crossed::both ? names.link(name) : names.channel(name);
      if (channel) group.channels.push_back(*channel);
    }
    groups.groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace quadrille::certificate
