// Idea: an interval of waiting is +1 at its first step and -1 after its last; running sums give the queue in each step.
//
//   waits in steps 2-3 and 3-5: +1 at 2, -1 at 4, +1 at 3, -1 at 6; so 1 in step 2, 2 in step 3, 1 in steps 4 and 5
//
// Cost: two cells for each wait; at the end a sort of the pages in use and 16 additions for each of them.
#include "verifier/checker/rows/queues.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/text/counted.h"

namespace quadrille::checker {

std::int32_t& StepCounts::cell(std::uint32_t place, std::uint32_t step) {
  PageNumber& number = *pages_of_.insert({step / page_steps, place}).first;
  if (number.index_plus_1 == 0) {
    share_.add(2 * sizeof(Page));  // twice: a growing vector holds both copies for a while
    pages_.push_back(Page{});
    number.index_plus_1 = static_cast<std::uint32_t>(pages_.size());
  }
  return pages_[number.index_plus_1 - 1][step % page_steps];
}

template <class Visit>
void StepCounts::each_run(Visit visit) {
  struct Key {
    std::uint32_t place;
    std::uint32_t page;
    std::uint32_t index;
    auto operator<=>(const Key&) const = default;
  };
  share_.add(pages_.size() * sizeof(Key));
  std::vector<Key> keys;
  keys.reserve(pages_.size());
  pages_of_.each([&](const PairKey& key, PageNumber number) {
    keys.push_back({key.place, static_cast<std::uint32_t>(key.id), number.index_plus_1 - 1});
  });
  // By place, then by step: so one running sum serves for all places.
  std::sort(keys.begin(), keys.end());
  std::int64_t count = 0;  // back to 0 at the end of every place
  std::uint32_t since = 0;
  for (const Key& key : keys) {
    for (std::uint32_t offset = 0; offset < page_steps; ++offset) {
      const std::int32_t change = pages_[key.index][offset];
      if (change == 0) continue;
      const std::uint32_t step = key.page * page_steps + offset;
      if (count > 0) visit(key.place, since, step, static_cast<std::uint64_t>(count));
      count += change;
      since = step;
    }
  }
}

QueueSizes Queues::finish(Findings& findings) {
  const Fabric& fabric = table_.fabric;
  QueueSizes sizes;
  sizes.by_level.resize(fabric.levels() + 1);
  sizes.at_channel_by_level.resize(fabric.levels() + 1);
  held_.each_run([&](std::uint32_t place, std::uint32_t first, std::uint32_t end, std::uint64_t count) {
    const NodeId at{place};
    std::uint64_t& largest = sizes.by_level[fabric.level(at)];
    largest = std::max(largest, count);
    judge(findings, at, first, end, count);
  });
  waiting_.each_run([&](std::uint32_t place, std::uint32_t, std::uint32_t, std::uint64_t count) {
    std::uint64_t& largest = sizes.at_channel_by_level[fabric.level(fabric.channel(ChannelId{place}).from)];
    largest = std::max(largest, count);
  });
  sizes.largest = *std::max_element(sizes.by_level.begin(), sizes.by_level.end());
  sizes.largest_at_channel = *std::max_element(sizes.at_channel_by_level.begin(), sizes.at_channel_by_level.end());
  return sizes;
}

void Queues::judge(Findings& findings, NodeId at, std::uint32_t first, std::uint32_t end, std::uint64_t held) const {
  const auto limit = table_.fabric.rules().queue.limit;
  if (!limit || held <= *limit) return;
  // A violation for each step: described one by one while they would be listed, the rest only counted.
  std::uint32_t step = first;
  for (; step < end && findings.wants(Property::queue, step); ++step) {
    findings.add(Property::queue, step, [&] {
      std::string text = fmt::format("switch {} buffers {} in step {}, the fabric allows {}", table_.fabric.name(at),
                                     counted(held, "packet"), step, *limit == 0 ? "none" : std::to_string(*limit));
      return BlamedViolation{{.step = StepId{step}, .node = at, .message = std::move(text)}, std::nullopt};
    });
  }
  findings.count(Property::queue, end - step);
}

}  // namespace quadrille::checker
