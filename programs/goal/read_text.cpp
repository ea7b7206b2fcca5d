// Reads GOAL text, token by token, as txt2bin of spcl/LogGOPSim 76451de does (txt2bin.re).
//
//   num_ranks 2
//   rank 0 {
//   a: send 8b to 1 tag 3 cpu 0 nic 1      tag, cpu and nic in this order, each may be absent
//   b: recv 8b from -1 tag -1              from any rank, with any tag
//   c: calc 100 cpu 1
//   a requires b                           labels are there before
//   c irequires a
//   }
//
// Comments, // and /* */, may be where a statement may begin; a statement ends with its line. Cost: linear.
#include <fmt/format.h>

#include <cctype>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "programs/goal/read.h"

namespace quadrille::programs {
namespace {

bool begins_goal_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool in_goal_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool goal_digit(char c) { return c >= '0' && c <= '9'; }

// Each read function returns false on an error; fault() then has the error.
class GoalTextReader {
 public:
  GoalTextReader(const Source& source, std::uint32_t index, const Limits& limits)
      : text_(source.text), index_(index), limits_(limits) {}

  Result<GoalSchedule> read() {
    if (!read_all()) return *fault_;
    return std::move(schedule_);
  }

 private:
  bool read_all() {
    // An operation, its label and the room that lists grow into take about ten times as much memory as their text.
    constexpr std::uint64_t bytes_for_a_byte = 12;
    if (text_.size() > limits_.memory / bytes_for_a_byte || text_.size() >= Span::nowhere) {
      return fail({}, "the file needs more memory than the limit", Code::limit);
    }
    Pulse pulse(limits_);
    while (to_statement() && at_ < text_.size()) {
      if (pulse.reached()) return fail({}, fmt::format("{}", to_string(pulse.reason())), code_of(pulse.reason()));
      if (!(open_ ? inside() : outside())) return false;
    }
    if (fault_) return false;
    if (open_) {
      return fail(here(), fmt::format("the text ends inside of rank {}; expected `}}`", schedule_.ranks.size() - 1));
    }
    if (!ranks_) return fail(here(), "met the end of the text; expected `num_ranks`");
    if (schedule_.ranks.size() == *ranks_) return true;
    return fail(here(), fmt::format("met the end of the text; expected rank {} of {}", schedule_.ranks.size(), *ranks_),
                Code::missing);
  }

  bool outside() {
    const Span span = word();
    const std::string_view name = text_of(span);
    if (!ranks_) {
      if (name != "num_ranks") return fail(met(span), "expected `num_ranks` first");
      std::uint64_t ranks = 0;
      if (!number("the number of ranks", 1, goal_any - 1, ranks)) return false;
      ranks_ = ranks;
      return true;
    }
    if (name != "rank") return fail(met(span), "expected `rank`");
    return begin_rank();
  }

  bool begin_rank() {
    blanks();
    const std::size_t begin = at_;
    std::uint64_t rank = 0;
    if (!number("a rank", 0, goal_any - 1, rank)) return false;
    const Span span = span_from(begin);
    if (schedule_.ranks.size() == *ranks_) {
      return fail(span, fmt::format("rank {}: expected the end; there are {} ranks", rank, *ranks_), Code::range);
    }
    if (rank != schedule_.ranks.size()) {
      return fail(span, fmt::format("rank {}: expected rank {}; ranks come in order", rank, schedule_.ranks.size()),
                  Code::range);
    }
    blanks();
    if (!take("{")) return fail(here(), "expected `{`");
    schedule_.ranks.emplace_back();
    labels_.clear();
    open_ = true;
    return true;
  }

  bool inside() {
    if (take("}")) {
      schedule_.ranks.back().operations.shrink_to_fit();
      schedule_.ranks.back().dependencies.shrink_to_fit();
      open_ = false;
      return true;
    }
    const Span span = word();
    const std::string_view name = text_of(span);
    if (name.empty()) return fail(met(span), "expected an operation, a label or `}`");
    if (name == "rank" || name == "num_ranks") {
      return fail(span,
                  fmt::format("met `{}` inside of rank {}; expected `}}` before it", name, schedule_.ranks.size() - 1));
    }
    if (const auto kind = kind_named(name)) return operation(*kind, span) && end_of_line();
    blanks();
    if (take(":")) return labelled(span);
    if (take("irequires")) return dependency(span, true);
    if (take("requires")) return dependency(span, false);
    return fail(here(), fmt::format("after `{}` expected `:`, `requires` or `irequires`", name));
  }

  static std::optional<GoalKind> kind_named(std::string_view name) {
    if (name == "send") return GoalKind::send;
    if (name == "recv") return GoalKind::receive;
    if (name == "calc") return GoalKind::calculate;
    return std::nullopt;
  }

