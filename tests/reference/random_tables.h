// Random tables on random small fabrics: sensible ones, sensible ones with faults, and wild ones.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "model/send_table.h"

namespace quadrille::reference {

// Random numbers that depend on the seed only, on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(engine_() % bound); }  // 0 … bound-1
  std::uint32_t from_to(std::uint32_t low, std::uint32_t high) { return low + below(std::uint64_t{high} - low + 1); }
  bool one_in(std::uint32_t chances) { return below(chances) == 0; }
  template <class T>
  const T& pick(const std::vector<T>& things) {
    return things[below(things.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& things) {
    for (std::size_t i = things.size(); i > 1; --i) std::swap(things[i - 1], things[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

// Trees of any arity, grids of every kind, complete graphs, stars and graphs, some with links that go one way; every
// combination of rules.
Fabric random_fabric(Dice& dice);

// Whether there is a route from every processor to every other one.
bool each_reaches_each(const Fabric& fabric);

// Any kind, for that many processors.
Collective random_collective(Dice& dice, std::uint32_t processors);

// A table of at most a few hundred rows. The rows of a step come in a random order, as a RowSource may give them.
// `words`: some of those of combining collectives say something of words.
SendTable random_table(std::uint64_t seed, bool words = false);

// The packets of a collective among its first so many ids.
std::vector<ChunkId> packets_of(const Collective& collective, std::uint64_t ids);

// The first seed of a test that loops over seeds: the environment variable QUADRILLE_SEED, or 1.
std::uint64_t first_seed();

}  // namespace quadrille::reference
