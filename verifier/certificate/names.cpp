// Looks up names such as `5` and `0->1.0`, and offers the nearest one for what the fabric does not have. Cost: one
// look-up; of a wrong name, a look at all nodes.
#include "verifier/certificate/names.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace quadrille::certificate {
namespace {

constexpr std::uint32_t most_names_offered = 10'000;  // nodes of a fabric among which the nearest name is looked for

}  // namespace

std::optional<NodeId> FabricNames::node(TextPiece name) const {
  const auto node = fabric_.node_named(text_.view(name));
  if (node) return node;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < fabric_.nodes() && fabric_.nodes() <= most_names_offered; ++i) {
    names.push_back(fabric_.name(NodeId(i)));
  }
  text_.report_error(name,
                     fmt::format("the fabric has no node `{}`{}", text_.view(name), offer(text_.view(name), names)));
  return std::nullopt;
}

std::optional<NodeId> FabricNames::processor(TextPiece name) const {
  const auto found = node(name);
  if (!found || fabric_.is_processor(*found)) return found;
  text_.report_error(name, fmt::format("{} is a switch; expected a processor", text_.view(name)));
  return std::nullopt;
}

std::optional<ChannelId> FabricNames::channel(TextPiece name) const {
  const std::size_t arrow = text_.view(name).find("->");
  if (arrow == std::string_view::npos) {
    text_.report_error(name, fmt::format("`{}` is no channel; expected FROM->TO", text_.view(name)));
    return std::nullopt;
  }
  const auto from = node({name.begin, name.begin + arrow});
  const auto to = node({name.begin + arrow + 2, name.end});
  if (!from || !to) return std::nullopt;
  const auto channel = fabric_.channel_between(*from, *to);
  if (!channel) {
    text_.report_error(name,
                       fmt::format("the fabric has no channel from {} to {}", fabric_.name(*from), fabric_.name(*to)));
  }
  return channel;
}

std::optional<ChannelId> FabricNames::link(TextPiece name) const {
  const auto found = channel(name);
  if (!found || fabric_.link(*found) == *found) return found;
  text_.report_error(name, fmt::format("a link is named by its channel with the lower number, {}",
                                       fabric_.name(fabric_.link(*found))));
  return std::nullopt;
}

}  // namespace quadrille::certificate
