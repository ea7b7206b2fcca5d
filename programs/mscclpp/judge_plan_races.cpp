// Cell by cell, reads and writes are taken in the order of a run. Each has to come behind the write before it, and each
// write behind the reads before it: the rest follows. For example, in
//
//   write a; read b; read c; write d
//
// a → b, a → c, b → d and c → d are asked for. A path of strong edges is demanded behind a write, any path behind a
// read. The start of a launch is a write of the input and the output; what comes behind it may come by any path, since
// the kernel's begin is trusted with the rest.
//
// Work of the same threads is passed over: on one range, in the same units, with no joint between, each thread meets
// its own bytes alone. Packets that are waited for are there when they are read; a second write of packets in a launch
// races with the reader, whatever orders them, since both carry the same flag.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "model/text/counted.h"
#include "programs/mscclpp/judge_parts.h"

namespace quadrille::programs {
namespace {

constexpr std::size_t enough_plan_races = 1000;

struct PlanAccess {
  std::uint32_t cell = 0;
  std::uint32_t place = 0;  // in the run
  std::uint32_t number = 0;
  std::uint32_t begin = 0;  // of the range
  std::uint32_t cells = 0;  // of the range
  bool writes = false;
  bool packets = false;
  bool by_packets = false;
  bool waits = false;
  bool again = false;
};

struct PlanConflict {
  PlanAccess first;
  PlanAccess second;
  std::uint32_t rank;
};

// Finds the pairs to ask for in the memory of one rank after another.
class PlanRaces {
 public:
  // `halves`: launches take the halves of the scratch in turn; else all take the first one.
  PlanRaces(const PlanCase& it, bool halves) : it_(it), runs_(it.runs), halves_(halves), place_(it.runs.events()) {
    for (std::uint32_t i = 0; i < runs_.run().size(); ++i) place_[runs_.run()[i]] = i;
    by_rank_.resize(runs_.ranks());
    const auto& effects = runs_.launch().effects;
    for (std::uint32_t e = 0; e < effects.size(); ++e) {
      for (std::uint32_t i = 0; i < effects[e].sources.size(); ++i)
        by_rank_[effects[e].sources[i].rank].push_back({e, i, false});
      for (std::uint32_t i = 0; i < effects[e].targets.size(); ++i)
        by_rank_[effects[e].targets[i].rank].push_back({e, i, true});
    }
  }

  // Of the scratch of one rank alone, as a memory that is the plan's from the launch's start to its end: before and
  // after, other plans may use it, or other sizes. Forgets what was found before.
  void find_shared(std::uint32_t rank) {
    rank_ = rank;
    asked_.clear();
    behind_writes_.clear();
    behind_reads_.clear();
    collect(true);
    for (const PlanAccess& it : accesses_) {
      const std::uint32_t launch = runs_.launch_of(it.number);
      ask(start(launch), it);
      ask(it, start(launch + 1));
    }
  }

  // `scratch`: of the scratch alone.
  void find(bool scratch) {
    for (rank_ = 0; rank_ < runs_.ranks(); ++rank_) {
      collect(scratch);
      for (std::size_t begin = 0; begin < accesses_.size();) {
        std::size_t end = begin;
        while (end < accesses_.size() && accesses_[end].cell == accesses_[begin].cell) ++end;
        compare(begin, end);
        begin = end;
      }
    }
  }

  const std::vector<PlanConflict>& certain() const { return certain_; }
  // Those whose first one writes, and those whose first one reads or is a start.
  const std::vector<PlanConflict>& behind_writes() const { return behind_writes_; }
  const std::vector<PlanConflict>& behind_reads() const { return behind_reads_; }

 private:
  struct RangeUse {
    std::uint32_t effect;
    std::uint32_t range;
    bool target;
  };

  PlanAccess start(std::uint32_t launch) const {
    const std::uint32_t number = runs_.number(launch, rank_);
    return {.place = place_[number], .number = number, .cells = it_.memory.scratch(rank_), .writes = true};
  }

