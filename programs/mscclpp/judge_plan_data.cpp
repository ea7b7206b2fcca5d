// Values are sums of contributions: input chunk i of rank r in launch l is one each, part by part. Where nothing races,
// any run gives what all give.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "model/text/counted.h"
#include "programs/mscclpp/judge_parts.h"
#include "programs/sums.h"

namespace quadrille::programs {
namespace {

constexpr std::uint64_t bytes_of_a_plan_part = 24;

class PlanDataJudge {
 public:
  explicit PlanDataJudge(const PlanCase& it)
      : it_(it),
        plan_(it.plan),
        runs_(it.runs),
        inputs_(it.memory.cells_of(plan_.ranks[0].input)),
        outputs_(it.memory.cells_of(plan_.ranks[0].output)) {}

  void all() {
    const auto ranks = static_cast<std::uint32_t>(plan_.ranks.size());
    for (std::uint32_t r = 0; r < ranks; ++r) {
      it_.work.take(it_.memory.cells(r), 2 * sizeof(SumNumber));
      values_.emplace_back(it_.memory.cells(r), Sums::undefined);
      packets_.emplace_back(it_.memory.cells(r), 0);
    }
    const auto& effects = runs_.launch().effects;
    std::vector<const PlanEffect*> of_event(runs_.launch().events.size(), nullptr);
    for (const PlanEffect& effect : effects) of_event[effect.event] = &effect;
    for (const std::uint32_t number : runs_.run()) {
      if (stop_) return;
      const std::uint32_t launch = runs_.launch_of(number);
      if (runs_.is_start(number)) {
        if (launch > 0) judge(launch - 1, runs_.event_of(number));
        begin(launch, runs_.event_of(number));
      } else if (const PlanEffect* effect = of_event[runs_.event_of(number)]; effect != nullptr) {
        work(number, launch, *effect);
      }
    }
    agree();
  }

 private:
  SumNumber& value(std::uint32_t rank, Space space, std::uint32_t part) {
    return values_[rank][it_.memory.cell(rank, space, 0, false) + part];
  }
  SumNumber leaf(std::uint32_t launch, std::uint32_t rank, std::uint32_t part) {
    const auto ranks = static_cast<std::uint32_t>(plan_.ranks.size());
    return sums_.leaf((launch * ranks + rank) * inputs_ + part);
  }

  void begin(std::uint32_t launch, std::uint32_t rank) {
    for (std::uint32_t p = 0; p < outputs_; ++p) value(rank, Space::output, p) = Sums::undefined;
    for (std::uint32_t p = 0; p < inputs_; ++p) value(rank, Space::input, p) = leaf(launch, rank, p);
    it_.work.spend(8 * (inputs_ + outputs_));
  }

  void work(std::uint32_t number, std::uint32_t launch, const PlanEffect& effect) {
    it_.work.spend(16 * std::uint64_t{effect.cells} * (effect.sources.size() + effect.targets.size()));
    const auto cell = [&](const PlanRange& range, std::uint32_t p) {
      const bool second =
          plan_.double_scratch && launch % 2 == 1 && !range.fixed && range.cell >= it_.memory.scratch(range.rank);
      return range.cell + (second ? it_.memory.half(range.rank) : 0) +
             p * (range.packets ? it_.memory.packet_cells() : 1);
    };
    for (std::uint32_t p = 0; p < effect.cells; ++p) {
      SumNumber sum = Sums::undefined;
      for (std::size_t i = 0; i < effect.sources.size(); ++i) {
        const PlanRange& source = effect.sources[i];
        const bool readable = (packets_[source.rank][cell(source, p)] != 0) == source.packets;
        const SumNumber one = readable ? values_[source.rank][cell(source, p)] : Sums::undefined;
        if (one == Sums::undefined && unwritten_.insert(number).second) {
          it_.report.add({.property = of_launch(launch, ProgramProperty::data),
                          .message = fmt::format("reads {} of gpu {}, which no one has written",
                                                 it_.memory.name(source.rank, cell(source, p)), source.rank),
                          .at = runs_.event(number).at},
                         it_.options.listed);
        }
        sum = i == 0 ? one : sums_.add(sum, one);
      }
      for (const PlanRange& target : effect.targets) {
        const std::uint32_t first = cell(target, p);
        const std::uint32_t width = target.packets ? it_.memory.packet_cells() : 1;
        for (std::uint32_t w = 0; w < width; ++w) {
          SumNumber& value = values_[target.rank][first + w];
          std::uint32_t& flag = packets_[target.rank][first + w];
          if (target.packets && flag == launch + 1 && value != sum) twice(number, launch, target.rank, first + w);
          value = sum;
          flag = target.packets ? launch + 1 : 0;
        }
      }
    }
  }

