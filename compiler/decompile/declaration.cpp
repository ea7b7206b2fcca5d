// Writes a fabric that no file defines (a tree, a DGX-1, a graph, another system's topology file) as a person would
// define it. For example star:3 becomes
//
//   fabric star:
//     processors 3
//     switches level1[1]
//     link 0 -- level1[0]
//     link 1 -- level1[0]
//     link 2 -- level1[0]
//
// Nodes keep their order, so the definition's channels are the fabric's own, with the same numbers. A definition's
// switches are arrays, so switches whose names count up by one, `leaf[0]`, `leaf[1]`, …, become one array again.
//
// Time and space: proportional to the nodes and channels.
#include "compiler/decompile/declaration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "compiler/front/builtins.h"
#include "dsl/words.h"

namespace quadrille {
namespace {

// An element of an array, as in "router[1][3]": the array and the indices in it. A single switch has no indices.
struct Element {
  std::string array;
  std::vector<std::uint32_t> indices = {};
};

std::optional<std::uint32_t> number_in(std::string_view digits) {
  if (digits.empty() || digits.size() > 8 || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  return static_cast<std::uint32_t>(std::stoul(std::string(digits)));
}

// The element with this name; nothing if the name has another form.
std::optional<Element> element_named(std::string_view name) {
  const std::size_t bracket = std::min(name.find('['), name.size());
  Element element{std::string(name.substr(0, bracket))};
  if (!can_be_name(element.array)) return std::nullopt;
  for (std::string_view rest = name.substr(bracket); !rest.empty();) {
    const std::size_t close = rest.find(']');
    if (rest.front() != '[' || close == std::string_view::npos) return std::nullopt;
    const std::optional<std::uint32_t> index = number_in(rest.substr(1, close - 1));
    if (!index) return std::nullopt;
    element.indices.push_back(*index);
    rest.remove_prefix(close + 1);
  }
  return element;
}

// Counts up by one, the last index fastest; false at the end.
bool advance(std::vector<std::uint32_t>& indices, const std::vector<std::uint32_t>& extents) {
  for (std::size_t i = indices.size(); i-- > 0;) {
    if (++indices[i] < extents[i]) return true;
    indices[i] = 0;
  }
  return false;
}

// The array's dimensions, if these switches are all elements of one array, in order; otherwise nothing.
std::optional<std::vector<std::uint32_t>> extents_of(const std::vector<Element>& elements) {
  std::vector<std::uint32_t> extents = elements.back().indices;
  for (std::uint32_t& extent : extents) ++extent;
  std::vector<std::uint32_t> next(extents.size(), 0);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].indices != next) return std::nullopt;
    if (advance(next, extents) == (i + 1 == elements.size())) return std::nullopt;
  }
  return extents;
}

class Declaration {
 public:
  explicit Declaration(const Fabric& fabric) : fabric_(fabric) {
    std::vector<Element> together;
    for (std::uint32_t i = fabric.processors(); i < fabric.nodes(); ++i) {
      Element element = element_of(NodeId(i));
      if (!together.empty() && (element.array != together.front().array || element.indices.empty())) declare(together);
      together.push_back(std::move(element));
    }
    if (!together.empty()) declare(together);
  }

  const std::vector<std::string>& switches() const { return switches_; }

  std::string text(std::string_view name) const {
    std::string text =
        fmt::format("fabric {}:\n  processors {}\n", can_be_name(name) ? name : "cluster", fabric_.processors());
    if (!arrays_.empty()) text += fmt::format("  switches {}\n", fmt::join(arrays_, ", "));
    const std::vector<LinkSpeed> speeds = fabric_.link_speeds();
    for (std::uint32_t i = 0; i < fabric_.channels(); ++i) append_link(text, ChannelId(i), speeds);
    return text;
  }

 private:
  Element element_of(NodeId node) const {
    const std::string name = fabric_.name(node);
    if (std::optional<Element> element = element_named(name)) return *element;
    const std::uint32_t level = fabric_.level(node);
    const std::size_t dot = name.find('.');
    if (dot != std::string::npos && number_in(name.substr(0, dot)) == level) {
      if (const auto place = number_in(name.substr(dot + 1)); place && fabric_.switch_at(level, *place) == node)
        return {fmt::format("level{}", level), {*place}};
    }
    std::string plain = name;
    for (char& c : plain) {
      if (!continues_name(c)) c = '_';
    }
    if (!can_be_name(plain)) plain.insert(0, "switch_");
    return {plain};
  }

