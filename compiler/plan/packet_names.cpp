// A block's names are mapped from the innermost relabelling outwards.
//
// For example, in the first of
//
//     collective allreduce(parts: 8)
//     for v in 0..1: relabel x -> v*4 + x of 4 part q -> q*2..q*2 + 1: run reduce_scatter_direct(N: 4)
//
// `send 2 -> 3` of reduce_scatter_direct, for v = 1, goes from 6 to 7. It carries value 3 of the reduce_scatter among
// four processors, and that is parts 6 and 7 of the all-reduce.
//
// At the edge of a run, a packet of the collective inside becomes the block that it is of, by its number, and outside
// that block has the name that the collective outside has for it:
//
//     combining             block v is value v                  reduce_scatter, allreduce, …
//     a unit per supplier   block o*parts + p is part p of o    allgather, gather
//     a unit per wanter     block d*parts + p is part p for d   scatter
//     else                  block p is part p                   broadcast
//
// `part q -> s` maps blocks. Where none has done so, the blocks of a processor go with it. What is copied inside may be
// combined outside: then each send carries the sender's partial reduction of the block to the receiver. Packets between
// two processors each (total_exchange) have no blocks, and keep their names in one of the same kind. Cost: the
// expressions of each relabelling for source, target and packet.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/plan/region_runner.h"
#include "model/described.h"

