// Sends say which of their senders' packets and partial reductions they carry: `carrying held`, `carrying sum`,
// `keeping`.
//
// For example, `carrying sum {0..k}` inside of `relabel x -> n-1-x` is a sum of the contributions of n-1-k … n-1. Cost:
// the expressions; for `held`, its condition for each packet.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/plan/region_runner.h"
#include "model/described.h"

namespace quadrille {

// Resolves `carrying held`. In a combining collective a processor holds something of every value, so the message
// carries all packets that there are from its source to its target.
void RegionRunner::resolve_held(const ir::Send& send, Evaluator::Slot* frame, const Region& region) {
  const Collective& collective = plan_.collectives[region.collective];
  chunks_.clear();
  const Span span = current_.statement->span;
  if (plan_.home(region.setting) != 0) {
    fail(span, "`carrying held` says nothing in a schedule that is run: what is held there, the whole schedule tells",
         Code::unsupported);
  }
  if (collective.combining()) {
    if (result_.multicast) {
      fail(send.target.span,
           "what is held is sent to one processor at a time where packets combine: each has a packet "
           "of its own; write a loop",
           Code::invalid);
    }
    for (std::uint32_t value = 0; value < collective.values(); ++value) {
      const ChunkName name{result_.source.value, targets_[0].value, value};
      const auto chunk = collective.chunk(name);
      if (chunk && is_wanted(*send.held, frame, name, span)) chunks_.push_back(*chunk);
    }
  } else if (region.collective != 0) {
    fail(span, "what is held is not known inside of a block that is reversed", Code::invalid);
  } else if (held_packets_ != nullptr) {
    held_packets_->for_each(result_.source, [&](ChunkId chunk) {
      if (is_wanted(*send.held, frame, collective.name(chunk), span)) chunks_.push_back(chunk);
    });
  }
}

bool RegionRunner::is_wanted(const ir::Held& held, Evaluator::Slot* frame, const ChunkName& name, Span span) {
  evaluator_->count_iteration(span);
  if (!held.condition) return true;
  frame[held.origin.value] = name.origin;
  frame[held.target.value] = name.target ? std::int64_t{*name.target} : -1;
  frame[held.part.value] = name.part;
  return evaluator_->truth(*held.condition, frame);
}

// Contributions are processors, and are relabelled as the origins of packets are.
void RegionRunner::resolve_words(const ir::Send& send, Evaluator::Slot* frame, const Region& region) {
  result_.keeping = send.keeping;
  result_.sum = {};
  if (!send.sum && !send.keeping) return;
  const Collective& collective = plan_.collectives[region.collective];
  const Span span = send.sum ? send.sum->span : current_.statement->span;
  const char* clause = send.sum ? "carrying sum" : "keeping";
  if (!collective.combining()) {
    fail(span,
         fmt::format("`{}` speaks of words, and {} knows none: its packets do not combine", clause,
                     described(collective)),
         Code::invalid);
  }
  if (region.collective != 0) {
    fail(span, fmt::format("`{}` cannot be reversed in time: words are chosen from what has arrived before", clause),
         Code::unsupported);
  }
  if (!send.sum) return;
  numbers_.clear();
  sum_.clear();
  evaluator_->collect(*send.sum, frame, numbers_);
  for (const std::int64_t number : numbers_) names_.contributions(number, region.relabelling, span, sum_);
  std::sort(sum_.begin(), sum_.end());
  sum_.erase(std::unique(sum_.begin(), sum_.end()), sum_.end());
  if (sum_.empty())
    fail(span, "a sum of nothing; expected at least one processor whose contribution is sent", Code::range);
  for (const ChunkId chunk : chunks_) {
    const std::uint32_t origin = collective.name(chunk).origin;
    if (origin == result_.source.value) continue;
    fail(span,
         fmt::format("processor {} sends a packet of {} here; a sum is formed of words by the packet's origin only",
                     result_.source.value, origin),
         Code::invalid);
  }
  result_.sum = sum_;
}

}  // namespace quadrille
