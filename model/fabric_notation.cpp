// Reads the notation of fabrics into a description, and writes a fabric's own notation.
#include "model/fabric_notation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "model/text/number_in.h"

namespace quadrille {
namespace {

// Bytes begin … end-1 of the notation.
struct NotationPiece {
  std::size_t begin;
  std::size_t end;
};

// Where the JSON object or list, or what is in parentheses, that begins at `begin` ends; the end of the text if it does
// not.
std::size_t end_of_brackets(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[' || c == '(') {
      ++depth;
    } else if ((c == '}' || c == ']' || c == ')') && --depth == 0) {
      return i + 1;
    }
  }
  return text.size();
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// As a family is called; a path with a ':' is seldom one.
bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string_view::npos;
}

// `fat_tree(levels: 2, capacity: [1, 2])`, as a schedule names a fabric, in the notation.
std::string in_notation(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = std::max(std::min(text.rfind(')'), text.size()), open);
  const std::string_view arguments = text.substr(open + 1, close - open - 1);
  std::string result = fmt::format("{}{}", text.substr(0, open), arguments.empty() ? "" : ":");
  bool extents = false;  // in a list of them: they are separated by `x`, capacities by commas
  for (const char c : arguments) {
    if (c == '[' || c == ']') extents = c == '[' && !result.ends_with("capacity=");
    if (std::string_view(" []\"").find(c) != std::string_view::npos) continue;
    result += c == ':' ? '=' : c == ',' && extents ? 'x' : c;
  }
  return close < text.size() ? fmt::format("{}{}", result, text.substr(close + 1)) : result;
}

class FabricNotationReader {
 public:
  FabricNotationReader(std::string_view text, std::uint32_t source_number) : text_(text), source_(source_number) {}

  Result<FabricDescription> read() {
    const NotationPiece all = trim({0, text_.size()});
    if (all.begin == all.end)
      return error_at(span(all), "no fabric is named; expected one such as `ring:8`", Code::syntax);
    const NotationPiece rest = read_kind(all);
    if (faults_.empty()) read_arguments(rest);
    if (!faults_.empty()) return faults_;
    return std::move(result_);
  }

 private:
  std::string_view view(NotationPiece piece) const { return text_.substr(piece.begin, piece.end - piece.begin); }

  Span span(NotationPiece piece) const {
    return {source_, static_cast<std::uint32_t>(piece.begin), static_cast<std::uint32_t>(piece.end)};
  }

  NotationPiece trim(NotationPiece piece) const {
    const auto blank = [&](std::size_t at) { return std::string_view(" \t\r\n").find(text_[at]) != std::string::npos; };
    while (piece.begin < piece.end && blank(piece.begin)) ++piece.begin;
    while (piece.begin < piece.end && blank(piece.end - 1)) --piece.end;
    return piece;
  }

  void report_error(NotationPiece piece, std::string message) {
    faults_.push_back(error_at(span(piece), std::move(message), Code::syntax));
  }

  // Reads the kind and returns what follows it. A path that ends in .json stands for graph:PATH; `sccl:x.json` is none.
  NotationPiece read_kind(NotationPiece all) {
    const std::size_t colon = std::min(text_.find(':', all.begin), all.end);
    // product(ring:4,hypercube:3)
    if (const std::size_t open = text_.find('(', all.begin);
        open < colon && view(trim({all.begin, open})) == "product") {
      result_.kind = "product";
      result_.span = span(trim({all.begin, open}));
      return {open, all.end};
    }
    const NotationPiece kind = trim({all.begin, colon});
    const NotationPiece first = trim({all.begin, std::min(text_.find(',', all.begin), all.end)});
    const bool named = kind.end < first.end && is_name(view(kind));
    if (view(first).ends_with(".json") && !named) {
      result_.kind = "graph";
      result_.span = span(first);
      return all;
    }
    if (view(kind).find('(') != std::string_view::npos) report_parentheses(all);
    result_.kind = view(kind);
    result_.span = span(kind);
    return {std::min(colon + 1, all.end), all.end};
  }

  void report_parentheses(NotationPiece all) {
    report_error(all,
                 fmt::format("`{}` is how a schedule writes it; here it is `{}`", view(all), in_notation(view(all))));
  }

