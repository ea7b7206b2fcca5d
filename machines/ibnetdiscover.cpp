// What `ibnetdiscover` prints of an InfiniBand network: a block for each switch and each adapter, in it a line a cable,
//
//     Switch  36 "S-0000000000200003"     # "leaf3" base port 0 lid 0 lmc 0
//     [1]     "H-0000000000100024"[1](100025)     # "node12" lid 0 4xSDR
//     Ca      1 "H-0000000000100024"      # "node12"
//     [1](100025)     "S-0000000000200003"[1]     # lid 0 lmc 0 "leaf3" lid 0 4xSDR
//
// Adapters are the processors, in the natural order of their names (node2 before node10); the others are switches. A
// cable is told by both its ends, or by one; cables side by side are lanes. `4xEDR` is a lane's bandwidth: four times
// 25 Gbit/s of data. The routes of the subnet manager are not in the file: packets take shortest ones.
//
// ibsim's description of a network is the same without GUIDs and rates; its adapters are `Hca 2 "node1"`.
//
// Cost: linear in the file, but for sorting. Source: ibnetdiscover's man page; rates of data by encoding (8b/10b up to
// QDR, then 64b/66b) from the InfiniBand Trade Association's roadmap.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <set>
#include <tuple>
#include <unordered_map>

#include "machines/machine_file.h"

namespace quadrille::machines {
namespace {

constexpr std::uint64_t gigabit = 1'000'000'000 / 8;  // bytes

struct Rate {
  std::string_view name;
  std::uint64_t lane;  // bytes of data a second, of one of the (four, as a rule) lanes of a cable
};
constexpr std::array<Rate, 9> rates = {{{"SDR", 2 * gigabit},
                                        {"DDR", 4 * gigabit},
                                        {"QDR", 8 * gigabit},
                                        {"FDR10", 10 * gigabit},
                                        {"FDR", 13'636'363'636 / 8},
                                        {"EDR", 25 * gigabit},
                                        {"HDR", 50 * gigabit},
                                        {"NDR", 100 * gigabit},
                                        {"XDR", 200 * gigabit}}};

// "4xEDR"; nothing for what is not one.
std::optional<std::uint64_t> bandwidth_of(std::string_view word) {
  const std::size_t x = word.find('x');
  if (x == std::string_view::npos || x == 0 || x > 2) return std::nullopt;
  std::uint64_t lanes = 0;
  if (std::from_chars(word.data(), word.data() + x, lanes).ptr != word.data() + x) return std::nullopt;
  const auto rate =
      std::find_if(rates.begin(), rates.end(), [&](const Rate& it) { return it.name == word.substr(x + 1); });
  if (rate == rates.end() || lanes == 0) return std::nullopt;
  return lanes * rate->lane;
}

struct Node {
  std::string name;  // "leaf3", or else its GUID
  bool processor = false;
  std::size_t begin = 0;  // of its block in the file
};

struct Port {
  std::string node;  // its GUID
  std::uint32_t port = 0;
  auto operator<=>(const Port&) const = default;
};

class Network {
 public:
  explicit Network(const MachineFile& file) : file_(file) {}

  Result<Graph> read() {
    const std::string_view text = file_.text;
    for (std::size_t begin = 0; begin < text.size() && !fault_;) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      at_ = begin;
      read_line(text.substr(begin, end - begin));
      begin = end + 1;
    }
    if (!fault_) find_unknown_ends();
    if (fault_) return *fault_;
    return graph();
  }

 private:
  // --- lines
  // -----------------------------------------------------------------------------------------------------------

  void read_line(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return block_.clear();
    for (const std::string_view head : {"Switch", "Ca", "Hca", "Rt"}) {
      if (line.starts_with(head)) return read_block(line, head == "Ca" || head == "Hca");
    }
    if (line.starts_with('[')) read_cable(line);
  }

  // What stands between the first two quotation marks; and what is behind them.
  static std::optional<std::pair<std::string, std::string_view>> quoted(std::string_view text) {
    const std::size_t open = text.find('"');
    const std::size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
    if (close == std::string_view::npos) return std::nullopt;
    return std::pair(std::string(text.substr(open + 1, close - open - 1)), text.substr(close + 1));
  }

  void read_block(std::string_view line, bool adapter) {
    const auto guid = quoted(line);
    if (!guid || guid->first.empty())
      return report_error("a block without its GUID; expected `Switch 36 \"S-…\"` or `Ca 1 \"H-…\"`");
    const auto name = quoted(guid->second);
    Node node{name && !name->first.empty() ? name->first : guid->first, adapter, at_};
    if (!nodes_.emplace(guid->first, std::move(node)).second)
      return report_error(fmt::format("a second block of {}", guid->first));
    block_ = guid->first;
  }

  // "[5]" at the beginning of the text, which is cut off.
  static std::optional<std::uint32_t> port_number(std::string_view& text) {
    std::uint32_t port = 0;
    if (!text.starts_with('[')) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), port);
    if (error != std::errc() || end == text.data() + text.size() || *end != ']') return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
    return port;
  }

