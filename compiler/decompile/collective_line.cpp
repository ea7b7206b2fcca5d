// A chunk's line says what the language would not take for granted: `chunk 0 -> 3` is held by 0 and wanted by 3, `chunk
// 1 -> *` held by 1 and wanted by all. Cost: the chunks, with those that hold and want them.
#include "compiler/decompile/collective_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "model/collective_family.h"

namespace quadrille {
namespace {

std::string arguments_text(const CollectiveDescription& description) {
  const CollectiveFacts& facts = description.kind.facts();
  std::vector<std::string> arguments;
  if (facts.rooted) arguments.push_back(fmt::format("root: {}", description.root));
  if (description.parts != 1) arguments.push_back(fmt::format("parts: {}", description.parts));
  const bool usual = description.operation == Operation::commutative || facts.always_idempotent ||
                     (facts.always_ordered && description.operation == Operation::ordered);
  if (!usual) arguments.push_back(fmt::format("operation: {}", to_string(description.operation)));
  return arguments.empty() ? std::string() : fmt::format("({})", fmt::join(arguments, ", "));
}

std::vector<std::uint32_t> ascending(std::vector<std::uint32_t> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::string chunk_text(const CustomChunk& chunk, std::uint32_t processors) {
  const std::vector<std::uint32_t> held_by = ascending(chunk.held_by);
  const std::vector<std::uint32_t> wanted_by = ascending(chunk.wanted_by);
  const std::string target = chunk.name.target ? fmt::format("{}", *chunk.name.target) : "*";
  std::string text = fmt::format("  chunk {} -> {}", chunk.name.origin, target);
  if (chunk.name.part != 0) text += fmt::format(" part {}", chunk.name.part);
  if (held_by != std::vector{chunk.name.origin}) text += fmt::format(" held by {{{}}}", fmt::join(held_by, ", "));
  const bool as_named =
      chunk.name.target ? wanted_by == std::vector{*chunk.name.target} : wanted_by.size() == processors;
  if (!as_named) text += fmt::format(" wanted by {{{}}}", fmt::join(wanted_by, ", "));
  return text + "\n";
}

}  // namespace

std::string collective_line(const Collective& collective) {
  const CollectiveDescription& description = collective.description();
  const CollectiveFacts& facts = description.kind.facts();
  if (!facts.chunks_given) return fmt::format("collective {}{}\n", facts.name, arguments_text(description));
  std::string text = fmt::format("collective {}:\n", facts.name);
  for (const CustomChunk& chunk : description.chunks) text += chunk_text(chunk, collective.processors());
  return text;
}

}  // namespace quadrille
