// Decides whether a schedule in GOAL terminates.
//
// An operation begins when all operations that it requires have ended, and all that it irequires have begun. A
// calculation then ends. A send ends at once if it has at most S bytes (eager), else when its reception has begun
// (rendezvous). A reception ends when its send has begun. So an operation that can go on stays able to, and one run
// to the end decides for every timing, if all matches are known. If they are not, two runs enclose the possible ones.
// In the optimistic run a reception ends as soon as any send of its group has begun; in the pessimistic run, when all
// sends of the group have. An operation that hangs in the first run always hangs. One that ends in the second always
// ends, as by then all of the group have met (if any of the group may meet any other; in other groups nothing ends
// there). With a smaller S fewer operations end, so S = 0 decides for all S.
//
// For example, two ranks that send to each other, and each receive after that, terminate if S holds their messages,
// and otherwise wait for each other for ever. Cost: linear for each run; some twenty runs to find the least S.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "programs/goal/match.h"

namespace quadrille::programs {
namespace {

constexpr std::uint64_t all_eager = std::numeric_limits<std::uint64_t>::max();

struct GoalRun {
  bool whole = false;
  std::vector<bool> begun;
  std::vector<bool> ended;
};

// The dependencies of all ranks, by their earlier operation.
struct GoalFollowers {
  std::vector<std::size_t> begin;  // by operation
  std::vector<std::pair<GoalNumber, bool>> later;

  GoalFollowers(const GoalSchedule& schedule, const GoalMatch& match) : begin(match.first.back() + 1) {
    std::size_t count = 0;
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
      for (const GoalDependency& it : schedule.ranks[rank].dependencies) ++begin[match.first[rank] + it.earlier + 1];
      count += schedule.ranks[rank].dependencies.size();
    }
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    later.resize(count);
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
      for (const GoalDependency& it : schedule.ranks[rank].dependencies) {
        later[next[match.first[rank] + it.earlier]++] = {match.first[rank] + it.later, it.started};
      }
    }
  }
};

class GoalRunner {
 public:
  GoalRunner(const GoalSchedule& schedule, const GoalMatch& match, const GoalFollowers& followers, std::uint64_t eager,
             bool hopeful, Work& work)
      : match_(match), followers_(followers), eager_(eager), hopeful_(hopeful), work_(work), open_(match.first.back()) {
    work_.spend(2 * (open_.size() + followers.later.size()));
    run_.begun.resize(open_.size());
    run_.ended.resize(open_.size());
    groups_.resize(match.groups.size());
    for (const GoalRank& rank : schedule.ranks) {
      for (const GoalOperation& it : rank.operations) operations_.push_back(&it);
    }
    for (const auto& [later, started] : followers.later) ++open_[later];
  }

  GoalRun run() {
    for (GoalNumber i = 0; i < open_.size(); ++i) {
      if (open_[i] == 0) ready_.push_back(i);
    }
    while (!ready_.empty()) {
      const GoalNumber number = ready_.back();
      ready_.pop_back();
      begin(number);
    }
    run_.whole = std::find(run_.ended.begin(), run_.ended.end(), false) == run_.ended.end();
    return std::move(run_);
  }

 private:
  struct Begun {
    std::size_t sends = 0, receptions = 0;
  };
  void begin(GoalNumber number) {
    work_.spend(16 + followers_.begin[number + 1] - followers_.begin[number]);
    run_.begun[number] = true;
    release(number, true);
    const GoalOperation& it = *operations_[number];
    if (it.kind == GoalKind::calculate || (it.kind == GoalKind::send && it.size <= eager_)) end(number);
    if (it.kind == GoalKind::calculate) return;
    if (match_.group_of[number] != GoalMatch::no_group) return join(number, it.kind);
    const GoalNumber partner = match_.partner[number];
    if (partner == no_goal_operation || !run_.begun[partner]) return;
    end(number);
    end(partner);
  }