  // Declares the switches as one array, or each as an array of its own. Leaves `together` empty.
  void declare(std::vector<Element>& together) {
    const auto extents = extents_of(together);
    if (extents && names_.insert(together.front().array).second) {
      std::string array = together.front().array;
      for (const std::uint32_t extent : *extents) array += fmt::format("[{}]", extent);
      arrays_.push_back(std::move(array));
      for (const Element& element : together) {
        std::string name = element.array;
        for (const std::uint32_t index : element.indices) name += fmt::format("[{}]", index);
        switches_.push_back(std::move(name));
      }
    } else {
      for (const Element& element : together) declare_single(element);
    }
    together.clear();
  }

  void declare_single(const Element& element) {
    std::string name = element.array;
    for (const std::uint32_t index : element.indices) name += fmt::format("_{}", index);
    while (!names_.insert(name).second || !can_be_name(name)) name += "_";
    arrays_.push_back(name);
    switches_.push_back(std::move(name));
  }

  std::string name(NodeId node) const {
    return fabric_.is_processor(node) ? fmt::to_string(node.value) : switches_[node.value - fabric_.processors()];
  }

  // Appends the line of a link at its first channel; nothing at the channel of the other direction.
  void append_link(std::string& text, ChannelId id, const std::vector<LinkSpeed>& speeds) const {
    const Channel& channel = fabric_.channel(id);
    const std::optional<ChannelId> back = fabric_.reverse(id);
    const bool alike = back && fabric_.channel(*back).capacity == channel.capacity &&
                       (speeds.empty() || speeds[id.value] == speeds[back->value]);
    if (alike && back->value < id.value) return;
    text += fmt::format("  link {} {} {}", name(channel.from), alike ? "--" : "->", name(channel.to));
    if (channel.capacity != 1) text += fmt::format(" lanes {}", channel.capacity);
    if (!speeds.empty()) append_speed(text, speeds[id.value]);
    text += '\n';
  }

  static void append_speed(std::string& text, const LinkSpeed& speed) {
    // The language writes the unit as a separate word: "500 ns".
    const auto spaced = [](std::string quantity) {
      return quantity.insert(std::min(quantity.find_first_not_of("0123456789"), quantity.size()), " ");
    };
    if (speed.latency) text += " latency " + spaced(latency_text(*speed.latency));
    if (speed.bandwidth) text += " bandwidth " + spaced(bandwidth_text(*speed.bandwidth));
  }

  const Fabric& fabric_;
  std::vector<std::string> arrays_;    // "leaf[4]", "spine"
  std::vector<std::string> switches_;  // by number: "leaf[0]"
  std::set<std::string> names_;
};

}  // namespace

bool can_be_name(std::string_view word) {
  return !word.empty() && starts_name(word.front()) && std::ranges::all_of(word, continues_name) && !is_keyword(word) &&
         ir::find_builtin(word) == nullptr;
}

std::vector<std::string> declared_switches(const Fabric& fabric) { return Declaration(fabric).switches(); }

Result<std::string> declaration(const Fabric& fabric, std::string_view name, std::string_view source) {
  if (fabric.channels() > max_declared_channels) {
    return error_at({},
                    fmt::format("{} has {} channels; a declaration is written link by link, for up to {}", source,
                                fabric.channels(), max_declared_channels),
                    Code::limit);
  }
  std::string text =
      fmt::format("// {}, link by link; without routes of its own, so that a send takes a shortest one.\n", source);
  std::vector<std::string> rules;
  for (const auto& [rule, value] : rules_given(fabric.rules())) rules.push_back(fmt::format("{}: {}", rule, value));
  if (!rules.empty())
    text += fmt::format("// A fabric's rules stand where it is named: ({}).\n", fmt::join(rules, ", "));
  return text + Declaration(fabric).text(name);
}

}  // namespace quadrille
