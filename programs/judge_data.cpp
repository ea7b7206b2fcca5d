// Judges what chunks hold at the end (data_walk.h). Where a fused reduction may add its target first or last, sums are
// followed both ways, and are equal only if they are equal both times.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "programs/data_walk.h"
#include "programs/judge.h"
#include "programs/sums.h"

namespace quadrille::programs {
namespace {

constexpr std::uint64_t bytes_of_a_part = 16;

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
      const WrittenCell& first = walk.cell(0, Space::output, c);
      work_.spend(8 * program_.ranks.size());
      for (std::uint32_t r = 1; r < program_.ranks.size(); ++r) {
        const WrittenCell& other = walk.cell(r, Space::output, c);
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
      const WrittenCell& cell = walk.cell(rank, Space::input, c);
      if (cell.writer == none || cell.value == sums_.leaf(rank * size + c)) continue;
      tell(cell.writer, fmt::format("it changes input chunk {}, and the call is not in place", c));
    }
  }

  bool output(const DataWalk& walk, std::uint32_t rank, std::uint32_t chunk) {
    const WrittenCell& cell = walk.cell(rank, Space::output, chunk);
    work_.spend(64 * (1 + program_.ranks.size()));
    const Sums::Parts* parts = sums_.parts(cell.value, options_.limits.memory / bytes_of_a_part / 4);
    if (parts == nullptr) {
      report_.set_unknown(ProgramProperty::data, Reason::limit, "the sums have too many parts");
      return false;
    }
    const auto ranks = static_cast<std::uint32_t>(program_.ranks.size());
    const Sums::Parts wanted = contributions_due(
        program_.family, {ranks, program_.ranks[0].input, program_.chunks / ranks, program_.root}, rank, chunk);
    if (*parts == wanted) return true;
    Finding finding{ProgramProperty::data,
                    fmt::format("output chunk {} of rank {} {}", chunk, rank,
                                why_wrong(*parts, wanted, [&](std::uint32_t it) { return named(it); }))};
    finding.at = place(rank, cell.writer);
    report_.add(std::move(finding), options_.listed);
    return true;
  }

  std::string named(std::uint32_t number) const {
    const std::uint32_t size = program_.ranks[0].input;
    return fmt::format("input chunk {} of rank {}", number % size, number / size);
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