  bool labelled(Span label) {
    blanks();
    const auto number_of_it = static_cast<std::uint32_t>(schedule_.ranks.back().operations.size());
    const auto [place, added] = labels_.emplace(text_of(label), number_of_it);
    if (!added) {
      fail(label, fmt::format("`{}` is there already; the simulator would go by the first", text_of(label)),
           Code::duplicate);
      fault_->notes.emplace_back(schedule_.ranks.back().operations[place->second].span, "it is here");
      return false;
    }
    for (const std::string_view name : {"send", "recv", "calc"}) {
      if (take(name)) return operation(*kind_named(name), label) && end_of_line();
    }
    return fail(here(), "expected `send`, `recv` or `calc`");
  }

  bool dependency(Span later, bool started) {
    blanks();
    const Span earlier = word();
    GoalDependency it{0, 0, started};
    if (!label_index(later, it.later)) return false;
    if (text_of(earlier).empty()) return fail(met(earlier), "expected a label");
    if (!label_index(earlier, it.earlier)) return false;
    schedule_.ranks.back().dependencies.push_back(it);
    return end_of_line();
  }

  bool label_index(Span label, std::uint32_t& result) {
    const auto found = labels_.find(text_of(label));
    if (found == labels_.end()) {
      return fail(label, fmt::format("there is no `{}` above, in rank {}", text_of(label), schedule_.ranks.size() - 1),
                  Code::name);
    }
    result = found->second;
    return true;
  }

  bool operation(GoalKind kind, Span span) {
    GoalOperation it{.kind = kind, .span = span};
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (!number(kind == GoalKind::calculate ? "a time" : "a number of bytes", 0, most, it.size)) return false;
    if (kind != GoalKind::calculate && !ends_of(it)) return false;
    blanks();
    std::uint64_t unit = 0;
    if (take("cpu")) {
      if (!number("a number that 8 bits hold", 0, 255, unit)) return false;
      it.cpu = static_cast<std::uint8_t>(unit);
      blanks();
    }
    if (kind != GoalKind::calculate && take("nic")) {
      if (!number("a number that 8 bits hold", 0, 255, unit)) return false;
      it.nic = static_cast<std::uint8_t>(unit);
    }
    schedule_.ranks.back().operations.push_back(it);
    return true;
  }

  // Reads "b to 3 tag 7".
  bool ends_of(GoalOperation& it) {
    const bool sends = it.kind == GoalKind::send;
    blanks();
    if (!take("b")) return fail(here(), "expected `b`, after the number of bytes");
    blanks();
    if (!take(sends ? "to" : "from")) return fail(here(), sends ? "expected `to`" : "expected `from`");
    if (!number_or_any("a rank", goal_any - 1, !sends, it.peer)) return false;
    blanks();
    return !take("tag") || number_or_any("a tag that 32 bits hold", goal_any, true, it.tag);
  }

  bool number_or_any(std::string_view what, std::uint64_t most, bool any, std::uint32_t& result) {
    blanks();
    result = goal_any;
    if (any && take("-1")) return true;
    std::uint64_t value = 0;
    if (!number(what, 0, most, value)) return false;
    result = static_cast<std::uint32_t>(value);
    return true;
  }

  bool number(std::string_view what, std::uint64_t least, std::uint64_t most, std::uint64_t& result) {
    blanks();
    const std::size_t begin = at_;
    bool fits = true;
    for (result = 0; at_ < text_.size() && goal_digit(text_[at_]); ++at_) {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      fits = fits && result <= (most - digit) / 10 && digit <= most;
      if (fits) result = 10 * result + digit;
    }
    if (at_ == begin) return fail(here(), fmt::format("expected {}", what));
    if (fits && result >= least) return true;
    return fail(span_from(begin), fmt::format("expected {}: {} to {}", what, least, most), Code::range);
  }

  bool end_of_line() {
    blanks();
    if (at_ == text_.size() || take("\n") || take("\r\n")) return true;
    return fail(here(), "expected the end of the line");
  }

  bool to_statement() {
    const auto next = next_goal_statement(text_, at_);
    if (!next) return fail(here(), "the comment does not end");
    at_ = *next;
    return true;
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view what) {
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  Span word() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && begins_goal_word(text_[at_])) {
      while (at_ < text_.size() && in_goal_word(text_[at_])) ++at_;
    }
    return span_from(begin);
  }

  std::string_view text_of(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  Span span_from(std::size_t begin) const {
    return {index_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }
  Span here() const { return span_from(at_); }
  // The span of the word that was found; if there is no word, that of the character.
  Span met(Span span) const {
    if (span.end == span.begin && span.end < text_.size()) ++span.end;
    return span;
  }

  bool fail(Span span, std::string message, Code code = Code::syntax) {
    if (!fault_) fault_ = error_at(span, std::move(message), code);
    return false;
  }

  std::string_view text_;
  std::uint32_t index_;
  const Limits& limits_;
  std::size_t at_ = 0;
  bool open_ = false;
  std::optional<std::uint64_t> ranks_;
  GoalSchedule schedule_;
  std::unordered_map<std::string_view, std::uint32_t> labels_;  // of the open rank
  std::optional<Diagnostic> fault_;
};

}  // namespace

Result<GoalSchedule> read_goal_text(const Source& source, std::uint32_t index, const Limits& limits) {
  return GoalTextReader(source, index, limits).read();
}

}  // namespace quadrille::programs
