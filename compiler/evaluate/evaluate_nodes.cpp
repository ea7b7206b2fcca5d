// A node is given by a processor's number, or by a name. While a fabric is being defined, only those processors and
// arrays of switches are known whose lines have been run (FabricSoFar).
//
// For example, with `processors 4` and `switches leaf[2], router[2][3]` so far, leaf[1] is node 5 and router[1][0]
// node 9. Cost: the name's length.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/evaluate/evaluate.h"
#include "model/described.h"
#include "model/text/number_in.h"

namespace quadrille {
namespace {

// The node "leaf[2][0]" of a fabric that is being defined.
std::optional<NodeId> node_so_far(const FabricSoFar& fabric, std::string_view name) {
  const std::size_t bracket = std::min(name.find('['), name.size());
  const auto found = fabric.switches.find(name.substr(0, bracket));
  if (found == fabric.switches.end()) return std::nullopt;
  std::uint32_t offset = 0;
  std::string_view rest = name.substr(bracket);
  for (const std::uint32_t extent : found->second.extents) {
    const std::size_t close = std::min(rest.find(']'), rest.size());
    if (rest.empty() || close == rest.size()) return std::nullopt;
    const auto index = number_in<std::uint32_t>(rest.substr(1, close - 1));
    if (!index || *index >= extent) return std::nullopt;
    offset = offset * extent + *index;
    rest.remove_prefix(close + 1);
  }
  return rest.empty() ? std::optional(NodeId(found->second.first + offset)) : std::nullopt;
}

}  // namespace

std::uint32_t Evaluator::processors(Span span) const {
  if (instance_.count != 0) return instance_.count;
  if (!instance_.so_far) return fabric(span).processors();
  if (!instance_.so_far->processors) fail(span, "the line 'processors' comes before what uses them", Code::missing);
  return *instance_.so_far->processors;
}

std::int64_t Evaluator::to_node(std::int64_t number, Span span) const {
  const std::int64_t n = processors(span);
  if (number < 0 || number >= n) {
    const char* where = instance_.count != 0 ? "this block" : "the fabric";
    fail(span,
         n == 1 ? fmt::format("there is no processor {}; {} has only processor 0", number, where)
                : fmt::format("there is no processor {}; {} has processors 0 to {}", number, where, n - 1),
         Code::range);
  }
  return number;
}

std::int64_t Evaluator::to_integer(std::int64_t node, Span span) const {
  if (node >= (instance_.fabric ? instance_.fabric->processors() : processors(span))) {
    const NodeId id(static_cast<std::uint32_t>(node));
    fail(span,
         fmt::format("this is {}; expected a processor",
                     instance_.fabric ? "switch " + instance_.fabric->name(id) : std::string("a switch")),
         Code::type);
  }
  return node;
}

Evaluator::Slot Evaluator::value_of(const ir::NodeNamed& node, const ir::Expression& e, Slot* frame) {
  std::string name = node.name;
  for (const ir::Expression& index : node.indices) name += fmt::format("[{}]", value(index, frame));
  const std::optional<NodeId> found =
      instance_.so_far ? node_so_far(*instance_.so_far, name) : fabric(e.span).node_named(name);
  if (!found)
    fail(
        e.span,
        fmt::format("there is no node {} in {}", name, instance_.fabric ? described(*instance_.fabric) : "this fabric"),
        Code::name);
  return found->value;
}

}  // namespace quadrille
