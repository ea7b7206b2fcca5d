// What `nvidia-smi topo -m` prints: a matrix of how each two devices meet, a line for each device,
//
//           GPU0    GPU1    GPU2    NIC0    CPU Affinity    NUMA Affinity
//     GPU0   X      NV2     SYS     PIX     0-19,40-59      0
//
// NV2: two NVLinks. Where all GPUs meet by NV# and no GPU could have as many links as that makes (18 is the most so
// far), the links go to switches, and each GPU has # of them. The other words say how far up in the host two devices
// meet: PIX at one PCI bridge, PXB at several, PHB at a processor's bridge, NODE within a NUMA node, SYS beyond. They
// make a tree: GPUs that meet at a level are one group, and each group is a switch. Of two GPUs with NVLinks the matrix
// does not say where they meet in the host: within a NUMA node, if their affinities are the same.
//
// Cost: quadratic in the devices, as the matrix is. Source of the words: the legend below the matrix.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "machines/machine_file.h"
#include "model/text/number_in.h"

namespace quadrille::machines {
namespace {

constexpr std::uint64_t most_nvlinks = 18;           // of a GPU
constexpr std::size_t most_gpus_of_a_matrix = 1024;  // of one machine

// From near to far; a group of GPUs that meet so is a switch, by that name.
enum Meeting : std::uint8_t { pix, pxb, phb, node, sys, nowhere };
constexpr std::array<std::string_view, 5> meeting_words = {"PIX", "PXB", "PHB", "NODE", "SYS"};
constexpr std::array<const char*, 5> group_names = {"pci_bridge", "pci_bridges", "host_bridge", "numa_node", "host"};

struct Cell {
  std::size_t begin = 0;  // in the file
  std::string_view text = {};
};

struct Meet {
  std::uint64_t nvlinks = 0;
  Meeting host = nowhere;  // not said
};

bool blank(char c) { return c == ' ' || c == '\r'; }

// The cells of a line, trimmed: between tabs, or, in a line without, between blanks. Escape sequences, with which the
// header is underlined, are left out.
std::vector<Cell> cells_of(std::string_view text, std::size_t begin, std::size_t end) {
  const bool tabs = text.substr(begin, end - begin).find('\t') != std::string_view::npos;
  std::vector<Cell> cells;
  const auto add = [&](std::size_t from, std::size_t to) {
    if (from < to && text[from] == '\x1b') from = std::min(text.find('m', from), to - 1) + 1;
    while (from < to && blank(text[from])) ++from;
    while (from < to && blank(text[to - 1])) --to;
    if (const std::size_t escape = text.substr(from, to - from).find('\x1b'); escape != std::string_view::npos)
      to = from + escape;
    if (tabs || from < to) cells.push_back({from, text.substr(from, to - from)});
  };
  std::size_t from = begin;
  for (std::size_t at = begin; at < end; ++at) {
    if (tabs ? text[at] != '\t' : !blank(text[at])) continue;
    add(from, at);
    from = at + 1;
  }
  add(from, end);
  return cells;
}

bool is_gpu(std::string_view name) {
  return name.size() > 3 && name.starts_with("GPU") &&
         std::all_of(name.begin() + 3, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class Matrix {
 public:
  explicit Matrix(const MachineFile& file) : file_(file) {}

  std::optional<Diagnostic> read() {
    const std::string_view text = file_.text;
    for (std::size_t begin = 0; begin < text.size() && !fault_;) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::size_t rows = rows_;
      read_line(cells_of(text, begin, end));
      // An affinity that is cut off is one, too.
      if (rows_ > rows && end == text.size())
        return file_.fault_at(end, "the matrix ends within a line: the file is not whole");
      begin = end + 1;
    }
    if (fault_) return fault_;
    if (columns_.empty())
      return file_.fault("no line with GPU0, GPU1, … begins a matrix; expected `nvidia-smi topo -m`");
    if (rows_ < gpus()) return file_.fault(fmt::format("the matrix has {} lines of GPUs; expected {}", rows_, gpus()));
    return report_one_sided();
  }

  std::size_t gpus() const { return names_.size(); }
  const Meet& meet(std::size_t a, std::size_t b) const { return meets_[a * gpus() + b]; }
  const std::string& affinity(std::size_t gpu) const { return affinities_[gpu]; }

 private:
  void read_line(const std::vector<Cell>& cells) {
    const auto first = std::find_if(cells.begin(), cells.end(), [](const Cell& it) { return !it.text.empty(); });
    if (first == cells.end() || !is_gpu(first->text)) return;
    const std::size_t at = static_cast<std::size_t>(first - cells.begin());
    if (columns_.empty()) {
      read_header(cells, at);
    } else {
      read_row(cells, at);
    }
  }

  // The devices, and where the affinities stand. What follows the devices are words: `CPU Affinity`, perhaps cut in
  // two.
  void read_header(const std::vector<Cell>& cells, std::size_t at) {
    for (std::size_t i = at; i < cells.size() && !cells[i].text.empty() && !cells[i].text.starts_with("CPU"); ++i) {
      columns_.emplace_back(cells[i].text);
      if (!is_gpu(cells[i].text)) continue;
      if (std::find(names_.begin(), names_.end(), cells[i].text) != names_.end())
        return report_error(cells[i], fmt::format("{} has two columns", cells[i].text));
      names_.emplace_back(cells[i].text);
    }
    if (names_.size() > most_gpus_of_a_matrix)
      return report_error(cells[at], fmt::format("more than {} GPUs", most_gpus_of_a_matrix));
    meets_.resize(gpus() * gpus());
    affinities_.resize(gpus());
    seen_.resize(gpus());
  }

  void read_row(const std::vector<Cell>& cells, std::size_t at) {
    const Cell& name = cells[at];
    const auto found = std::find(names_.begin(), names_.end(), name.text);
    if (found == names_.end()) return report_error(name, fmt::format("{} has a line, but no column", name.text));
    const auto gpu = static_cast<std::size_t>(found - names_.begin());
    if (seen_[gpu]) return report_error(name, fmt::format("{} has two lines", name.text));
    seen_[gpu] = true;
    ++rows_;
    if (cells.size() < at + 1 + columns_.size())
      return report_error(name, fmt::format("the line of {} has {} cells; expected one for each of {} devices",
                                            name.text, cells.size() - at - 1, columns_.size()));
    std::size_t other = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (is_gpu(columns_[i])) read_cell(cells[at + 1 + i], gpu, other++);
    }
    for (std::size_t i = at + 1 + columns_.size(); i < cells.size() && affinities_[gpu].empty(); ++i)
      affinities_[gpu] = cells[i].text;
  }

  void read_cell(const Cell& cell, std::size_t a, std::size_t b) {
    Meet& meet = meets_[a * gpus() + b];
    if ((cell.text == "X") != (a == b)) return report_error(cell, "a device meets itself in `X`, and no other one");
    if (a == b) return;
    if (cell.text.starts_with("NV")) {
      meet.nvlinks = number_in<std::uint64_t>(std::string_view(cell.text).substr(2)).value_or(0);
      if (meet.nvlinks > 0 && meet.nvlinks <= 1000) return;
    }
    const auto word = std::find(meeting_words.begin(), meeting_words.end(), cell.text);
    if (word == meeting_words.end())
      return report_error(cell, fmt::format("`{}` is no way in which GPUs meet; expected X, NV#, {}", cell.text,
                                            fmt::join(meeting_words, ", ")));
    meet.host = static_cast<Meeting>(word - meeting_words.begin());
  }

  std::optional<Diagnostic> report_one_sided() const {
    for (std::size_t a = 0; a < gpus(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (meet(a, b).nvlinks != meet(b, a).nvlinks || meet(a, b).host != meet(b, a).host)
          return file_.fault(
              fmt::format("{} meets {} otherwise than {} meets {}", names_[a], names_[b], names_[b], names_[a]));
      }
    }
    return std::nullopt;
  }

  void report_error(const Cell& cell, const std::string& message) {
    if (!fault_) fault_ = file_.fault_at(cell.begin, message);
  }

  const MachineFile& file_;
  std::vector<std::string> columns_;  // all devices
  std::vector<std::string> names_;    // the GPUs
  std::vector<Meet> meets_;           // of two GPUs
  std::vector<std::string> affinities_;
  std::vector<bool> seen_;  // a line
  std::size_t rows_ = 0;
  std::optional<Diagnostic> fault_;
};

NodeId gpu_node(std::size_t gpu) { return NodeId(static_cast<std::uint32_t>(gpu)); }

// How many NVLinks each GPU has to switches; 0 if they go to other GPUs.
std::uint64_t links_to_switches(const Matrix& matrix) {
  const std::size_t n = matrix.gpus();
  const std::uint64_t each = n < 2 ? 0 : matrix.meet(0, 1).nvlinks;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (matrix.meet(a, b).nvlinks != each) return 0;
    }
  }
  return each * (n - 1) > most_nvlinks ? each : 0;
}

