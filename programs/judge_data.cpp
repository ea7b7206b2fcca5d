// Follows the contents of chunks through the operations, in an order that happens-before allows. Without races every
// order gives the same: two unordered operations touch no chunk in common, or only read it.
//
// A fused reduction adds its sources to the target one after another, target first. Two executors may also add the
// target last (Rules::target_last). Then sums are followed both ways, and are equal only if they are equal both
// times.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "programs/judge.h"
#include "programs/sums.h"

namespace quadrille::programs {
namespace {

constexpr std::uint64_t bytes_of_a_part = 16;

struct Cell {
  SumNumber value = Sums::undefined;
  std::uint32_t writer = none;  // action
};

// One walk through all operations.
class DataWalk {
 public:
  DataWalk(const Program& program, const ProgramNetwork& network, const HappensBefore& order, bool target_last,
           Sums& sums, Work& work)
      : program_(program),
        cells_(program),
        network_(network),
        order_(order),
        target_last_(target_last),
        sums_(sums),
        work_(work) {
    for (std::size_t r = 0; r < program.ranks.size(); ++r) {
      memory_.emplace_back(cells_.count(r));
      start(r);
    }
    std::size_t chunks = 0;
    for (const QueuedOperation& action : network.actions) {
      firsts_.push_back(chunks);
      chunks += action.operation->count;
    }
    carried_.assign(chunks, Sums::undefined);
    local_.assign(chunks, Sums::undefined);
  }

  void all() {
    std::vector<std::uint32_t> actions(order_.events());
    for (std::uint32_t a = 0; a < network_.actions.size(); ++a) {
      const std::uint32_t last = a + 1 < network_.actions.size() ? order_.begin(a + 1) : order_.events();
      for (std::uint32_t e = order_.begin(a); e < last; ++e) actions[e] = a;
    }
    for (const std::uint32_t event : order_.order()) {
      const std::uint32_t action = actions[event];
      work_.spend(32 + 32 * network_.actions[action].operation->sources.size());
      const std::uint32_t offset = event - order_.begin(action);
      if (offset < 2) continue;
      const std::uint32_t count = network_.actions[action].operation->count;
      if (offset - 2 < count) {
        act(action, offset - 2);
      } else {
        read(action, offset - 2 - count);
      }
    }
  }

  const Cell& cell(std::size_t rank, Space space, std::int64_t offset) const {
    return memory_[rank][*cells_.cell(rank, space, offset)];
  }
  // The actions that read a chunk before anyone had written it.
  const std::vector<std::uint32_t>& blind() const { return blind_; }

 private:
  bool has_input(std::size_t rank) const {
    return program_.family != ProgramFamily::broadcast || rank == program_.root;
  }

  void start(std::size_t rank) {
    if (!has_input(rank)) return;
    const std::uint32_t size = program_.ranks[rank].input;
    for (std::uint32_t c = 0; c < size; ++c) {
      memory_[rank][*cells_.cell(rank, Space::input, c)].value =
          sums_.leaf(static_cast<std::uint32_t>(rank) * size + c);
    }
  }

  SumNumber look(std::uint32_t action, Space space, std::int64_t offset) {
    const SumNumber value = cell(network_.actions[action].rank, space, offset).value;
    if (value == Sums::undefined && (blind_.empty() || blind_.back() != action)) blind_.push_back(action);
    return value;
  }

  void read(std::uint32_t action, std::uint32_t j) {
    const ProgramOperation& operation = *network_.actions[action].operation;
    local_[firsts_[action] + j] = look(action, operation.source, operation.sources.front() + j);
  }

  void act(std::uint32_t action, std::uint32_t j) {
    const QueuedOperation& it = network_.actions[action];
    const ProgramOperation& operation = *it.operation;
    const std::size_t here = firsts_[action] + j;
    const bool read_before = order_.read_at(action, j) != order_.at_chunk(action, j);
    if (reads_source(operation.kind) && operation.kind != Kind::reduce && !read_before) read(action, j);
    SumNumber value = local_[here];
    if (operation.kind == Kind::reduce) {
      value = reduced(action, j);
    } else if (receives(operation.kind)) {
      const SumNumber arrived = carried_[firsts_[it.sender] + j];
      value = reads_source(operation.kind) ? sums_.add(arrived, value) : arrived;
    }
    carried_[here] = value;
    if (!writes_target(operation.kind)) return;
    const auto cell = cells_.cell(it.rank, operation.target, operation.target_offset + j);
    memory_[it.rank][*cell] = {value, action};
  }

