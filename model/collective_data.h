// Private to the collective_*.cpp files: how each collective numbers its packets and its demands. With n processors and
// p parts:
//
//   broadcast                    id = part                          demand (part, d)   = part·(n-1) + d'
//   allgather                    id = origin·p + part               demand (chunk, d)  = id·(n-1) + d'
//   scatter, gather              id = (the end that is not the root)·p + part;  one demand a chunk
//   total exchange               id = (origin·n + target)·p + part; one demand a chunk, the diagonal left out
//   combining                    id = (origin·n + target)·values + part;  demand = (value, processor)
//   custom                       id = place in the list, sorted by name
//
// d' is d counted without the chunk's origin. Ids of (root, root) and of the diagonal are not used.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/divider.h"

namespace quadrille {

// Whether the collective has a root.
inline bool rooted(CollectiveKind kind) {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter || kind == CollectiveKind::gather ||
         kind == CollectiveKind::reduce;
}

// `number` counted without `left_out`, and back.
inline std::uint64_t without(std::uint64_t number, std::uint64_t left_out) {
  return number - (number > left_out ? 1 : 0);
}
inline std::uint64_t with(std::uint64_t number, std::uint64_t left_out) {
  return number + (number >= left_out ? 1 : 0);
}

inline std::uint32_t narrow(std::uint64_t number) { return static_cast<std::uint32_t>(number); }

inline std::string text_of(const ChunkName& name) {
  return name.target ? fmt::format("{}->{}", name.origin, *name.target) : fmt::format("{}->*", name.origin);
}

struct Collective::Data {
  CollectiveDescription description;
  std::uint32_t n = 1;
  std::uint32_t values = 0;  // combining
  std::uint64_t parts = 1;   // pieces per (origin, target): `parts`, or combining: `values`
  std::uint64_t ids = 0;
  std::uint64_t demands = 0;
  bool unicast = false;
  // Ids i with (i - unused_first) mod unused_period < unused_width are not used.
  std::uint64_t unused_first = 0;
  std::uint64_t unused_width = 0;
  std::uint64_t unused_period = ~std::uint64_t{0};
  Divider by_parts, by_n, by_row, by_others;  // parts, n, n·parts, n - 1
  // custom: chunk c's demands are numbers first_demand[c] … first_demand[c+1]-1, at wanted[number]
  std::vector<std::uint64_t> first_demand;
  std::vector<std::uint32_t> wanted;

  bool unused(std::uint64_t id) const {
    return unused_width != 0 && id >= unused_first && (id - unused_first) % unused_period < unused_width;
  }
  std::optional<ChunkId> custom_chunk(const ChunkName& name) const;
  std::optional<std::uint64_t> custom_demand(std::uint64_t chunk, std::uint32_t processor) const;
  std::optional<std::uint64_t> word_demand(std::uint32_t value, std::uint32_t processor) const;  // combining

  void number_demands();
  void leave_ids_out();
  void list_custom_demands();
};

}  // namespace quadrille