  // Who waits for the packets cannot tell which it gets.
  void twice(std::uint32_t number, std::uint32_t launch, std::uint32_t rank, std::uint32_t cell) {
    it_.report.add({.property = of_launch(launch, ProgramProperty::data),
                    .message = fmt::format("writes packets into {} of gpu {} again, of another value",
                                           it_.memory.name(rank, cell), rank),
                    .at = runs_.event(number).at},
                   it_.options.listed);
  }

  void judge(std::uint32_t launch, std::uint32_t rank) {
    const auto ranks = static_cast<std::uint32_t>(plan_.ranks.size());
    const ProgramFamily family = family_of(plan_);
    const std::uint32_t share = family == ProgramFamily::alltoall ? inputs_ / ranks : outputs_;
    const ContributionNumbers numbers{ranks, inputs_, share, it_.options.root};
    const bool all = family != ProgramFamily::reduce || rank == it_.options.root;
    if (launch == 0) ends_.resize(ranks);
    for (std::uint32_t p = 0; p < outputs_ && all; ++p) {
      it_.work.spend(32 * std::uint64_t{ranks});
      const SumNumber is = value(rank, Space::output, p);
      if (launch == 0) ends_[rank].push_back(is);
      Sums::Parts due = contributions_due(family, numbers, rank, p);
      for (Sums::Part& part : due) part.number += launch * ranks * inputs_;
      const Sums::Parts* parts = sums_.parts(is, it_.options.limits.memory / bytes_of_a_plan_part / 4);
      if (parts == nullptr) {
        stop_ = true;
        return it_.report.set_unknown(ProgramProperty::data, Reason::limit, "the sums have too many parts");
      }
      if (*parts == due) continue;
      tell(launch, rank, p, why_wrong(*parts, due, [&](std::uint32_t number) { return name(number); }));
      break;  // others of the same rank are wrong likewise
    }
    for (std::uint32_t p = 0; p < inputs_ && !plan_.in_place; ++p) {
      if (value(rank, Space::input, p) == leaf(launch, rank, p)) continue;
      it_.report.add({.property = of_launch(launch, ProgramProperty::data),
                      .message = fmt::format("{} of gpu {} is changed, and the plan is not in place",
                                             it_.memory.chunk_name("input", p), rank)},
                     it_.options.listed);
      break;
    }
  }

  void tell(std::uint32_t launch, std::uint32_t rank, std::uint32_t part, const std::string& why) {
    it_.report.add({.property = of_launch(launch, ProgramProperty::data),
                    .message = fmt::format("{} of gpu {} {}{}", it_.memory.chunk_name("output", part), rank, why,
                                           launch == 0 ? "" : fmt::format(", after launch {}", launch + 1))},
                   it_.options.listed);
  }

  std::string name(std::uint32_t number) const {
    const auto ranks = static_cast<std::uint32_t>(plan_.ranks.size());
    const std::uint32_t launch = number / inputs_ / ranks;
    return fmt::format("{} of gpu {}{}", it_.memory.chunk_name("input", number % inputs_), number / inputs_ % ranks,
                       launch == 0 ? "" : fmt::format(" of launch {}", launch + 1));
  }

