#include "tests/programs/plan_mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace quadrille::programs {
namespace {

// Each fault returns what it did, or nothing if there was nothing to do it to.
class PlanMutator {
 public:
  PlanMutator(ExecutionPlan& plan, std::mt19937_64& random) : plan_(plan), random_(random) {}

  std::string once() {
    for (int tries = 0; tries < 1000; ++tries) {
      rank_ = &any(plan_.ranks);
      if (rank_->blocks.empty()) continue;
      block_ = &any(rank_->blocks);
      if (block_->operations.empty()) continue;
      list_ = &block_->operations;
      std::vector<PlanOperation>& inner = any(*list_).inner;
      if (!inner.empty() && below(2) == 0) list_ = &inner;
      at_ = below(list_->size());
      const std::string where = fmt::format("gpu {} block {}: ", rank_->id, block_->id);
      const std::string name = fmt::format("ops[{}] {}", at_, to_string(operation().kind));
      const std::string fault = draw(name);
      if (!fault.empty()) return where + fault;
    }
    return "has nothing left to change";
  }

 private:
  using Fault = std::string (PlanMutator::*)(const std::string&);

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  template <class List>
  typename List::value_type& any(List& list) {
    return list[below(list.size())];
  }
  PlanOperation& operation() { return (*list_)[at_]; }
  auto place() { return list_->begin() + static_cast<std::ptrdiff_t>(at_); }

  std::string draw(const std::string& name) {
    static constexpr Fault faults[] = {
        &PlanMutator::drop,      &PlanMutator::repeat,   &PlanMutator::move,     &PlanMutator::swap,
        &PlanMutator::drop_nop,  &PlanMutator::drop_nop, &PlanMutator::add_nop,  &PlanMutator::nudge_index,
        &PlanMutator::nudge_all, &PlanMutator::channel,  &PlanMutator::thread,   &PlanMutator::share,
        &PlanMutator::semaphore, &PlanMutator::relax,    &PlanMutator::relax,    &PlanMutator::barrier,
        &PlanMutator::space,     &PlanMutator::kind,     &PlanMutator::shorten,  &PlanMutator::move_to_block,
        &PlanMutator::remote,    &PlanMutator::peers,    &PlanMutator::declared, &PlanMutator::unit,
        &PlanMutator::lengthen,  &PlanMutator::resize};
    return (this->*faults[below(std::size(faults))])(name);
  }

  // ------------------------------------------------------------------------------------------------- whole operations
  std::string drop(const std::string& name) {
    list_->erase(place());
    return "drops " + name;
  }

  std::string repeat(const std::string& name) {
    list_->insert(place(), PlanOperation(operation()));
    return "repeats " + name;
  }

