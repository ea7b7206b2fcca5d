// A RegionRunner runs a region of a plan: it visits the region's sends one after another, with their values resolved.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/evaluate/fold.h"
#include "compiler/plan/held_packets.h"
#include "compiler/plan/plan.h"

namespace quadrille {

// PacketNames says which processors and packets of the machine those of a block are, through the relabellings and runs
// in which it stands.

// A packet as a send names it, or as the collective does where the send leaves something out.
struct NamedPacket {
  std::int64_t origin = 0;
  std::optional<std::int64_t> target;
  std::int64_t part = 0;
  bool exact = false;  // the send says the target, or that there is none
  Span span, target_span;
};

class PacketNames {
 public:
  PacketNames(const Plan& plan, SettingEvaluators& evaluators) : plan_(plan), evaluators_(evaluators) {}

  // Each throws EvaluationError where an image does not exist.
  // The processor of the machine that a block's processor is.
  NodeId processor(NodeId node, std::uint32_t relabelling, Span span);
  // The origin or target of a packet. Requires relabellings that are one to one, or none.
  std::uint32_t end(std::int64_t processor, std::uint32_t relabelling, Span span);
  // Appends the processors whose contributions to a sum those of a block's processor are.
  void contributions(std::int64_t processor, std::uint32_t relabelling, Span span, std::vector<std::uint32_t>& to);
  // Appends the chunks, of the plan's collective, that the packet is which a send from `source` to `target` (nothing:
  // to several) carries. The ends are as the block has them.
  void chunks(const Region& region, const NamedPacket& named, NodeId source, std::optional<NodeId> target,
              std::vector<ChunkId>& to);

  // The chunk with this name in a collective; nothing if there is none.
  static std::optional<ChunkId> chunk_named(const Collective& collective, const NamedPacket& named);
  // `several`: the send goes to several, and names no target.
  [[noreturn]] static void fail_unknown(const Collective& collective, const NamedPacket& named, bool several);

 private:
  using Numbers = std::vector<std::int64_t>;
  struct MappedPacket;

  std::int64_t image(const Relabelling& relabelling, const ir::Renaming& renaming, std::int64_t of, Span span);
  Numbers images(const Relabelling& relabelling, const ir::Renaming& renaming, std::int64_t of, Span span);
  const ir::Renaming& of_ends(const ir::Relabel& relabel, bool combining) const;
  void relabel(std::vector<MappedPacket>& packets, const Relabelling& by, const Collective& collective);
  static std::vector<MappedPacket> outside(std::span<const ChunkName> names, const Collective& inside,
                                           const Collective& outside, Span span);
  static NamedPacket named(const MappedPacket& packet, const Collective& collective, std::int64_t source,
                           std::optional<std::int64_t> target, const NamedPacket& as_written);

  const Plan& plan_;
  SettingEvaluators& evaluators_;
};

// What `along` and `waiting` say, resolved: real processors. `stated` is the place in the statement's list.
struct StatedLink {
  NodeId from;
  NodeId to;
  std::size_t stated = 0;
};
struct StatedWait {
  NodeId at;
  std::optional<NodeId> before;  // if set, it waits only before it goes on to this node
  std::uint32_t steps = 0;
};

// A send, resolved: the real processors and the packet.
struct ResolvedSend {
  const ir::Send* statement = nullptr;
  Span span;
  NodeId source;
  std::span<const NodeId> targets;  // one, or those of a multicast (without the source)
  bool multicast = false;
  std::span<const ChunkId>
      chunks;         // the chunks carried: distinct; several in a message. Not known of `held` without HeldPackets
  bool held = false;  // `chunks` depend on what the source has
  // Combining: the contributions, sorted, that the sent partial reductions make up together; empty: the partial
  // reduction held is sent.
  std::span<const std::uint32_t> sum;
  bool keeping = false;               // the receiver keeps the arrival as a partial reduction of its own
  std::span<const NodeId> along;      // the nodes of a named path, target included; empty: the default route
  std::span<const StatedLink> links;  // of a multicast's tree; empty: default routes
  std::span<const StatedWait> waits;
};

// Runs a region's sends, in order. The evaluator must belong to the plan's instance.
class RegionRunner {
 public:
  // `held_packets` are the packets that processors have when the sends leave; sends that carry what is held need them.
  // Null: they are not known yet.
  RegionRunner(const Plan& plan, Evaluator& evaluator, const HeldPackets* held_packets = nullptr)
      : plan_(plan),
        evaluators_(plan, evaluator),
        evaluator_(&evaluator),
        names_(plan, evaluators_),
        held_packets_(held_packets) {}
  RegionRunner(const RegionRunner&) = delete;
  RegionRunner& operator=(const RegionRunner&) = delete;