void add_nvlinks(const Matrix& matrix, MachineGraph& graph) {
  if (const std::uint64_t each = links_to_switches(matrix)) {
    const NodeId nvswitch = graph.add_switch("nvswitch");
    for (std::size_t gpu = 0; gpu < matrix.gpus(); ++gpu) graph.add_link(gpu_node(gpu), nvswitch, each);
    return;
  }
  for (std::size_t a = 0; a < matrix.gpus(); ++a) {
    for (std::size_t b = 0; b < a; ++b) graph.add_link(gpu_node(a), gpu_node(b), matrix.meet(a, b).nvlinks);
  }
}

Meeting host_meeting(const Matrix& matrix, std::size_t a, std::size_t b) {
  const Meet& meet = matrix.meet(a, b);
  if (meet.host != nowhere) return meet.host;
  return matrix.affinity(a) == matrix.affinity(b) ? node : sys;
}

// Groups of GPUs, level by level; a group that no smaller one has already made is a switch above those that it joins.
void add_host(const Matrix& matrix, MachineGraph& graph) {
  const std::size_t n = matrix.gpus();
  std::vector<std::size_t> group(n);  // a GPU of it
  std::iota(group.begin(), group.end(), std::size_t{0});
  std::vector<NodeId> top;  // of the group of each GPU that stands for one
  for (std::size_t gpu = 0; gpu < n; ++gpu) top.push_back(gpu_node(gpu));
  for (const Meeting level : {pix, pxb, phb, node, sys}) {
    const std::vector<std::size_t> before = group;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (host_meeting(matrix, a, b) > level || group[a] == group[b]) continue;
        std::replace(group.begin(), group.end(), std::max(group[a], group[b]), std::min(group[a], group[b]));
      }
    }
    for (std::size_t gpu = 0; gpu < n; ++gpu) {
      if (group[gpu] != gpu || std::equal(group.begin(), group.end(), before.begin(),
                                          [&](std::size_t now, std::size_t old) { return now != gpu || old == gpu; })) {
        continue;
      }
      const NodeId above = graph.add_switch(group_names[level]);
      for (std::size_t other = 0; other < n; ++other) {
        if (group[other] == gpu && before[other] == other) graph.add_link(top[other], above, 1);
      }
      top[gpu] = above;
    }
  }
}

Result<Graph> read_matrix(const MachineFile& file, const MachineOptions& options) {
  Matrix matrix(file);
  if (auto fault = matrix.read()) return std::move(*fault);
  MachineGraph graph(static_cast<std::uint32_t>(matrix.gpus()));
  add_nvlinks(matrix, graph);
  if (options.host == Host::yes || (options.host == Host::if_needed && !graph.connects_processors()))
    add_host(matrix, graph);
  return graph.finish(file);
}

}  // namespace

TopologyFamily nvidia_smi() {
  return machine_family("smi", "the GPUs of a machine, from what `nvidia-smi topo -m` prints", "smi:topo.txt", true,
                        read_matrix);
}

}  // namespace quadrille::machines
