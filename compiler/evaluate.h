// Evaluating expressions for one size. Integers are exact: what does not fit is the user's mistake at its place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir.h"
#include "model/fabric.h"
#include "model/result.h"
#include "model/route.h"
#include "model/send_table.h"

namespace quadrille {

// A user's mistake met while evaluating; caught at the compiler's public face.
struct EvaluationError {
  Diagnostic diagnostic;
  bool located = false;  // the loop variables have been noted
};

[[noreturn]] void fail(Span span, std::string message);

// The value of a pattern parameter.
struct Pattern {
  std::string word;                  // "constant", "exponential", or "" for a list
  std::vector<std::int64_t> values;  // the list
};

// One size of a schedule: everything that expressions may refer to.
struct Instance {
  std::shared_ptr<const ir::Schedule> schedule;
  std::vector<std::int64_t> parameters;  // by parameter; 0 for patterns
  std::vector<Pattern> patterns;         // by parameter; empty for integers
  std::optional<Fabric> fabric;          // absent while the fabric line itself is evaluated
  std::optional<Router> router;
  std::optional<Measured> measured;                   // claims only
  std::uint64_t iterations = std::uint64_t{1} << 30;  // of loops that one evaluator may run
};

// Evaluates the expressions of one instance. Holds the frames and the sets that are being worked on; not shared between
// threads, cheap to make.
class Evaluator {
 public:
  using Slot = std::int64_t;

  explicit Evaluator(const Instance& instance);

  // The number, truth value (0 or 1) or node number that the expression has in this frame. Sets give a handle (set()).
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

  // Calls visit() once for each combination of the bindings' values, which it puts into their slots.
  template <class Visit>
  void for_each(const std::vector<ir::Binding>& bindings, Slot* frame, const Visit& visit) {
    for_each_from(0, bindings, frame, visit);
  }

  // A frame for `shape`, its slots zero; gone when the guard dies.
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
  // One more iteration of some loop; refuses to go on for ever.
  void count_iteration(Span span) {
    if (++iterations_ > instance_.iterations) too_many_iterations(span);
  }
  // Fails if the calls are nested too deep for the machine's stack.
  void guard_depth(Span span) const;

 private:
  template <class Visit>
  void for_each_from(std::size_t i, const std::vector<ir::Binding>& bindings, Slot* frame, const Visit& visit) {
    if (i == bindings.size()) return visit();
    const ir::Binding& binding = bindings[i];
    const ir::Expression& set = binding.set[0];
    if (const auto range = progression(set, frame)) {
      std::int64_t x = range->first;
      for (std::uint64_t k = 0; k < range->count; ++k, x += range->step) {
        count_iteration(set.span);
        frame[binding.slot] = x;
        for_each_from(i + 1, bindings, frame, visit);
      }
      return;
    }
    std::vector<std::int64_t> elements;
    collect(set, frame, elements);
    for (const std::int64_t x : elements) {
      count_iteration(set.span);
      frame[binding.slot] = x;
      for_each_from(i + 1, bindings, frame, visit);
    }
  }

  [[noreturn]] void too_many_iterations(Span span) const;
  std::int64_t binary(const ir::Expression& e, std::int64_t a, std::int64_t b) const;
  std::int64_t call(const ir::Expression& e, Slot* frame);
  std::int64_t constant(const ir::Expression& e);
  std::int64_t pattern(const ir::Expression& e, std::int64_t level) const;
  std::int64_t builtin(const ir::Expression& e, Slot* frame);
  std::int64_t claim_builtin(const ir::Expression& e) const;
  std::int64_t fabric_builtin(const ir::Expression& e, Slot* frame);
  std::int64_t fold(const ir::Expression& e, Slot* frame);
  std::int64_t keep_set(const ir::Expression& e, Slot* frame);
  void collect_builtin(const ir::Expression& e, Slot* frame, std::vector<std::int64_t>& elements);
  std::int64_t to_node(std::int64_t number, Span span) const;
  std::int64_t to_integer(std::int64_t node, Span span) const;
  const Fabric& fabric(Span span) const;

  const Instance& instance_;
  std::unique_ptr<Slot[]> stack_;
  std::size_t used_ = 0;
  std::vector<std::vector<std::int64_t>> sets_;  // the values of set-typed slots, by handle
  std::vector<std::optional<std::int64_t>> constants_;
  std::vector<bool> constant_open_;
  std::uint64_t iterations_ = 0;
  const char* stack_base_;
};

}  // namespace quadrille