  // Calls visit(const ResolvedSend&) for each send of the region.
  template <class Visit>
  void run(std::uint32_t region, const Visit& visit) {
    only_target_.reset();  // where a run before this one failed
    current_ = {};         // it may be a statement of the loop that was folded then
    const Region& r = plan_.regions[region];
    evaluator_ = &evaluators_.of(r.setting);
    Evaluator::FrameGuard frame(*evaluator_, r.frame->size, r.statement->span);
    std::copy_n(plan_.slots.data() + r.slots, r.frame->size, frame.slots());
    if (repeats(*r.statement, frame.slots())) {
      folded_ = folded(*r.statement, *evaluator_, frame.slots());
      statement(folded_, frame.slots(), r, visit);
    } else {
      statement(*r.statement, frame.slots(), r, visit);
    }
  }

  // The variables in scope at the send that is being visited, outermost first.
  std::vector<std::pair<std::string, std::int64_t>> variables() const;

 private:
  template <class Visit>
  void statement(const ir::Statement& s, Evaluator::Slot* frame, const Region& region, const Visit& visit) {
    if (const auto* send = std::get_if<ir::Send>(&s.node)) {
      current_ = {&s, region.frame, frame};
      if (!has_a_packet_each(*send, region)) return visit(resolve(*send, s.span, frame, region));
      for (const std::int64_t target : targets_of(*send, frame)) {
        evaluator_->count_iteration(s.span);
        only_target_ = target;
        if (const ResolvedSend& one = resolve(*send, s.span, frame, region); !one.targets.empty()) visit(one);
      }
      only_target_.reset();
    } else if (const auto* loop = std::get_if<ir::For>(&s.node)) {
      evaluator_->for_each(loop->bindings, frame, [&] { block(loop->body, frame, region, visit); });
    } else if (const auto* branch = std::get_if<ir::If>(&s.node)) {
      block(evaluator_->truth(branch->condition, frame) ? branch->then : branch->otherwise, frame, region, visit);
    } else if (const auto* let = std::get_if<ir::Let>(&s.node)) {
      frame[let->variable.value] = evaluator_->value(let->value, frame);
    }
  }
  template <class Visit>
  void block(const ir::Block& b, Evaluator::Slot* frame, const Region& region, const Visit& visit) {
    for (const ir::Statement& s : b) {
      if (&s != b.data()) evaluator_->count_iteration(s.span);  // whoever runs the block counts one
      statement(s, frame, region, visit);
    }
  }

  // Whether the statement is a loop with enough iterations that folding it saves time.
  bool repeats(const ir::Statement& s, Evaluator::Slot* frame);
  // Whether a send to a set is a send to each of it: contributions are combined, each pair of processors having packets
  // of its own.
  bool has_a_packet_each(const ir::Send& send, const Region& region) const;
  std::vector<std::int64_t> targets_of(const ir::Send& send, Evaluator::Slot* frame);
  // Without targets if the only one is the source.
  const ResolvedSend& resolve(const ir::Send& send, Span span, Evaluator::Slot* frame, const Region& region);
  void resolve_targets(const ir::Send& send, Evaluator::Slot* frame, const Region& region);
  const Fabric& own_fabric(const Region& region) const { return *plan_.instance_of(region.setting).fabric; }
  // A packet as the statement names it. The collective supplies the parts of the name that the statement leaves out.
  struct Named {
    std::optional<std::int64_t> origin, addressee, part;
  };
  void resolve_chunks(const ir::Send& send, Evaluator::Slot* frame, const Region& region, NodeId inner_source,
                      std::optional<NodeId> inner_target);
  void resolve_chunk(const ir::Send& send, const Named& named, const Region& region, NodeId inner_source,
                     std::optional<NodeId> inner_target);
  void sort_chunks();  // each once
  void resolve_held(const ir::Send& send, Evaluator::Slot* frame, const Region& region);
  bool is_wanted(const ir::Held& held, Evaluator::Slot* frame, const ChunkName& name, Span span);
  NodeId real_node(std::int64_t number, const Region& region, Span span);
  void resolve_path(const ir::Send& send, Evaluator::Slot* frame, const Region& region);
  void resolve_links(const ir::Send& send, Evaluator::Slot* frame, const Region& region);
  void resolve_words(const ir::Send& send, Evaluator::Slot* frame, const Region& region);

  struct Current {
    const ir::Statement* statement = nullptr;
    const ir::Frame* frame = nullptr;
    const Evaluator::Slot* slots = nullptr;
  };
  const Plan& plan_;
  SettingEvaluators evaluators_;
  Evaluator* evaluator_;  // of the region being run
  PacketNames names_;
  const HeldPackets* held_packets_;
  Current current_;
  ir::Statement folded_;  // the statement being run; it outlives a run that fails, for variables()
  ResolvedSend result_;
  std::optional<std::int64_t> only_target_;  // of a send to a set, the one that it is resolved for
  std::vector<std::int64_t> numbers_;
  std::vector<NodeId> targets_;
  std::vector<ChunkId> chunks_;
  std::vector<std::uint32_t> sum_;
  std::vector<NodeId> along_;
  std::vector<StatedLink> links_;
  std::vector<StatedWait> waits_;
};

}  // namespace quadrille
