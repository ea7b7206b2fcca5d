// Evaluating expressions for one size. Integers are exact: what does not fit is the user's mistake at its place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/instance.h"
#include "compiler/ir.h"
#include "model/fabric.h"

namespace quadrille {

// Evaluates the expressions of one instance. Holds the frames and the sets that are being worked on; not shared between
// threads, cheap to make.
class Evaluator {
 public:
  using Slot = std::int64_t;

  explicit Evaluator(const Instance& instance);

  // The number, truth value (0 or 1) or node number that the expression has in this frame. A set gives a handle, good
  // until the innermost iteration, frame or block (drop_sets) around it ends.
  std::int64_t value(const ir::Expression& expression, Slot* frame);
  bool truth(const ir::Expression& expression, Slot* frame) { return value(expression, frame) != 0; }

  // A range of numbers first, first+step, … `count` of them, if the set is one.
  struct Progression {
    std::int64_t first = 0;
    std::int64_t step = 1;
    std::uint64_t count = 0;
  };
  std::optional<Progression> progression(const ir::Expression& set, Slot* frame);
  // The set's elements, in order, without repetition, appended.
  void collect(const ir::Expression& set, Slot* frame, std::vector<std::int64_t>& elements);

  // The handle by which every evaluator of this instance knows the set, for as long as the instance lives. `sets` are
  // the instance's own; the set is added to them unless it is one of them.
  Slot share(Slot handle, std::vector<std::vector<std::int64_t>>& sets) const;
  // How many sets have handles; and the end of those that were made since there were so many.
  std::size_t kept_sets() const { return sets_.size(); }
  void drop_sets(std::size_t kept) { sets_.resize(kept); }

  // Calls visit() once for each combination of the bindings' values, which it puts into their slots.
  template <class Visit>
  void for_each(const std::vector<ir::Binding>& bindings, Slot* frame, const Visit& visit) {
    for_each_from(0, bindings, frame, visit);
  }

  // A frame of `size` slots, all zero; it and the sets made meanwhile are gone when the guard dies.
  class FrameGuard {
   public:
    FrameGuard(Evaluator& evaluator, std::uint32_t size, Span span);
    ~FrameGuard();
    FrameGuard(const FrameGuard&) = delete;
    FrameGuard& operator=(const FrameGuard&) = delete;
    Slot* slots() const { return slots_; }

   private:
    Evaluator& evaluator_;
    std::size_t mark_;
    std::size_t sets_;
    Slot* slots_;
  };

  const Instance& instance() const { return instance_; }
  // One more iteration of some loop, or call; refuses to go on for ever.
  void count_iteration(Span span) {
    if (++iterations_ > instance_.iterations || pulse_.reached()) stop_iterating(span);
  }
  // Fails if the calls are nested too deep for the machine's stack.
  void guard_depth(Span span) const;

 private:
  template <class Visit>
  void for_each_from(std::size_t i, const std::vector<ir::Binding>& bindings, Slot* frame, const Visit& visit) {
    if (i == bindings.size()) return visit();
    const ir::Binding& binding = bindings[i];
    const ir::Expression& set = binding.set[0];
    const std::size_t kept = kept_sets();
    if (const auto range = progression(set, frame)) {
      std::int64_t x = range->first;
      for (std::uint64_t k = 0; k < range->count; ++k, x += range->step) {
        count_iteration(set.span);
        frame[binding.slot] = x;
        for_each_from(i + 1, bindings, frame, visit);
        drop_sets(kept);
      }
      return;
    }
    std::vector<std::int64_t> elements;
    collect(set, frame, elements);
    for (const std::int64_t x : elements) {
      count_iteration(set.span);
      frame[binding.slot] = x;
      for_each_from(i + 1, bindings, frame, visit);
      drop_sets(kept);
    }
  }

  // A constant whose value is being worked out: it may not be asked for meanwhile.
  class OpenConstant {
   public:
    OpenConstant(Evaluator& evaluator, const ir::Expression& e);
    ~OpenConstant() { evaluator_.constant_open_[index_] = false; }
    OpenConstant(const OpenConstant&) = delete;
    OpenConstant& operator=(const OpenConstant&) = delete;
    const ir::Constant& constant() const { return evaluator_.instance_.schedule->constants[index_]; }

   private:
    Evaluator& evaluator_;
    std::size_t index_;
  };

  [[noreturn]] void stop_iterating(Span span) const;
  std::int64_t binary(const ir::Expression& e, std::int64_t a, std::int64_t b) const;
  std::int64_t call(const ir::Expression& e, Slot* frame);
  void pass_arguments(const ir::Expression& e, Slot* frame, Slot* callee);
  std::int64_t constant(const ir::Expression& e);
  std::int64_t pattern(const ir::Expression& e, std::int64_t level) const;
  std::int64_t builtin(const ir::Expression& e, Slot* frame);
  std::int64_t claim_builtin(const ir::Expression& e) const;
  std::int64_t fabric_builtin(const ir::Expression& e, Slot* frame);
  std::int64_t fold(const ir::Expression& e, Slot* frame);
  Slot keep_set(const ir::Expression& e, Slot* frame);
  const std::vector<std::int64_t>& kept(Slot handle) const;
  const std::vector<std::int64_t>& constant_set(const ir::Expression& e);
  void collect_builtin(const ir::Expression& e, Slot* frame, std::vector<std::int64_t>& elements);
  std::int64_t to_node(std::int64_t number, Span span) const;
  std::int64_t to_integer(std::int64_t node, Span span) const;
  const Fabric& fabric(Span span) const;

  const Instance& instance_;
  std::unique_ptr<Slot[]> stack_;
  std::size_t used_ = 0;
  std::vector<std::vector<std::int64_t>> sets_;  // those with handles 0, 1, …; -1, -2, … are the instance's
  std::vector<std::optional<std::int64_t>> constants_;
  std::vector<std::optional<std::vector<std::int64_t>>> constant_sets_;
  std::vector<bool> constant_open_;
  std::uint64_t iterations_ = 0;
  Pulse pulse_;
  const char* stack_base_;
};

}  // namespace quadrille