  void collect(bool scratch) {
    accesses_.clear();
    const auto& effects = runs_.launch().effects;
    const std::uint32_t scratch_begin = it_.memory.scratch(rank_);
    for (std::uint32_t l = 0; l <= runs_.launches() && !scratch; ++l) {
      PlanAccess begin = start(l);
      for (; begin.cell < scratch_begin; ++begin.cell) accesses_.push_back(begin);
    }
    for (const RangeUse& use : by_rank_[rank_]) {
      const PlanEffect& effect = effects[use.effect];
      const PlanRange& range = (use.target ? effect.targets : effect.sources)[use.range];
      if (scratch && range.cell < scratch_begin) continue;
      const std::uint32_t cells = effect.cells * (range.packets ? it_.memory.packet_cells() : 1);
      for (std::uint32_t l = 0; l < runs_.launches(); ++l) {
        const bool second_half = halves_ && l % 2 == 1 && range.cell >= scratch_begin && !range.fixed;
        const std::uint32_t begin = range.cell + (second_half ? it_.memory.half(rank_) : 0);
        const std::uint32_t number = runs_.number(l, effect.event);
        it_.work.spend(8 * std::uint64_t{cells});
        for (std::uint32_t c = begin; c < begin + cells; ++c)
          accesses_.push_back({c, place_[number], number, begin, cells, use.target, range.packets, effect.by_packets,
                               effect.waits && !use.target, range.again});
      }
    }
    it_.work.spend(16 * accesses_.size());
    if (accesses_.capacity() > taken_) it_.work.take(accesses_.capacity() - taken_, sizeof(PlanAccess));
    taken_ = std::max(taken_, accesses_.capacity());
    std::sort(accesses_.begin(), accesses_.end(), [](const PlanAccess& a, const PlanAccess& b) {
      return std::tie(a.cell, a.place, a.writes, a.begin) < std::tie(b.cell, b.place, b.writes, b.begin);
    });
  }

  void compare(std::size_t begin, std::size_t end) {
    const PlanAccess* written = nullptr;
    const PlanAccess* packets = nullptr;  // written in the launch
    const PlanAccess* plain = nullptr;
    std::vector<const PlanAccess*> readers;
    bool seen = false;  // what was written, by a reader
    for (std::size_t i = begin; i < end; ++i) {
      const PlanAccess& it = accesses_[i];
      if (!it.writes) {
        const bool flagged = it.packets && it.waits && written != nullptr && written->packets &&
                             runs_.launch_of(it.number) == runs_.launch_of(written->number);
        if (const PlanAccess* before = waited_for(it, readers); before != nullptr) {
          ask(*before, it);
        } else if (written != nullptr && !flagged && !same_threads(*written, it)) {
          seen = true;
          ask(*written, it);
        }
        seen = seen || flagged;
        readers.push_back(&it);
        continue;
      }
      if (it.packets && !it.again && packets != nullptr && !same_threads(*packets, it) &&
          runs_.launch_of(it.number) == runs_.launch_of(packets->number))
        certain_.push_back({*packets, it, rank_});
      (it.packets ? packets : plain) = &it;
      if (packets != nullptr && plain != nullptr && !told_mixed_) {
        told_mixed_ = true;
        certain_.push_back({*plain, *packets, rank_});
      }
      for (const PlanAccess* reader : readers) {
        if (!same_threads(*reader, it)) ask(*reader, it);
      }
      if (written != nullptr && !seen && !same_threads(*written, it)) ask(*written, it);
      written = &it;
      readers.clear();
      seen = false;
    }
  }

  // A port that forwards packets reads them as they lie: they are there if its block has waited for them.
  const PlanAccess* waited_for(const PlanAccess& it, const std::vector<const PlanAccess*>& readers) const {
    if (!it.packets || it.waits) return nullptr;
    const auto waited = [&](const PlanAccess* before) {
      const Location& at = runs_.event(before->number).at;
      return before->waits && runs_.launch_of(before->number) == runs_.launch_of(it.number) &&
             at.rank == runs_.event(it.number).at.rank && at.block == runs_.event(it.number).at.block;
    };
    const auto found = std::ranges::find_if(readers, waited);
    return found == readers.end() ? nullptr : *found;
  }

  // Sizes that are no multiple of 16 bytes end otherwise in each kind of operation.
  bool same_threads(const PlanAccess& a, const PlanAccess& b) const {
    if (it_.plan.alignment % 16 != 0) return false;
    const PlanEvent& first = runs_.event(a.number);
    const PlanEvent& second = runs_.event(b.number);
    return first.kind == PlanEvent::Kind::work && second.kind == PlanEvent::Kind::work &&
           runs_.launch_of(a.number) == runs_.launch_of(b.number) && first.at.rank == second.at.rank &&
           first.at.block == second.at.block && first.segment == second.segment && a.begin == b.begin &&
           a.cells == b.cells && a.packets == b.packets && a.by_packets == b.by_packets &&
           !(a.number == b.number && a.writes && b.writes);
  }

