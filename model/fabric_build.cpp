// From a fabric's description to the fabric: each kind takes its arguments from a reader, which keeps book of what is
// wrong with them.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/counted.h"
#include "model/fabric_notation.h"
#include "model/graph_json.h"
#include "model/machines.h"

namespace quadrille {
namespace {

using Argument = FabricDescription::Argument;
using Entry = FabricDescription::Entry;

constexpr std::uint32_t most_lanes = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t most_levels = 26;  // Fabric::make knows the exact limits; this keeps lists short

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (const auto near = nearest(word, candidates)) return fmt::format("did you mean `{}`?", *near);
  return fmt::format("expected {}", fmt::join(candidates, ", "));
}

class ArgumentReader {
 public:
  ArgumentReader(const FabricDescription& description, std::string unnamed)
      : description_(description), unnamed_(std::move(unnamed)) {
    if (find_named("") && find_named(unnamed_)) {
      complain(find_named(unnamed_)->span, fmt::format("{} is given twice", unnamed_));
    }
  }

  bool has(const std::string& key) const { return find(key) != nullptr; }

  // The word given for a key; nothing if there is no such argument, or it is numbers.
  std::optional<std::string> word(const std::string& key) const {
    const Entry* entry = find(key);
    const auto* word = entry ? std::get_if<std::string>(&entry->value) : nullptr;
    return word ? std::optional(*word) : std::nullopt;
  }

  // The one number given for a key; `usual` if there is none, which is an error if there is no `usual`. 0 on error.
  std::uint32_t number(const std::string& key, std::uint32_t low, std::uint32_t high,
                       std::optional<std::uint32_t> usual = std::nullopt) {
    if (!has(key) && usual) return *usual;
    const std::vector<std::uint32_t> list = numbers(key, low, high);
    if (list.size() > 1) complain(key, fmt::format("{} has {} values; expected 1", key, list.size()));
    return list.size() == 1 ? list.front() : 0;
  }

  // The numbers given for a key, which must be there. Empty on error.
  std::vector<std::uint32_t> numbers(const std::string& key, std::uint32_t low, std::uint32_t high) {
    const Entry* entry = find(key);
    if (!entry) {
      complain(description_.span, fmt::format("a {} needs `{}`", description_.kind, key));
      return {};
    }
    const auto* list = std::get_if<std::vector<std::int64_t>>(&entry->value);
    if (!list || list->empty()) {
      complain(key, fmt::format("{} is {}; expected {}", key, list ? "empty" : fmt::format("`{}`", *word(key)),
                                key == "extents" ? "numbers joined by x, such as 4x4" : "a number"));
      return {};
    }
    std::vector<std::uint32_t> result;
    for (const std::int64_t number : *list) {
      if (number < std::int64_t{low} || number > std::int64_t{high}) {
        complain(key, fmt::format("{} is {}; expected {} to {}", key, number, low, high));
        return {};
      }
      result.push_back(static_cast<std::uint32_t>(number));
    }
    return result;
  }

  // Whether the argument is the second of two words; the first if it is missing.
  bool is_second(const std::string& key, const std::string& first, const std::string& second) {
    if (!has(key)) return false;
    const auto given = word(key);
    if (given == second) return true;
    if (given == first) return false;
    const auto* list = std::get_if<std::vector<std::int64_t>>(&find(key)->value);
    complain(key,
             fmt::format("{} is {}; expected {} or {}", key,
                         list ? fmt::format("{}", fmt::join(*list, ",")) : fmt::format("`{}`", *given), first, second));
    return false;
  }

  void complain(Span span, std::string message) { faults_.push_back(error_at(span, std::move(message))); }
  // Requires has(key).
  void complain(const std::string& key, std::string message) { complain(find(key)->span, std::move(message)); }

  const Diagnostics& faults() const { return faults_; }

 private:
  const Entry* find_named(const std::string& key) const {
    const auto found = description_.arguments.find(key);
    return found == description_.arguments.end() ? nullptr : &found->second;
  }

  const Entry* find(const std::string& key) const {
    const Entry* named = find_named(key);
    return !named && key == unnamed_ ? find_named("") : named;
  }

