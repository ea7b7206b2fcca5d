// What `ibnetdiscover` prints of an InfiniBand network: a block for each switch and each adapter, in it a line a cable,
//
//     Switch  36 "S-0000000000200003"     # "leaf3" base port 0 lid 0 lmc 0
//     [1]     "H-0000000000100024"[1](100025)     # "node12" lid 0 4xSDR
//     Ca      1 "H-0000000000100024"      # "node12"
//     [1](100025)     "S-0000000000200003"[1]     # lid 0 lmc 0 "leaf3" lid 0 4xSDR
//
// Adapters are the processors, in the natural order of their names (node2 before node10); the others are switches. Each
// cable is told by both its ends; cables side by side are lanes. `4xEDR` is a lane's bandwidth: four times
// 25 Gbit/s of data. The routes of the subnet manager are not in the file: packets take shortest ones.
//
// ibsim's description of a network is the same without GUIDs and rates; its adapters are `Hca 2 "node1"`.
//
// Cost: linear in the file, but for sorting. Source: ibnetdiscover's man page; rates of data by encoding (8b/10b up to
// QDR, then 64b/66b) from the InfiniBand Trade Association's roadmap.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <unordered_map>

#include "machines/machine_file.h"
#include "model/text/number_in.h"

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
  const auto lanes = number_in<std::uint64_t>(word.substr(0, x));
  const auto rate =
      std::find_if(rates.begin(), rates.end(), [&](const Rate& it) { return it.name == word.substr(x + 1); });
  if (rate == rates.end() || lanes.value_or(0) == 0) return std::nullopt;
  return *lanes * rate->lane;
}

struct Node {
  std::string name;  // "leaf3", or else its GUID
  bool processor = false;
};

struct Port {
  std::string node;  // its GUID
  std::uint32_t port = 0;
  auto operator<=>(const Port&) const = default;
};

// A cable as the block of one of its ends tells it.
struct Cable {
  Port other;
  std::string_view rate;  // "4xEDR"; empty where none is told
  std::string_view line;
};

// --- pieces of a line: each is cut off the text's beginning, if it is there ------------------------------------------

bool cut_blanks(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(end);
  return end > 0;
}

