// Reads lines such as `price channel 0->1.0 1: 3 2 1 0`, and refuses resources that the fabric does not have: a price
// on what limits nothing would prove what is false.
#include "verifier/certificate/price_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "verifier/certificate/names.h"

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t largest_price = std::uint64_t{1} << 62;
constexpr std::uint64_t bytes_per_line = 2 * sizeof(Price) + 64;  // in lists that grow, and its name's place in a set
constexpr std::uint64_t bytes_per_price = 2 * sizeof(std::uint64_t);

constexpr std::array<std::pair<std::string_view, Price::Resource>, 6> resources{{{"channel", Price::Resource::channel},
                                                                                 {"link", Price::Resource::link},
                                                                                 {"out", Price::Resource::out},
                                                                                 {"in", Price::Resource::in},
                                                                                 {"port", Price::Resource::port},
                                                                                 {"pairs", Price::Resource::pairs}}};

class PriceReader {
 public:
  PriceReader(Pieces& text, const Fabric& fabric, std::uint32_t steps, Work& work)
      : text_(text), fabric_(fabric), names_(text, fabric), steps_(steps), work_(work) {}

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
    const auto number = read_number(known->second, name);
    if (!number) return std::nullopt;
    return std::pair(known->second, *number);
  }

  // Of the channel, or of the processor.
  std::optional<std::uint32_t> read_number(Price::Resource resource, TextPiece name) {
    if (resource != Price::Resource::channel && resource != Price::Resource::link) {
      const auto processor = names_.processor(name);
      return processor ? std::optional(processor->value) : std::nullopt;
    }
    const auto channel = resource == Price::Resource::link ? names_.link(name) : names_.channel(name);
    return channel ? std::optional(channel->value) : std::nullopt;
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

  Pieces& text_;
  const Fabric& fabric_;
  FabricNames names_;
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
