// Reads lines such as `price channel 0->1.0 1: 3 2 1 0`, and refuses resources that the fabric does not have: a price
// on what limits nothing would prove what is false.
#include "verifier/certificate/price_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t largest_price = std::uint64_t{1} << 62;
constexpr std::uint64_t bytes_per_line = 2 * sizeof(Price) + 64;  // in lists that grow, and its name's place in a set
constexpr std::uint64_t bytes_per_price = 2 * sizeof(std::uint64_t);
constexpr std::uint32_t most_names_offered = 10'000;  // nodes of a fabric among which the nearest name is looked for

constexpr std::array<std::pair<std::string_view, Price::Resource>, 6> resources{{{"channel", Price::Resource::channel},
                                                                                 {"link", Price::Resource::link},
                                                                                 {"out", Price::Resource::out},
                                                                                 {"in", Price::Resource::in},
                                                                                 {"port", Price::Resource::port},
                                                                                 {"pairs", Price::Resource::pairs}}};

class PriceReader {
 public:
  PriceReader(Pieces& text, const Fabric& fabric, std::uint32_t steps, Work& work)
      : text_(text), fabric_(fabric), steps_(steps), work_(work) {}

  void read_price(TextPiece rest) {
    work_.take(1, bytes_per_line);
    work_.spend(rest.end - rest.begin);
    const TextPiece whole = rest;
    const TextPiece kind = text_.take_word(rest);
    const TextPiece name = text_.take_word(rest);
    const TextPiece colon{text_.find(':', rest), rest.end};
    if (colon.begin == rest.end) {
      return text_.report_error(whole,
                                "expected `price RESOURCE FIRST: PRICE …`, such as `price channel 0->1.0 1: 3 2 1 0`");
    }
    const auto resource = read_resource(kind, name);
    const auto first =
        text_.number(text_.trimmed({rest.begin, colon.begin}), "the first step", 1, std::max(steps_, 1U));
    if (!resource || !first) return;
    // One list for each resource: the rows that use it pay by a single one.
    if (!named_.insert({resource->first, resource->second}).second) {
      return text_.report_error({kind.begin, name.end},
                                fmt::format("a second line for {} {}", text_.view(kind), text_.view(name)));
    }
    Price price{resource->first, resource->second, static_cast<std::uint32_t>(*first), {}};
    rest = text_.trimmed({colon.begin + 1, rest.end});
    while (rest.begin < rest.end) {
      const TextPiece word = text_.take_word(rest);
      // A price after step T would add to the priced capacity what no schedule of T steps can use.
      if (price.first_step + price.prices.size() > steps_) {
        return text_.report_error(
            word, fmt::format("a price for step {}; there are {}", price.first_step + price.prices.size(), steps_));
      }
      const auto value = text_.number(word, "a price", 0, largest_price);
      if (!value) return;
      work_.take(1, bytes_per_price);
      work_.spend(word.end - word.begin);
      price.prices.push_back(*value);
    }
    prices_.push_back(std::move(price));
  }

  std::vector<Price> take() { return std::move(prices_); }

 private:
  std::optional<std::pair<Price::Resource, std::uint32_t>> read_resource(TextPiece kind, TextPiece name) {
    const auto* known = std::find_if(resources.begin(), resources.end(),
                                     [&](const auto& each) { return each.first == text_.view(kind); });
    if (known == resources.end()) {
      std::vector<std::string> words;
      for (const auto& each : resources) words.emplace_back(each.first);
      text_.report_error(kind,
                         fmt::format("unknown resource `{}`{}", text_.view(kind), offer(text_.view(kind), words)));
      return std::nullopt;
    }
    if (!fits(known->second, kind)) return std::nullopt;
    if (known->second == Price::Resource::pairs) return read_pairs(name);
    const bool channel = known->second == Price::Resource::channel || known->second == Price::Resource::link;
    const auto number = channel ? read_channel(known->second, name) : read_processor(name);
    if (!number) return std::nullopt;
    return std::pair(known->second, *number);
  }

  std::optional<std::pair<Price::Resource, std::uint32_t>> read_pairs(TextPiece name) {
    if (text_.view(name) == "all") return std::pair(Price::Resource::pairs, std::uint32_t{0});
    text_.report_error(name, fmt::format("expected `pairs all`, not `{}`", text_.view(name)));
    return std::nullopt;
  }

  // Whether there is such a resource under the fabric's rules.
  bool fits(Price::Resource resource, TextPiece kind) {
    const Rules& rules = fabric_.rules();
    const bool half = rules.duplex == Duplex::half;
    const bool single = rules.ports == Ports::single;
    if (resource == Price::Resource::link && !half) {
      text_.report_error(kind, "a link is a resource with `duplex=half` only");
      return false;
    }
    if ((resource == Price::Resource::out || resource == Price::Resource::in) && !single) {
      text_.report_error(kind, fmt::format("`{}` is a resource with `ports=single` only", text_.view(kind)));
      return false;
    }
    if (resource == Price::Resource::port && !(half && single)) {
      text_.report_error(kind, "`port` is a resource with `ports=single` and `duplex=half` only");
      return false;
    }
    const bool direct = !fabric_.has_switches() && fabric_.processors() > 1;
    if (resource == Price::Resource::pairs && !(half && single && direct)) {
      text_.report_error(
          kind, "`pairs` is a resource with `ports=single` and `duplex=half`, between processors without switches");
      return false;
    }
    return true;
  }

  std::optional<NodeId> read_node(TextPiece name) {
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

  std::optional<std::uint32_t> read_processor(TextPiece name) {
    const auto node = read_node(name);
    if (!node) return std::nullopt;
    if (fabric_.is_processor(*node)) return node->value;
    text_.report_error(name, fmt::format("{} is a switch; expected a processor", text_.view(name)));
    return std::nullopt;
  }

  std::optional<std::uint32_t> read_channel(Price::Resource resource, TextPiece name) {
    const std::size_t arrow = text_.view(name).find("->");
    if (arrow == std::string_view::npos) {
      text_.report_error(name, fmt::format("`{}` is no channel; expected FROM->TO", text_.view(name)));
      return std::nullopt;
    }
    const auto from = read_node({name.begin, name.begin + arrow});
    const auto to = read_node({name.begin + arrow + 2, name.end});
    if (!from || !to) return std::nullopt;
    const auto channel = fabric_.channel_between(*from, *to);
    if (!channel) {
      text_.report_error(
          name, fmt::format("the fabric has no channel from {} to {}", fabric_.name(*from), fabric_.name(*to)));
      return std::nullopt;
    }
    if (resource == Price::Resource::link && fabric_.link(*channel) != *channel) {
      text_.report_error(name, fmt::format("a link is named by its channel with the lower number, {}",
                                           fabric_.name(fabric_.link(*channel))));
      return std::nullopt;
    }
    return channel->value;
  }

  Pieces& text_;
  const Fabric& fabric_;
  std::uint32_t steps_;
  Work& work_;
  std::set<std::pair<Price::Resource, std::uint32_t>> named_;
  std::vector<Price> prices_;
};

}  // namespace

std::vector<Price> read_prices(Pieces& text, const std::vector<TextPiece>& lines, const Fabric& fabric,
                               std::uint32_t steps, Work& work) {
  PriceReader reader(text, fabric, steps, work);
  for (const TextPiece line : lines) {
    if (text.full()) break;
    reader.read_price(line);
  }
  return reader.take();
}

}  // namespace quadrille::certificate
