// A change sets hasdep on one operation and depid and deps on the other; if the latter has a dependency already, a
// nop before it takes the new one. A nop shifts the numbers of the steps after it, and a new flag may end a wait too
// early. So each dependency is remembered as the operation that it led to, and all deps are written again after a
// change. Operations are remembered by the place of their first step in the file.
#include "programs/msccl/editor.h"

#include <algorithm>

namespace quadrille::programs {
namespace {

constexpr std::uint32_t first_new = 0x80000000u;  // places of steps that are not in the file

MscclBlock* find_block(MscclRank& rank, std::uint32_t id) {
  const auto found =
      std::find_if(rank.blocks.begin(), rank.blocks.end(), [&](const MscclBlock& block) { return block.id == id; });
  return found == rank.blocks.end() ? nullptr : &*found;
}

}  // namespace

MscclEditor::MscclEditor(const MscclFile& file, const MscclCall& call)
    : file_(file), call_(call), next_new_(first_new) {
  remember();
}

void MscclEditor::remember() {
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

MscclRank* MscclEditor::find_rank(std::uint32_t id) {
  const auto found =
      std::find_if(file_.members.begin(), file_.members.end(), [&](const MscclRank& rank) { return rank.id == id; });
  return found == file_.members.end() ? nullptr : &*found;
}

// The step that sets the flag: the last one of a fused operation.
MscclStep* MscclEditor::last_step(MscclBlock& block, std::uint32_t place) {
  auto step = std::find_if(block.steps.begin(), block.steps.end(),
                           [&](const MscclStep& each) { return each.span.begin == place; });
  if (step == block.steps.end() || !step->kind) return nullptr;
  std::size_t left = members_[place];
  for (; step != block.steps.end(); ++step) {
    if (step->kind && --left == 0) return &*step;
  }
  return nullptr;
}

bool MscclEditor::add(const Wish& wish) {
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

void MscclEditor::depend(MscclBlock& block, std::vector<MscclStep>::iterator step, const Wish& wish) {
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

MscclFile MscclEditor::finished() {
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

}  // namespace quadrille::programs
