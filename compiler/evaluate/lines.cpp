// The lines `fabric` and `collective`, evaluated for one size into the descriptions that model/ builds from.
//
// For example, `fabric fat_tree(levels: 3, capacity(i): 2^(i-1))` has the arguments levels = [3] and capacity = [1, 2,
// 4]: an argument with a variable is evaluated for each level, so the number of levels must be known first. The chunks
// of a custom collective are listed by running its loops. Cost: the expressions; a custom collective's chunks.
#include "compiler/evaluate/lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/evaluate/arguments.h"
#include "compiler/evaluate/evaluate.h"
#include "compiler/ir.h"
#include "model/collective.h"
#include "model/collective_family.h"
#include "model/fabric_notation.h"

namespace quadrille {
namespace {

// --- irregular parts -----------------------------------------------------------------------------------------------

// Some collectives have messages with different numbers of parts: `total_exchange(parts(s, t): 1 + t mod 2)`.
//
// Irregular collectives are described chunk by chunk: MPI's Alltoallv, Scatterv, Gatherv and Allgatherv count in units,
// and each unit is a chunk.
//
// For example, `gather(root: 1, parts(p): p)` among three processors has the chunks 2->1 part 0 and 2->1 part 1, since
// processor 0 has nothing to send, and the root sends itself nothing. Cost: the chunks.

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

// Turns the description (its kind, and its root) into a custom one, whose chunks are the parts that the argument gives
// each message: parts(s, t) of a total exchange; parts(p) of scatter, gather and allgather, where p is the processor
// that gets or has the message. A message of no parts has no chunks. Throws EvaluationError.
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

// --- lines ---------------------------------------------------------------------------------------------------------

// One argument of a fabric line, evaluated. `levels`: how many values a capacity(i) has.
FabricDescription::Entry fabric_argument(const ir::Argument& argument, Evaluator& evaluator, Evaluator::Slot* frame,
                                         std::int64_t levels) {
  if (argument.word) return {*argument.word, argument.span};
  if (argument.pattern) {
    const Pattern& pattern = evaluator.instance().patterns[argument.pattern->value];
    if (!pattern.word.empty()) return {pattern.word, argument.span};
    return {pattern.values, argument.span};
  }
  std::vector<std::int64_t> values;
  if (argument.second_slot)
    fail(argument.span, fmt::format("'{}' has one variable, the level", argument.key), Code::type);
  if (argument.index_slot) {
    if (levels < 0 || levels > 64)
      fail(argument.span, fmt::format("the fabric has {} levels; expected 0 to 64", levels), Code::range);
    for (std::int64_t i = 1; i <= levels; ++i) {
      frame[argument.index_slot->value] = i;
      values.push_back(evaluator.value(argument.values[0], frame));
    }
  } else {
    for (const ir::Expression& e : argument.values) values.push_back(evaluator.value(e, frame));
  }
  return {std::move(values), argument.span};
}

// A product's factor as the notation has it: "ring:4", "torus:3x3", "product(ring:4,line:3)".
std::string factor_text(const ir::Argument& argument, Evaluator& evaluator, Evaluator::Slot* frame) {
  if (argument.word) return *argument.word;
  std::vector<std::string> parts;
  const bool product = argument.factor == "product";
  for (const ir::Argument& inner : argument.inner) {
    parts.push_back(product ? factor_text(inner, evaluator, frame)
                            : fmt::to_string(evaluator.value(inner.values[0], frame)));
  }
  if (product) return fmt::format("product({})", fmt::join(parts, ","));
  return fmt::format("{}{}{}", argument.factor, parts.empty() ? "" : ":", fmt::join(parts, "x"));
}

// The arguments of a product: its factors are one, "(ring:4,line:3)".
void add_factors(const ir::FabricLine& line, Evaluator& evaluator, Evaluator::Slot* frame,
                 FabricDescription& description) {
  std::vector<std::string> factors;
  Span span = line.span;
  for (const ir::Argument& argument : line.arguments) {
    if (!argument.key.empty()) continue;
    factors.push_back(factor_text(argument, evaluator, frame));
    span = factors.size() == 1 ? argument.span : cover(span, argument.span);
  }
  if (!factors.empty()) description.arguments[""] = {fmt::format("({})", fmt::join(factors, ",")), span};
}

}  // namespace

Fabric own_fabric(const Instance& instance) {
  const ir::FabricLine& line = instance.schedule->fabric;
  Evaluator evaluator(instance);
  Evaluator::FrameGuard frame(evaluator, line.frame.size, line.span);
  // First the levels, wherever they stand among the arguments: capacity(i) runs over them.
  std::int64_t levels = 0;
  for (const ir::Argument& argument : line.arguments) {
    if ((argument.key == "levels" || argument.key.empty()) && argument.values.size() == 1 && !argument.index_slot) {
      levels = evaluator.value(argument.values[0], frame.slots());
    }
  }
  FabricDescription description;
  description.kind = line.kind;
  description.span = line.span;
  const bool product = line.kind == "product";
  if (product) add_factors(line, evaluator, frame.slots(), description);
  for (const ir::Argument& argument : line.arguments) {
    if (product && argument.key.empty()) continue;
    auto entry = fabric_argument(argument, evaluator, frame.slots(), levels);
    // Numbers without a key are one argument, however they are separated.
    if (argument.key.empty() && description.arguments.contains("")) {  // torus(3, 4): one list
      auto& first = std::get<std::vector<std::int64_t>>(description.arguments[""].value);
      const auto* more = std::get_if<std::vector<std::int64_t>>(&entry.value);
      if (more == nullptr) fail(argument.span, "a word among numbers; expected a number", Code::type);
      first.insert(first.end(), more->begin(), more->end());
      continue;
    }
    if (!description.arguments.emplace(argument.key, std::move(entry)).second) {
      fail(argument.span, fmt::format("'{}' is given twice", argument.key), Code::duplicate);
    }
  }
  auto fabric = build_fabric(description, instance.schedule->read_file, *instance.schedule->families, instance.limits);
  if (!fabric) throw BadArguments{fabric.diagnostics()};
  return *fabric;
}

namespace {

void custom_chunks(const std::vector<ir::ChunkItem>& items, Evaluator& evaluator, Evaluator::Slot* frame,
                   CollectiveDescription& description) {
  constexpr std::size_t limit = std::size_t{1} << 24;
  const auto number = [&](const ir::Expression& e) {
    const std::int64_t value = evaluator.value(e, frame);
    if (value < 0 || value > 0xffffffff) fail(e.span, fmt::format("{} is no processor or part", value), Code::range);
    return static_cast<std::uint32_t>(value);
  };
  const auto set = [&](const ir::Expression& e) {
    std::vector<std::int64_t> elements;
    evaluator.collect(e, frame, elements);
    std::vector<std::uint32_t> result;
    for (const std::int64_t x : elements) {
      if (x < 0 || x >= evaluator.instance().fabric->processors())
        fail(e.span, fmt::format("there is no processor {}", x), Code::range);
      result.push_back(static_cast<std::uint32_t>(x));
    }
    return result;
  };
  for (const ir::ChunkItem& item : items) {
    if (!item.origin) {
      evaluator.for_each(item.bindings, frame, [&] {
        if (!item.condition || evaluator.truth(*item.condition, frame)) {
          custom_chunks(item.items, evaluator, frame, description);
        }
      });
      continue;
    }
    CustomChunk chunk;
    chunk.name.origin = number(*item.origin);
    if (item.target) chunk.name.target = number(*item.target);
    if (item.part) chunk.name.part = number(*item.part);
    // What the file leaves out: held by its origin, wanted by its target, or by everyone if it has none.
    chunk.held_by = item.held_by ? set(*item.held_by) : std::vector{chunk.name.origin};
    if (item.wanted_by) {
      chunk.wanted_by = set(*item.wanted_by);
    } else if (chunk.name.target) {
      chunk.wanted_by = {*chunk.name.target};
    } else {
      for (std::uint32_t p = 0; p < evaluator.instance().fabric->processors(); ++p) chunk.wanted_by.push_back(p);
    }
    if (description.chunks.size() >= limit)
      fail(item.span, fmt::format("more than {} chunks; that is the limit", limit), Code::limit);
    description.chunks.push_back(std::move(chunk));
  }
}

// `operation: ordered`, or the word alone; nothing if it is neither.
std::optional<Operation> operation_written(const ir::Argument& argument) {
  if (!argument.word || !(argument.key.empty() || argument.key == "operation")) return std::nullopt;
  return operation_named(*argument.word);
}

}  // namespace

Collective own_collective(const Instance& instance) {
  const ir::CollectiveLine& line = instance.schedule->collective;
  Evaluator evaluator(instance);
  Evaluator::FrameGuard frame(evaluator, line.frame.size, line.span);
  CollectiveDescription description;
  description.kind = line.kind;
  const auto number = [&](const ir::Argument& argument) {
    if (argument.values.size() != 1) fail(argument.span, fmt::format("'{}' is no number", argument.key), Code::type);
    const std::int64_t value = evaluator.value(argument.values[0], frame.slots());
    if (value < 0 || value > 0xffffffff)
      fail(argument.span, fmt::format("{} is {}; expected 0 to 2^32 - 1", argument.key, value), Code::range);
    return static_cast<std::uint32_t>(value);
  };
  const ir::Argument* irregular = nullptr;
  for (const ir::Argument& argument : line.arguments) {
    if (argument.key == "root" && !argument.index_slot) {
      description.root = number(argument);
    } else if (argument.key == "parts" && argument.index_slot) {
      irregular = &argument;
    } else if (argument.index_slot) {
      fail(argument.span, fmt::format("'{}' is a number, and has no variable", argument.key), Code::type);
    } else if (argument.key == "parts") {
      description.parts = number(argument);
    } else if (const auto operation = operation_written(argument)) {
      description.operation = *operation;
    } else {
      fail(argument.span, "expected root: number, parts: number, ordered, commutative or idempotent", Code::name);
    }
  }
  if (!line.chunks.empty() && line.kind.facts().listed && !line.kind.facts().chunks_given) {
    fail(line.span, fmt::format("{} lists no chunks", to_string(line.kind)), Code::invalid);
  }
  custom_chunks(line.chunks, evaluator, frame.slots(), description);
  if (irregular != nullptr) irregular_chunks(*irregular, evaluator, frame.slots(), description);
  auto collective = Collective::make(std::move(description), instance.fabric->processors(), line.span);
  if (!collective) throw BadArguments{collective.diagnostics()};
  return *collective;
}

std::uint32_t parts_of(const Collective& collective) {
  if (collective.combining()) return collective.values();
  std::uint32_t parts = collective.description().parts;
  for (const CustomChunk& chunk : collective.description().chunks) parts = std::max(parts, chunk.name.part + 1);
  return parts;
}

}  // namespace quadrille
