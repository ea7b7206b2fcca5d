// The evaluator computes expressions for one size. Integers are exact: a value that does not fit is the user's mistake
// at its place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/evaluate/instance.h"
#include "compiler/ir.h"
#include "model/fabric.h"
#include "model/limits/memory_use.h"

namespace quadrille {

// RememberedCalls keeps the outcomes of costly calls, so that none is evaluated twice: a chain of k functions that each
// call the next one twice is k calls, not 2^k.

// A table of the outcomes of calls. Requires that an outcome depends only on the callee and its arguments, as numbers.
//
//   if (const auto known = calls.find(callee, arguments)) return *known;
//   const std::uint64_t before = iterations;
//   …
//   if (calls.worth_keeping(iterations - before)) calls.add(callee, arguments, outcome);
class RememberedCalls {
 public:
  using Value = std::int64_t;

  // Returns the outcome, or null if it is not known. Cost: constant where no call of this callee is known; else a
  // look-up in a table of few entries.
  const Value* find(std::uint32_t callee, std::span<const Value> arguments) {
    if (callee >= has_entries_.size() || !has_entries_[callee]) return nullptr;
    const auto found = outcomes_.find(key(callee, arguments));
    return found == outcomes_.end() ? nullptr : &found->second;
  }

  // Whether a call that took so many iterations, of loops or calls, cost more than remembering it does.
  static bool worth_keeping(std::uint64_t iterations) { return iterations >= 64; }

  void add(std::uint32_t callee, std::span<const Value> arguments, Value outcome) {
    if (arguments.size() > most_arguments) return;
    if (outcomes_.size() >= most_entries) outcomes_.clear();
    if (callee >= has_entries_.size()) has_entries_.resize(callee + std::size_t{1});
    has_entries_[callee] = true;
    outcomes_.insert_or_assign(key(callee, arguments), outcome);
  }

 private:
  // Together less than a MiB.
  static constexpr std::size_t most_entries = 4096;
  static constexpr std::size_t most_arguments = 8;

  static std::vector<Value> key(std::uint32_t callee, std::span<const Value> arguments) {
    std::vector<Value> key{callee};
    key.insert(key.end(), arguments.begin(), arguments.end());
    return key;
  }

  std::map<std::vector<Value>, Value> outcomes_;
  std::vector<bool> has_entries_;  // by callee
};

// Evaluates the expressions of one instance. Holds the frames and the sets that are being worked on; not shared between
// threads, cheap to make.
class Evaluator {
 public:
  using Slot = std::int64_t;

  explicit Evaluator(const Instance& instance);
  // One that works for `caller`: it counts on with it, and is as deep in calls. Requires that the caller lives longer.
  Evaluator(const Instance& instance, Evaluator& caller);

  // Begins anew: what is evaluated next has all iterations, and all of the calling thread's stack. Requires that it is
  // evaluating nothing.
  void restart();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // Returns the number, truth value (0 or 1) or node number that the expression has in this frame. A set gives a
  // handle, which is valid until the innermost iteration, frame or block (drop_sets) around it ends.
  std::int64_t value(const ir::Expression& expression, Slot* frame);
  bool truth(const ir::Expression& expression, Slot* frame) { return value(expression, frame) != 0; }

  // Returns `a op b`; of `or` and `and` the right side.
  static std::int64_t apply(ir::BinaryOperator op, std::int64_t a, std::int64_t b, Span span);

  // The `count` numbers first, first+step, …
  struct Progression {
    std::int64_t first = 0;
    std::int64_t step = 1;
    std::uint64_t count = 0;
  };
  // Returns the set as a progression; nothing if it is none.
  std::optional<Progression> progression(const ir::Expression& set, Slot* frame);
  // Appends the set's elements, in order and without repetition.
  void collect(const ir::Expression& set, Slot* frame, std::vector<std::int64_t>& elements);

  // Returns the handle by which every evaluator of an instance with these shared sets knows the set, for as long as the
  // instance lives. The set is added to them unless it is one of them.
  Slot share(Slot handle) const;
  // Returns the number of sets that have handles. drop_sets(kept) ends the sets made since that number was `kept`.
  std::size_t kept_sets() const { return sets_.size(); }
  void drop_sets(std::size_t kept) { sets_.resize(kept); }

  // Calls visit() once for each combination of the bindings' values, which it puts into their slots.
  template <class Visit>
  void for_each(const std::vector<ir::Binding>& bindings, Slot* frame, const Visit& visit) {
    for_each_from(0, bindings, frame, visit);
  }

  // Makes a frame of `size` slots, all zero. Its destructor removes the frame and the sets that were made meanwhile.
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
  // Counts one more iteration of a loop, call, or statement of a block, and throws beyond the limits.
  void count_iteration(Span span) {
    if (++*iterations_ > instance_.iterations || pulse_.reached()) stop_iterating(span);
  }
  std::uint64_t iterations() const { return *iterations_; }
  // Throws at once if `count` more iterations would exceed the limit.
  void expect_iterations(std::uint64_t count, Span span) const {
    if (*iterations_ > instance_.iterations || count > instance_.iterations - *iterations_) stop_iterating(span);
  }
  // Throws likewise for elements of a set; they are quicker than iterations, and take memory.
  void expect_elements(std::uint64_t count, Span span) {
    *iterations_ += count / 64;
    constexpr std::uint64_t many = std::uint64_t{1} << 16;
    if (*iterations_ > instance_.iterations || (count >= many && pulse_.reached_with(count * sizeof(Slot)))) {
      stop_iterating(span);
    }
  }
  // Fails if the calls are nested too deep for the machine's stack.
  void guard_depth(Span span) const;