  const FabricDescription& description_;
  std::string unnamed_;
  Diagnostics faults_;
};

// --- the kinds --------------------------------------------------------------------------------------------------

std::uint32_t capacity_of(ArgumentReader& reader) { return reader.number("capacity", 1, most_lanes, 1); }

// 1, arity, arity^2, …; held at the largest number, which only trees that are too large reach.
std::vector<std::uint32_t> exponential(std::uint32_t levels, std::uint32_t arity) {
  std::vector<std::uint32_t> capacities;
  std::uint64_t capacity = 1;
  for (std::uint32_t i = 0; i < levels; ++i) {
    capacities.push_back(static_cast<std::uint32_t>(capacity));
    capacity = std::min<std::uint64_t>(capacity * arity, most_lanes);
  }
  return capacities;
}

Shape fat_tree(ArgumentReader& reader, const std::string&) {
  FatTreeShape shape;
  shape.arity = reader.number("arity", 2, max_fabric_size, 2);
  const auto word = reader.word("capacity");
  const bool listed = reader.has("capacity") && !word;
  if (listed) shape.capacities = reader.numbers("capacity", 1, most_lanes);
  if (listed && (shape.capacities.empty() || !reader.has("levels"))) return shape;

  const std::uint32_t levels = reader.number("levels", 1, most_levels);
  if (!listed) shape.capacities.assign(levels, 1);
  if (word == "exponential") shape.capacities = exponential(levels, shape.arity);
  if (word && word != "exponential" && word != "constant") {
    reader.complain("capacity",
                    fmt::format("capacity is `{}`; expected constant, exponential or a number for each level", *word));
  } else if (levels > 0 && shape.capacities.size() != levels) {
    const std::size_t count = shape.capacities.size();
    reader.complain("capacity",
                    fmt::format("capacity has {}; the tree has {}", counted(count, "value"), counted(levels, "level")) +
                        (count == 1 ? " (expected constant, exponential or a number for each level)" : ""));
  }
  return shape;
}

Shape line_or_ring(ArgumentReader& reader, const std::string& kind) {
  return GridShape{kind, {reader.number("nodes", 1, max_fabric_size)}, kind == "ring", capacity_of(reader)};
}

Shape mesh_or_torus(ArgumentReader& reader, const std::string& kind) {
  return GridShape{kind, reader.numbers("extents", 1, max_fabric_size), kind == "torus", capacity_of(reader)};
}

Shape hypercube(ArgumentReader& reader, const std::string& kind) {
  const std::uint32_t dimensions = reader.number("dimensions", 1, most_levels);
  return GridShape{kind, std::vector<std::uint32_t>(dimensions, 2), false, capacity_of(reader)};
}

Shape complete(ArgumentReader& reader, const std::string&) {
  return CompleteShape{reader.number("nodes", 1, max_fabric_size), capacity_of(reader)};
}

Shape star(ArgumentReader& reader, const std::string&) {
  return StarShape{reader.number("nodes", 1, max_fabric_size), capacity_of(reader)};
}

Shape named_machine(ArgumentReader&, const std::string& kind) { return machine(kind).value(); }

struct Kind {
  std::string name;
  std::vector<std::string> keys;  // the first may go unnamed; none: no arguments but the rules
  Shape (*shape)(ArgumentReader& reader, const std::string& kind);
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"fat_tree", {"levels", "arity", "capacity"}, fat_tree},
      {"ring", {"nodes", "capacity"}, line_or_ring},
      {"line", {"nodes", "capacity"}, line_or_ring},
      {"mesh", {"extents", "capacity"}, mesh_or_torus},
      {"torus", {"extents", "capacity"}, mesh_or_torus},
      {"hypercube", {"dimensions", "capacity"}, hypercube},
      {"complete", {"nodes", "capacity"}, complete},
      {"star", {"nodes", "capacity"}, star},
      {"dgx1", {}, named_machine},
      {"graph", {"file"}, nullptr},  // comes out of its text, below
  };
  return all;
}

// --- rules ------------------------------------------------------------------------------------------------------