// What stands in the brackets that the text begins with; nothing if it begins otherwise.
std::optional<std::string_view> cut_enclosed(std::string_view& text, char open, char close) {
  if (!text.starts_with(open)) return std::nullopt;
  const std::size_t end = text.find(close, 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return inside;
}

// "[5]"; of a chassis "[5][ext 3]", the port's number outside.
std::optional<std::uint32_t> cut_port(std::string_view& text) {
  const auto digits = cut_enclosed(text, '[', ']');
  if (!digits) return std::nullopt;
  const auto port = number_in<std::uint32_t>(*digits);
  if (!port) return std::nullopt;
  if (text.starts_with("[ext ")) cut_enclosed(text, '[', ']');
  return port;
}

// The GUID of a port, "(100025)", with the blanks around it.
void cut_guid(std::string_view& text) {
  cut_blanks(text);
  if (cut_enclosed(text, '(', ')')) cut_blanks(text);
}

// The next word, and the blanks behind it.
std::string_view cut_word(std::string_view& text) {
  const std::string_view word = text.substr(0, std::min(text.find_first_of(" \t\r"), text.size()));
  text.remove_prefix(word.size());
  cut_blanks(text);
  return word;
}

// Settings: ibsim's `w=12`; with `ibnetdiscover -f`, s=4 w=2 v=5.
void cut_settings(std::string_view& text) {
  for (std::string_view rest = text; cut_word(rest).find('=') != std::string_view::npos;) text = rest;
}

class Network {
 public:
  explicit Network(const MachineFile& file) : file_(file) {}

  Result<Graph> read() {
    const std::string_view text = file_.text;
    for (std::size_t begin = 0; begin < text.size() && !fault_;) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(text.substr(begin, end - begin));
      begin = end + 1;
    }
    if (!fault_) compare_ends();
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

  // `Switch 36 "S-…"`, then `# "name" …` or nothing.
  void read_block(std::string_view line, bool adapter) {
    std::string_view rest = line;
    rest.remove_prefix(std::min(rest.find('"'), rest.size()));
    const auto guid = cut_enclosed(rest, '"', '"');
    if (!guid || guid->empty())
      return report_error(line, "a block without its GUID; expected `Switch 36 \"S-…\"` or `Ca 1 \"H-…\"`");
    const auto name = cut_comment(rest);
    if (!nodes_.emplace(*guid, Node{std::string(name && !name->empty() ? *name : *guid), adapter}).second)
      return report_error(line, fmt::format("a second block of {}", *guid));
    block_ = *guid;
  }

  // The name in a comment, `# lid 0 lmc 0 "leaf3" lid 0 4xEDR`, which is cut off up to the name's end. Whatever else
  // follows is not of this line: the line's end is lost.
  std::optional<std::string_view> cut_comment(std::string_view& rest) {
    cut_blanks(rest);
    if (!rest.empty() && rest.front() != '#') report_rest(rest);
    rest.remove_prefix(std::min(rest.find('"'), rest.size()));
    const auto name = cut_enclosed(rest, '"', '"');
    if (const std::size_t more = rest.find('"'); more != std::string_view::npos) report_rest(rest.substr(more));
    cut_blanks(rest);
    return name;
  }

  void read_cable(std::string_view line) {
    if (block_.empty()) return report_error(line, "a cable outside of a block; expected `Switch …` or `Ca …`");
    std::string_view rest = line;
    const auto port = cut_port(rest);
    cut_guid(rest);
    const auto peer = port ? cut_enclosed(rest, '"', '"') : std::nullopt;
    cut_blanks(rest);
    const auto peer_port = peer ? cut_port(rest) : std::nullopt;
    if (!peer_port) return report_error(line, "a cable is `[port] \"peer\"[port]`");
    const Port here{block_, *port};
    const Port there{std::string(*peer), *peer_port};
    if (here == there) return report_error(line, "a cable from a port to itself");
    const std::string_view rate = read_rate(rest);
    if (!cables_.emplace(here, Cable{there, rate, line}).second)
      return report_error(line, fmt::format("port {} of {} has two cables", here.port, here.node));
  }

  // "4xEDR" in what follows a cable's ends: `(100025) # "node12" lid 0 4xEDR`. Behind it are settings, and of some
  // chassis `slot 3` or `(scp)`.
  std::string_view read_rate(std::string_view rest) {
    cut_guid(rest);
    cut_settings(rest);
    if (!cut_comment(rest) || cut_word(rest) != "lid") return {};
    cut_word(rest);
    const std::string_view rate = cut_word(rest);
    cut_settings(rest);
    if (rest.starts_with("slot ")) cut_word(rest), cut_word(rest);
    if (!rest.empty() && rest != "(scp)") report_rest(rest);
    return rate;
  }

  // Every cable is told twice, in the same words: so a file that is cut off, or has lost a line, is found out. "4x???"
  // is a rate that an end does not know.
  void compare_ends() {
    for (const auto& [here, cable] : cables_) {
      const auto there = [&other = cable.other] { return fmt::format("port {} of {}", other.port, other.node); };
      if (!nodes_.contains(cable.other.node))
        return report_error(cable.line, fmt::format("{} has no block: the file is not whole", cable.other.node));
      const auto other = cables_.find(cable.other);
      if (other == cables_.end())
        return report_error(cable.line, fmt::format("the block of {} does not tell of this cable, at its port {}: "
                                                    "the file is not whole",
                                                    cable.other.node, cable.other.port));
      if (other->second.other != here)
        return report_error(cable.line, fmt::format("{} leads to port {} of {} in its own block", there(),
                                                    other->second.other.port, other->second.other.node));
      const std::string_view rate = other->second.rate;
      if (rate != cable.rate && !unknown(rate) && !unknown(cable.rate))
        return report_error(cable.line, fmt::format("the rate is {} here, and {} where {} tells of this cable",
                                                    quoted(cable.rate), quoted(rate), there()));
    }
  }

  static bool unknown(std::string_view rate) { return rate.find('?') != std::string_view::npos; }

  static std::string quoted(std::string_view rate) { return rate.empty() ? "not told" : fmt::format("`{}`", rate); }

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
    for (const auto& [port, cable] : cables_) {
      if (cable.other < port) continue;  // told by its other end
      const std::string_view rate = unknown(cable.rate) ? cables_.at(cable.other).rate : cable.rate;
      graph.add_link(node_of.at(port.node), node_of.at(cable.other.node), 1, bandwidth_of(rate));
    }
    return graph.finish(file_);
  }

  // At the beginning of a piece of the text.
  void report_error(std::string_view piece, const std::string& message) {
    if (!fault_) fault_ = file_.fault_at(static_cast<std::size_t>(piece.data() - file_.text.data()), message);
  }
  void report_rest(std::string_view rest) {
    report_error(rest, fmt::format("`{}` follows; expected the line's end, or `# …`", rest));
  }

  const MachineFile& file_;
  std::map<std::string, Node> nodes_;  // by GUID
  std::map<Port, Cable> cables_;       // by the end that tells of them
  std::string block_;                  // the GUID of the block that is being read
  std::optional<Diagnostic> fault_;
};

Result<Graph> read_network(const MachineFile& file, const MachineOptions&) { return Network(file).read(); }

}  // namespace

TopologyFamily ibnetdiscover() {
  return machine_family("ib", "the adapters and switches of an InfiniBand network, from what `ibnetdiscover` prints",
                        "ib:fabric.txt", false, read_network);
}

}  // namespace quadrille::machines
