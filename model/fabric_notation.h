// The one notation for fabrics: `fat_tree:levels=4,capacity=exponential`, `torus:4x4,ports=single`, `graph:FILE`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/fabric.h"

namespace quadrille {

// A fabric's description before it is built: what both the notation and a schedule's `fabric` line come down to.
// An unnamed first argument (the 8 of `ring:8`, the 4x4 of `torus:4x4`) has the key "". Keys, the unnamed one's first:
//   fat_tree                    levels, arity, capacity (constant, exponential, or one number for each level)
//   ring, line, complete, star  nodes (processors), capacity
//   mesh, torus                 extents, capacity
//   hypercube                   dimensions, capacity
//   graph                       file (a path, or the graph itself as JSON)
//   all                         duplex (full, half), ports (multi, single), queue (unbounded, none, a number)
struct FabricDescription {
  using Argument = std::variant<std::string, std::vector<std::int64_t>>;  // a word, or one or more numbers
  struct Entry {
    Argument value;
    Span span;
  };
  std::string kind;
  Span span;
  std::map<std::string, Entry> arguments;
};

// Opens a file that a notation names; nothing if it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

// The fabric described, or what is wrong with it (an unknown kind or key: the nearest is offered).
Result<Fabric> build_fabric(const FabricDescription& description, const ReadFile& read_file = {});

// The fabric that `source.text` writes. Spans in diagnostics index `source_number`. `graph:FILE` and a bare path that
// ends in `.json` read the file; `graph:{…}` holds the graph itself (this is what table headers do). Such a graph is
//   {"processors": 4, "switches": ["a", "b"], "channels": [[0, "a", 2], …], "links": [["a", "b"], …]}
// A channel is [from, to, capacity] or {"from": …, "to": …, "capacity": …}; the capacity may be left out, it is 1 then.
// A node is a processor's number or a name. A link is a channel each way. "duplex", "ports" and "queue" may be there,
// too; the notation's own come first. What Fabric::notation() writes, parse_fabric reads to an equal fabric.
Result<Fabric> parse_fabric(const Source& source, std::uint32_t source_number, const ReadFile& read_file = {});

// A line for each kind of fabric: notation, meaning (for `quadrille fabrics`).
struct FabricKind {
  std::string notation;
  std::string meaning;
};
std::vector<FabricKind> fabric_kinds();

}  // namespace quadrille
