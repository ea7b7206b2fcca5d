// NCCL's and RCCL's topology file (NCCL_TOPO_FILE, NCCL_TOPO_DUMP_FILE): processors with NUMA numbers, below them PCI
// bridges, below these GPUs with their NVLinks,
//
//     <system version="1">
//       <cpu numaid="0" …>
//         <pci busid="0000:0b:00.0" class="0x060400" link_speed="16 GT/s" link_width="16">
//           <pci busid="0000:0f:00.0" class="0x030200" …>
//             <gpu dev="0" sm="80" rank="0" …>
//               <nvlink target="0000:10:00.0" count="4" tclass="0x030200"/>
//
// GPUs are the fabric's processors: by `rank` where all have one, else by `dev`, else as they come; in a file without
// <gpu>, the PCI devices of class 0x03 and 0x12. <nvlink> and <xgmi> are `count` lanes to another GPU, or both ways to
// the NVSwitches, which are one switch (as NCCL takes them), or to the GPU's processor. Each PCI bridge is a switch,
// and each processor, all of which are joined; a bridge with one thing below it is passed over. Network cards are left
// out: the file is of one machine.
//
// Bandwidths are NCCL's own (src/graph/topo.cc and topo.h): of NVLinks by `sm`, of PCI by speed and width. It knows
// none of xGMI. Cost: linear in the file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

#include "machines/machine_file.h"
#include "machines/xml_tree.h"
#include "model/text/number_in.h"

namespace quadrille::machines {
namespace {

constexpr std::uint64_t megabyte = 1'000'000;
constexpr std::size_t most_gpus = 65536;
constexpr std::uint64_t most_links = 1'000'000;  // that a `count` may say

// Of an NVLink, bytes a second, by the GPU's compute capability.
std::optional<std::uint64_t> nvlink_bandwidth(std::uint64_t sm) {
  if (sm >= 100) return 40'100 * megabyte;
  if (sm >= 90) return 20'600 * megabyte;
  if (sm == 86) return 12'000 * megabyte;
  if (sm >= 70) return 20'000 * megabyte;
  if (sm >= 60) return 18'000 * megabyte;
  return std::nullopt;
}

// Of a PCI link: hundreds of Mbit/s a lane by its speed, times its width.
std::optional<std::uint64_t> pci_bandwidth(const XmlElement& pci) {
  struct Speed {
    std::string_view name;
    std::uint64_t lane;
  };
  constexpr std::array<Speed, 6> speeds = {{{"2.5", 15}, {"5", 30}, {"8", 60}, {"16", 120}, {"32", 240}, {"64", 480}}};
  std::string speed = pci.attribute("link_speed");
  speed = speed.substr(0, std::min(speed.find(' '), speed.size()));
  if (speed.ends_with(".0")) speed.resize(speed.size() - 2);
  const auto known = std::find_if(speeds.begin(), speeds.end(), [&](const Speed& it) { return it.name == speed; });
  const auto width = number_in<std::uint64_t>(pci.attribute("link_width"));
  if (known == speeds.end() || !width || *width == 0 || *width > 64) return std::nullopt;
  return *width * known->lane * 100 * megabyte / 8;
}

// Bus numbers are compared as NCCL does, by their hexadecimal digits: it writes them with and without capitals.
std::string bus_of(const std::string& text) {
  std::string bus;
  for (const char c : text) bus += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return bus;
}

enum class PciKind { bridge, nvswitch, processor, gpu, network };

PciKind kind_of(const std::string& pci_class) {
  if (pci_class.starts_with("0x068000")) return PciKind::nvswitch;
  if (pci_class.starts_with("0x068001")) return PciKind::processor;
  if (pci_class.starts_with("0x03") || pci_class.starts_with("0x12")) return PciKind::gpu;
  if (pci_class.starts_with("0x02")) return PciKind::network;
  return PciKind::bridge;
}

struct Gpu {
  const XmlElement* pci = nullptr;
  const XmlElement* gpu = nullptr;  // null: the file has none
  std::size_t cpu = 0;              // whose number, among the processors
};

class System {
 public:
  System(const MachineFile& file, const MachineOptions& options) : file_(file), options_(options) {}

  Result<Graph> read() {
    auto root = read_xml(file_);
    if (!root) return root.diagnostics();
    root_ = std::move(*root);
    if (root_.name != "system") report_error(root_, fmt::format("<{}> is the root; expected <system>", root_.name));
    for (const XmlElement& cpu : root_.children) {
      if (cpu.name == "cpu") cpus_.push_back(&cpu);
    }
    find_gpus();
    if (!fault_ && gpus_.empty()) fault_ = file_.fault("no GPU is in the file");
    if (!fault_ && gpus_.size() > most_gpus)
      fault_ = file_.fault(fmt::format("more than {} GPUs are in the file", most_gpus));
    if (!fault_) put_in_order();
    if (fault_) return *fault_;
    MachineGraph graph(static_cast<std::uint32_t>(gpus_.size()));
    add_links(graph);
    if (!fault_ && wants_host(graph)) add_host(graph);
    if (fault_) return *fault_;
    return graph.finish(file_);
  }

