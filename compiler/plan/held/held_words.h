// The words of processors, while a reduction is replayed (model/MODEL.md, Words): which are sent, what becomes of
// arrivals.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/messages/contribution_set.h"
#include "model/send_table.h"

namespace quadrille {

class HeldWords {
 public:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // value, processor

  explicit HeldWords(const Collective& collective) : collective_(&collective) {}

  // The word held, then those that were kept, in the order in which they came.
  const std::vector<ContributionSet>& of(Key key);

  // Which words make up `wanted`, in the order in which they are chained; nothing if none do. Of the words that begin
  // with the lowest contribution that is missing, and bring none that is not wanted, the largest that leads to the end
  // is taken; of equally large ones the one that came first.
  std::optional<std::vector<std::uint32_t>> making_up(Key key, const ContributionSet& wanted);

  // What they make when they are chained: without those that are not there, or overlap what has been chained. Empty if
  // that is nothing.
  ContributionSet chained(Key key, std::span<const std::uint32_t> words);

  // Takes in what arrived, which is not empty, as is `said`; `joined`: as it goes by its contributions. What has become
  // of it; `joined`: nothing, for it is a fault.
  Arrival arrive(Key key, const ContributionSet& brought, Arrival said);

  // All that differ from a processor's own contribution.
  const std::map<Key, std::vector<ContributionSet>>& all() const { return words_; }

 private:
  const Collective* collective_;
  std::map<Key, std::vector<ContributionSet>> words_;
};

}  // namespace quadrille
