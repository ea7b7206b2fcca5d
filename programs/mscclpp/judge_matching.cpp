// Signals carry no identity: of n signals and n waits in a launch, each wait has its own. One signal too many lets the
// first wait of the next launch pass before its time; one too few lets the last one wait for ever.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/text/counted.h"
#include "programs/mscclpp/judge_parts.h"

namespace quadrille::programs {
namespace {

class MatchingJudge {
 public:
  MatchingJudge(const ExecutionPlan& plan, const PlanLaunch& launch, const PlanJudgeOptions& options,
                ProgramReport& report)
      : plan_(plan), launch_(launch), options_(options), report_(report) {}

  void all() {
    for (const PlanCounter& counter : launch_.counters) judge(counter);
    for (std::uint32_t r = 0; r < plan_.ranks.size(); ++r) judge_barriers(r);
  }

 private:
  void judge(const PlanCounter& counter) {
    const std::size_t signals = counter.releases.size();
    const std::size_t waits = counter.acquires.size();
    if (signals == waits) return;
    const auto& some = signals > waits ? counter.releases.back() : counter.acquires.back();
    Finding finding{.property = counter.type ? ProgramProperty::matching : ProgramProperty::relaunch};
    finding.at = launch_.events[some.event].at;
    if (!counter.type) {
      finding.message = fmt::format("a launch releases {} {}, and acquires it {}: it does not come back to {}",
                                    counter.name(), counted(signals, "time"), counted(waits, "time"), counter.first);
    } else if (counter.number >= unpaired_end) {
      finding.message = fmt::format("signals {} times at {} channel {}, to which the peer has no other end", signals,
                                    to_string(*counter.type), counter.number - unpaired_end);
    } else {
      finding.message = fmt::format("in a launch gpu {} signals {} {}, and that waits {}", counter.from, counter.name(),
                                    counted(signals, "time"), counted(waits, "time"));
    }
    report_.add(std::move(finding), options_.listed);
  }

  // The executor counts blocks, whichever they are, and compares with the number for equality.
  void judge_barriers(std::uint32_t rank) {
    struct BarrierUse {
      Location at;
      std::uint32_t blocks;
      std::uint32_t times = 0;
    };
    std::map<std::uint32_t, std::map<std::uint32_t, BarrierUse>> uses;  // by barrier and block
    for (std::uint32_t b = 0; b < plan_.ranks[rank].blocks.size(); ++b) {
      std::uint32_t index = 0;
      std::uint32_t o = 0;
      for (const PlanOperation& operation : plan_.ranks[rank].blocks[b].operations) {
        const Location at{.rank = rank, .block = b, .step = o++, .index = index};
        index += static_cast<std::uint32_t>(1 + operation.inner.size());
        if (operation.kind != PlanKind::barrier) continue;
        BarrierUse& use =
            uses[operation.barrier].try_emplace(b, BarrierUse{at, operation.barrier_blocks}).first->second;
        ++use.times;
        if (use.blocks != operation.barrier_blocks)
          tell(at, operation.barrier, "is of other numbers of blocks here and there");
      }
    }
    for (const auto& [barrier, blocks] : uses) {
      const BarrierUse& first = blocks.begin()->second;
      for (const auto& [b, use] : blocks) {
        if (use.blocks != blocks.size()) {
          tell(use.at, barrier,
               fmt::format("waits for {}, and {} it", counted(use.blocks, "block"),
                           blocks.size() == 1 ? "1 block uses" : fmt::format("{} blocks use", blocks.size())));
        } else if (use.times != first.times) {
          tell(use.at, barrier,
               fmt::format("is used {} by block {}, and {} by block {}", counted(use.times, "time"), b,
                           counted(first.times, "time"), blocks.begin()->first));
        }
      }
    }
  }

  void tell(const Location& at, std::uint32_t barrier, const std::string& what) {
    report_.add(
        {.property = ProgramProperty::matching, .message = fmt::format("barrier {} {}", barrier, what), .at = at},
        options_.listed);
  }

  const ExecutionPlan& plan_;
  const PlanLaunch& launch_;
  const PlanJudgeOptions& options_;
  ProgramReport& report_;
};

// What cannot go on, and for whom it waits.
class DeadlockJudge {
 public:
  explicit DeadlockJudge(const PlanCase& it) : it_(it), runs_(it.runs), launch_(it.runs.launch()) {}

  void all() {
    find_waiting();
    if (waiting_.empty()) return;
    const std::uint32_t first = waiting_.front();
    Finding finding{.property = of_launch(runs_.launch_of(first), ProgramProperty::deadlock)};
    finding.at = runs_.event(first).at;
    finding.message = waits_for(first) + " for ever";
    if (runs_.launch_of(first) > 0) finding.message += fmt::format(", in launch {}", runs_.launch_of(first) + 1);
    const std::uint32_t next = whom(first);
    if (next != none) finding.other = runs_.event(next).at;
    it_.report.add(std::move(finding), it_.options.listed);
    if (it_.report.stuck.empty()) list(first);
  }