 private:
  // --- GPUs
  // ------------------------------------------------------------------------------------------------------------

  void find_gpus() {
    for (const bool marked : {true, false}) {
      for (std::size_t i = 0; i < cpus_.size(); ++i) find_gpus_below(*cpus_[i], i, marked);
      if (!gpus_.empty()) return;
    }
  }

  void find_gpus_below(const XmlElement& element, std::size_t cpu, bool marked) {
    for (const XmlElement& child : element.children) {
      if (child.name != "pci") continue;
      const auto gpu = std::find_if(child.children.begin(), child.children.end(),
                                    [](const XmlElement& it) { return it.name == "gpu"; });
      if (marked ? gpu != child.children.end() : kind_of(child.attribute("class")) == PciKind::gpu)
        gpus_.push_back({&child, marked ? &*gpu : nullptr, cpu});
      find_gpus_below(child, cpu, marked);
    }
  }

  // By `rank`, or else by `dev`, where all have one; two of the same number are a fault.
  void put_in_order() {
    for (const char* key : {"rank", "dev"}) {
      std::vector<std::pair<std::uint64_t, Gpu>> numbered;
      for (const Gpu& gpu : gpus_) {
        const auto number = gpu.gpu == nullptr ? std::nullopt : number_at(*gpu.gpu, key);
        if (number) numbered.emplace_back(*number, gpu);
      }
      if (numbered.size() < gpus_.size()) continue;
      std::stable_sort(numbered.begin(), numbered.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t i = 0; i < numbered.size(); ++i) {
        gpus_[i] = numbered[i].second;
        if (i > 0 && numbered[i].first == numbered[i - 1].first)
          return report_error(*gpus_[i].gpu, fmt::format("two GPUs have {} {}", key, numbered[i].first));
      }
      break;
    }
    for (std::uint32_t i = 0; i < gpus_.size(); ++i) {
      const std::string bus = bus_of(gpus_[i].pci->attribute("busid"));
      if (bus.empty()) return report_error(*gpus_[i].pci, "a GPU without a busid");
      if (!by_bus_.emplace(bus, NodeId(i)).second)
        return report_error(*gpus_[i].pci, fmt::format("two GPUs have the busid {}", bus));
    }
  }

  // --- links
  // -----------------------------------------------------------------------------------------------------------

  void add_links(MachineGraph& graph) {
    for (std::uint32_t i = 0; i < gpus_.size(); ++i) {
      if (gpus_[i].gpu == nullptr) continue;
      for (const XmlElement& link : gpus_[i].gpu->children) {
        if (link.name == "nvlink" || link.name == "xgmi") add_link(graph, NodeId(i), gpus_[i], link);
      }
    }
    compare_ends();
  }

  // Two GPUs tell the same of the links between them; else a line of the file is lost.
  void compare_ends() {
    for (const auto& [ends, told] : told_) {
      const auto back = told_.find({ends.second, ends.first});
      const std::uint64_t lanes = back == told_.end() ? 0 : back->second.lanes;
      if (lanes != told.lanes)
        report_error(*told.link, fmt::format("{} lanes lead to this GPU, and {} back from it", told.lanes, lanes));
    }
  }

  void add_link(MachineGraph& graph, NodeId from, const Gpu& gpu, const XmlElement& link) {
    const auto count = number_in<std::uint64_t>(link.attribute("count"));
    if (!count || *count == 0 || *count > most_links)
      return report_error(link, "a link needs its `count`, a whole number from 1 to 1000000");
    const auto sm = number_at(*gpu.gpu, "sm");
    const auto bandwidth = link.name == "nvlink" && sm ? nvlink_bandwidth(*sm) : std::nullopt;
    switch (kind_of(link.attribute("tclass"))) {
      case PciKind::nvswitch:
        if (!nvswitch_) nvswitch_ = graph.add_switch("nvswitch");
        return graph.add_link(from, *nvswitch_, *count, bandwidth);
      case PciKind::gpu: {
        const auto target = by_bus_.find(bus_of(link.attribute("target")));
        // A GPU that is not in the file is not in use.
        if (target == by_bus_.end()) return;
        Told& told = told_[{from, target->second}];
        told = {told.lanes + *count, &link};
        return graph.add_channel(from, target->second, *count, bandwidth);
      }
      case PciKind::processor:
        return graph.add_link(from, cpu_node(graph, gpu.cpu), *count, bandwidth);
      case PciKind::bridge:
      case PciKind::network:
        return report_error(link,
                            fmt::format("`{}` is not the class of what a link leads to", link.attribute("tclass")));
    }
  }

