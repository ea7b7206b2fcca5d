// The short form of fabrics and collectives: a custom fabric written as JSON may take a kilobyte, which no message
// should carry. "graph:{…}" of 4 processors becomes "a graph of 4 processors".
#include "model/described.h"

#include <fmt/format.h>

#include <string_view>

#include "model/text/counted.h"
#include "model/topology.h"

namespace quadrille {
namespace {

bool is_short(std::string_view notation) {
  constexpr std::size_t longest = 80;
  return notation.size() <= longest && notation.find('{') == notation.npos;
}

}  // namespace

std::string described(const Fabric& fabric) {
  std::string title = fabric.title();
  if (is_short(title)) return title;
  std::string text = fmt::format("a {} of {}", fabric.topology().family(), counted(fabric.processors(), "processor"));
  if (const std::uint32_t switches = fabric.nodes() - fabric.processors(); switches > 0) {
    text += fmt::format(" and {} switch{}", switches, switches == 1 ? "" : "es");
  }
  return text;
}

std::string described(const Collective& collective) {
  std::string notation = collective.notation();
  if (is_short(notation)) return notation;
  return fmt::format("a {} collective of {}", to_string(collective.kind()),
                     counted(collective.chunk_ids(), collective.combining() ? "packet" : "chunk"));
}

}  // namespace quadrille
