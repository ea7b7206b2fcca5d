// Each race is a missing order between two operations of a rank, and each order may be added in either direction.
// Four policies are tried (the earlier first in the order that was found, the later first, writes first, reads
// first), each until nothing races or something else goes wrong. Then changes are removed again, one at a time, while
// the file still holds.
#include "programs/msccl/mend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "programs/judge.h"
#include "programs/msccl/load.h"

namespace quadrille::programs {
namespace {

// --- edits ---------------------------------------------------------------------------------------------------------

// The editor changes an MSCCL XML file so that the meaning of its dependencies is kept.
//
// A change sets hasdep on one operation and depid and deps on the other; if the latter has a dependency already, a
// nop before it takes the new one. A nop shifts the numbers of the steps after it, and a new flag may end a wait too
// early. So each dependency is remembered as the operation that it led to, and all deps are written again after a
// change. Operations are remembered by the place of their first step in the file.

// A requested order: in `rank`, the operation that begins at `from` happens before the one at `to`; without `to`, it
// only sets its flag.
struct Wish {
  std::uint32_t rank = 0;
  std::uint32_t from_block = 0;
  std::uint32_t from = 0;
  std::uint32_t to_block = 0;
  std::optional<std::uint32_t> to = {};
  bool operator==(const Wish&) const = default;
};

constexpr std::uint32_t first_new = 0x80000000u;  // places of steps that are not in the file

MscclBlock* find_block(MscclRank& rank, std::uint32_t id) {
  const auto found =
      std::find_if(rank.blocks.begin(), rank.blocks.end(), [&](const MscclBlock& block) { return block.id == id; });
  return found == rank.blocks.end() ? nullptr : &*found;
}

// Requires that the file was read from a text, so that its steps have different places.
class MscclEditor {
 public:
  MscclEditor(const MscclFile& file, const MscclCall& call) : file_(file), call_(call), next_new_(first_new) {
    remember();
  }

  // Adds an order. False if there is no such operation.
  bool add(const Wish& wish) {
    MscclRank* rank = find_rank(wish.rank);
    MscclBlock* setter = rank == nullptr ? nullptr : find_block(*rank, wish.from_block);
    if (setter == nullptr) return false;
    MscclStep* flag = last_step(*setter, wish.from);
    if (flag == nullptr) return false;
    flag->has_dependence = 1;
    if (!wish.to) return true;
    MscclBlock* block = find_block(*rank, wish.to_block);
    if (block == nullptr) return false;
    const auto step = std::find_if(block->steps.begin(), block->steps.end(),
                                   [&](const MscclStep& each) { return each.span.begin == *wish.to; });
    if (step == block->steps.end()) return false;
    depend(*block, step, wish);
    return true;
  }

  // The file, with all deps as they must be now.
  MscclFile finished() {
    const LoadedMsccl loaded = load_msccl(file_, call_, 0);
    std::map<std::uint32_t, std::int64_t> numbers;  // by place
    for (const Rank& rank : loaded.program.ranks) {
      for (const ThreadBlock& block : rank.blocks) {
        for (const ProgramOperation& operation : block.operations) numbers[operation.span.begin] = operation.number;
      }
    }
    for (MscclRank& rank : file_.members) {
      for (MscclBlock& block : rank.blocks) {
        for (MscclStep& step : block.steps) {
          const auto target = targets_.find(step.span.begin);
          if (target != targets_.end()) step.depends_on_step = numbers.at(target->second);
        }
      }
    }
    return file_;
  }

 private:
  void remember() {
    const LoadedMsccl loaded = load_msccl(file_, call_, 0);
    for (const MscclRank& rank : file_.members) {
      const Rank& run = loaded.program.ranks[static_cast<std::size_t>(rank.id)];
      for (const MscclBlock& block : rank.blocks) {
        for (const MscclStep& step : block.steps) {
          if (step.depends_on_block < 0) continue;
          const FlagWait wait{static_cast<std::uint32_t>(step.depends_on_block), step.depends_on_step};
          if (const ProgramOperation* target = awaited(run, wait)) targets_[step.span.begin] = target->span.begin;
        }
      }
      for (const ThreadBlock& block : run.blocks) {
        for (const ProgramOperation& operation : block.operations) {
          members_[operation.span.begin] = operation.sources.size();
        }
      }
    }
  }