  // --- the host
  // --------------------------------------------------------------------------------------------------------

  bool wants_host(const MachineGraph& graph) const {
    return options_.host == Host::yes || (options_.host == Host::if_needed && !graph.connects_processors());
  }

  // Processors that links lead to are there before the rest of the host.
  NodeId cpu_node(MachineGraph& graph, std::size_t cpu) {
    const auto known = cpu_nodes_.find(cpu);
    if (known != cpu_nodes_.end()) return known->second;
    const auto numa = number_at(*cpus_[cpu], "numaid");
    const NodeId node = graph.add_switch(fmt::format("cpu{}", numa ? *numa : cpu));
    cpu_nodes_.emplace(cpu, node);
    return node;
  }

  void add_host(MachineGraph& graph) {
    std::vector<NodeId> processors;
    for (std::size_t i = 0; i < cpus_.size(); ++i) {
      if (count_gpus(*cpus_[i]) == 0) continue;
      processors.push_back(cpu_node(graph, i));
      add_below(graph, *cpus_[i], processors.back());
    }
    for (std::size_t a = 0; a < processors.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) graph.add_link(processors[a], processors[b], 1);
    }
  }

  void add_below(MachineGraph& graph, const XmlElement& element, NodeId above) {
    for (const XmlElement* it : ways_below(element)) {
      // Down to where ways part, the narrowest link counts.
      auto bandwidth = bandwidth_of(*it);
      while (node_of(*it) == nullptr && ways_below(*it).size() == 1) {
        it = ways_below(*it).front();
        const auto next = bandwidth_of(*it);
        bandwidth = bandwidth && next ? std::optional(std::min(*bandwidth, *next)) : std::nullopt;
      }
      const NodeId* gpu = node_of(*it);
      const NodeId node = gpu != nullptr ? *gpu : graph.add_switch("pci." + it->attribute("busid"));
      graph.add_link(node, above, 1, bandwidth);
      add_below(graph, *it, node);
    }
  }

  const NodeId* node_of(const XmlElement& pci) const {
    const auto found = by_bus_.find(bus_of(pci.attribute("busid")));
    return found == by_bus_.end() || gpus_[found->second.value].pci != &pci ? nullptr : &found->second;
  }

  // Counts the GPUs in each element.
  std::size_t count_gpus(const XmlElement& element) {
    std::size_t count = element.name == "pci" && node_of(element) != nullptr ? 1 : 0;
    for (const XmlElement& child : element.children) count += count_gpus(child);
    gpus_in_[&element] = count;
    return count;
  }

  // The PCI elements directly below, of those that have GPUs.
  std::vector<const XmlElement*> ways_below(const XmlElement& element) const {
    std::vector<const XmlElement*> ways;
    for (const XmlElement& child : element.children) {
      if (child.name == "pci" && gpus_in_.at(&child) > 0) ways.push_back(&child);
    }
    return ways;
  }

  // The attribute's number; nothing where it is absent, or -1, which is NCCL's word for that. All else is a fault.
  std::optional<std::uint64_t> number_at(const XmlElement& element, const char* key) {
    const std::string text = element.attribute(key);
    const auto number = number_in<std::uint64_t>(text);
    if (!number && !text.empty() && text != "-1")
      report_error(element, fmt::format("{}=\"{}\": expected a whole number", key, text));
    return number;
  }

  // Of a PCI link, where speed and width are known.
  std::optional<std::uint64_t> bandwidth_of(const XmlElement& pci) {
    number_at(pci, "link_width");
    return pci_bandwidth(pci);
  }

  void report_error(const XmlElement& element, const std::string& message) {
    if (!fault_) fault_ = file_.fault_at(element.begin, message);
  }

  struct Told {
    std::uint64_t lanes = 0;
    const XmlElement* link = nullptr;  // the last of them
  };

  const MachineFile& file_;
  MachineOptions options_;
  std::map<std::pair<NodeId, NodeId>, Told> told_;  // links between GPUs, by from and to
  XmlElement root_;
  std::vector<const XmlElement*> cpus_;
  std::vector<Gpu> gpus_;
  std::unordered_map<std::string, NodeId> by_bus_;
  std::map<std::size_t, NodeId> cpu_nodes_;
  std::unordered_map<const XmlElement*, std::size_t> gpus_in_;
  std::optional<NodeId> nvswitch_;
  std::optional<Diagnostic> fault_;
};

Result<Graph> read_system(const MachineFile& file, const MachineOptions& options) {
  return System(file, options).read();
}

}  // namespace

TopologyFamily nccl_xml() {
  return machine_family("nccl", "the GPUs of a machine, from a topology file of NCCL or RCCL", "nccl:topo.xml", true,
                        read_system);
}

}  // namespace quadrille::machines