  SumNumber reduced(std::uint32_t action, std::uint32_t j) {
    const ProgramOperation& operation = *network_.actions[action].operation;
    const SumNumber target = look(action, operation.target, operation.target_offset + j);
    std::optional<SumNumber> sum;
    if (!target_last_) sum = target;
    for (const std::int64_t source : operation.sources) {
      const SumNumber next = look(action, operation.source, source + j);
      sum = sum ? sums_.add(*sum, next) : next;
    }
    return target_last_ ? sums_.add(*sum, target) : *sum;
  }

  const Program& program_;
  Cells cells_;
  const ProgramNetwork& network_;
  const HappensBefore& order_;
  bool target_last_;
  Sums& sums_;
  Work& work_;
  std::vector<std::vector<Cell>> memory_ = {};  // by rank and cell
  std::vector<std::size_t> firsts_ = {};        // chunk, by action
  std::vector<SumNumber> carried_ = {};         // what each chunk of an action sends
  std::vector<SumNumber> local_ = {};           // what it read of its source
  std::vector<std::uint32_t> blind_ = {};
};

class DataJudge {
 public:
  DataJudge(const Program& program, const ProgramNetwork& network, const ProgramJudgeOptions& options, Sums& sums,
            ProgramReport& report, Work& work)
      : program_(program), network_(network), options_(options), sums_(sums), report_(report), work_(work) {}

  void data(const DataWalk& walk) {
    std::vector<std::uint32_t> blind = walk.blind();
    std::sort(blind.begin(), blind.end());
    blind.erase(std::unique(blind.begin(), blind.end()), blind.end());
    for (const std::uint32_t action : blind) tell(action, "it reads a chunk that no one has written");
    for (std::uint32_t r = 0; r < program_.ranks.size(); ++r) {
      if (!program_.in_place && (program_.family != ProgramFamily::broadcast || r == program_.root)) input(walk, r);
      if (program_.family == ProgramFamily::reduce && r != program_.root) continue;
      for (std::uint32_t c = 0; c < program_.ranks[r].output; ++c) {
        if (!output(walk, r, c)) return;
      }
    }
  }

  // Requires that chunks which several ranks end with are the same sums.
  void agreement(const DataWalk& walk) {
    if (program_.family != ProgramFamily::allreduce) return;
    for (std::uint32_t c = 0; c < program_.chunks; ++c) {
      const Cell& first = walk.cell(0, Space::output, c);
      work_.spend(8 * program_.ranks.size());
      for (std::uint32_t r = 1; r < program_.ranks.size(); ++r) {
        const Cell& other = walk.cell(r, Space::output, c);
        if (other.value == first.value) continue;
        Finding finding{ProgramProperty::agreement,
                        fmt::format("output chunk {} is added up in another order on rank {} than on rank 0", c, r)};
        finding.at = place(r, other.writer);
        finding.other = place(0, first.writer);
        report_.add(std::move(finding), options_.listed);
        break;
      }
    }
  }

 private:
  Location place(std::uint32_t rank, std::uint32_t action) const {
    if (action != none) return place_of(network_, action);
    return {rank, 0, -1, {}, 0};
  }
  void tell(std::uint32_t action, std::string message) {
    report_.add({ProgramProperty::data, std::move(message), place_of(network_, action)}, options_.listed);
  }

  void input(const DataWalk& walk, std::uint32_t rank) {
    const std::uint32_t size = program_.ranks[rank].input;
    for (std::uint32_t c = 0; c < size; ++c) {
      const Cell& cell = walk.cell(rank, Space::input, c);
      if (cell.writer == none || cell.value == sums_.leaf(rank * size + c)) continue;
      tell(cell.writer, fmt::format("it changes input chunk {}, and the call is not in place", c));
    }
  }

