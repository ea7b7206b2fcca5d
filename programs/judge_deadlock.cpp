// Decides deadlock for every message size. The size matters only by the number of chunks that travel together, which
// is at most 71; and that matters only by the number of messages that each step makes of its chunks. Each such case
// is run once.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "programs/deadlock.h"

namespace quadrille::programs {
namespace {

class Cases {
 public:
  Cases(const Program& program, const ProgramNetwork& network, Work& work)
      : program_(program), network_(network), work_(work) {
    for (const QueuedOperation& action : network.actions) {
      if (action.in != none || action.out != none) counts_.insert(action.operation->count);
    }
  }

  const std::optional<Deadlock>& of(std::uint32_t together) {
    std::vector<std::uint32_t> key;
    for (const std::uint32_t count : counts_) key.push_back(count / together + (count % together != 0));
    const auto [it, fresh] = known_.try_emplace(std::move(key));
    if (fresh) it->second = find_deadlock(program_, network_, together, work_);
    return it->second;
  }

 private:
  const Program& program_;
  const ProgramNetwork& network_;
  Work& work_;
  std::set<std::uint32_t> counts_ = {};
  std::map<std::vector<std::uint32_t>, std::optional<Deadlock>> known_ = {};
};

// The longest run of message sizes with which the program terminates.
SizeCondition ending(const Program& program, const std::vector<bool>& hangs) {
  std::size_t best = 0;
  std::size_t best_length = 0;
  for (std::size_t i = 0, begin = 0; i < hangs.size(); ++i) {
    if (hangs[i]) begin = i + 1;
    if (i + 1 - begin > best_length) {
      best_length = i + 1 - begin;
      best = begin;
    }
  }
  SizeCondition result;
  const Regime& last = program.regimes[best + best_length - 1];
  result.bytes_from = program.regimes[best].bytes_from;
  if (last.bytes_to != 0) result.bytes_to = last.bytes_to;
  return result;
}

// A hang: the blocks that wait for one another, and in words what the first of them waits for.
struct Hang {
  std::vector<Stuck> stuck;
  std::string message;
};

Hang hang_of(const ProgramNetwork& network, const Deadlock& at) {
  const std::uint32_t block = knot(at);
  const std::vector<std::uint32_t> cycle = chain(at, block);
  Hang hang{described(network, at, cycle), {}};
  const std::string& what = hang.stuck.front().waits_for;
  const bool round = at.whom[cycle.back()] == block;
  hang.message = round && cycle.size() > 1
                     ? fmt::format("{} blocks wait for one another: here for {}", cycle.size(), what)
                     : fmt::format("it waits for ever: for {}", what);
  return hang;
}

void tell(Hang hang, std::uint64_t least_bytes, ProgramReport& report, std::size_t listed) {
  report.stuck = std::move(hang.stuck);
  Finding finding{ProgramProperty::deadlock, std::move(hang.message)};
  finding.at = report.stuck.front().at;
  finding.other = report.stuck.front().for_whom;
  finding.least_bytes = least_bytes;
  report.add(std::move(finding), listed);
}

// Notes a hang that only smaller buffers show than the executor has by itself.
void note_smaller_buffers(const Program& program, const ProgramNetwork& network, Cases& cases, ProgramReport& report) {
  if (program.buffers.empty()) return;
  const auto least = std::min_element(program.regimes.begin(), program.regimes.end(),
                                      [](const Regime& a, const Regime& b) { return a.together < b.together; });
  for (std::uint32_t together = least->together - 1; together >= 1; --together) {
    const std::optional<Deadlock>& at = cases.of(together);
    if (!at) continue;
    const Hang hang = hang_of(network, *at);
    report.notes.push_back({"buffer",
                            fmt::format("with a buffer of less than {} bytes, which is smaller than the executor's "
                                        "own, {}",
                                        program.buffers[together + 1], hang.message),
                            hang.stuck.front().at});
    return;
  }
}

}  // namespace

void judge_deadlock(const Program& program, const ProgramNetwork& network, ProgramReport& report, std::size_t listed,
                    Work& work) {
  Cases cases(program, network, work);
  std::vector<bool> hangs;
  for (const Regime& regime : program.regimes) hangs.push_back(cases.of(regime.together).has_value());
  const auto first = std::find(hangs.begin(), hangs.end(), true);
  PropertyVerdict& verdict = report.of(ProgramProperty::deadlock);
  if (first != hangs.end()) {
    const Regime& regime = program.regimes[static_cast<std::size_t>(first - hangs.begin())];
    tell(hang_of(network, *cases.of(regime.together)), regime.bytes_from, report, listed);
    if (std::find(hangs.begin(), hangs.end(), false) == hangs.end()) return;
    verdict.verdict = ProgramVerdict::conditional;
    verdict.condition = ending(program, hangs);
    return;
  }
  note_smaller_buffers(program, network, cases, report);
}

}  // namespace quadrille::programs