Rules rules_of(ArgumentReader& reader) {
  Rules rules;
  if (reader.is_second("duplex", "full", "half")) rules.duplex = Duplex::half;
  if (reader.is_second("ports", "multi", "single")) rules.ports = Ports::single;
  const auto word = reader.word("queue");
  if (word == "none") {
    rules.queue.limit = 0;
  } else if (word && *word != "unbounded") {
    reader.complain("queue", fmt::format("queue is `{}`; expected unbounded, none or a number", *word));
  } else if (!word && reader.has("queue")) {
    rules.queue.limit = reader.number("queue", 0, most_lanes);
  }
  return rules;
}

// --- the whole --------------------------------------------------------------------------------------------------

Diagnostics faults_of_keys(const FabricDescription& description, std::vector<std::string> keys) {
  keys.insert(keys.end(), {"duplex", "ports", "queue"});
  Diagnostics faults;
  for (const auto& [key, entry] : description.arguments) {
    if (key.empty() || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    faults.push_back(
        error_at(entry.span, fmt::format("{} has no `{}`; {}", description.kind, key, suggestion(key, keys))));
  }
  return faults;
}

// Adds the rules that the graph's text gives, unless the description gives them itself.
Result<GraphText> graph_of(const FabricDescription& description, ArgumentReader& reader, const ReadFile& read_file) {
  const auto word = reader.word("file");
  if (!word) return error_at(description.span, "a graph needs the name of a file, or the graph itself in JSON");
  const auto named = description.arguments.find("file");
  const Span span = named == description.arguments.end() ? description.arguments.at("").span : named->second.span;

  const std::size_t first = word->find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (*word)[first] == '{') {
    const bool exact = span.known() && span.end - span.begin == word->size();
    return read_graph(*word, [&](std::optional<std::size_t> byte, const std::string& message) {
      if (!byte || !exact) return error_at(span, message);
      const auto at = span.begin + static_cast<std::uint32_t>(std::min(*byte, word->size()));
      return error_at({span.source, at, at}, message);
    });
  }
  const auto text = read_file ? read_file(*word) : std::nullopt;
  if (!text) return error_at(span, fmt::format("cannot read `{}`", *word));
  return read_graph(*text, [&](std::optional<std::size_t> byte, const std::string& message) {
    if (!byte) return error_at(span, fmt::format("{}: {}", *word, message));
    const Position position = position_of(*text, static_cast<std::uint32_t>(*byte));
    return error_at(span, fmt::format("{}:{}:{}: {}", *word, position.line, position.column, message));
  });
}

Span whole_span(const FabricDescription& description) {
  Span span = description.span;
  for (const auto& [key, entry] : description.arguments) span = cover(span, entry.span);
  return span;
}

Result<Fabric> build_graph(FabricDescription description, ArgumentReader& reader, const ReadFile& read_file) {
  Result<GraphText> graph = graph_of(description, reader, read_file);
  if (!graph) return graph.diagnostics();
  const Span span = whole_span(description);
  for (const auto& [key, value] : graph->rules) description.arguments.insert({key, {value, span}});
  ArgumentReader with_rules(description, "file");
  const Rules rules = rules_of(with_rules);
  if (!with_rules.faults().empty()) return with_rules.faults();
  return Fabric::make(std::move(graph->shape), rules, span);
}

}  // namespace

Result<Fabric> build_fabric(const FabricDescription& description, const ReadFile& read_file) {
  const auto kind =
      std::find_if(kinds().begin(), kinds().end(), [&](const Kind& k) { return k.name == description.kind; });
  if (kind == kinds().end()) {
    std::vector<std::string> names;
    for (const Kind& known : kinds()) names.push_back(known.name);
    return error_at(description.span,
                    fmt::format("unknown fabric `{}`; {}", description.kind, suggestion(description.kind, names)));
  }
  if (Diagnostics faults = faults_of_keys(description, kind->keys); !faults.empty()) return faults;
  if (kind->keys.empty() && description.arguments.contains("")) {
    return error_at(description.arguments.at("").span,
                    fmt::format("{} has no arguments but duplex, ports and queue", kind->name));
  }
  ArgumentReader reader(description, kind->keys.empty() ? "" : kind->keys.front());
  if (!kind->shape) return build_graph(description, reader, read_file);
  Shape shape = kind->shape(reader, kind->name);
  const Rules rules = rules_of(reader);
  if (!reader.faults().empty()) return reader.faults();
  return Fabric::make(std::move(shape), rules, whole_span(description));
}

}  // namespace quadrille
