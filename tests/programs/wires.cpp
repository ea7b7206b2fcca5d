#include "tests/programs/wires.h"

#include <algorithm>
#include <utility>

namespace quadrille::programs {

void Wire::put(const WireRules& rules, std::int64_t step, Message message) {
  slots[step % rules.depth] = {step, std::move(message)};
  tail = step + 1;
}

Message Wire::message(const WireRules& rules, std::int64_t step) const {
  const auto slot = slots.find(step % rules.depth);
  if (slot == slots.end()) return nullptr;
  const bool there = rules.numbered ? slot->second.first == step : tail > step;
  return there ? slot->second.second : nullptr;
}

Wires::Wires(const MscclFile& file, std::string_view executor)
    : file_(file), most_channels_(executor == "rccl" ? 128 : 32), refused_(file.channels > most_channels_) {
  for (const MscclRank& rank : file.members) {
    for (const MscclBlock& block : rank.blocks) declare(rank, block);
  }
}

void Wires::declare(const MscclRank& rank, const MscclBlock& block) {
  if (block.channel >= most_channels_ || block.send == rank.id || block.receive == rank.id) refused_ = true;
  for (const MscclStep& step : block.steps) {
    const bool sends = step.kind && *step.kind != Kind::receive && *step.kind != Kind::receive_reduce_copy &&
                       *step.kind != Kind::copy && *step.kind != Kind::reduce;
    const bool receives =
        step.kind && *step.kind != Kind::send && *step.kind != Kind::copy && *step.kind != Kind::reduce;
    if ((sends && block.send < 0) || (receives && block.receive < 0)) refused_ = true;
  }
  const bool set_up = block.channel < file_.channels;
  if (Wire* wire = outgoing(rank, block)) {
    wire->sends = true;
    if (!set_up || block.send >= file_.ranks) lost_ = true;
  }
  if (Wire* wire = incoming(rank, block)) {
    wire->receives = true;
    if (!set_up || block.receive >= file_.ranks) lost_ = true;
  }
}

bool Wires::connected() const {
  return !lost_ && std::all_of(all_.begin(), all_.end(),
                               [](const auto& each) { return each.second.sends && each.second.receives; });
}

Wire* Wires::outgoing(const MscclRank& rank, const MscclBlock& block) {
  return block.send < 0 ? nullptr : &all_[{rank.id, block.send, block.channel}];
}

Wire* Wires::incoming(const MscclRank& rank, const MscclBlock& block) {
  return block.receive < 0 ? nullptr : &all_[{block.receive, rank.id, block.channel}];
}

}  // namespace quadrille::programs