  void join(GoalNumber it, GoalKind kind) {
    const std::uint32_t number = match_.group_of[it];
    Begun& begun = groups_[number];
    ++(kind == GoalKind::send ? begun.sends : begun.receptions);
    const GoalGroup& group = match_.groups[number];
    const auto [sends, receptions] = std::pair(match_.sends(group).size(), match_.receptions(group).size());
    if (hopeful_ ? begun.sends == 0 || begun.receptions == 0
                 : begun.sends != sends || begun.receptions != receptions || sends != receptions || !group.alike) {
      return;
    }
    const bool first = (kind == GoalKind::send ? begun.sends : begun.receptions) == 1;
    if (hopeful_ && !first) return end(it);
    for (std::size_t i = group.sends; i < group.end; ++i) {
      if (run_.begun[match_.members[i]]) end(match_.members[i]);
    }
  }

  void end(GoalNumber number) {
    if (run_.ended[number]) return;
    run_.ended[number] = true;
    release(number, false);
  }

  void release(GoalNumber number, bool begun) {
    for (std::size_t i = followers_.begin[number]; i < followers_.begin[number + 1]; ++i) {
      const auto& [later, started] = followers_.later[i];
      if (started == begun && --open_[later] == 0) ready_.push_back(later);
    }
  }

  const GoalMatch& match_;
  const GoalFollowers& followers_;
  std::uint64_t eager_;
  bool hopeful_;
  Work& work_;
  std::vector<const GoalOperation*> operations_;
  std::vector<std::uint32_t> open_;  // dependencies that are not met
  std::vector<GoalNumber> ready_;
  std::vector<Begun> groups_;
  GoalRun run_;
};

// Finds what each operation that never ends waits for.
class GoalWaits {
 public:
  GoalWaits(const GoalSchedule& schedule, const GoalMatch& match, const GoalRun& run)
      : schedule_(schedule),
        match_(match),
        run_(run),
        blocked_by_(run.begun.size(), no_goal_operation),
        for_its_end_(run.begun.size()) {
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
      for (const GoalDependency& it : schedule.ranks[rank].dependencies) {
        const GoalNumber earlier = match.first[rank] + it.earlier;
        const bool met = it.started ? run.begun[earlier] : run.ended[earlier];
        GoalNumber& blocked = blocked_by_[match.first[rank] + it.later];
        if (met || blocked != no_goal_operation) continue;
        blocked = earlier;
        for_its_end_[match.first[rank] + it.later] = !it.started;
      }
    }
  }

  // A cycle of waits; or, if there is none, a chain of waits that ends where no operation helps.
  std::vector<Stuck> waits() const {
    const auto stuck = std::find(run_.ended.begin(), run_.ended.end(), false);
    std::vector<GoalNumber> way;
    std::map<GoalNumber, std::size_t> place;
    for (auto at = static_cast<GoalNumber>(stuck - run_.ended.begin()); at != no_goal_operation; at = whom(at)) {
      const auto [seen, added] = place.emplace(at, way.size());
      if (!added) {
        way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(seen->second));
        break;
      }
      way.push_back(at);
    }
    constexpr std::size_t most = 40;
    if (way.size() > most && whom(way.back()) == no_goal_operation) way.erase(way.begin(), way.end() - most);
    if (way.size() > most) way.resize(most);
    std::vector<Stuck> result;
    for (const GoalNumber number : way) result.push_back(wait(number));
    return result;
  }

 private:
  GoalNumber whom(GoalNumber number) const {
    if (!run_.begun[number]) return blocked_by_[number];
    if (match_.group_of[number] == GoalMatch::no_group) return match_.partner[number];
    const GoalGroup& group = match_.groups[match_.group_of[number]];
    const bool receives = operation(number).kind == GoalKind::receive;
    for (const GoalNumber it : receives ? match_.sends(group) : match_.receptions(group)) {
      if (!run_.begun[it]) return it;
    }
    return no_goal_operation;
  }

  Stuck wait(GoalNumber number) const {
    const GoalNumber other = whom(number);
    const bool receives = operation(number).kind == GoalKind::receive;
    Stuck result{place_of(schedule_, match_, number), "the beginning of", {}};
    if (other == no_goal_operation) {
      result.waits_for = receives ? "a message that nobody sends" : "a reception that there is none of";
      return result;
    }
    result.for_whom = place_of(schedule_, match_, other);
    if (!run_.begun[number] && for_its_end_[number]) result.waits_for = "the end of";
    return result;
  }

  const GoalOperation& operation(GoalNumber number) const {
    const auto [rank, index] = match_.place(number);
    return schedule_.ranks[rank].operations[index];
  }

  const GoalSchedule& schedule_;
  const GoalMatch& match_;
  const GoalRun& run_;
  std::vector<GoalNumber> blocked_by_;  // of those that have not begun
  std::vector<bool> for_its_end_;       // likewise; else for its beginning
};

