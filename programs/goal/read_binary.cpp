// Reads GOAL in binary (binary.h). All parts are where txt2bin puts them, one after another, so a file cannot contain
// more than it has bytes for. Cost: linear.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "programs/goal/binary.h"
#include "programs/goal/read.h"

namespace quadrille::programs {
namespace {

class GoalBinaryReader {
 public:
  GoalBinaryReader(std::string_view bytes, const Limits& limits) : bytes_(bytes), limits_(limits) {}

  Result<GoalSchedule> read() {
    if (!read_all()) return error_at({}, fmt::format("byte {}: {}", at_, fault_), code_);
    return std::move(schedule_);
  }

 private:
  bool read_all() {
    if (bytes_.size() > limits_.memory / 4) return fail("the file needs more memory than the limit", Code::limit);
    if (bytes_.size() < goal_fixed_head) return fail("the file ends inside of its head");
    const std::uint64_t cookie = take(8);
    if (cookie == goal_used_cookie) {
      at_ = 0;
      return fail("a simulation with --save-mem has used this file up; make it anew");
    }
    const std::uint64_t ranks = take(4);
    at_ += 2;  // the largest cpu and nic, which the operations say, too
    if (ranks == 0 || ranks > (bytes_.size() - goal_fixed_head) / goal_rank_entry) {
      return fail(fmt::format("{} ranks; the file has no room for them", ranks));
    }
    std::uint64_t begin = goal_fixed_head - goal_base + goal_rank_entry * ranks;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      if (const Reason reason = limits_.reached(); reason != Reason::none) {
        return fail(std::string(to_string(reason)), code_of(reason));
      }
      at_ = goal_fixed_head + goal_rank_entry * rank;
      const std::uint64_t from = take(8);
      const std::uint64_t to = take(8);
      if (from != begin || to < from || to > bytes_.size() - goal_base) {
        return fail(fmt::format("rank {} is from {} to {}; expected it to begin at {}, and in the file", rank, from, to,
                                begin));
      }
      at_ = from + goal_base;
      end_ = to + goal_base;
      if (!read_rank(rank)) return false;
      begin = to;
    }
    return at_ == bytes_.size() || fail("expected the end of the file");
  }

  bool read_rank(std::uint64_t number) {
    if (end_ - at_ < 8) return fail(fmt::format("rank {} ends early", number));
    const std::uint64_t operations = take(4);
    const std::uint64_t roots = take(4);
    const std::uint64_t head = 4 * roots + goal_operation_size * operations;
    if (roots > operations || head > end_ - at_) {
      return fail(
          fmt::format("rank {}: {} operations, {} roots; there is no room for them", number, operations, roots));
    }
    const std::size_t roots_at = at_;
    at_ += 4 * roots;
    GoalRank rank;
    waits_.clear();
    lists_.clear();
    for (std::uint64_t i = 0; i < operations; ++i) {
      if (!read_operation(rank)) return false;
    }
    if (end_ - at_ != 4 * listed()) return fail(fmt::format("rank {}: expected {} indices here", number, listed()));
    if (!read_lists(rank, number)) return false;
    const std::size_t after = at_;
    at_ = roots_at;
    if (!read_roots(rank, roots, number)) return false;
    at_ = after;
    schedule_.ranks.push_back(std::move(rank));
    return true;
  }

  bool read_operation(GoalRank& rank) {
    waits_.push_back(take(4));
    GoalOperation it;
    const std::uint64_t kind = take(1);
    if (kind < 1 || kind > 3) {
      --at_;
      return fail(fmt::format("an operation of kind {}; expected 1, 2 or 3", kind));
    }
    it.kind = static_cast<GoalKind>(kind);
    it.peer = static_cast<std::uint32_t>(take(4));
    it.size = take(8);
    it.tag = static_cast<std::uint32_t>(take(4));
    it.cpu = static_cast<std::uint8_t>(take(1));
    it.nic = static_cast<std::uint8_t>(take(1));
    for (int list = 0; list < 2; ++list) {
      const std::uint64_t count = take(4);
      const std::uint64_t begin = take(4);
      if (begin != listed()) return fail(fmt::format("a list that begins at {}; expected {}", begin, listed()));
      lists_.push_back(begin + count);
    }
    rank.operations.push_back(it);
    return true;
  }

  bool read_lists(GoalRank& rank, std::uint64_t number) {
    std::uint64_t begin = 0;
    for (std::size_t list = 0; list < lists_.size(); ++list) {
      for (; begin < lists_[list]; ++begin) {
        const std::uint64_t later = take(4);
        if (later >= rank.operations.size()) return fail(fmt::format("rank {} has no operation {}", number, later));
        rank.dependencies.push_back(
            {static_cast<std::uint32_t>(later), static_cast<std::uint32_t>(list / 2), list % 2 == 1});
        --waits_[later];
      }
    }
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (static_cast<std::uint32_t>(waits_[i]) == 0) continue;
      return fail(fmt::format("operation {} of rank {} has another number of dependencies than it says", i, number));
    }
    return true;
  }

  // Reads the operations that no dependency names as later, in order.
  bool read_roots(const GoalRank& rank, std::uint64_t roots, std::uint64_t number) {
    std::vector<bool> waiting(rank.operations.size());
    for (const GoalDependency& it : rank.dependencies) waiting[it.later] = true;
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i]) continue;
      if (found == roots || take(4) != i) return fail(fmt::format("rank {}: operation {} is no root", number, i));
      ++found;
    }
    return found == roots || fail(fmt::format("rank {}: {} roots; expected {}", number, roots, found));
  }

  std::uint64_t listed() const { return lists_.empty() ? 0 : lists_.back(); }

  // Takes a number of `count` bytes. Requires that so many bytes remain.
  std::uint64_t take(std::size_t count) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      number |= std::uint64_t{static_cast<unsigned char>(bytes_[at_ + i])} << (8 * i);
    }
    at_ += count;
    return number;
  }

  bool fail(std::string message, Code code = Code::syntax) {
    fault_ = std::move(message);
    code_ = code;
    return false;
  }

  std::string_view bytes_;
  const Limits& limits_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;  // of this rank
  GoalSchedule schedule_;
  std::vector<std::uint64_t> waits_;  // by operation: dependencies that it says it has, less those found
  std::vector<std::uint64_t> lists_;  // by 2·operation (+1: for its beginning): where its list ends
  std::string fault_;
  Code code_ = Code::syntax;
};

}  // namespace

Result<GoalSchedule> read_goal_binary(std::string_view bytes, const Limits& limits) {
  return GoalBinaryReader(bytes, limits).read();
}

}  // namespace quadrille::programs