  void read_cable(std::string_view line) {
    if (block_.empty()) return report_error("a cable outside of a block; expected `Switch …` or `Ca …`");
    std::string_view rest = line;
    const auto port = port_number(rest);
    const auto peer = port ? quoted(rest) : std::nullopt;
    if (!peer) return report_error("a cable is `[port] \"peer\"[port]`");
    std::string_view behind = peer->second;
    const auto peer_port = port_number(behind);
    if (!peer_port) return report_error("a cable is `[port] \"peer\"[port]`");
    const Port here{block_, *port};
    const Port there{peer->first, *peer_port};
    if (here == there) return report_error("a cable from a port to itself");
    for (const auto& [one, other] : {std::pair(here, there), std::pair(there, here)}) {
      const auto [known, added] = ends_.emplace(one, other);
      if (known->second != other) return report_error(fmt::format("port {} of {} has two cables", one.port, one.node));
      if (added) places_[one.node] = at_;
    }
    const std::size_t last = behind.find_last_not_of(" \t\r");
    const std::size_t word = behind.find_last_of(" \t", last);
    if (last != std::string_view::npos && word != std::string_view::npos)
      speeds_[std::min(here, there)] = bandwidth_of(behind.substr(word + 1, last - word));
  }

  // An adapter may have no block of its own; a switch that has none is no part of what was found.
  void find_unknown_ends() {
    for (const auto& [port, other] : ends_) {
      if (nodes_.contains(port.node)) continue;
      at_ = places_[port.node];
      if (!port.node.starts_with("H-")) return report_error(fmt::format("{} has no block", port.node));
      nodes_.emplace(port.node, Node{port.node, true, at_});
    }
  }

  // --- the graph
  // -------------------------------------------------------------------------------------------------------

  Result<Graph> graph() {
    std::vector<std::tuple<std::string, std::string>> processors;  // name, GUID
    std::vector<std::tuple<std::string, std::string>> switches;
    for (const auto& [guid, node] : nodes_) (node.processor ? processors : switches).emplace_back(node.name, guid);
    const auto before = [](const auto& a, const auto& b) {
      const int order = strverscmp(std::get<0>(a).c_str(), std::get<0>(b).c_str());  // digits count as numbers
      return order != 0 ? order < 0 : std::get<1>(a) < std::get<1>(b);
    };
    std::sort(processors.begin(), processors.end(), before);
    std::sort(switches.begin(), switches.end(), before);
    if (processors.empty()) return file_.fault("no adapter (`Ca …`) is in the file");

    MachineGraph graph(static_cast<std::uint32_t>(processors.size()));
    std::unordered_map<std::string, NodeId> node_of;
    for (const auto& [name, guid] : processors)
      node_of.emplace(guid, NodeId(static_cast<std::uint32_t>(node_of.size())));
    for (const auto& [name, guid] : switches) node_of.emplace(guid, graph.add_switch(name));
    for (const auto& [port, other] : ends_) {
      if (other < port) continue;  // told by its other end
      const auto speed = speeds_.find(port);
      graph.add_link(node_of.at(port.node), node_of.at(other.node), 1,
                     speed == speeds_.end() ? std::nullopt : speed->second);
    }
    return graph.finish(file_);
  }

  void report_error(const std::string& message) {
    if (!fault_) fault_ = file_.fault_at(at_, message);
  }

  const MachineFile& file_;
  std::map<std::string, Node> nodes_;  // by GUID
  std::map<Port, Port> ends_;          // of each cable, both ways
  std::map<Port, std::optional<std::uint64_t>> speeds_;
  std::unordered_map<std::string, std::size_t> places_;  // where a node is first named
  std::string block_;                                    // the GUID of the block that is being read
  std::size_t at_ = 0;                                   // where the line begins
  std::optional<Diagnostic> fault_;
};

Result<Graph> read_network(const MachineFile& file, const MachineOptions&) { return Network(file).read(); }

}  // namespace

TopologyFamily ibnetdiscover() {
  return machine_family("ib", "the adapters and switches of an InfiniBand network, from what `ibnetdiscover` prints",
                        "ib:fabric.txt", false, read_network);
}

}  // namespace quadrille::machines