  // All ranks add in one order what they all end with.
  void agree() {
    if (it_.report.of(ProgramProperty::data).verdict != ProgramVerdict::holds) return;
    if (family_of(plan_) != ProgramFamily::allreduce) return;
    for (std::uint32_t p = 0; p < outputs_; ++p) {
      for (std::uint32_t r = 1; r < ends_.size(); ++r) {
        const bool known = p > 0 && it_.memory.same_chunks(p - 1, p) && ends_[r][p - 1] != ends_[0][p - 1];
        if (ends_[r][p] == ends_[0][p] || known) continue;
        it_.report.add(
            {.property = ProgramProperty::agreement,
             .message = fmt::format("{}: gpu 0 adds {}, and gpu {} adds {}", it_.memory.chunk_name("output", p),
                                    order_of(ends_[0][p]), r, order_of(ends_[r][p]))},
            it_.options.listed);
        break;
      }
    }
  }

  // "((0 + 1) + 2) + 3", of ranks; long ones are cut.
  std::string order_of(SumNumber sum) const {
    constexpr std::size_t most = 80;
    std::string text = written(sum, 24);
    if (text.size() > most) text = text.substr(0, most) + " …";
    return text;
  }
  std::string written(SumNumber sum, int deep) const {
    const Sums::Shown shown = sums_.shown(sum);
    if (shown.leaf) return shown.number == Sums::no_number ? "?" : fmt::format("{}", shown.number / inputs_);
    if (deep == 0) return "…";
    const auto side = [&](SumNumber it) {
      return sums_.shown(it).leaf ? written(it, deep - 1) : fmt::format("({})", written(it, deep - 1));
    };
    return fmt::format("{} + {}", side(shown.a), side(shown.b));
  }

  const PlanCase& it_;
  const ExecutionPlan& plan_;
  const Relaunched& runs_;
  std::uint32_t inputs_;   // parts of a rank's input
  std::uint32_t outputs_;  // likewise
  Sums sums_ = {};
  std::vector<std::vector<SumNumber>> values_ = {};  // by rank and cell
  // Likewise: the launch, from 1, of packets, which are read as such alone; 0: plain data.
  std::vector<std::vector<std::uint32_t>> packets_ = {};
  std::vector<std::vector<SumNumber>> ends_ = {};  // by rank and part of the output: of the first launch
  std::set<std::uint32_t> unwritten_ = {};         // events that read what is not written
  bool stop_ = false;
};

std::string why_not_known(const ExecutionPlan& plan) {
  constexpr std::array families = {ProgramFamily::allreduce, ProgramFamily::allgather, ProgramFamily::reducescatter,
                                   ProgramFamily::alltoall,  ProgramFamily::broadcast, ProgramFamily::reduce};
  const auto named = [&](ProgramFamily family) { return to_string(family) == plan.collective; };
  if (std::ranges::none_of(families, named)) return "what the collective demands is not known";
  return fmt::format("{} and {} of output are not what {} of {} has", counted(plan.ranks[0].input, "chunk"),
                     counted(plan.ranks[0].output, "chunk"), plan.collective, counted(plan.ranks.size(), "gpu"));
}

}  // namespace

void judge_plan_data(const PlanCase& it) {
  if (family_of(it.plan) == ProgramFamily::other) {
    for (const ProgramProperty property : {ProgramProperty::data, ProgramProperty::agreement})
      it.report.set_unknown(property, Reason::unsupported, why_not_known(it.plan));
    return;
  }
  PlanDataJudge(it).all();
  if (it.report.of(ProgramProperty::data).verdict != ProgramVerdict::holds)
    it.report.set_unknown(ProgramProperty::agreement, it.report.of(ProgramProperty::data).reason, "the sums are wrong");
}

}  // namespace quadrille::programs