namespace quadrille {

// On its way outwards: a name (origin, target, part); the value `part` of a packet from origin to target; or a block.
enum class PacketForm : std::uint8_t { name, value, block };

struct PacketNames::MappedPacket {
  PacketForm form = PacketForm::name;
  std::int64_t origin = 0;
  std::optional<std::int64_t> target;
  std::int64_t part = 0;     // of a value or block, its number
  std::int64_t of_each = 0;  // blocks of a processor each, that go with it: how many; 0: they do not
};

namespace {

[[noreturn]] void fail_no_processor(std::int64_t processor, std::uint32_t n, Span span) {
  fail(span, fmt::format("there is no packet of processor {}; the fabric has processors 0 to {}", processor, n - 1),
       Code::range);
}

bool fits(std::int64_t number) { return number >= 0 && number <= 0xffffffff; }

// The standard collectives whose packets have blocks, or names of two processors.
const DemandShape& shape_of(const Collective& collective, Span span) {
  if (collective.shape() && !collective.listed()) return *collective.shape();
  fail(span, fmt::format("`run` is for the standard collectives; this is {}", described(collective)),
       Code::unsupported);
}

}  // namespace

std::int64_t PacketNames::image(const Relabelling& relabelling, const ir::Renaming& renaming, std::int64_t of,
                                Span span) {
  Evaluator& evaluator = evaluators_.of(relabelling.setting);
  Evaluator::FrameGuard frame(evaluator, static_cast<std::uint32_t>(relabelling.frame.size()), span);
  std::copy(relabelling.frame.begin(), relabelling.frame.end(), frame.slots());
  frame.slots()[renaming.variable.value] = of;
  return evaluator.value(renaming.image, frame.slots());
}

PacketNames::Numbers PacketNames::images(const Relabelling& relabelling, const ir::Renaming& renaming, std::int64_t of,
                                         Span span) {
  if (!ir::is_set(renaming.image.type)) return {image(relabelling, renaming, of, span)};
  Evaluator& evaluator = evaluators_.of(relabelling.setting);
  Evaluator::FrameGuard frame(evaluator, static_cast<std::uint32_t>(relabelling.frame.size()), span);
  std::copy(relabelling.frame.begin(), relabelling.frame.end(), frame.slots());
  frame.slots()[renaming.variable.value] = of;
  Numbers numbers;
  evaluator.collect(renaming.image, frame.slots(), numbers);
  return numbers;
}

NodeId PacketNames::processor(NodeId node, std::uint32_t relabelling, Span span) {
  const auto n = static_cast<std::int64_t>(plan_.instance.fabric->processors());
  for (; relabelling != 0; relabelling = plan_.relabellings[relabelling].outer) {
    const Relabelling& r = plan_.relabellings[relabelling];
    if (r.relabel == nullptr) continue;
    const std::int64_t to = image(r, r.relabel->processors, node.value, span);
    if (to < 0 || to >= n) {
      fail(r.relabel->processors.image.span,
           fmt::format("processor {} is relabelled {}; the fabric has processors 0 to {}", node.value, to, n - 1),
           Code::range);
    }
    node = NodeId(static_cast<std::uint32_t>(to));
  }
  // A run for more processors than there are, which nothing relabels.
  if (!plan_.instance.fabric->is_processor(node)) {
    fail(span, fmt::format("there is no processor {}; the fabric has processors 0 to {}", node.value, n - 1),
         Code::range);
  }
  return node;
}

std::uint32_t PacketNames::end(std::int64_t processor, std::uint32_t relabelling, Span span) {
  for (; relabelling != 0; relabelling = plan_.relabellings[relabelling].outer) {
    const Relabelling& r = plan_.relabellings[relabelling];
    processor = image(r, r.relabel->packets ? *r.relabel->packets : r.relabel->processors, processor, span);
  }
  const std::uint32_t n = plan_.instance.fabric->processors();
  if (processor < 0 || processor >= n) fail_no_processor(processor, n, span);
  return static_cast<std::uint32_t>(processor);
}

void PacketNames::contributions(std::int64_t processor, std::uint32_t relabelling, Span span,
                                std::vector<std::uint32_t>& to) {
  Numbers now = {processor};
  for (; relabelling != 0; relabelling = plan_.relabellings[relabelling].outer) {
    const Relabelling& r = plan_.relabellings[relabelling];
    if (r.relabel == nullptr) continue;
    Numbers next;
    for (const std::int64_t number : now) {
      const Numbers more = images(r, r.relabel->packets ? *r.relabel->packets : r.relabel->processors, number, span);
      next.insert(next.end(), more.begin(), more.end());
    }
    now = std::move(next);
  }
  const std::uint32_t n = plan_.instance.fabric->processors();
  for (const std::int64_t number : now) {
    if (number < 0 || number >= n) fail_no_processor(number, n, span);
    to.push_back(static_cast<std::uint32_t>(number));
  }
}

// Where packets combine, a name's ends are the two processors of its way, which a set behind `carrying` does not mean.
const ir::Renaming& PacketNames::of_ends(const ir::Relabel& relabel, bool combining) const {
  const bool own = relabel.packets && !(combining && ir::is_set(relabel.packets->image.type));
  return own ? *relabel.packets : relabel.processors;
}

void PacketNames::relabel(std::vector<MappedPacket>& packets, const Relabelling& by, const Collective& collective) {
  const ir::Relabel& relabel = *by.relabel;
  std::vector<MappedPacket> result;
  for (const MappedPacket& packet : packets) {
    evaluators_.of(by.setting).count_iteration(relabel.processors.image.span);
    const bool combining =
        packet.form == PacketForm::value || (packet.form == PacketForm::name && collective.combining());
    const ir::Renaming& ends = of_ends(relabel, combining);
    Numbers origins = {packet.origin};
    std::vector<std::optional<std::int64_t>> targets = {packet.target};
    if (packet.form != PacketForm::block) {
      origins = images(by, ends, packet.origin, ends.image.span);
      if (packet.target) {
        const Numbers images_of_target = images(by, ends, *packet.target, ends.image.span);
        targets.assign(images_of_target.begin(), images_of_target.end());
      }
    }
    Numbers parts = {packet.part};
    std::int64_t of_each = packet.of_each;
    if (relabel.parts) {
      parts = images(by, *relabel.parts, packet.part, relabel.parts->image.span);
      of_each = 0;
    } else if (of_each > 0) {
      const ir::Renaming& owners = relabel.packets ? *relabel.packets : relabel.processors;
      parts = images(by, owners, packet.part / of_each, owners.image.span);
      for (std::int64_t& part : parts) {
        if (!fits(part)) fail_no_processor(part, plan_.instance.fabric->processors(), owners.image.span);
        part = part * of_each + packet.part % of_each;
      }
    }
    for (const std::int64_t origin : origins) {
      for (const auto& target : targets) {
        for (const std::int64_t part : parts) result.push_back({packet.form, origin, target, part, of_each});
      }
    }
  }
  packets = std::move(result);
}

// What the packets of a collective are outside of a run's edge.
std::vector<PacketNames::MappedPacket> PacketNames::outside(std::span<const ChunkName> names, const Collective& inside,
                                                            const Collective& outside, Span span) {
  const DemandShape& shape = shape_of(inside, span);
  const DemandShape& around = shape_of(outside, span);
  const bool same = shape.personal() ? around.personal() : !around.personal();
  if ((inside.combining() && !outside.combining()) || !same) {
    fail(span, fmt::format("{} cannot run inside of {}", described(inside), described(outside)), Code::invalid);
  }
  const std::int64_t parts = inside.description().parts;
  std::vector<MappedPacket> packets;
  for (const ChunkName& name : names) {
    if (shape.personal()) {
      packets.push_back({PacketForm::name, name.origin, name.target, name.part, 0});
    } else if (inside.combining()) {
      packets.push_back({PacketForm::value, name.origin, name.target, name.part, shape.unit_per_wanter ? parts : 0});
    } else if (shape.unit_per_supplier || shape.unit_per_wanter) {
      const std::int64_t owner = shape.unit_per_supplier ? name.origin : name.target.value_or(0);
      packets.push_back({PacketForm::block, 0, {}, owner * parts + name.part, parts});
    } else {
      packets.push_back({PacketForm::block, 0, {}, name.part, 0});
    }
  }
  return packets;
}

// The name in the collective of what a send from `source` to `target` carries.
NamedPacket PacketNames::named(const MappedPacket& packet, const Collective& collective, std::int64_t source,
                               std::optional<std::int64_t> target, const NamedPacket& as_written) {
  NamedPacket name = as_written;
  name.part = packet.part;
  if (packet.form != PacketForm::block) {
    name.origin = packet.origin;
    name.target = packet.target;
    name.exact = packet.form == PacketForm::value || as_written.exact;
    return name;
  }
  if (collective.combining()) {
    name.origin = source;
    name.target = target;
    name.exact = target.has_value();
    return name;
  }
  const DemandShape& shape = *collective.shape();
  const std::int64_t parts = collective.description().parts;
  name.exact = false;
  name.origin = collective.description().root;
  name.target = std::nullopt;
  if (shape.unit_per_supplier || shape.unit_per_wanter) {
    (shape.unit_per_supplier ? name.origin : name.target.emplace()) = packet.part / parts;
    name.part = packet.part % parts;
  }
  return name;
}

std::optional<ChunkId> PacketNames::chunk_named(const Collective& collective, const NamedPacket& named) {
  if (!fits(named.part) || !fits(named.origin) || (named.target && !fits(*named.target))) return std::nullopt;
  const auto number = [](std::int64_t it) { return static_cast<std::uint32_t>(it); };
  const auto target = named.target ? std::optional(number(*named.target)) : std::nullopt;
  if (named.exact) return collective.chunk({number(named.origin), target, number(named.part)});
  return collective.default_chunk(number(named.origin), target, number(named.part));
}

void PacketNames::fail_unknown(const Collective& collective, const NamedPacket& named, bool several) {
  fail(named.span,
       fmt::format("{} has no packet {}->{}{}; say which one with 'carrying'", described(collective), named.origin,
                   named.target ? fmt::to_string(*named.target) : std::string(several ? "(several)" : "*"),
                   named.part == 0 ? std::string() : fmt::format(" part {}", named.part)),
       Code::name);
}

void PacketNames::chunks(const Region& region, const NamedPacket& as_written, NodeId source,
                         std::optional<NodeId> target, std::vector<ChunkId>& to) {
  const Collective* collective = &plan_.collectives_of(region.setting)[region.own_collective];
  std::uint32_t reversed = region.own_collective;
  std::int64_t from = source.value;
  auto at = target ? std::optional<std::int64_t>(target->value) : std::nullopt;
  NamedPacket written = as_written;
  std::vector<MappedPacket> packets = {{PacketForm::name, written.origin, written.target, written.part, 0}};
  for (std::uint32_t next = region.relabelling;; next = plan_.relabellings[next].outer) {
    const Relabelling& by = plan_.relabellings[next];
    if (by.relabel != nullptr) {
      relabel(packets, by, *collective);
      from = image(by, by.relabel->processors, from, as_written.span);
      if (at) at = image(by, by.relabel->processors, *at, as_written.span);
      continue;
    }
    std::vector<ChunkName> names;
    for (const MappedPacket& packet : packets) {
      const NamedPacket name = named(packet, *collective, from, at, written);
      const auto chunk = chunk_named(*collective, name);
      if (!chunk) fail_unknown(*collective, name, !at && !written.exact);
      if (next == 0) {
        to.push_back(*chunk);
      } else {
        names.push_back(collective->name(*chunk));
      }
    }
    if (next == 0) return;
    reversed ^= by.collective;
    const Collective& around = plan_.collectives_of(by.setting)[reversed];
    packets = outside(names, *collective, around, written.span);
    written.exact = true;  // from here on they are a collective's own names
    collective = &around;
  }
}

}  // namespace quadrille
