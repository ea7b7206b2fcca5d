#include "driver/inputs/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/collective_family.h"

namespace quadrille::driver {

std::uint64_t messages_in_whole(const Collective& collective) {
  const auto& shape = collective.shape();
  const bool own = shape && (shape->unit_per_supplier || shape->unit_per_wanter);
  return own ? std::max<std::uint64_t>(collective.processors(), 1) : 1;
}

Result<std::vector<std::uint64_t>> message_sizes(std::vector<std::uint64_t> sizes, const std::string& size_of,
                                                 const Collective& collective) {
  if (!size_of.empty() && size_of != "part" && size_of != "whole") {
    return error_at({}, fmt::format("--size-of: `{}`; expected part or whole", size_of), Code::usage);
  }
  if (!size_of.empty() && sizes.empty()) return error_at({}, "--size-of: expected --size, too", Code::usage);
  if (size_of != "whole") return sizes;
  const std::uint64_t messages = messages_in_whole(collective);
  for (std::uint64_t& size : sizes) {
    if (size < messages)
      return error_at(
          {},
          fmt::format("--size: {} of the whole, which has {} messages here; expected a byte or more for each", size,
                      messages),
          Code::usage);
    size /= messages;
  }
  return sizes;
}

std::optional<Bandwidth> bandwidth(const Collective& collective, std::uint64_t size, std::optional<double> seconds) {
  const auto& shape = collective.shape();
  const bool counted = shape && !shape->by_rank() && collective.description().kind.facts().name != "barrier";
  if (!counted || !seconds || *seconds <= 0 || collective.processors() == 0) return std::nullopt;
  const std::uint64_t messages = messages_in_whole(collective);
  if (size > std::numeric_limits<std::uint64_t>::max() / messages) return std::nullopt;
  const auto n = static_cast<double>(collective.processors());
  const double others = (n - 1) / n;
  const double factor = messages > 1 ? others : shape->all_to_all() ? 2 * others : 1;
  const double algorithm = static_cast<double>(size) * static_cast<double>(messages) / *seconds;
  return Bandwidth{size * messages, algorithm, algorithm * factor};
}

}  // namespace quadrille::driver
