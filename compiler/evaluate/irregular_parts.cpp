// Irregular collectives are described chunk by chunk: MPI's Alltoallv, Scatterv, Gatherv and Allgatherv count in units,
// and each unit is a chunk.
//
// For example, `gather(root: 1, parts(p): p)` among three processors has the chunks 2->1 part 0 and 2->1 part 1, since
// processor 0 has nothing to send, and the root sends itself nothing. Cost: the chunks.
#include "compiler/evaluate/irregular_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/collective_family.h"

namespace quadrille {
namespace {

// Adds the parts of a message, as many as the argument's value for it; none for 0.
class IrregularParts {
 public:
  IrregularParts(const ir::Argument& argument, Evaluator& evaluator, Evaluator::Slot* frame)
      : argument_(argument), evaluator_(evaluator), frame_(frame) {}

  void add(std::uint32_t source, std::uint32_t target, CustomChunk chunk, CollectiveDescription& description) {
    constexpr std::size_t limit = std::size_t{1} << 24;
    const std::int64_t parts = value(source, target);
    if (parts < 0) {
      fail(argument_.span, fmt::format("parts is {} from {} to {}; expected 0 or more", parts, source, target),
           Code::range);
    }
    if (static_cast<std::uint64_t>(parts) > limit - std::min(limit, description.chunks.size()))
      fail(argument_.span, fmt::format("more than {} chunks; that is the limit", limit), Code::limit);
    for (std::int64_t part = 0; part < parts; ++part) {
      chunk.name.part = static_cast<std::uint32_t>(part);
      description.chunks.push_back(chunk);
    }
  }

 private:
  // One variable stands for the processor that is not the root, or that owns the message.
  std::int64_t value(std::uint32_t source, std::uint32_t target) {
    frame_[argument_.index_slot->value] = source;
    if (argument_.second_slot) frame_[argument_.second_slot->value] = target;
    return evaluator_.value(argument_.values[0], frame_);
  }

  const ir::Argument& argument_;
  Evaluator& evaluator_;
  Evaluator::Slot* frame_;
};

}  // namespace

void irregular_chunks(const ir::Argument& argument, Evaluator& evaluator, Evaluator::Slot* frame,
                      CollectiveDescription& description) {
  const std::uint32_t n = evaluator.instance().fabric->processors();
  const std::optional<DemandShape>& shape = description.kind.facts().demand;
  if (!shape || shape->combining() || !(shape->unit_per_supplier || shape->unit_per_wanter)) {
    fail(argument.span, fmt::format("the parts of {} are a number, the same for all", to_string(description.kind)),
         Code::type);
  }
  const bool pairs = shape->personal();
  if (pairs != argument.second_slot.has_value()) {
    fail(argument.span,
         pairs ? "expected two variables, parts(source, target)" : "expected one variable, the processor", Code::type);
  }
  const std::uint32_t root = description.root;
  if (root >= n) fail(argument.span, fmt::format("there is no processor {}", root), Code::range);
  IrregularParts parts(argument, evaluator, frame);
  description.kind = *collective_kind("custom");
  description.root = 0;
  for (std::uint32_t p = 0; p < n; ++p) {
    if (pairs) {
      for (std::uint32_t t = 0; t < n; ++t) {
        if (t != p) parts.add(p, t, {{p, t, 0}, {p}, {t}}, description);
      }
    } else if (shape->shared()) {
      CustomChunk chunk{{p, std::nullopt, 0}, {p}, {}};
      for (std::uint32_t t = 0; t < n; ++t) chunk.wanted_by.push_back(t);
      parts.add(p, p, chunk, description);
    } else if (p != root) {
      const std::uint32_t from = shape->unit_per_wanter ? root : p;
      const std::uint32_t to = shape->unit_per_wanter ? p : root;
      parts.add(p, p, {{from, to, 0}, {from}, {to}}, description);
    }
  }
}

}  // namespace quadrille