  MscclRank* find_rank(std::uint32_t id) {
    const auto found =
        std::find_if(file_.members.begin(), file_.members.end(), [&](const MscclRank& rank) { return rank.id == id; });
    return found == file_.members.end() ? nullptr : &*found;
  }

  // The step that sets the flag: the last one of a fused operation.
  MscclStep* last_step(MscclBlock& block, std::uint32_t place) {
    auto step = std::find_if(block.steps.begin(), block.steps.end(),
                             [&](const MscclStep& each) { return each.span.begin == place; });
    if (step == block.steps.end() || !step->kind) return nullptr;
    std::size_t left = members_[place];
    for (; step != block.steps.end(); ++step) {
      if (step->kind && --left == 0) return &*step;
    }
    return nullptr;
  }

  void depend(MscclBlock& block, std::vector<MscclStep>::iterator step, const Wish& wish) {
    if (step->depends_on_block < 0) {
      step->depends_on_block = wish.from_block;
      targets_[step->span.begin] = wish.from;
      return;
    }
    MscclStep nop;
    nop.depends_on_block = wish.from_block;
    nop.span.begin = next_new_++;
    targets_[nop.span.begin] = wish.from;
    block.steps.insert(step, nop);
    for (std::size_t i = 0; i < block.steps.size(); ++i) block.steps[i].s = static_cast<std::int64_t>(i);
  }

  MscclFile file_;
  const MscclCall& call_;
  std::map<std::uint32_t, std::uint32_t> targets_ = {};  // by place of a step: the operation that it waits for
  std::map<std::uint32_t, std::size_t> members_ = {};    // by place of an operation: the number of its steps
  std::uint32_t next_new_;
};

// --- the search for a mend -----------------------------------------------------------------------------------------

constexpr std::size_t most_reports = 60;
constexpr std::size_t most_steps = 400000;  // judged in all
constexpr std::size_t listed_at_once = 64;

enum class Policy : std::uint8_t { earlier_first, later_first, writes_first, reads_first };

class Mender {
 public:
  Mender(const MscclFile& file, const std::vector<MscclCall>& calls, const Limits& limits)
      : original_(file), calls_(calls), limits_(limits) {
    std::size_t steps = 1;
    for (const MscclRank& rank : file.members) {
      for (const MscclBlock& block : rank.blocks) steps += block.steps.size();
    }
    budget_ = std::clamp<std::size_t>(most_steps / steps, 8, most_reports);
  }

  std::optional<MendedMsccl> mend() {
    std::vector<Wish> best;
    for (const Policy policy :
         {Policy::earlier_first, Policy::later_first, Policy::writes_first, Policy::reads_first}) {
      const auto wishes = follow(policy);
      if (wishes && !wishes->empty() && (best.empty() || wishes->size() < best.size())) best = *wishes;
      if (!best.empty()) break;
    }
    if (best.empty()) return std::nullopt;
    leave_out(best);
    const auto file = with(best);
    if (!file) return std::nullopt;
    MendedMsccl result{*file, {}};
    for (const Wish& wish : best) result.changes.push_back(described(*file, wish));
    return result;
  }

 private:
  // The reports on what is still wrong; nothing if no more judging is allowed.
  std::optional<std::vector<ProgramReport>> judged(const MscclFile& file) {
    if (budget_ == 0 || limits_.reached() != Reason::none) return std::nullopt;
    --budget_;
    std::vector<ProgramReport> result;
    for (const MscclCall& call : calls_) {
      LoadedMsccl loaded = load_msccl(file, call, listed_at_once);
      judge(loaded.program, loaded.report, {listed_at_once, limits_});
      result.push_back(std::move(loaded.report));
    }
    return result;
  }

  static bool sound(const std::vector<ProgramReport>& reports) {
    return std::all_of(reports.begin(), reports.end(), [](const ProgramReport& each) {
      return each.verdict() == ProgramVerdict::holds || each.verdict() == ProgramVerdict::conditional;
    });
  }

