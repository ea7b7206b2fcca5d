// Finds races, chunk by chunk. The accesses to a chunk are put into one order that happens-before allows, and each is
// compared with those just before it: a read with the last write; a write with the reads since the last write, or
// with that write. If each of these pairs is ordered, so are all accesses to the chunk, by transitivity. A pair that
// is not ordered is a race.
//   write a, read b, read c, write d:  a-b, a-c, b-d, c-d
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "programs/judge.h"

namespace quadrille::programs {
namespace {

constexpr std::uint64_t enough_races = 1000;  // more are not looked for

struct Access {
  std::uint32_t cell;
  std::uint32_t turn;  // in the order
  std::uint32_t event;
  std::uint32_t action;
  bool writes;
};

struct Pair {
  Access first;
  Access second;
};

class RaceJudge {
 public:
  RaceJudge(const Program& program, const ProgramNetwork& network, const HappensBefore& order,
            const ProgramJudgeOptions& options, ProgramReport& report, Work& work)
      : program_(program),
        cells_(program),
        network_(network),
        order_(order),
        options_(options),
        report_(report),
        work_(work),
        turns_(order.events()) {
    for (std::uint32_t i = 0; i < order.order().size(); ++i) turns_[order.order()[i]] = i;
  }

  void all() {
    for (std::uint32_t lane = 0; lane < network_.blocks.size();) {
      const std::uint32_t rank = network_.blocks[lane].rank;
      accesses_.clear();
      for (; lane < network_.blocks.size() && network_.blocks[lane].rank == rank; ++lane)
        collect(network_.blocks[lane]);
      compare();
      if (report_.of(ProgramProperty::race).partial) return;
    }
  }

 private:
  void collect(const Lane& lane) {
    for (std::uint32_t a = lane.first; a < lane.last; ++a) {
      const ProgramOperation& operation = *network_.actions[a].operation;
      for (std::uint32_t j = 0; j < operation.count; ++j) {
        work_.spend(64);  // with the sorting
        collect(a, operation, j);
      }
    }
  }

  void collect(std::uint32_t action, const ProgramOperation& operation, std::uint32_t j) {
    const std::uint32_t moment = order_.at_chunk(action, j);
    if (reads_source(operation.kind)) {
      for (const std::int64_t source : operation.sources) {
        add(action, operation.source, source + j, order_.read_at(action, j), false);
      }
    }
    if (writes_target(operation.kind)) add(action, operation.target, operation.target_offset + j, moment, true);
  }

  void add(std::uint32_t action, Space space, std::int64_t offset, std::uint32_t event, bool writes) {
    const auto cell = cells_.cell(network_.actions[action].rank, space, offset);
    if (cell) accesses_.push_back({*cell, turns_[event], event, action, writes});
  }

