// RememberedCalls keeps the outcomes of costly calls, so that none is evaluated twice: a chain of k functions that each
// call the next one twice is k calls, not 2^k.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace quadrille {

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

}  // namespace quadrille
