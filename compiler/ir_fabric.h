// A fabric's definition for every size: names resolved, expressions typed, nothing evaluated.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir.h"

namespace quadrille::ir {

struct ProcessorCount {
  Expression count;
};
struct SwitchArray {
  std::string name;
  std::vector<Expression> extents;  // none: one switch
};
// A latency or bandwidth: a number of units.
struct Speed {
  Expression value;
  std::uint64_t unit = 1;  // in picoseconds, or bytes a second
};
struct Link {
  Expression from, to;
  std::optional<Expression> lanes;
  std::optional<Speed> latency, bandwidth;
  bool one_way = false;
};
struct FabricItem;
struct FabricLoop {
  std::vector<Binding> bindings;
  std::optional<Expression> condition;
  std::vector<FabricItem> items;
};
struct FabricItem {
  std::variant<ProcessorCount, SwitchArray, Link, FabricLoop> node;
  Span span;
};

// route a -> b when c: along …
struct Route {
  VariableId source, target;
  std::optional<Expression> when;
  std::vector<Expression> along;
  Frame frame;
  Span span;
};

struct FabricDefinition {
  std::string name;
  Span span;
  std::shared_ptr<const Schedule> names;  // only its parameters, constants and functions are there
  std::vector<FabricItem> items;          // in order
  Frame frame;                            // of the items
  std::vector<Route> routes;              // the first whose condition holds is taken
};

}  // namespace quadrille::ir
