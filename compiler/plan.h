// The plan of one size: which groups of sends start when. Rows are made from it step by step (rows.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compiler/evaluate.h"
#include "compiler/flights.h"
#include "compiler/fold.h"
#include "compiler/ir.h"
#include "model/collective.h"

namespace quadrille {

// A relabelling in force: the statement, the frame in which its expressions live, and the one around it.
struct Relabelling {
  const ir::Relabel* relabel = nullptr;
  std::vector<Evaluator::Slot> frame;
  std::uint32_t outer = 0;  // 0: none
};

// A statement whose sends all start in the same step, with the values of the variables around it.
struct Region {
  const ir::Statement* statement = nullptr;
  const ir::Frame* frame = nullptr;
  std::uint64_t slots = 0;        // where its frame begins in Plan::slots
  std::uint32_t relabelling = 0;  // 0: none
  std::uint32_t collective = 0;   // index into Plan::collectives: whose packet names it uses
};

// A region that starts at a step.
struct Launch {
  std::uint32_t step = 0;
  std::uint32_t region = 0;
};

// A send, resolved: the real processors and the packet.
struct ResolvedSend {
  const ir::Send* statement = nullptr;
  Span span;
  NodeId source;
  std::span<const NodeId> targets;  // one, or those of a multicast (without the source)
  bool multicast = false;
  ChunkId chunk;
  std::span<const NodeId> along;  // the nodes of a named path, target included; empty: the natural route
  std::span<const std::pair<NodeId, std::uint32_t>> waits;
};

struct Plan {
  Instance instance;
  std::vector<Collective> collectives;  // [0]: the schedule's; [1]: its dual, if something is reversed
  std::vector<Region> regions;
  std::vector<Evaluator::Slot> slots;
  std::vector<Relabelling> relabellings;  // [0] unused
  std::vector<Launch> launches;           // by step; of sends on natural routes without waits
  Flights flights;                        // all others
  std::uint32_t longest_route = 0;        // hops of the longest launched send
  std::uint32_t last_step = 0;
  std::uint64_t rows = 0;

  const ir::Schedule& schedule() const { return *instance.schedule; }
};

// Runs a region's sends, in order. The evaluator must belong to the plan's instance.
class RegionRunner {
 public:
  RegionRunner(const Plan& plan, Evaluator& evaluator) : plan_(plan), evaluator_(evaluator) {}

  // Calls visit(const ResolvedSend&) for each send of the region.
  template <class Visit>
  void run(std::uint32_t region, const Visit& visit) {
    const Region& r = plan_.regions[region];
    Evaluator::FrameGuard frame(evaluator_, r.frame->size, r.statement->span);
    std::copy_n(plan_.slots.data() + r.slots, r.frame->size, frame.slots());
    if (repeats(*r.statement, frame.slots())) {
      folded_ = folded(*r.statement, evaluator_, frame.slots());
      statement(folded_, frame.slots(), r, visit);
    } else {
      statement(*r.statement, frame.slots(), r, visit);
    }
  }

  // The variables in sight at the send that is being visited, outermost first.
  std::vector<std::pair<std::string, std::int64_t>> variables() const;

 private:
  template <class Visit>
  void statement(const ir::Statement& s, Evaluator::Slot* frame, const Region& region, const Visit& visit) {
    if (const auto* send = std::get_if<ir::Send>(&s.node)) {
      current_ = {&s, region.frame, frame};
      visit(resolve(*send, s.span, frame, region));
    } else if (const auto* loop = std::get_if<ir::For>(&s.node)) {
      evaluator_.for_each(loop->bindings, frame, [&] { block(loop->body, frame, region, visit); });
    } else if (const auto* branch = std::get_if<ir::If>(&s.node)) {
      block(evaluator_.truth(branch->condition, frame) ? branch->then : branch->otherwise, frame, region, visit);
    } else if (const auto* let = std::get_if<ir::Let>(&s.node)) {
      frame[let->slot] = evaluator_.value(let->value, frame);
    }
  }
  template <class Visit>
  void block(const ir::Block& b, Evaluator::Slot* frame, const Region& region, const Visit& visit) {
    for (const ir::Statement& s : b) statement(s, frame, region, visit);
  }

  // A loop with enough iterations that folding it pays.
  bool repeats(const ir::Statement& s, Evaluator::Slot* frame);
  const ResolvedSend& resolve(const ir::Send& send, Span span, Evaluator::Slot* frame, const Region& region);
  void resolve_targets(const ir::Send& send, Evaluator::Slot* frame, const Region& region);
  ChunkId resolve_chunk(const ir::Send& send, Evaluator::Slot* frame, const Region& region, NodeId inner_source,
                        std::optional<NodeId> inner_target);
  NodeId relabelled(NodeId node, std::uint32_t relabelling, Span span);
  std::uint32_t carried(std::int64_t processor, std::uint32_t relabelling, Span span);
  void resolve_path(const ir::Send& send, Evaluator::Slot* frame, const Region& region);

  struct Current {
    const ir::Statement* statement = nullptr;
    const ir::Frame* frame = nullptr;
    const Evaluator::Slot* slots = nullptr;
  };
  const Plan& plan_;
  Evaluator& evaluator_;
  Current current_;
  ir::Statement folded_;  // the statement being run; it outlives a run that fails, for variables()
  ResolvedSend result_;
  std::vector<std::int64_t> numbers_;
  std::vector<NodeId> targets_;
  std::vector<NodeId> along_;
  std::vector<std::pair<NodeId, std::uint32_t>> waits_;
};

// The channels that a send uses, and when, counted from its first step (0).
class SendRoutes {
 public:
  explicit SendRoutes(const Instance& instance);

  struct TimedChannel {
    ChannelId channel;
    std::uint32_t offset = 0;
  };
  // Valid until the next call.
  std::span<const TimedChannel> route(const ResolvedSend& send);
  // A single target on its natural route: the n-th channel is crossed at offset n.
  std::span<const ChannelId> natural(const ResolvedSend& send);
  static bool is_natural(const ResolvedSend& send) {
    return !send.multicast && send.along.empty() && send.waits.empty();
  }

 private:
  void multicast(const ResolvedSend& send);
  void path(const ResolvedSend& send);
  void no_way(const ResolvedSend& send, NodeId target) const;

  const Fabric& fabric_;
  const Router& router_;
  std::vector<ChannelId> channels_;
  std::vector<TimedChannel> timed_;
  std::vector<std::uint32_t> stamps_;  // multicast: the channel is in the tree already
  std::uint32_t stamp_ = 0;
};

// Works out when everything starts, evaluating every expression once. Throws EvaluationError on the user's mistakes.
void make_plan(Plan& plan, std::uint64_t memory);

// Every launch spelled out as flights, together with the plan's own flights, in order of their first step.
Flights all_flights(const Plan& plan, std::uint64_t memory);

}  // namespace quadrille