  std::string move(const std::string& name) {
    PlanOperation moved = std::move(operation());
    list_->erase(place());
    const std::size_t to = below(list_->size() + 1);
    list_->insert(list_->begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
    return to == at_ ? "" : fmt::format("moves {} to {}", name, to);
  }

  std::string swap(const std::string& name) {
    if (at_ + 1 == list_->size()) return "";
    std::swap((*list_)[at_], (*list_)[at_ + 1]);
    return fmt::format("swaps {} with the next one", name);
  }

  std::string drop_nop(const std::string& name) { return operation().kind == PlanKind::nop ? drop(name) : ""; }

  std::string add_nop(const std::string& name) {
    list_->insert(place(), PlanOperation{.kind = PlanKind::nop});
    return "has a nop before " + name;
  }

  std::string move_to_block(const std::string& name) {
    PlanBlock& other = any(rank_->blocks);
    if (&other == block_) return "";
    PlanOperation moved = std::move(operation());
    list_->erase(place());
    other.operations.insert(other.operations.begin() + static_cast<std::ptrdiff_t>(below(other.operations.size() + 1)),
                            std::move(moved));
    return fmt::format("moves {} to block {}", name, other.id);
  }

  // --------------------------------------------------------------------------------------------------- what they name
  PlanChunks* any_chunks() {
    std::vector<PlanChunks>& list = below(2) == 0 ? operation().sources : operation().targets;
    return list.empty() ? nullptr : &any(list);
  }

  void nudge(std::uint32_t& number) {
    if (number > 0 && below(2) == 0) {
      --number;
    } else {
      ++number;
    }
  }

  std::string nudge_index(const std::string& name) {
    PlanChunks* chunks = any_chunks();
    if (chunks == nullptr) return "";
    nudge(chunks->index);
    return fmt::format("{} is at chunk {}", name, chunks->index);
  }

  // On both sides of a transfer, the same chunk of scratch.
  std::string nudge_all(const std::string& name) {
    if (operation().sources.empty()) return "";
    for (auto* list : {&operation().sources, &operation().targets}) {
      for (PlanChunks& chunks : *list) ++chunks.index;
    }
    return name + " is at the next chunks";
  }

  std::string space(const std::string& name) {
    PlanChunks* chunks = any_chunks();
    if (chunks == nullptr || !chunks->space) return "";
    chunks->space = static_cast<Space>(below(3));
    return fmt::format("{} is in buffer {}", name, static_cast<int>(*chunks->space));
  }

  std::string remote(const std::string& name) {
    PlanChunks* chunks = any_chunks();
    if (chunks == nullptr || chunks->space) return "";
    nudge(chunks->id);
    return fmt::format("{} is in remote buffer {}", name, chunks->id);
  }

  std::string channel(const std::string& name) {
    if (operation().channels.empty()) return "";
    std::uint32_t& channel = any(operation().channels);
    nudge(channel);
    return fmt::format("{} is on channel {}", name, channel);
  }

  std::string thread(const std::string& name) {
    if (operation().channels.size() < 2) return "";
    std::rotate(operation().channels.begin(), operation().channels.begin() + 1, operation().channels.end());
    return name + " has its channels in another order";
  }

  std::string shorten(const std::string& name) {
    PlanOperation& operation = this->operation();
    const std::size_t most = std::max({operation.channels.size(), operation.sources.size(), operation.targets.size()});
    if (most < 2) return "";
    if (operation.channels.size() == most) operation.channels.pop_back();
    if (operation.sources.size() == most) operation.sources.pop_back();
    if (operation.targets.size() == most) operation.targets.pop_back();
    return name + " is one shorter";
  }

  std::string lengthen(const std::string& name) {
    std::vector<PlanChunks>& list = below(2) == 0 ? operation().sources : operation().targets;
    if (list.empty()) return "";
    list.push_back(any(list));
    if (below(2) == 0) nudge(list.back().index);
    return name + " has a buffer more";
  }

  std::string resize(const std::string& name) {
    PlanOperation& operation = this->operation();
    if (operation.sources.empty()) return "";
    const bool longer = operation.sources.front().size == 1 || below(2) == 0;
    for (auto* list : {&operation.sources, &operation.targets}) {
      for (PlanChunks& chunks : *list) chunks.size = longer ? chunks.size + 1 : chunks.size - 1;
    }
    return fmt::format("{} is a chunk {}", name, longer ? "longer" : "shorter");
  }

  std::string share(const std::string& name) {
    if (operation().share.parts < 2) return "";
    operation().share.number = static_cast<std::uint32_t>(below(operation().share.parts));
    return fmt::format("{} does part {}", name, operation().share.number);
  }

  std::string semaphore(const std::string& name) {
    if (rank_->semaphores.empty()) return "";
    if (operation().semaphores.empty()) {
      nudge(any(rank_->semaphores));
      return "a semaphore has another first value";
    }
    nudge(any(operation().semaphores));
    return name + " is of another semaphore";
  }

  std::string barrier(const std::string& name) {
    if (operation().kind != PlanKind::barrier) return "";
    nudge(below(2) == 0 ? operation().barrier : operation().barrier_blocks);
    return fmt::format("{} is of {} blocks and number {}", name, operation().barrier_blocks, operation().barrier);
  }

  std::string relax(const std::string& name) {
    return turn(name, {{PlanKind::signal, PlanKind::relaxed_signal},
                       {PlanKind::wait, PlanKind::relaxed_wait},
                       {PlanKind::relaxed_signal, PlanKind::signal},
                       {PlanKind::relaxed_wait, PlanKind::wait}});
  }

  std::string kind(const std::string& name) {
    return turn(name, {{PlanKind::put, PlanKind::put_signal},
                       {PlanKind::put_signal, PlanKind::put_signal_flush},
                       {PlanKind::put_signal_flush, PlanKind::put_signal},
                       {PlanKind::reduce_send, PlanKind::reduce},
                       {PlanKind::reduce, PlanKind::copy},
                       {PlanKind::read_reduce_send, PlanKind::read_reduce},
                       {PlanKind::reduce_send_packets, PlanKind::reduce_packets},
                       {PlanKind::reduce_packets, PlanKind::unpack_packets},
                       {PlanKind::signal, PlanKind::wait},
                       {PlanKind::release, PlanKind::acquire}});
  }

  std::string turn(const std::string& name, const std::vector<std::pair<PlanKind, PlanKind>>& turns) {
    const auto found = std::ranges::find(turns, operation().kind, &std::pair<PlanKind, PlanKind>::first);
    if (found == turns.end()) return "";
    operation().kind = found->second;
    return fmt::format("{} is {}", name, to_string(found->second));
  }

  std::string unit(const std::string& name) {
    if (operation().kind != PlanKind::pipeline) return "";
    if (below(2) == 0) {
      operation().unit_bytes *= 2;
    } else {
      nudge(operation().pipeline_chunks);
    }
    return name + " has other windows";
  }

  // ----------------------------------------------------------------------------------------------- what is declared
  std::string peers(const std::string&) {
    std::vector<std::uint32_t>& peers = any(rank_->peers);
    if (peers.size() < 2) return "";
    std::swap(any(peers), any(peers));
    return "has its channels declared in another order";
  }

  std::string declared(const std::string&) {
    switch (below(5)) {
      case 0:
        plan_.double_scratch = !plan_.double_scratch;
        return fmt::format("(the plan) double scratch: {}", plan_.double_scratch);
      case 1:
        plan_.in_place = !plan_.in_place;
        return fmt::format("(the plan) in place: {}", plan_.in_place);
      case 2:
        plan_.reuses = !plan_.reuses;
        return fmt::format("(the plan) reuse: {}", plan_.reuses);
      case 3: {
        if (rank_->remote_buffers.empty()) return "";
        PlanRemoteBuffer& buffer = any(rank_->remote_buffers);
        buffer.space = static_cast<Space>(below(3));
        return "has another remote buffer";
      }
      default:
        block_->operations.clear();
        return "has no operations";
    }
  }

  ExecutionPlan& plan_;
  std::mt19937_64& random_;
  PlanRank* rank_ = nullptr;
  PlanBlock* block_ = nullptr;
  std::vector<PlanOperation>* list_ = nullptr;
  std::size_t at_ = 0;
};

}  // namespace

PlanMutant mutated(const ExecutionPlan& plan, std::mt19937_64& random) {
  PlanMutant result{plan, {}};
  result.fault = PlanMutator(result.plan, random).once();
  return result;
}

}  // namespace quadrille::programs
