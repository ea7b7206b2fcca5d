// Writes GOAL as text. Labels must be there before a dependency names them, so each dependency follows the later one
// of its two operations in the text. For example,
//
//   num_ranks 2
//
//   rank 0 {
//   s1: send 1024b to 1 tag 1
//   r1: recv 1024b from 1 tag 1
//   s2: send 1024b to 1 tag 2
//   s2 requires s1
//   s2 requires r1
//   }
//
// Cost: linear. Numbers are formatted by hand, because a total exchange of 1024 ranks has some five million lines.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "programs/goal/write.h"

namespace quadrille::programs {
namespace {

constexpr std::size_t goal_text_piece = std::size_t{1} << 20;

char goal_letter(GoalKind kind) { return kind == GoalKind::send ? 's' : kind == GoalKind::receive ? 'r' : 'c'; }

class GoalTextWriter {
 public:
  explicit GoalTextWriter(const GoalSink& sink) : sink_(sink) { text_.reserve(goal_text_piece + goal_text_piece / 8); }

  void comment(std::string_view line) { add("// ", line, "\n"); }

  void begin(std::size_t ranks) { add("num_ranks ", ranks, "\n"); }

  bool rank(std::size_t number, const GoalRank& rank) {
    add("\nrank ", number, " {\n");
    number_labels(rank);
    std::size_t written = 0;
    for (const GoalDependency& it : rank.dependencies) {
      for (; written <= std::max(it.later, it.earlier); ++written) operation(rank.operations[written], written);
      label(rank, it.later);
      add(it.started ? " irequires " : " requires ");
      label(rank, it.earlier);
      add("\n");
    }
    for (; written < rank.operations.size(); ++written) operation(rank.operations[written], written);
    add("}\n");
    return text_.size() < goal_text_piece || flush();
  }

  bool flush() {
    const bool taken = sink_(text_);
    text_.clear();
    return taken;
  }

 private:
  void put(std::string_view text) { text_ += text; }
  void put(std::uint64_t number) {
    const fmt::format_int digits(number);
    text_.append(digits.data(), digits.size());
  }
  template <class... Parts>
  void add(const Parts&... parts) {
    (put(parts), ...);
  }

  void number_labels(const GoalRank& rank) {
    std::array<std::uint32_t, 4> count{};
    numbers_.clear();
    for (const GoalOperation& it : rank.operations) numbers_.push_back(++count[static_cast<std::size_t>(it.kind)]);
  }

  void label(const GoalRank& rank, std::uint32_t index) {
    text_ += goal_letter(rank.operations[index].kind);
    put(std::uint64_t{numbers_[index]});
  }

  void operation(const GoalOperation& it, std::size_t index) {
    text_ += goal_letter(it.kind);
    add(std::uint64_t{numbers_[index]}, ": ");
    if (it.kind == GoalKind::calculate) {
      add("calc ", it.size);
    } else {
      const bool sends = it.kind == GoalKind::send;
      add(sends ? "send " : "recv ", it.size, sends ? "b to " : "b from ");
      any_or(it.peer);
      add(" tag ");
      any_or(it.tag);
    }
    if (it.cpu != 0) add(" cpu ", std::uint64_t{it.cpu});
    if (it.nic != 0 && it.kind != GoalKind::calculate) add(" nic ", std::uint64_t{it.nic});
    add("\n");
  }

  void any_or(std::uint32_t number) {
    if (number == goal_any) {
      put("-1");
    } else {
      put(std::uint64_t{number});
    }
  }

  const GoalSink& sink_;
  std::string text_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

bool write_goal_text(const GoalSchedule& schedule, const std::vector<std::string>& comments, const GoalSink& sink) {
  GoalTextWriter writer(sink);
  for (const std::string& line : comments) writer.comment(line);
  writer.begin(schedule.ranks.size());
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    if (!writer.rank(rank, schedule.ranks[rank])) return false;
  }
  return writer.flush();
}

}  // namespace quadrille::programs
