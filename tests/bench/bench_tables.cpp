// The tables of the judges and of the replay, against a library's hash map in the same part: 2^20 packets, each looked
// up at every hop, in an order without locality. Where the library is slower by more than a tenth, ours stay.
#if __has_include(<tsl/robin_map.h>)

#include <benchmark/benchmark.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "model/containers/packet_table.h"
#include "verifier/checker/rows/flight_table.h"

namespace quadrille {
namespace {

constexpr std::size_t packets = std::size_t{1} << 20;
constexpr std::uint32_t hops = 10;
constexpr std::uint64_t plenty = std::uint64_t{1} << 34;

struct Place {
  std::uint32_t node = 0;
  std::uint32_t step = 0;
};

struct Scramble {
  std::size_t operator()(std::uint64_t key) const { return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> 20U); }
  std::size_t operator()(const PlaceKey& key) const { return static_cast<std::size_t>(key.scramble() >> 16U); }
};

std::vector<std::uint64_t> shuffled_packets() {
  std::vector<std::uint64_t> order(packets);
  for (std::size_t i = 0; i < packets; ++i) order[i] = i * 37;
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  return order;
}

// --- one place a packet: made, moved at every hop, dropped ----------------------------------------------------------

void move_in_packet_table(benchmark::State& state) {
  const auto order = shuffled_packets();
  for (auto _ : state) {
    const Limits limits;
    Work work(limits);
    PacketTable<PacketKey, Place> table(work);
    for (const std::uint64_t packet : order) *table.insert({packet}).first = {};
    for (std::uint32_t hop = 1; hop < hops; ++hop) {
      for (std::size_t i = 0; i < packets; ++i) {
        if (i + 8 < packets) table.prefetch({order[i + 8]});
        *table.find({order[i]}) = {hop, hop};
      }
    }
    for (const std::uint64_t packet : order) table.erase({packet});
    benchmark::DoNotOptimize(table.size());
  }
}
BENCHMARK(move_in_packet_table)->Unit(benchmark::kMillisecond);

void move_in_flight_table(benchmark::State& state) {
  const auto order = shuffled_packets();
  for (auto _ : state) {
    checker::Budget budget(plenty);
    checker::FlightTable table(packets * 40, 4096, budget);
    table.reserve(packets);
    for (const std::uint64_t packet : order) table.insert({packet, 1, 1});
    const checker::FlightTable::View view = table.view();
    for (std::uint32_t hop = 1; hop < hops; ++hop) {
      for (std::size_t i = 0; i < packets; ++i) {
        if (i + 32 < packets) __builtin_prefetch(&view.slots[view.home(order[i + 32])], 1);
        benchmark::DoNotOptimize(table.find(order[i], view.home(order[i])));
      }
    }
    for (const std::uint64_t packet : order) table.erase(table.find(packet, table.home(packet)));
    benchmark::DoNotOptimize(table.size());
  }
}
BENCHMARK(move_in_flight_table)->Unit(benchmark::kMillisecond);

void move_in_robin_map(benchmark::State& state) {
  const auto order = shuffled_packets();
  for (auto _ : state) {
    tsl::robin_map<std::uint64_t, Place, Scramble> table;
    for (const std::uint64_t packet : order) table[packet] = {};
    for (std::uint32_t hop = 1; hop < hops; ++hop) {
      for (const std::uint64_t packet : order) table.find(packet).value() = {hop, hop};
    }
    for (const std::uint64_t packet : order) table.erase(packet);
    benchmark::DoNotOptimize(table.size());
  }
}
BENCHMARK(move_in_robin_map)->Unit(benchmark::kMillisecond);

// --- every place of a packet: found and made at every hop, kept -----------------------------------------------------

void copy_in_packet_table(benchmark::State& state) {
  const auto order = shuffled_packets();
  for (auto _ : state) {
    const Limits limits;
    Work work(limits);
    PacketTable<PlaceKey, Place> table(work);
    for (std::uint32_t hop = 1; hop < hops; ++hop) {
      for (const std::uint64_t packet : order) {
        benchmark::DoNotOptimize(table.find({packet, hop - 1}));
        *table.insert({packet, hop}).first = {hop, hop};
      }
    }
  }
}
BENCHMARK(copy_in_packet_table)->Unit(benchmark::kMillisecond);

void copy_in_budget(benchmark::State& state) {
  const auto order = shuffled_packets();
  for (auto _ : state) {
    checker::Budget budget(plenty);
    PacketTable<PairKey, Place> table(budget);
    for (std::uint32_t hop = 1; hop < hops; ++hop) {
      for (std::size_t i = 0; i < packets; ++i) {
        if (i + 12 < packets) table.prefetch({order[i + 12], hop - 1});
        benchmark::DoNotOptimize(table.find({order[i], hop - 1}));
        *table.insert({order[i], hop}).first = {hop, hop};
      }
    }
  }
}
BENCHMARK(copy_in_budget)->Unit(benchmark::kMillisecond);

void copy_in_robin_map(benchmark::State& state) {
  const auto order = shuffled_packets();
  for (auto _ : state) {
    tsl::robin_map<PlaceKey, Place, Scramble> table;
    for (std::uint32_t hop = 1; hop < hops; ++hop) {
      for (const std::uint64_t packet : order) {
        benchmark::DoNotOptimize(table.find({packet, hop - 1}));
        table[{packet, hop}] = {hop, hop};
      }
    }
  }
}
BENCHMARK(copy_in_robin_map)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille

#endif
