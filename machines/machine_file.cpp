#include "machines/machine_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "machines/machines.h"
#include "model/distances.h"
#include "model/fabric.h"

namespace quadrille {

namespace machines {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;  // of a file: some hundred times the largest machine's
constexpr std::uint64_t most_lanes = std::numeric_limits<std::uint32_t>::max();

bool may_stand_in_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

// A name that a switch may have.
std::string cleaned(const std::string& wanted) {
  std::string name;
  for (const char c : wanted) name += may_stand_in_a_name(c) ? c : '.';
  const bool digits = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? "switch" + name : name;
}

std::optional<MachineFile> file_given(FabricArguments& given) {
  const auto path = given.word("file");
  if (!path) {
    given.report_error(given.span(), "the path of a file is missing", Code::missing);
    return std::nullopt;
  }
  const Span span = given.span("file");
  FileText file = given.read_file() ? given.read_file()(*path) : FileText(std::nullopt, "no files can be read here");
  if (!file.text) {
    given.report_error(span, fmt::format("cannot read `{}`{}", *path, file.because()), file.code());
    return std::nullopt;
  }
  if (file.text->size() > most_bytes) {
    given.report_error(span, fmt::format("`{}` has more than {} MiB", *path, most_bytes >> 20U), Code::file);
    return std::nullopt;
  }
  return MachineFile{*path, std::move(*file.text), span};
}

// Which bandwidths are missing, and what counts in their stead; empty if none is.
std::string missing_bandwidths(const Graph& graph) {
  const std::size_t all = graph.channels.size();
  const std::size_t missing = all - graph.speeds.size();
  if (missing == 0) return {};
  return fmt::format("{} says no bandwidth{} carries what --costs says, 10 GB/s unless told otherwise", graph.name,
                     missing == all ? "s; in times a lane"
                                    : fmt::format(" of {} of {} channels; in times a lane there", missing, all));
}

}  // namespace

Diagnostic MachineFile::fault_at(std::size_t byte, const std::string& message) const {
  const Position position = position_of(text, static_cast<std::uint32_t>(std::min(byte, text.size())));
  return error_at(span, fmt::format("{}:{}:{}: {}", path, position.line, position.column, message), Code::syntax);
}

Diagnostic MachineFile::fault(const std::string& message) const {
  return error_at(span, fmt::format("{}: {}", path, message), Code::syntax);
}

NodeId MachineGraph::add_switch(const std::string& wanted) {
  std::string name = cleaned(wanted);
  for (std::uint32_t use = ++uses_[name]; use > 1; use = ++uses_[name]) {
    const std::string numbered = fmt::format("{}_{}", name, use);
    if (uses_.contains(numbered)) continue;
    name = numbered;
    uses_[name] = 1;
    break;
  }
  graph_.switch_names.push_back(name);
  return NodeId(graph_.processors + static_cast<std::uint32_t>(graph_.switch_names.size()) - 1);
}

void MachineGraph::add_channel(NodeId from, NodeId to, std::uint64_t lanes, std::optional<std::uint64_t> bandwidth) {
  if (from == to || lanes == 0) return;
  Lanes& all = channels_[{from, to}];
  all.bandwidth = all.count == 0               ? bandwidth
                  : all.bandwidth && bandwidth ? std::optional(std::min(*all.bandwidth, *bandwidth))
                                               : std::nullopt;
  all.count = std::min(all.count + lanes, most_lanes + 1);
}

void MachineGraph::add_link(NodeId a, NodeId b, std::uint64_t lanes, std::optional<std::uint64_t> bandwidth) {
  add_channel(a, b, lanes, bandwidth);
  add_channel(b, a, lanes, bandwidth);
}

bool MachineGraph::connects_processors() const {
  const auto fabric = Fabric::make(so_far(), {});
  if (!fabric) return false;
  for (const Direction direction : {Direction::from, Direction::to}) {
    const auto far = distances(*fabric, NodeId(0), direction);
    if (std::find(far.begin(), far.begin() + processors(), unreachable) != far.begin() + processors()) return false;
  }
  return true;
}

Graph MachineGraph::so_far() const {
  Graph graph = graph_;
  for (const auto& [ends, lanes] : channels_) {
    const auto [from, to] = ends;
    graph.channels.push_back({from, to, static_cast<std::uint32_t>(lanes.count), 0});
    if (lanes.bandwidth) graph.speeds.push_back({from, to, {.latency = {}, .bandwidth = lanes.bandwidth}});
  }
  return graph;
}

Result<Graph> MachineGraph::finish(const MachineFile& file) const {
  for (const auto& [ends, lanes] : channels_) {
    if (lanes.count > most_lanes) return file.fault("two nodes are joined by more lanes than a channel may have");
    if (lanes.bandwidth == std::uint64_t{0}) return file.fault("two nodes are joined by a link without bandwidth");
  }
  return so_far();
}

TopologyFamily machine_family(const std::string& name, const std::string& summary, const std::string& example,
                              bool with_host, ReadMachine read,
                              std::vector<std::pair<std::string, std::string>> rules) {
  TopologyFamily family;
  family.name = name;
  family.summary = summary;
  family.example = example;
  FabricParameter path{"file", FabricParameter::Kind::text};
  path.meaning = "the path of the file";
  family.parameters = {path};
  if (with_host) {
    FabricParameter host{"host", FabricParameter::Kind::text};
    host.usual = "auto";
    host.words = {"auto", "yes", "no"};
    host.meaning = "the ways through PCI and processors; auto: where links between GPUs do not reach all of them";
    family.parameters.push_back(host);
  }
  family.make = [name, with_host, read = std::move(read),
                 rules = std::move(rules)](FabricArguments& given) -> std::shared_ptr<const Topology> {
    const auto file = file_given(given);
    if (!file) return nullptr;
    Result<Graph> graph = read(*file, {with_host ? static_cast<Host>(given.choice("host")) : Host::if_needed});
    if (!graph) {
      given.report_error(graph.diagnostics());
      return nullptr;
    }
    for (const auto& [rule, value] : rules) given.suggest_rule(rule, value);
    graph->name = fmt::format("{}:{}", name, file->path);
    graph->note = missing_bandwidths(*graph);
    return std::make_shared<Graph>(std::move(*graph));
  };
  return family;
}

}  // namespace machines

Families with_machines(Families families) {
  for (auto* family : {machines::nccl_xml, machines::nvidia_smi, machines::ibnetdiscover, machines::sccl_topology}) {
    families.topologies.push_back(family());
  }
  return families;
}

}  // namespace quadrille