  // The first argument may hold commas, if it is JSON or the factors of a product; no other can.
  void read_arguments(NotationPiece rest) {
    if (rest.begin == rest.end) return;
    std::size_t begin = trim(rest).begin;
    const bool graph = result_.kind == "graph" && begin < rest.end && text_[begin] == '{';
    const bool product = result_.kind == "product" && begin < rest.end && text_[begin] == '(';
    if (graph || product) {
      const std::size_t end = std::min(end_of_brackets(text_, begin), rest.end);
      result_.arguments[""] = {std::string(view({begin, end})), span({begin, end})};
      begin = trim({end, rest.end}).begin;
      if (begin == rest.end) return;
      if (text_[begin] != ',')
        return report_error({begin, begin + 1},
                            fmt::format("text follows the {}; expected `,` or the end", result_.kind));
      ++begin;
    }
    for (bool first = !graph && !product; begin <= rest.end; first = false) {
      const std::size_t end = std::min(text_.find(',', begin), rest.end);
      read_item(trim({begin, end}), first);
      begin = end + 1;
    }
  }

  // key=value; the unnamed first argument; or one more number of a list.
  void read_item(NotationPiece item, bool first) {
    const std::size_t equals = text_.find('=', item.begin);
    if (item.begin == item.end) return report_error(item, "an argument is empty; expected `key=value`");
    if (equals < item.end && !(first && result_.kind == "graph" && !view(item).starts_with("file="))) {
      const NotationPiece key = trim({item.begin, equals});
      if (key.begin == key.end) return report_error(item, "a value has no key; expected `key=value`");
      return add(std::string(view(key)), trim({equals + 1, item.end}), item);
    }
    if (first) return add("", item, item);
    auto* list = last_ ? std::get_if<std::vector<std::int64_t>>(&last_->value) : nullptr;
    const Argument next = read_value("", item);
    const auto* more = std::get_if<std::vector<std::int64_t>>(&next);
    if (!list || !more || more->size() != 1) {
      return report_error(item, fmt::format("`{}` has no key; expected `key=value`", view(item)));
    }
    list->push_back(more->front());
    last_->span = cover(last_->span, span(item));
  }

  void add(const std::string& key, NotationPiece value, NotationPiece item) {
    const auto [place, added] = result_.arguments.insert({key, {read_value(key, value), span(item)}});
    if (!added) report_error(item, fmt::format("{} is given twice", key));
    last_ = key.empty() ? nullptr : &place->second;
  }

  using Argument = FabricDescription::Argument;

  // A number, numbers joined by `x` where extents may stand, or else a word.
  Argument read_value(const std::string& key, NotationPiece piece) {
    const bool path = result_.kind == "graph" && (key.empty() || key == "file");
    const bool extents = key.empty() || key == "extents";
    std::vector<std::int64_t> numbers;
    for (std::size_t begin = piece.begin; !path && begin <= piece.end;) {
      const std::size_t end = extents ? std::min(text_.find('x', begin), piece.end) : piece.end;
      const std::string_view digits = view({begin, end});
      if (!is_digits(digits.starts_with('-') ? digits.substr(1) : digits)) break;
      const auto number = number_in<std::int64_t>(digits);
      if (!number) report_error({begin, end}, fmt::format("`{}` is too large a number", digits));
      numbers.push_back(number.value_or(0));
      if (end == piece.end) return numbers;
      begin = end + 1;
    }
    return std::string(view(piece));
  }