  // Of each pair of events one cell is enough.
  void ask(const PlanAccess& first, const PlanAccess& second) {
    it_.work.spend(16);
    // From the third launch on, events are ordered as in the first ones, and by more.
    if (runs_.launch_of(first.number) > 1 && runs_.launch_of(second.number) > 1) return;
    const bool by_any = !first.writes || runs_.is_start(first.number);
    if (!asked_.insert((std::uint64_t{first.number} << 32 | second.number) ^ (by_any ? std::uint64_t{1} << 63 : 0))
             .second)
      return;
    if (first.number == second.number) return certain_.push_back({first, second, rank_});
    it_.work.take(1, 3 * sizeof(PlanConflict));
    (by_any ? behind_reads_ : behind_writes_).push_back({first, second, rank_});
  }

  const PlanCase& it_;
  const Relaunched& runs_;
  bool halves_;
  std::vector<std::uint32_t> place_;
  std::vector<std::vector<RangeUse>> by_rank_ = {};
  std::uint32_t rank_ = 0;
  std::vector<PlanAccess> accesses_ = {};
  std::size_t taken_ = 0;  // accesses
  std::set<std::uint64_t> asked_ = {};
  bool told_mixed_ = false;
  std::vector<PlanConflict> certain_ = {};
  std::vector<PlanConflict> behind_writes_ = {};
  std::vector<PlanConflict> behind_reads_ = {};
};

std::vector<EventEdge> pairs_of(const std::vector<PlanConflict>& conflicts) {
  std::vector<EventEdge> pairs;
  for (const PlanConflict& it : conflicts) pairs.emplace_back(it.first.number, it.second.number);
  return pairs;
}

class PlanRaceJudge {
 public:
  explicit PlanRaceJudge(const PlanCase& it) : it_(it), runs_(it.runs) {}

  void all() {
    PlanRaces races(it_, it_.plan.double_scratch);
    races.find(false);
    found_ = races.certain();
    ask(runs_.strong(), races.behind_writes());
    ask(runs_.any(), races.behind_reads());
    std::stable_sort(found_.begin(), found_.end(), [&](const PlanConflict& a, const PlanConflict& b) {
      return std::pair(launch_of(a), a.rank) < std::pair(launch_of(b), b.rank);
    });
    for (const PlanConflict& conflict : found_) tell(conflict);
    if (found_.empty()) note_relaxed(races.behind_reads());
  }

  // A race of two launches that use the same half, since another plan came between.
  std::optional<PlanConflict> race_of_halves() {
    PlanRaces races(it_, false);
    if (!it_.plan.reuses) {
      races.find(true);
      return first_of(races);
    }
    std::optional<PlanConflict> found;
    for (std::uint32_t rank = 0; rank < runs_.ranks() && !found; ++rank) {
      races.find_shared(rank);
      found = first_of(races);
    }
    return found;
  }

 private:
  std::optional<PlanConflict> first_of(const PlanRaces& races) {
    for (const auto& [order, conflicts] :
         {std::pair(&runs_.strong(), &races.behind_writes()), std::pair(&runs_.any(), &races.behind_reads())}) {
      const auto found = order->unordered(pairs_of(*conflicts), 1, it_.work);
      if (!found.pairs.empty()) return (*conflicts)[found.pairs.front()];
    }
    return std::nullopt;
  }

  void ask(const OrderedEvents& order, const std::vector<PlanConflict>& conflicts) {
    const auto races =
        order.unordered(pairs_of(conflicts), enough_plan_races - std::min(found_.size(), enough_plan_races), it_.work);
    for (const std::size_t i : races.pairs) found_.push_back(conflicts[i]);
    if (races.partial) it_.report.of(ProgramProperty::race).partial = true;
  }

  void tell(const PlanConflict& conflict) {
    const auto key = [&](std::uint32_t number) {
      const Location& at = runs_.event(number).at;
      return EventPlace(at.rank, at.block, at.step, at.index, runs_.is_start(number));
    };
    const ProgramProperty property = of_launch(launch_of(conflict), ProgramProperty::race);
    if (!told_.emplace(key(conflict.first.number), key(conflict.second.number)).second) return;
    Finding finding{.property = property, .message = words(conflict)};
    if (!runs_.is_start(conflict.first.number)) finding.at = runs_.event(conflict.first.number).at;
    if (!runs_.is_start(conflict.second.number))
      (finding.at ? finding.other : finding.at) = runs_.event(conflict.second.number).at;
    finding.reads_first = !conflict.first.writes;
    it_.report.add(std::move(finding), it_.options.listed);
  }

  // The launch that both are of, its end included; the second one's, if they are of two.
  std::uint32_t launch_of(const PlanConflict& conflict) const {
    const std::uint32_t first = runs_.launch_of(conflict.first.number);
    const std::uint32_t second = runs_.launch_of(conflict.second.number);
    return runs_.is_start(conflict.second.number) && second == first + 1 ? first : second;
  }