  std::optional<MscclFile> with(const std::vector<Wish>& wishes) {
    MscclEditor editor(original_, calls_.front());
    for (const Wish& wish : wishes) {
      if (!editor.add(wish)) return std::nullopt;
    }
    return editor.finished();
  }

  std::optional<std::vector<Wish>> follow(Policy policy) {
    std::vector<Wish> wishes;
    for (;;) {
      const auto file = with(wishes);
      if (!file) return std::nullopt;
      const auto reports = judged(*file);
      if (!reports) return std::nullopt;
      if (sound(*reports)) return wishes;
      const std::size_t before = wishes.size();
      for (std::size_t i = 0; i < reports->size(); ++i) {
        if (!wish((*reports)[i], *file, calls_[i], policy, wishes)) return std::nullopt;
      }
      if (wishes.size() == before) return std::nullopt;
    }
  }

  // Adds a wish for each race, and for each flag that is never set; false if something else is wrong.
  bool wish(const ProgramReport& report, const MscclFile& file, const MscclCall& call, Policy policy,
            std::vector<Wish>& wishes) {
    for (const ProgramProperty property :
         {ProgramProperty::structure, ProgramProperty::limits, ProgramProperty::matching, ProgramProperty::data,
          ProgramProperty::agreement}) {
      if (report.of(property).verdict == ProgramVerdict::violated) return false;
    }
    if (report.of(ProgramProperty::deadlock).verdict == ProgramVerdict::violated)
      return unset_flags(file, call, wishes);
    const LoadedMsccl loaded = load_msccl(file, call, 0);
    for (const Finding& finding : report.findings) {
      if (finding.property != ProgramProperty::race || !finding.at || !finding.other) continue;
      Location first = *finding.at;
      Location second = *finding.other;
      if (turned(finding, policy)) std::swap(first, second);
      if (first.block == second.block) return false;
      const auto from = flagging(loaded.program, first);
      if (!from) return false;
      const Wish it{first.rank, first.block, *from, second.block, second.span.begin};
      if (std::find(wishes.begin(), wishes.end(), it) == wishes.end()) wishes.push_back(it);
    }
    return true;
  }

  // The operation whose flag shows that the one at that place is over: the same one, but after an LL send of rccl the
  // next one.
  static std::optional<std::uint32_t> flagging(const Program& program, const Location& place) {
    const ThreadBlock& block = *block_of(program.ranks[place.rank], place.block);
    auto it = std::find_if(block.operations.begin(), block.operations.end(),
                           [&](const ProgramOperation& each) { return each.span.begin == place.span.begin; });
    if (it == block.operations.end()) return std::nullopt;
    if (!program.rules.leaky_sends || it->kind != Kind::send) return it->span.begin;
    it = std::find_if(it + 1, block.operations.end(), [](const ProgramOperation& each) { return each.count > 0; });
    return it == block.operations.end() ? std::nullopt : std::optional(it->span.begin);
  }

  static bool turned(const Finding& finding, Policy policy) {
    if (policy == Policy::earlier_first) return false;
    if (policy == Policy::later_first) return true;
    return (policy == Policy::writes_first) == finding.reads_first;
  }

  // The first operation whose number is at least the one waited for. Requires that its block exists.
  static std::optional<std::uint32_t> meant(const Rank& rank, const FlagWait& wait) {
    const ThreadBlock& block = *block_of(rank, wait.block);
    const auto found = std::find_if(block.operations.begin(), block.operations.end(),
                                    [&](const ProgramOperation& each) { return each.number >= wait.number; });
    return found == block.operations.end() ? std::nullopt : std::optional(found->span.begin);
  }

  static bool unset_flags(const MscclFile& file, const MscclCall& call, std::vector<Wish>& wishes) {
    const LoadedMsccl loaded = load_msccl(file, call, 0);
    const std::size_t before = wishes.size();
    for (std::uint32_t r = 0; r < loaded.program.ranks.size(); ++r) {
      const Rank& rank = loaded.program.ranks[r];
      for (const ThreadBlock& block : rank.blocks) {
        for (const ProgramOperation& operation : block.operations) {
          for (const FlagWait& wait : operation.waits) {
            const ThreadBlock* other = block_of(rank, wait.block);
            if (awaited(rank, wait) != nullptr || other == nullptr) continue;
            const auto from = meant(rank, wait);
            if (!from) return false;
            const Wish it{r, other->id, *from, 0, {}};
            if (std::find(wishes.begin(), wishes.end(), it) == wishes.end()) wishes.push_back(it);
          }
        }
      }
    }
    return wishes.size() > before;
  }

