// Judges the properties one after another, each only if those that it relies on hold.
#include "programs/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <span>

#include "programs/deadlock.h"

namespace quadrille::programs {
namespace {

constexpr std::uint64_t bytes_of_an_event = 160;  // with its edges, and its bits when pairs are asked for
constexpr std::uint64_t bytes_of_a_cell = 96;

void unknown(ProgramReport& report, std::span<const ProgramProperty> properties, Reason reason,
             const std::string& why) {
  for (const ProgramProperty property : properties) report.set_unknown(property, reason, why);
}

// The approximate memory in bytes.
std::uint64_t memory_for(const Program& program, const ProgramNetwork& network) {
  std::uint64_t events = 0;
  for (const QueuedOperation& action : network.actions) events += 2 + 2 * std::uint64_t{action.operation->count};
  return events * bytes_of_an_event + chunks_in_buffers(program) * bytes_of_a_cell;
}

bool violated(const ProgramReport& report, ProgramProperty property) {
  return report.of(property).verdict == ProgramVerdict::violated;
}

// Judges one property after another, until the limits are reached.
class Judge {
 public:
  Judge(const Program& program, ProgramReport& report, const ProgramJudgeOptions& options)
      : program_(program), report_(report), options_(options), work_(options_.limits) {}

  void all() {
    try {
      begin();
    } catch (const Ended& ended) {
      for (const ProgramProperty property : left_) report_.cut_short(property, ended.reason);
    } catch (const std::bad_alloc&) {
      for (const ProgramProperty property : left_) report_.cut_short(property, Reason::limit);
    }
  }

 private:
  using enum ProgramProperty;

  void begin() {
    const ProgramNetwork network = connect(program_, report_, options_.listed, work_);
    if (options_.order != nullptr) *options_.order = order_graph(network, work_);
    left_ = left_.subspan(1);
    if (violated(report_, structure)) {
      return unknown(report_, left_, Reason::unsupported, "the structure is violated");
    }
    left_ = left_.subspan(1);
    judge_deadlock(program_, network, report_, options_.listed, work_);
    left_ = left_.subspan(1);
    if (violated(report_, matching)) {
      return unknown(report_, left_, Reason::unsupported, "sends and receptions do not match");
    }
    constexpr std::uint64_t most = std::uint64_t{1} << 36;  // where numbers of events would no longer fit
    if (const std::uint64_t bytes = memory_for(program_, network); bytes > std::min(options_.limits.memory, most)) {
      return unknown(report_, left_, Reason::limit, fmt::format("it would take some {} MiB of memory", bytes >> 20));
    }
    if (const std::uint64_t chunks = chunks_in_buffers(program_); chunks > most_followed) {
      return unknown(report_, left_, Reason::limit,
                     fmt::format("its buffers have {} chunks, and {} are followed at most", chunks, most_followed));
    }
    events(network);
  }

  void events(const ProgramNetwork& network) {
    const HappensBefore order(program_, network, work_);
    if (!order.acyclic()) {
      return unknown(report_, left_, Reason::unsupported, "it never ends, whatever the queues hold");
    }
    judge_races(program_, network, order, options_, report_, work_);
    left_ = left_.subspan(1);
    if (violated(report_, race)) {
      return unknown(report_, left_, Reason::unsupported, "what chunks hold depends on the timing");
    }
    judge_data(program_, network, order, options_, report_, work_);
  }

  static constexpr std::array<ProgramProperty, 6> in_turn = {structure, matching, deadlock, race, data, agreement};

  const Program& program_;
  ProgramReport& report_;
  const ProgramJudgeOptions& options_;
  Work work_;
  std::span<const ProgramProperty> left_ = in_turn;  // what is not judged yet
};

}  // namespace

void judge(const Program& program, ProgramReport& report, const ProgramJudgeOptions& options) {
  Judge(program, report, options).all();
}

}  // namespace quadrille::programs
