// For example, in a reduction to 0 among three, 0 holds {0}. When {1, 2} arrives, it holds {0, 1, 2}. If {2} had
// arrived before, {1, 2} could not be combined with {0, 2}, nor would it contain that: a fault. Cost: a look-up for
// each call, and the intervals of the sets. The memory is an upper estimate: sets that are replaced still count.
#include "motion/held_reductions.h"

#include <algorithm>

namespace quadrille {

std::span<const ContributionSet> HeldReductions::kept(std::uint32_t value, NodeId processor) const {
  if (kept_.empty()) return {};
  const auto found = kept_.find({value, processor});
  return found == kept_.end() ? std::span<const ContributionSet>() : found->second;
}

ContributionSet HeldReductions::at(std::uint32_t value, NodeId processor, std::uint32_t number) const {
  if (number > 0) return kept(value, processor)[number - 1];
  if (packed_) {
    ContributionSet held = packed_->at(place(value, processor));
    return held.empty() ? ContributionSet(processor.value) : held;
  }
  const ContributionSet* held = held_.find({value, processor.value});
  return held != nullptr ? *held : ContributionSet(processor.value);
}

std::vector<ContributionSet> HeldReductions::all(std::uint32_t value, NodeId processor) const {
  const auto others = kept(value, processor);
  std::vector<ContributionSet> all = {at(value, processor)};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

HeldReductions::Chain HeldReductions::chained(std::uint32_t value, NodeId processor,
                                              std::span<const std::uint32_t> numbers) const {
  Chain chain;
  for (const std::uint32_t number : numbers) {
    if (number >= count(value, processor)) {
      chain.missing = true;
      continue;
    }
    const ContributionSet next = at(value, processor, number);
    if (fit(chain.made, next)) {
      chain.made = chain.made.united(next);
      chain.gap = chain.gap || chain.made.has_gap();
    } else {
      ++chain.overlapping;
    }
  }
  return chain;
}

Arrival HeldReductions::arrive(std::uint32_t value, NodeId processor, const ContributionSet& brought, Arrival said) {
  if (said == Arrival::kept) {
    if (!packed_) entry(value, processor);
    kept_[{value, processor}].push_back(brought);
    work_.take(2, sizeof(ContributionSet));  // as vectors grow
    return Arrival::kept;
  }
  if (packed_) {
    ContributionSet held = at(value, processor);
    const Arrival became = take_in(held, brought, said);
    if (became != Arrival::joined) packed_->put(place(value, processor), held);
    return became;
  }
  ContributionSet& held = entry(value, processor);
  const Arrival became = take_in(held, brought, said);
  if (became == Arrival::combined) work_.take(held.intervals(), sizeof(ContributionSet::Interval));
  return became;
}

// What is held there, in the table; its own contribution, if nothing has arrived.
ContributionSet& HeldReductions::entry(std::uint32_t value, NodeId processor) {
  const auto [held, is_new] = held_.insert({value, processor.value});
  if (is_new) *held = ContributionSet(processor.value);
  return *held;
}

Arrival HeldReductions::take_in(ContributionSet& held, const ContributionSet& brought, Arrival said) const {
  if (said != Arrival::combined && brought.contains(held)) {
    held = brought;
    return Arrival::stored;
  }
  if (said == Arrival::stored || !fit(held, brought)) return Arrival::joined;
  held = held.united(brought);
  return Arrival::combined;
}

std::vector<std::uint32_t> HeldReductions::wanted(std::uint32_t value, NodeId processor,
                                                  const ContributionSet& all) const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < count(value, processor); ++number) {
    if (all.contains(at(value, processor, number))) numbers.push_back(number);
  }
  std::ranges::sort(numbers, {}, [&](std::uint32_t number) { return at(value, processor, number).smallest(); });
  return numbers;
}

}  // namespace quadrille