  void leave_out(std::vector<Wish>& wishes) {
    for (std::size_t i = wishes.size(); i-- > 0;) {
      std::vector<Wish> fewer = wishes;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const auto file = with(fewer);
      const auto reports = file ? judged(*file) : std::nullopt;
      if (!reports && budget_ == 0) return;
      if (reports && sound(*reports)) wishes = fewer;
    }
  }

  static const MscclStep* step_at(const MscclFile& file, std::uint32_t rank, std::uint32_t block, std::uint32_t place) {
    for (const MscclRank& each : file.members) {
      if (each.id != rank) continue;
      for (const MscclBlock& it : each.blocks) {
        if (it.id != block) continue;
        for (const MscclStep& step : it.steps) {
          if (step.span.begin == place) return &step;
        }
      }
    }
    return nullptr;
  }

  MscclChange described(const MscclFile& file, const Wish& wish) const {
    const MscclStep* from = step_at(original_, wish.rank, wish.from_block, wish.from);
    MscclChange change;
    change.from = {wish.rank, wish.from_block, from->s, from->span, 0};
    change.text = fmt::format("gpu {}: hasdep=1 at block {} step {}", wish.rank, wish.from_block, from->s);
    if (!wish.to) {
      change.waiting = waiting_for(wish);
      return change;
    }
    const MscclStep* to = step_at(original_, wish.rank, wish.to_block, *wish.to);
    change.to = Location{wish.rank, wish.to_block, to->s, to->span, 0};
    change.waiting = {*change.to};
    const LoadedMsccl loaded = load_msccl(file, calls_.front(), 0);
    std::int64_t number = 0;
    for (const ProgramOperation& each : block_of(loaded.program.ranks[wish.rank], wish.from_block)->operations) {
      if (each.span.begin == wish.from) number = each.number;
    }
    change.text +=
        fmt::format(", {} depid={} deps={} {} block {} step {}", to->depends_on_block < 0 ? "and" : "and a nop with",
                    wish.from_block, number, to->depends_on_block < 0 ? "at" : "before", wish.to_block, to->s);
    return change;
  }

  // The operations whose waits cannot end before that operation sets its flag.
  std::vector<Location> waiting_for(const Wish& wish) const {
    const LoadedMsccl loaded = load_msccl(original_, calls_.front(), 0);
    const Rank& rank = loaded.program.ranks[wish.rank];
    std::vector<Location> places;
    for (const ThreadBlock& block : rank.blocks) {
      for (const ProgramOperation& operation : block.operations) {
        const bool waits = std::any_of(operation.waits.begin(), operation.waits.end(), [&](const FlagWait& wait) {
          return wait.block == wish.from_block && awaited(rank, wait) == nullptr && meant(rank, wait) == wish.from;
        });
        if (waits) places.push_back({wish.rank, block.id, operation.written, operation.span, 0});
      }
    }
    return places;
  }

  const MscclFile& original_;
  const std::vector<MscclCall>& calls_;
  const Limits& limits_;
  std::size_t budget_ = most_reports;
};

}  // namespace

std::optional<MendedMsccl> mend_msccl(const MscclFile& file, const std::vector<MscclCall>& calls,
                                      const Limits& limits) {
  return Mender(file, calls, limits).mend();
}

std::vector<OrderEdge> added_edges(const std::vector<MscclChange>& changes, const OrderGraph& order) {
  std::vector<OrderEdge> edges;
  for (const MscclChange& change : changes) {
    const auto earlier = order.index_of(change.from);
    for (const Location& place : change.waiting) {
      const auto later = order.index_of(place);
      if (earlier && later) edges.push_back({*earlier, *later, OrderReason::depend});
    }
  }
  return edges;
}

}  // namespace quadrille::programs