  std::string words(const PlanConflict& conflict) const {
    const std::string what =
        fmt::format("{} of gpu {}", it_.memory.name(conflict.rank, conflict.first.cell), conflict.rank);
    const auto does = [](const PlanAccess& access) { return access.writes ? "writes" : "reads"; };
    if (runs_.is_start(conflict.first.number))
      return fmt::format("{} {}, which may not have begun this launch", does(conflict.second), what);
    if (runs_.is_start(conflict.second.number))
      return fmt::format("{} {}, which may have ended its launch before", does(conflict.first), what);
    if (conflict.first.number == conflict.second.number)
      return fmt::format("{} {}, and {} it in one: its threads do not wait for one another", does(conflict.first), what,
                         does(conflict.second));
    if (conflict.first.writes && conflict.second.writes && conflict.first.packets != conflict.second.packets)
      return fmt::format("writes plain data into {}, where packets are written: data may look like their flag", what);
    const std::uint32_t apart = runs_.launch_of(conflict.second.number) - runs_.launch_of(conflict.first.number);
    return fmt::format("{} {}, and the other {} it{}: nothing orders them", does(conflict.first), what,
                       does(conflict.second),
                       apart == 0   ? std::string()
                       : apart == 1 ? ", in the next launch"
                                    : fmt::format(", {} launches later", apart));
  }

  // A read before a write, ordered by relaxed signals or packets alone: which order execution, and no memory.
  void note_relaxed(const std::vector<PlanConflict>& conflicts) {
    const auto weak = runs_.strong().unordered(pairs_of(conflicts), conflicts.size() + 1, it_.work);
    std::uint64_t starts = 0;
    std::uint64_t others = 0;
    const PlanConflict* start = nullptr;
    const PlanConflict* other = nullptr;
    for (const std::size_t i : weak.pairs) {
      const bool is_start = runs_.is_start(conflicts[i].first.number);
      ++(is_start ? starts : others);
      if (const PlanConflict*& one = is_start ? start : other; one == nullptr) one = &conflicts[i];
    }
    if (start != nullptr)
      note("entry",
           fmt::format(
               "relaxed signals or packets alone say that others have begun before their input is read or their output "
               "written ({}): the begin of a kernel is trusted with the rest",
               counted(starts, "time")),
           start->second.number);
    if (other != nullptr)
      note("memory_order",
           fmt::format("relaxed signals or packets alone keep a write behind a read ({})", counted(others, "time")),
           other->first.number);
  }

  void note(const char* kind, std::string message, std::uint32_t number) {
    for (const Note& each : it_.report.notes) {
      if (each.kind == kind) return;
    }
    it_.report.notes.push_back({kind, std::move(message), runs_.event(number).at});
  }

  const PlanCase& it_;
  const Relaunched& runs_;
  using EventPlace = std::tuple<std::uint32_t, std::uint32_t, std::int64_t, std::uint32_t, bool>;
  std::vector<PlanConflict> found_ = {};
  std::set<std::pair<EventPlace, EventPlace>> told_ = {};
};

}  // namespace

void judge_plan_races(const PlanCase& it) {
  PlanRaceJudge judge(it);
  judge.all();
  const auto raced = [&](ProgramProperty property) {
    return it.report.of(property).verdict == ProgramVerdict::violated;
  };
  if (it.options.alone || (!it.plan.double_scratch && !it.plan.reuses) || raced(ProgramProperty::race) ||
      raced(ProgramProperty::relaunch))
    return;
  const auto writes_packets = [](const PlanEffect& effect) {
    return std::ranges::any_of(effect.targets, &PlanRange::packets);
  };
  if (it.plan.reuses && std::ranges::any_of(it.runs.launch().effects, writes_packets)) {
    return it.report.set_unknown(ProgramProperty::relaunch, Reason::unsupported,
                                 "packets lie in a scratch that other plans share: plain data of theirs may look like "
                                 "a flag, and what they still use be overwritten");
  }
  const std::optional<PlanConflict> race = judge.race_of_halves();
  if (!race) return;
  const std::string what = fmt::format(
      "{} of gpu {}", it.memory.name(race->rank, std::max(race->first.cell, race->second.cell)), race->rank);
  it.report.set_unknown(
      ProgramProperty::relaunch, Reason::unsupported,
      it.plan.reuses
          ? fmt::format("plans that share the scratch may come between, or other sizes: {} may be overwritten "
                        "while it is in use, unless they make ranks wait for one another",
                        what)
          : fmt::format("with another plan between, two launches use the same half of the scratch: {} may be "
                        "overwritten while it is in use, unless that plan makes ranks wait for one another",
                        what));
}

}  // namespace quadrille::programs