class GoalDeadlock {
 public:
  GoalDeadlock(const GoalSchedule& schedule, const GoalMatch& match, const GoalJudgeOptions& options,
               ProgramReport& report, Work& work)
      : schedule_(schedule),
        match_(match),
        options_(options),
        report_(report),
        work_(work),
        followers_(schedule, match) {}

  void judge() {
    const std::uint64_t eager = options_.eager_bytes.value_or(default_eager_bytes);
    const GoalRun run = hopeful(eager);
    if (!run.whole) return hangs(run, eager);
    if (match_.starving) {
      return report_.add(
          {ProgramProperty::deadlock, "a reception never ends: there are more than messages for them", {}, {}},
          options_.listed);
    }
    if (match_.sizes_differ)
      return unknown(
          "a message has another size than its reception, which may tell otherwise "
          "when its send ends");
    if (!surely(eager)) return unknown("which message a reception takes depends on the timing");
    if (options_.eager_bytes || surely(0)) return;
    const std::uint64_t least = least_eager(eager);
    if (hopeful(0).whole) {
      return unknown(
          fmt::format("it ends where messages of up to {} bytes are eager; with less it depends on the "
                      "timing",
                      least));
    }
    PropertyVerdict& verdict = report_.of(ProgramProperty::deadlock);
    verdict.verdict = ProgramVerdict::conditional;
    verdict.condition.buffer = least;
  }

 private:
  GoalRun hopeful(std::uint64_t eager) const { return run(eager, true); }
  bool surely(std::uint64_t eager) const { return run(eager, false).whole; }
  GoalRun run(std::uint64_t eager, bool hopeful) const {
    return GoalRunner(schedule_, match_, followers_, eager, hopeful, work_).run();
  }

  void unknown(std::string why) { report_.set_unknown(ProgramProperty::deadlock, Reason::unsupported, std::move(why)); }

  // The least size up to which messages must be eager. Requires that the schedule terminates if messages of `enough`
  // bytes are.
  std::uint64_t least_eager(std::uint64_t enough) const {
    std::vector<std::uint64_t> sizes;
    for (const GoalRank& rank : schedule_.ranks) {
      for (const GoalOperation& it : rank.operations) {
        if (it.kind == GoalKind::send && it.size <= enough) sizes.push_back(it.size);
      }
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    const auto least = std::partition_point(sizes.begin(), sizes.end(), [&](std::uint64_t it) { return !surely(it); });
    return least == sizes.end() ? enough : *least;
  }

  void hangs(const GoalRun& run, std::uint64_t eager) {
    report_.stuck = GoalWaits(schedule_, match_, run).waits();
    const auto stuck = std::count(run.ended.begin(), run.ended.end(), false);
    const std::vector<Stuck>& waits = report_.stuck;
    const bool cycle = waits.back().for_whom.has_value();
    std::string text = stuck == 1 ? "1 operation never ends" : fmt::format("{} operations never end", stuck);
    if (cycle) text += fmt::format("; {} wait for one another", waits.size());
    if (eager != all_eager && !match_.starving && !match_.sizes_differ && surely(all_eager)) {
      text += fmt::format("; it ends where messages of up to {} bytes are eager", least_eager(all_eager));
    }
    const Location at = cycle ? waits.front().at : waits.back().at;
    report_.add({ProgramProperty::deadlock, std::move(text), at, {}}, options_.listed);
  }

  const GoalSchedule& schedule_;
  const GoalMatch& match_;
  const GoalJudgeOptions& options_;
  ProgramReport& report_;
  Work& work_;
  GoalFollowers followers_;
};

}  // namespace

void judge_goal_deadlock(const GoalSchedule& schedule, const GoalMatch& match, const GoalJudgeOptions& options,
                         ProgramReport& report, Work& work) {
  GoalDeadlock(schedule, match, options, report, work).judge();
}

}  // namespace quadrille::programs