  std::string_view text_;
  std::uint32_t source_;
  FabricDescription result_;
  FabricDescription::Entry* last_ = nullptr;  // the argument that a number without a key belongs to
  Diagnostics faults_;
};

// --- writing ----------------------------------------------------------------------------------------------------

std::string with_rules_written(const std::string& topology, const Rules& rules) {
  std::string how;
  for (const auto& [rule, value] : rules_given(rules)) how += fmt::format(",{}={}", rule, value);
  if (!how.empty() && topology.find(':') == topology.npos) how.front() = ':';  // the topology has no arguments
  return topology + how;
}

// --- JSON -------------------------------------------------------------------------------------------------------

using FabricJson = nlohmann::ordered_json;

// The topology of that notation: in quotes; as an object, if it is a graph, or a product with one.
FabricJson json_of(std::string_view notation) {
  constexpr std::string_view graph = "graph:";
  constexpr std::string_view product = "product";
  if (notation.starts_with("graph:{")) return FabricJson{{"graph", FabricJson::parse(notation.substr(graph.size()))}};
  if (!notation.starts_with("product(") || notation.find("graph:{") == notation.npos) return std::string(notation);
  FabricJson factors = FabricJson::array();
  for (const std::string& factor : factors_in(notation.substr(product.size()))) factors.push_back(json_of(factor));
  return FabricJson{{"product", std::move(factors)}};
}

// The inverse, without what an object says of rules. Nothing if it is no such value, or products are nested deeper.
std::optional<std::string> topology_of_json(const FabricJson& json, int deepest = 16) {
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_object() || json.contains("graph") == json.contains("product") || deepest == 0) return std::nullopt;
  if (json.contains("graph")) {
    return json["graph"].is_object() ? std::optional("graph:" + json["graph"].dump()) : std::nullopt;
  }
  if (!json["product"].is_array()) return std::nullopt;
  std::vector<std::string> factors;
  for (const FabricJson& factor : json["product"]) {
    auto notation = topology_of_json(factor, deepest - 1);
    const bool has_rules = factor.is_object() && factor.size() > 1;
    if (!notation || has_rules) return std::nullopt;
    factors.push_back(*std::move(notation));
  }
  return fmt::format("product({})", fmt::join(factors, ","));
}

// Whether a factor begins with this piece of the list: with a name that `=` does not follow. So the list
// "torus:4x4,capacity=2,ring:3" has two factors.
bool begins_factor(std::string_view piece) {
  const std::size_t first = piece.find_first_not_of(' ');
  if (first == piece.npos || std::isalpha(static_cast<unsigned char>(piece[first])) == 0) return false;
  const std::size_t sign = piece.find_first_of(":(={");
  return sign == piece.npos || piece[sign] != '=';
}

}  // namespace

// Splits at commas outside of brackets and strings.
std::vector<std::string> factors_in(std::string_view list) {
  list = list.substr(1, list.size() - 2);
  std::vector<std::string> factors;
  std::size_t begin = 0;
  std::size_t depth = 0;
  bool in_string = false;
  const auto take = [&](std::size_t end) {
    const std::string_view piece = list.substr(begin, end - begin);
    if (factors.empty() || begins_factor(piece)) {
      factors.emplace_back(piece);
    } else {
      factors.back() += "," + std::string(piece);
    }
    begin = end + 1;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (in_string && c == '\\') {
      ++i;
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    if (c == ',' && depth == 0) take(i);
  }
  take(list.size());
  return factors;
}

std::string Fabric::notation() const { return with_rules_written(topology().notation(), rules()); }

std::string Fabric::title() const { return with_rules_written(topology().title(), rules()); }

Result<Fabric> parse_fabric(const Source& source, std::uint32_t source_number, const ReadFile& read_file,
                            const Families& families, const Limits& limits) {
  const Result<FabricDescription> description = FabricNotationReader(source.text, source_number).read();
  if (!description) return description.diagnostics();
  return build_fabric(*description, read_file, families, limits);
}

std::vector<FabricKind> fabric_kinds(const Families& families) {
  std::vector<FabricKind> kinds;
  for (const TopologyFamily& family : families.topologies) {
    kinds.push_back({family.example, family.summary, family.name, family.parameters});
  }
  return kinds;
}

std::string json_value(const Fabric& fabric) {
  FabricJson value = json_of(fabric.topology().notation());
  if (!value.is_object()) return FabricJson(fabric.notation()).dump();
  for (const auto& [rule, text] : rules_given(fabric.rules())) value[std::string(rule)] = text;
  return value.dump();
}

std::optional<std::string> notation_of_json(std::string_view object) {
  const FabricJson json = FabricJson::parse(object, nullptr, false);
  auto notation = topology_of_json(json);
  if (!json.is_object() || !notation) return std::nullopt;
  for (const auto& [key, value] : json.items()) {
    if (key == "graph" || key == "product") continue;
    if (!value.is_string()) return std::nullopt;
    *notation += fmt::format(",{}={}", key, value.get<std::string>());
  }
  return notation;
}

}  // namespace quadrille
