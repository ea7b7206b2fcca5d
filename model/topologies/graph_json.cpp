// Reads graphs from JSON. Reading is separate from building a fabric: here each value must be of its type and each
// name must exist; topologies/graph.cpp judges whether the channels make a fabric (none twice, none to its own node).
// For example, `{"processors": 2, "switches": ["a"], "links": [[0, "a"], [1, "a"]]}` gives the nodes 0, 1, a and four
// channels, one in each direction of each link. All faults are reported, up to ten. Cost: linear in the text.
#include "model/topologies/graph_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "model/limits/work.h"
#include "model/text/read_json.h"

namespace quadrille {
namespace {

using nlohmann::json;

constexpr std::size_t most_faults = 10;  // that are reported of one text

// Of memory, while a graph is read and its fabric made: measured, on `[0,1],` over and over.
constexpr std::uint64_t bytes_per_character = 17;
constexpr std::uint64_t units_per_value = 64;  // of Work

// A value as a message shows it; of arrays and objects only the kind, for they may be large and deep.
std::string shown(const json& value) {
  if (value.is_structured()) return fmt::format("an {}", value.type_name());
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// A whole number that is not negative.
std::optional<std::uint64_t> natural(const json& value) {
  return value.is_number_unsigned() ? std::optional(value.get<std::uint64_t>()) : std::nullopt;
}

// Of a rule: a graph's `switches` are their names.
std::string key_of(const std::string& rule) { return rule == "switches" ? "switching" : rule; }

class GraphReader {
 public:
  // Both outlive it.
  GraphReader(const GraphFault& fault, Work& work) : fault_(fault), work_(work) {}

  Result<GraphText> read(const json& graph) {
    if (!graph.is_object()) return fault_(std::nullopt, fmt::format("a graph is an object; this is {}", shown(graph)));
    std::vector<std::string> keys{"name", "processors", "switches", "channels", "links"};
    for (const FabricParameter& rule : rule_parameters()) keys.push_back(key_of(rule.name));
    check_keys(graph, keys, "a graph");
    read_name(graph);
    read_processors(graph);
    read_switches(graph);
    if (!faults_.empty()) return faults_;  // without nodes every channel would be at fault
    read_channels(graph, "channels", false);
    read_channels(graph, "links", true);
    for (const FabricParameter& rule : rule_parameters()) read_rule(graph, rule.name);
    if (!faults_.empty()) return faults_;
    return std::move(result_);
  }

 private:
  void report_error(const std::string& message) {
    if (faults_.size() < most_faults) faults_.push_back(fault_(std::nullopt, message));
  }

  void check_keys(const json& object, const std::vector<std::string>& keys, const std::string& what) {
    for (const auto& [key, value] : object.items()) {
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      const auto near = nearest(key, keys);
      report_error(fmt::format(
          "{} has no `{}`; {}", what, key,
          near ? fmt::format("did you mean `{}`?", *near) : fmt::format("it has {}", fmt::join(keys, ", "))));
    }
  }

  // Of one line and not long, for it stands in messages.
  void read_name(const json& graph) {
    constexpr std::size_t longest = 80;
    if (!graph.contains("name")) return;
    const json& name = graph["name"];
    const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '{'; };
    if (!name.is_string()) return report_error(fmt::format("name is {}; expected a string", shown(name)));
    const auto& text = name.get_ref<const std::string&>();
    if (text.empty() || text.size() > longest || !std::all_of(text.begin(), text.end(), plain)) {
      return report_error(fmt::format("name is {}; expected 1 to {} characters of ASCII, without quotes, `\\` and `{{`",
                                      text.size() > longest ? "longer" : shown(name), longest));
    }
    result_.graph.name = text;
  }

  void read_processors(const json& graph) {
    if (!graph.contains("processors"))
      return report_error("a graph does not say its `processors`; expected their number");
    const auto number = natural(graph["processors"]);
    if (!number || *number == 0 || *number > max_fabric_size) {
      return report_error(
          fmt::format("processors is {}; expected a number, 1 to {}", shown(graph["processors"]), max_fabric_size));
    }
    result_.graph.processors = static_cast<std::uint32_t>(*number);
  }

  void read_switches(const json& graph) {
    if (!graph.contains("switches")) return;
    const json& switches = graph["switches"];
    if (!switches.is_array())
      return report_error(fmt::format("switches is {}; expected a list of names", shown(switches)));
    if (switches.size() > max_fabric_size) {
      return report_error(fmt::format("switches has {} names; expected at most {}", switches.size(), max_fabric_size));
    }
    for (const json& name : switches) {
      if (!name.is_string()) {
        report_error(fmt::format("a switch is named {}; expected a string", shown(name)));
        continue;
      }
      const std::size_t number = result_.graph.processors + result_.graph.switch_names.size();
      result_.graph.switch_names.push_back(name.get<std::string>());
      switches_.emplace(result_.graph.switch_names.back(), static_cast<std::uint32_t>(number));
    }
  }

  void read_channels(const json& graph, const std::string& key, bool both_ways) {
    if (!graph.contains(key)) return;
    const json& list = graph[key];
    if (!list.is_array()) return report_error(fmt::format("{} is {}; expected a list", key, shown(list)));
    for (std::size_t i = 0; i < list.size() && faults_.size() < most_faults; ++i) {
      work_.spend(units_per_value);
      const std::string what = fmt::format("{}[{}]", key, i);
      const auto channel = read_channel(list[i], what);
      if (!channel) continue;
      add(*channel, read_speed(list[i], what), both_ways);
    }
  }

  void add(const Channel& channel, const LinkSpeed& speed, bool both_ways) {
    result_.graph.channels.push_back(channel);
    if (speed != LinkSpeed{}) result_.graph.speeds.push_back({channel.from, channel.to, speed});
    if (both_ways) add({channel.to, channel.from, channel.capacity}, speed, false);
  }

  LinkSpeed read_speed(const json& value, const std::string& what) {
    if (!value.is_object()) return {};
    return {read_quantity(value, "latency", parse_latency, "a time, such as 500ns", what),
            read_quantity(value, "bandwidth", parse_bandwidth, "bytes a second, such as 25GB/s", what)};
  }

  std::optional<std::uint64_t> read_quantity(const json& value, const char* key,
                                             std::optional<std::uint64_t> (*parse)(std::string_view),
                                             std::string_view expected, const std::string& what) {
    if (!value.contains(key)) return std::nullopt;
    const json& text = value[key];
    const auto number = text.is_string() ? parse(text.get_ref<const std::string&>()) : std::nullopt;
    if (!number) report_error(fmt::format("the {} of {} is {}; expected {}", key, what, shown(text), expected));
    return number;
  }

  std::optional<Channel> read_channel(const json& value, const std::string& what) {
    if (value.is_object()) {
      check_keys(value, {"from", "to", "capacity", "latency", "bandwidth"}, what);
      if (value.contains("from") && value.contains("to")) {
        const json* capacity = value.contains("capacity") ? &value["capacity"] : nullptr;
        return read_channel(value["from"], value["to"], capacity, what);
      }
    } else if (value.is_array() && (value.size() == 2 || value.size() == 3)) {
      return read_channel(value[0], value[1], value.size() == 3 ? &value[2] : nullptr, what);
    }
    report_error(fmt::format("{} is {}; expected [from, to] or [from, to, capacity]", what,
                             value.is_array() ? fmt::format("a list of {}", value.size()) : shown(value)));
    return std::nullopt;
  }

  std::optional<Channel> read_channel(const json& from, const json& to, const json* capacity, const std::string& what) {
    const auto tail = read_node(from, what);
    const auto head = read_node(to, what);
    const auto lanes = capacity ? natural(*capacity) : std::optional<std::uint64_t>(1);
    if (!lanes || *lanes == 0 || *lanes > std::numeric_limits<std::uint32_t>::max()) {
      report_error(fmt::format("the capacity of {} is {}; expected a number, 1 to {}", what, shown(*capacity),
                               std::numeric_limits<std::uint32_t>::max()));
      return std::nullopt;
    }
    if (!tail || !head) return std::nullopt;
    return Channel{*tail, *head, static_cast<std::uint32_t>(*lanes)};
  }

  // A processor's number, or a string: its number in digits, or a switch's name.
  std::optional<NodeId> read_node(const json& value, const std::string& what) {
    const std::uint32_t processors = result_.graph.processors;
    if (const auto number = natural(value)) {
      if (*number < processors) return NodeId(static_cast<std::uint32_t>(*number));
      report_error(fmt::format("{} names processor {}; the processors are 0 to {}", what, *number, processors - 1));
      return std::nullopt;
    }
    if (!value.is_string()) {
      report_error(
          fmt::format("{} has a node {}; expected a processor's number or a switch's name", what, shown(value)));
      return std::nullopt;
    }
    const auto& name = value.get_ref<const std::string&>();
    if (const auto found = switches_.find(name); found != switches_.end()) return NodeId(found->second);
    if (!name.empty() && name.size() < 9 && name.find_first_not_of("0123456789") == std::string::npos) {
      return read_node(json(std::stoul(name)), what);
    }
    const auto near = nearest(name, result_.graph.switch_names);
    report_error(fmt::format("{} names `{}`; there is no such node{}", what, name,
                             near ? fmt::format(", did you mean `{}`?", *near) : ""));
    return std::nullopt;
  }

  void read_rule(const json& graph, const std::string& rule) {
    const std::string key = key_of(rule);
    if (!graph.contains(key)) return;
    const json& value = graph[key];
    if (value.is_string()) {
      result_.rules[rule] = value.get<std::string>();
    } else if (value.is_number_integer()) {
      constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
      const bool huge = value.is_number_unsigned() && value.get<std::uint64_t>() > most;
      result_.rules[rule] = std::vector<std::int64_t>{huge ? std::int64_t{most} : value.get<std::int64_t>()};
    } else {
      report_error(fmt::format("{} is {}; expected a word or a number", key, shown(value)));
    }
  }

  const GraphFault& fault_;
  Work& work_;
  GraphText result_;
  std::unordered_map<std::string, std::uint32_t> switches_;
  Diagnostics faults_;
};

Diagnostic fault_of(const JsonFault& json_fault, const GraphFault& fault) {
  switch (json_fault.kind) {
    case JsonFault::Kind::syntax:
      return fault(json_fault.byte, fmt::format("this is not JSON: {}", json_fault.why));
    case JsonFault::Kind::second_key:
      return fault(json_fault.byte, json_fault.why);
    case JsonFault::Kind::large_number:
      break;
  }
  return fault(json_fault.byte, fmt::format("this JSON cannot be read: {}", json_fault.why));
}

}  // namespace

Result<GraphText> read_graph(std::string_view json_text, const GraphFault& fault, const Limits& limits) {
  try {
    Work work(limits);
    work.take(json_text.size(), bytes_per_character);
    const JsonRead json_read = read_json(json_text, [&] { work.spend(units_per_value); });
    if (json_read.fault) return fault_of(*json_read.fault, fault);
    return GraphReader(fault, work).read(json_read.value);
  } catch (const Ended& ended) {
    const bool large = ended.reason == Reason::limit;
    Diagnostic refusal =
        fault(std::nullopt, large ? fmt::format("reading this graph needs {} MiB of memory; there are {}",
                                                json_text.size() * bytes_per_character >> 20, limits.memory >> 20)
                                  : "the graph has not been read when it was ended");
    refusal.code = code_of(ended.reason);
    return refusal;
  }
}

}  // namespace quadrille
