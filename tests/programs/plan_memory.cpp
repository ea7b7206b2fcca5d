#include "tests/programs/plan_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace quadrille::programs {
namespace {

constexpr std::uint32_t no_owner = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kept_versions = 4;

}  // namespace

void ThreadView::join(const ThreadView& other) {
  if (seen.size() < other.seen.size()) seen.resize(other.seen.size());
  for (std::size_t i = 0; i < other.seen.size(); ++i) seen[i] = std::max(seen[i], other.seen[i]);
  since = std::max(since, other.since);
}

// In place, the shorter one of input and output is the GPU's slice of the longer one.
LateMemory::LateMemory(const ExecutionPlan& plan, std::uint32_t units, std::mt19937_64& random, const Habits& habits)
    : plan_(plan), units_(units), random_(random), habits_(habits), runs_(plan.ranks.size()) {
  std::uint32_t next = 0;
  stores_.resize(plan.ranks.size());
  for (std::uint32_t r = 0; r < plan.ranks.size(); ++r) {
    const PlanRank& rank = plan.ranks[r];
    std::array<std::uint32_t, 3> begin = {next, next + rank.input * units, 0};
    next += (rank.input + rank.output) * units;
    if (plan.in_place && rank.input == rank.output) begin[1] = begin[0];
    if (plan.in_place && rank.output == rank.input * plan.ranks.size()) begin[0] = begin[1] + r * rank.input * units;
    if (plan.in_place && rank.input == rank.output * plan.ranks.size()) begin[1] = begin[0] + r * rank.output * units;
    owners_.resize(next, r);
    begin[2] = next;
    next += room_in_chunks(plan, rank, Space::scratch) * units * (plan.double_scratch ? 2 : 1);
    owners_.resize(next, no_owner);
    begins_.push_back(begin);
  }
  history_.resize(next, {Version{}});
}

std::uint32_t LateMemory::number_of(const UnitPlace& place, std::uint32_t half) const {
  const bool second = place.halved && plan_.double_scratch && half == 1;
  return begins_[place.rank][static_cast<std::size_t>(place.space)] + place.unit +
         (second ? room_in_chunks(plan_, plan_.ranks[place.rank], Space::scratch) * units_ : 0);
}

bool LateMemory::knows(const PlanThread& thread, const Version& version) {
  return version.order != 0 && version.rank == thread.rank && version.writer < thread.view.seen.size() &&
         thread.view.seen[version.writer] >= version.order;
}

const LateMemory::Waiting* LateMemory::waiting_for(const PlanThread& thread, std::uint32_t unit) const {
  const auto& store = stores_[thread.rank];
  const auto found = std::find_if(store.rbegin(), store.rend(), [&](const Waiting& write) {
    return unit >= write.unit && unit < write.unit + write.width && knows(thread, write.version);
  });
  return found == store.rend() ? nullptr : &*found;
}

UnitContent LateMemory::part(const Waiting& write, std::uint32_t unit) {
  UnitContent result = write.version.content;
  result.second = unit != write.unit;
  return result;
}

UnitContent LateMemory::newest(const PlanThread& thread, std::uint32_t unit) const {
  if (const Waiting* write = waiting_for(thread, unit)) return part(*write, unit);
  return landed(unit);
}

UnitContent LateMemory::read(const PlanThread& thread, std::uint32_t unit) {
  if (const Waiting* write = waiting_for(thread, unit)) return part(*write, unit);
  const auto& versions = history_[unit];
  std::size_t i = versions.size() - 1;
  while (i > 0 && versions[i].time > thread.view.since && !knows(thread, versions[i]) && chance(habits_.early)) --i;
  return versions[i].content;
}

void LateMemory::store(PlanThread& thread, Waiting write) {
  auto& seen = thread.view.seen;
  if (seen.size() <= thread.number) seen.resize(thread.number + 1);
  write.version.rank = thread.rank;
  write.version.writer = thread.number;
  write.version.order = ++seen[thread.number];
  const auto& store = stores_[thread.rank];
  const bool queued = std::ranges::any_of(store, [&](const Waiting& other) {
    return other.unit < write.unit + write.width && write.unit < other.unit + other.width;
  });
  if (!queued && !chance(habits_.late)) return land(write);
  write.very_late = chance(habits_.very_late);
  stores_[thread.rank].push_back(write);
}

void LateMemory::write(PlanThread& thread, std::uint32_t unit, const UnitContent& content) {
  store(thread, {.unit = unit, .version = {.content = content}});
}

void LateMemory::write_packet(PlanThread& thread, std::uint32_t unit, std::uint64_t value, std::uint32_t flag) {
  store(thread, {.unit = unit, .version = {.content = {value, flag, false}}, .width = 2});
}

void LateMemory::append(std::uint32_t unit, const Version& version) {
  const std::uint32_t owner = owners_[unit];
  if (owner != no_owner && !runs_[owner] && !intrusion_)
    intrusion_ = fmt::format("a write lands in a buffer of gpu {} while it does not run", owner);
  auto& versions = history_[unit];
  if (versions.size() == kept_versions) versions.erase(versions.begin());
  versions.push_back(version);
  versions.back().time = ++now_;
  packet_landed_ = packet_landed_ || version.content.flag != 0;
}

void LateMemory::land(const Waiting& write) {
  for (std::uint32_t unit = write.unit; unit < write.unit + write.width; ++unit) {
    Version version = write.version;
    version.content = part(write, unit);
    append(unit, version);
  }
}

void LateMemory::land(std::uint32_t unit, const UnitContent& content) { append(unit, {.content = content}); }

void LateMemory::set(std::uint32_t unit, const UnitContent& content) {
  history_[unit].assign(1, {.content = content, .time = ++now_});
}

// Writes of a GPU to one unit land in the order in which they were done.
void LateMemory::land_at(std::uint32_t rank, std::size_t i) {
  auto& store = stores_[rank];
  for (std::size_t before = 0; before < i;) {
    if (store[before].unit < store[i].unit + store[i].width &&
        store[i].unit < store[before].unit + store[before].width) {
      land(store[before]);
      store.erase(store.begin() + static_cast<std::ptrdiff_t>(before));
      --i;
    } else {
      ++before;
    }
  }
  land(store[i]);
  store.erase(store.begin() + static_cast<std::ptrdiff_t>(i));
}

void LateMemory::release(const PlanThread& thread) {
  const auto& store = stores_[thread.rank];
  for (std::size_t i = 0; i < store.size();) {
    if (knows(thread, store[i].version)) {
      land_at(thread.rank, i);
      i = 0;
    } else {
      ++i;
    }
  }
}

bool LateMemory::land_some(std::uint32_t rank) {
  const auto& store = stores_[rank];
  const std::size_t first = store.empty() ? 0 : random_() % store.size();
  for (std::size_t i = 0; i < store.size(); ++i) {
    const std::size_t at = (first + i) % store.size();
    if (store[at].very_late) continue;
    land_at(rank, at);
    return true;
  }
  return false;
}

bool LateMemory::land_very_late(std::uint32_t rank) {
  if (stores_[rank].empty()) return false;
  land_at(rank, random_() % stores_[rank].size());
  return true;
}

void LateMemory::land_all(std::uint32_t rank) {
  while (land_very_late(rank)) continue;
}

bool LateMemory::packet_landed() { return std::exchange(packet_landed_, false); }

}  // namespace quadrille::programs