  // The contributions that are due, by number.
  Sums::Parts due(std::uint32_t rank, std::uint32_t chunk) const {
    const auto ranks = static_cast<std::uint32_t>(program_.ranks.size());
    const std::uint32_t size = program_.ranks[0].input;
    const std::uint32_t part = program_.chunks / ranks;
    Sums::Parts result;
    switch (program_.family) {
      case ProgramFamily::allreduce:
      case ProgramFamily::reduce:
        for (std::uint32_t r = 0; r < ranks; ++r) result.push_back({r * size + chunk, 1});
        break;
      case ProgramFamily::reducescatter:
        for (std::uint32_t r = 0; r < ranks; ++r) result.push_back({r * size + rank * part + chunk, 1});
        break;
      case ProgramFamily::allgather:
        result.push_back({chunk, 1});  // part by part, as the ranks have them
        break;
      case ProgramFamily::alltoall:
        result.push_back({chunk / part * size + rank * part + chunk % part, 1});
        break;
      case ProgramFamily::broadcast:
      case ProgramFamily::other:
        result.push_back({program_.root * size + chunk, 1});
        break;
    }
    return result;
  }

  bool output(const DataWalk& walk, std::uint32_t rank, std::uint32_t chunk) {
    const Cell& cell = walk.cell(rank, Space::output, chunk);
    work_.spend(64 * (1 + program_.ranks.size()));
    const Sums::Parts* parts = sums_.parts(cell.value, options_.limits.memory / bytes_of_a_part / 4);
    if (parts == nullptr) {
      report_.set_unknown(ProgramProperty::data, Reason::limit, "the sums have too many parts");
      return false;
    }
    const Sums::Parts wanted = due(rank, chunk);
    if (*parts == wanted) return true;
    Finding finding{ProgramProperty::data,
                    fmt::format("output chunk {} of rank {} {}", chunk, rank, wrong(*parts, wanted))};
    finding.at = place(rank, cell.writer);
    report_.add(std::move(finding), options_.listed);
    return true;
  }

  std::string named(std::uint32_t number) const {
    const std::uint32_t size = program_.ranks[0].input;
    return fmt::format("input chunk {} of rank {}", number % size, number / size);
  }

  std::string wrong(const Sums::Parts& parts, const Sums::Parts& wanted) const {
    if (parts.size() == 1 && parts[0].number == Sums::no_number) return "is never written";
    for (const Sums::Part& part : parts) {
      if (part.number == Sums::no_number) return "is made of a chunk that no one has written";
      const bool due =
          std::any_of(wanted.begin(), wanted.end(), [&](const Sums::Part& each) { return each.number == part.number; });
      if (due && part.times > 1) return fmt::format("contains {} {} times", named(part.number), part.times);
      if (!due && wanted.size() == 1 && parts.size() == 1) {
        return fmt::format("is {}, and should be {}", named(part.number), named(wanted[0].number));
      }
      if (!due) return fmt::format("contains {}, which is not due", named(part.number));
    }
    for (const Sums::Part& each : wanted) {
      if (std::find(parts.begin(), parts.end(), each) == parts.end()) {
        return fmt::format("lacks {}", named(each.number));
      }
    }
    return "is wrong";
  }

  const Program& program_;
  const ProgramNetwork& network_;
  const ProgramJudgeOptions& options_;
  Sums& sums_;
  ProgramReport& report_;
  Work& work_;
};

}  // namespace

void judge_data(const Program& program, const ProgramNetwork& network, const HappensBefore& order,
                const ProgramJudgeOptions& options, ProgramReport& report, Work& work) {
  if (program.family == ProgramFamily::other) {
    for (const ProgramProperty property : {ProgramProperty::data, ProgramProperty::agreement}) {
      report.set_unknown(property, Reason::unsupported, "what the collective demands is not known");
    }
    return;
  }
  Sums sums;
  DataWalk walk(program, network, order, false, sums, work);
  walk.all();
  DataJudge judge(program, network, options, sums, report, work);
  judge.data(walk);
  if (report.of(ProgramProperty::data).verdict != ProgramVerdict::holds) {
    report.set_unknown(ProgramProperty::agreement, report.of(ProgramProperty::data).reason, "the sums are wrong");
    return;
  }
  judge.agreement(walk);
  if (!program.rules.target_last || report.of(ProgramProperty::agreement).verdict != ProgramVerdict::holds) return;
  DataWalk other(program, network, order, true, sums, work);
  other.all();
  judge.agreement(other);
}

}  // namespace quadrille::programs