  void compare() {
    std::sort(accesses_.begin(), accesses_.end(), [](const Access& a, const Access& b) {
      return std::tie(a.cell, a.turn, a.writes) < std::tie(b.cell, b.turn, b.writes);
    });
    pairs_.clear();
    for (std::size_t begin = 0; begin < accesses_.size();) {
      std::size_t end = begin;
      while (end < accesses_.size() && accesses_[end].cell == accesses_[begin].cell) ++end;
      compare(begin, end);
      begin = end;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> events;
    for (const Pair& pair : pairs_) events.emplace_back(pair.first.event, pair.second.event);
    const std::uint64_t found = report_.of(ProgramProperty::race).findings;
    const auto races = order_.graph().unordered(events, enough_races - std::min(found, enough_races), work_);
    for (const std::size_t i : races.pairs) tell(pairs_[i]);
    if (races.partial) report_.of(ProgramProperty::race).partial = true;
  }

  void compare(std::size_t begin, std::size_t end) {
    const Access* written = nullptr;
    std::vector<const Access*> reads;
    for (std::size_t i = begin; i < end; ++i) {
      const Access& it = accesses_[i];
      if (!it.writes) {
        if (written != nullptr) want(*written, it);
        reads.push_back(&it);
        continue;
      }
      if (reads.empty() && written != nullptr) want(*written, it);
      for (const Access* read : reads) want(*read, it);
      written = &it;
      reads.clear();
    }
  }

  // Adds a pair of accesses. Leaves out pairs that are surely ordered: an operation's own, and those of earlier
  // operations of the block.
  void want(const Access& first, const Access& second) {
    if (first.event == second.event) return;
    const QueuedOperation& a = network_.actions[first.action];
    const QueuedOperation& b = network_.actions[second.action];
    const bool leaky = program_.rules.leaky_sends && a.operation->kind == Kind::send;
    if (a.block == b.block && a.index < b.index && !leaky) return;
    pairs_.push_back({first, second});
  }

  std::string_view verb(const Access& access) const {
    return access.writes ? std::string_view("writes") : std::string_view("reads");
  }

  std::string chunk(const Access& access) const {
    const QueuedOperation& action = network_.actions[access.action];
    const Rank& rank = program_.ranks[action.rank];
    for (const auto& [space, size, name] :
         {std::tuple(Space::output, rank.output, "output"), std::tuple(Space::input, rank.input, "input"),
          std::tuple(Space::scratch, rank.scratch, "scratch")}) {
      for (std::uint32_t i = 0; i < size; ++i) {
        if (cells_.cell(action.rank, space, i) == access.cell) return fmt::format("{} chunk {}", name, i);
      }
    }
    return "a chunk";
  }

  // Whether the access is by a send that ends before all of its data are read.
  bool still_read(const Access& access) const {
    return program_.rules.leaky_sends && network_.actions[access.action].operation->kind == Kind::send;
  }
  bool begun_before(std::uint32_t action, std::uint32_t event) const {
    const std::vector<std::uint32_t> before = order_.before(event);
    return std::find(before.begin(), before.end(), action) != before.end();
  }

  std::string message(const Pair& pair) const {
    if (pair.first.action == pair.second.action) {
      return fmt::format("{} is read and written by one step, where several chunks travel together", chunk(pair.first));
    }
    if (network_.actions[pair.first.action].block == network_.actions[pair.second.action].block) {
      return fmt::format("{}: an LL send ends while other threads still read it, and a later step {} it",
                         chunk(pair.first), verb(pair.second));
    }
    const bool flagged = (still_read(pair.first) && begun_before(pair.first.action, pair.second.event)) ||
                         (still_read(pair.second) && begun_before(pair.second.action, pair.first.event));
    return fmt::format("{}: one {} it and the other {} it, and {}", chunk(pair.first), verb(pair.first),
                       verb(pair.second),
                       flagged ? "the LL send ends while its threads still read" : "nothing says which comes first");
  }

  void tell(const Pair& pair) {
    Finding finding{ProgramProperty::race, {}};
    finding.at = place_of(network_, pair.first.action);
    finding.other = place_of(network_, pair.second.action);
    finding.reads_first = !pair.first.writes;
    if (report_.of(ProgramProperty::race).findings < options_.listed) {
      finding.message = message(pair);
      const bool apart = network_.actions[pair.first.action].block != network_.actions[pair.second.action].block;
      if (apart) finding.runs = runs(pair);
    }
    report_.add(std::move(finding), options_.listed);
  }

  // Runs in both orders. There is one run if only one order of operations is possible, and the race is in the last
  // moments of the first: an LL send whose threads still read when its flag is set, or chunks that are sent after one
  // that is answered.
  std::vector<std::vector<Location>> runs(const Pair& pair) const {
    const std::vector<std::uint32_t> run = actions(pair, false);
    const std::vector<std::uint32_t> turned = actions(pair, true);
    std::vector<std::vector<Location>> result = {places(run)};
    if (turned != run) result.push_back(places(turned));
    return result;
  }
  std::vector<Location> places(const std::vector<std::uint32_t>& actions) const {
    std::vector<Location> result;
    for (const std::uint32_t action : actions) result.push_back(place_of(network_, action));
    return result;
  }

  // The operations before the two, and then those, in one order or in the other. Neither happens before the other, so
  // neither is needed for the other to begin.
  std::vector<std::uint32_t> actions(const Pair& pair, bool turned) const {
    const std::uint32_t first = turned ? pair.second.action : pair.first.action;
    const std::uint32_t second = turned ? pair.first.action : pair.second.action;
    std::vector<std::uint32_t> result;
    std::vector<bool> done(network_.actions.size(), false);
    for (const std::uint32_t goal : {first, second}) {
      const std::uint32_t event = goal == pair.first.action ? pair.first.event : pair.second.event;
      for (const std::uint32_t action : order_.before(event)) {
        if (done[action] || action == goal) continue;
        done[action] = true;
        result.push_back(action);
      }
      if (done[goal]) continue;  // a send that has set its flag, and is still being read for
      done[goal] = true;
      result.push_back(goal);
    }
    return result;
  }

  const Program& program_;
  Cells cells_;
  const ProgramNetwork& network_;
  const HappensBefore& order_;
  const ProgramJudgeOptions& options_;
  ProgramReport& report_;
  Work& work_;
  std::vector<std::uint32_t> turns_;  // by event
  std::vector<Access> accesses_ = {};
  std::vector<Pair> pairs_ = {};
};

}  // namespace

void judge_races(const Program& program, const ProgramNetwork& network, const HappensBefore& order,
                 const ProgramJudgeOptions& options, ProgramReport& report, Work& work) {
  RaceJudge(program, network, order, options, report, work).all();
}

}  // namespace quadrille::programs
