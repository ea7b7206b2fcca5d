// `invariant after t in S: …` with every name resolved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/core.h"
#include "compiler/ir_expression.h"
#include "model/text/source.h"

namespace quadrille::ir {

// An item of an invariant's block: a loop if it has bindings, else a statement.
struct HeldItem {
  Span span;
  std::vector<Binding> bindings;
  std::optional<Expression> condition;  // of the loop; of the statement, behind `when`
  std::vector<HeldItem> items;
  std::optional<Expression> processor, target, part, origins;  // the second and third may be absent; the last is a set
  bool everyone = false;                                       // `-> *`
  bool at_least = false;                                       // `contains`
};

struct Invariant {
  std::string text;
  Span span;
  Binding step;
  std::vector<HeldItem> items;
  Frame frame;
};

}  // namespace quadrille::ir