 private:
  template <class Visit>
  void for_each_from(std::size_t i, const std::vector<ir::Binding>& bindings, Slot* frame, const Visit& visit) {
    if (i == bindings.size()) return visit();
    const ir::Binding& binding = bindings[i];
    const ir::Expression& set = binding.set;
    const std::size_t kept = kept_sets();
    if (const auto range = progression(set, frame)) {
      expect_iterations(range->count, set.span);
      std::int64_t x = range->first;
      for (std::uint64_t k = 0; k < range->count; ++k, x += range->step) {
        count_iteration(set.span);
        frame[binding.variable.value] = x;
        for_each_from(i + 1, bindings, frame, visit);
        drop_sets(kept);
      }
      return;
    }
    std::vector<std::int64_t> elements;
    collect(set, frame, elements);
    for (const std::int64_t x : elements) {
      count_iteration(set.span);
      frame[binding.variable.value] = x;
      for_each_from(i + 1, bindings, frame, visit);
      drop_sets(kept);
    }
  }

  // Marks a constant whose value is being worked out; an expression may not use it meanwhile.
  class OpenConstant {
   public:
    OpenConstant(Evaluator& evaluator, ir::ConstantId id, Span span);
    ~OpenConstant() { evaluator_.constant_open_[id_.value] = false; }
    OpenConstant(const OpenConstant&) = delete;
    OpenConstant& operator=(const OpenConstant&) = delete;
    const ir::Constant& constant() const { return evaluator_.instance_.schedule->constants[id_.value]; }

   private:
    Evaluator& evaluator_;
    ir::ConstantId id_;
  };

  [[noreturn]] void stop_iterating(Span span) const;

  // The value of a node; `e` is the expression around it.
  Slot value_of(const ir::Literal& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::VariableUse& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::NodeNamed& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::ParameterUse& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::ConstantUse& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::ProcedureUse& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::Unary& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::Binary& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::Conditional& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::FunctionCall& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::PatternCall& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::BuiltinCall& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::ToNode& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::ToInteger& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::Range& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::SetLiteral& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::Comprehension& node, const ir::Expression& e, Slot* frame);
  Slot value_of(const ir::Fold& node, const ir::Expression& e, Slot* frame);

  void pass_arguments(const ir::FunctionCall& call, Span span, Slot* frame, Slot* callee);
  std::int64_t least_or_greatest(const ir::BuiltinCall& call, Slot* frame);
  std::int64_t measure(ir::Builtin builtin, Span span) const;
  std::int64_t compared_load(const ir::BuiltinCall& call, Span span, Slot* frame);
  std::int64_t of_fabric(const ir::BuiltinCall& call, Span span, Slot* frame);
  NodeId parent(NodeId child, Span span) const;
  std::int64_t capacity_at(std::int64_t level, Span span) const;

  // A set's elements, by the kind of its node, appended.
  using Elements = std::vector<std::int64_t>;
  void collect_from(const ir::SetLiteral& node, const ir::Expression& e, Slot* frame, Elements& elements);
  void collect_from(const ir::Comprehension& node, const ir::Expression& e, Slot* frame, Elements& elements);
  void collect_from(const ir::ToNode& node, const ir::Expression& e, Slot* frame, Elements& elements);
  void collect_from(const ir::ToInteger& node, const ir::Expression& e, Slot* frame, Elements& elements);
  void collect_from(const ir::Conditional& node, const ir::Expression& e, Slot* frame, Elements& elements);
  void collect_from(const ir::BuiltinCall& node, const ir::Expression& e, Slot* frame, Elements& elements);
  void collect_from(const ir::FunctionCall& node, const ir::Expression& e, Slot* frame, Elements& elements);
  void collect_from(const ir::ConstantUse& node, const ir::Expression& e, Slot* frame, Elements& elements);
  void collect_from(const ir::ParameterUse& node, const ir::Expression& e, Slot* frame, Elements& elements);
  void collect_from(const ir::VariableUse& node, const ir::Expression& e, Slot* frame, Elements& elements);
  template <class Node>
  void collect_from(const Node& node, const ir::Expression& e, Slot* frame, Elements& elements);  // no sets: a fault
  Slot keep_set(const ir::Expression& e, Slot* frame);
  const Elements& kept(Slot handle) const;
  const Elements& constant_set(ir::ConstantId id, Span span);
  void collect_leaves(NodeId below, Span span, Elements& elements) const;

  std::int64_t to_node(std::int64_t number, Span span) const;
  std::int64_t to_integer(std::int64_t node, Span span) const;
  const Fabric& fabric(Span span) const;
  std::uint32_t parts(Span span) const;
  std::uint32_t processors(Span span) const;  // of the fabric, or of the one that is being defined

  const Instance& instance_;
  std::unique_ptr<Slot[]> stack_;
  std::size_t used_ = 0;
  std::vector<std::vector<std::int64_t>> sets_;  // those with handles 0, 1, …; -1, -2, … are the instance's
  std::vector<std::optional<std::int64_t>> constants_;
  std::vector<std::optional<std::vector<std::int64_t>>> constant_sets_;
  std::vector<bool> constant_open_;
  RememberedCalls calls_;  // of functions whose formals and value are no sets
  // The last costly call of each function whose value is a set, and whose formals are none.
  struct SetCall {
    std::vector<Slot> arguments;
    Elements elements;
  };
  std::map<std::uint32_t, SetCall> set_calls_;  // by function
  std::uint64_t own_iterations_ = 0;
  std::uint64_t* iterations_ = &own_iterations_;  // or the caller's
  MeasuredPulse pulse_;
  const char* stack_base_;
};

}  // namespace quadrille