 private:
  // Waits and packets that nothing keeps but what they wait for: launch by launch.
  void find_waiting() {
    std::vector<bool> kept(runs_.events(), false);
    const auto keep = [&](std::uint32_t from, std::uint32_t to) { kept[to] = kept[to] || !runs_.ended(from); };
    for (std::uint32_t l = 0; l < runs_.launches(); ++l) {
      for (const auto* edges : {&launch_.order, &launch_.needs})
        for (const auto& [from, to] : *edges) keep(runs_.number(l, from), runs_.number(l, to));
      for (const auto& [from, to] : launch_.next) {
        if (l + 1 < runs_.launches() || to < runs_.ranks()) keep(runs_.number(l, from), runs_.number(l + 1, to));
      }
    }
    counter_of_.assign(launch_.events.size(), none);
    for (std::uint32_t c = 0; c < launch_.counters.size(); ++c)
      for (const auto& use : launch_.counters[c].acquires) counter_of_[use.event] = c;
    for (std::uint32_t e = 0; e < runs_.events(); ++e) {
      it_.work.spend(4);
      const bool waits = counter_of_[runs_.event_of(e)] != none || runs_.event(e).kind == PlanEvent::Kind::packets;
      if (waits && !runs_.ended(e) && !kept[e]) waiting_.push_back(e);
    }
  }

  std::string waits_for(std::uint32_t number) const {
    const std::uint32_t c = counter_of_[runs_.event_of(number)];
    if (c == none) {
      const std::uint32_t writer = packets_of(number);
      return writer == none ? "waits for packets that no operation writes"
                            : fmt::format("waits for packets of gpu {}", launch_.events[writer].at.rank);
    }
    const PlanCounter& counter = launch_.counters[c];
    if (!counter.type) return fmt::format("waits for a release of {}", counter.name());
    return fmt::format("waits for a signal of gpu {} at {}", counter.from, counter.name());
  }

  // Who has yet to write packets that the event waits for; none: nobody would.
  std::uint32_t packets_of(std::uint32_t number) const {
    for (const auto& [from, to] : runs_.packet_needs()) {
      if (to == runs_.event_of(number) && !runs_.ended(runs_.number(runs_.launch_of(number), from))) return from;
    }
    return none;
  }

  // A wait that keeps what the given one waits for; none: nothing would send it.
  std::uint32_t whom(std::uint32_t number) const {
    const std::uint32_t c = counter_of_[runs_.event_of(number)];
    if (c == none) {
      const std::uint32_t writer = packets_of(number);
      return writer == none ? none : wait_of(runs_.launch_of(number), launch_.events[writer].at);
    }
    for (std::uint32_t l = 0; l < runs_.launches(); ++l) {
      for (const auto& use : launch_.counters[c].releases) {
        if (runs_.ended(runs_.number(l, use.event))) continue;
        return wait_of(l, launch_.events[use.event].at);
      }
    }
    return none;
  }

  std::uint32_t wait_of(std::uint32_t launch, const Location& place) const {
    std::uint32_t other = none;
    for (const std::uint32_t e : waiting_) {
      const Location& at = runs_.event(e).at;
      if (runs_.launch_of(e) > launch || at.rank != place.rank) continue;
      if (at.block == place.block) return e;
      other = std::min(other, e);
    }
    return other;
  }

  void list(std::uint32_t first) {
    std::set<std::uint32_t> listed;
    for (std::uint32_t e = first; e != none && listed.insert(e).second;) {
      const std::uint32_t next = whom(e);
      const std::string words = waits_for(e).substr(std::string_view("waits for ").size());
      it_.report.stuck.push_back(
          {runs_.event(e).at, words, next == none ? std::nullopt : std::optional(runs_.event(next).at)});
      e = next;
    }
  }

  const PlanCase& it_;
  const Relaunched& runs_;
  const PlanLaunch& launch_;
  std::vector<std::uint32_t> waiting_ = {};
  std::vector<std::uint32_t> counter_of_ = {};
};

}  // namespace

void judge_plan_matching(const ExecutionPlan& plan, const PlanLaunch& launch, const PlanJudgeOptions& options,
                         ProgramReport& report) {
  MatchingJudge(plan, launch, options, report).all();
}

void judge_plan_deadlock(const PlanCase& it) {
  if (!it.runs.ends()) DeadlockJudge(it).all();
}

}  // namespace quadrille::programs
