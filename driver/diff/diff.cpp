// Both sides become lists of transfers, with contents as sums of contributions that mean the same on either side. Sends
// are compared as multisets of (from, to, contributions); order and steps only if these are equal.
//
//   allgather_ring N=4 and the same written backwards: 12 and 12 sends, none in common; 0 -> 1 with input 0 of 0 is
//   only on the left, 0 -> 3 with it only on the right
//
// Cost: that of reading both (sent_contents.h), and n log n of n sends, whose sets of contributions are compared as
// wholes.
#include "driver/diff/diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "driver/check/check_goal.h"
#include "driver/check/check_program.h"
#include "driver/diff/sent_contents.h"
#include "formats/table_io.h"

namespace quadrille::driver {
namespace {

using programs::Sums;

// One side as it was opened.
struct ComparedSide {
  std::optional<SendTable> table;
  std::optional<OpenedProgram> program;
  SentContents transfers = {};
};

Result<ComparedSide> open(const std::string& file, const DiffRequest& request, Context& context) {
  if (is_goal(file, context)) {
    return error_at({}, fmt::format("{} is GOAL, which says how many bytes move, and nothing of what they are", file),
                    Code::unsupported);
  }
  if (is_msccl(file, context)) {
    Result<OpenedProgram> program = open_program({.file = file, .collective = request.collective}, context);
    if (!program) return program.diagnostics();
    return ComparedSide{std::nullopt, *std::move(program)};
  }
  TableRequest input = request.input;
  input.file = file;
  // Tables are what they are; only schedules are compiled.
  const auto beginning = file == "-" ? std::nullopt : context.environment.read_beginning(file, enough_to_recognise);
  if (beginning && is_table(*beginning, context.world->formats)) input = TableRequest{.file = file};
  Result<SendTable> table = open_table(input, context);
  if (!table) return table.diagnostics();
  return ComparedSide{*std::move(table), std::nullopt};
}

// What a send is: from, to, the contributions by a number of their own.
using KnownSend = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

class Difference {
 public:
  Difference(const ComparedSide& left, const ComparedSide& right, Sums& sums, const DiffRequest& request,
             const Limits& limits)
      : left_(left.transfers), right_(right.transfers), sums_(sums), most_(limits.memory / bytes_of_an_entry) {
    outcome_.left = request.left;
    outcome_.right = request.right;
    listed_ = request.listed;
  }

  Result<DiffOutcome> all() {
    const auto left = sends_of(left_);
    const auto right = sends_of(right_);
    if (!left || !right) return error_at({}, "the sums that are sent have too many parts for the memory", Code::limit);
    compare_sends(*left, *right);
    if (outcome_.same_sends()) {
      const bool both = left_.timed && right_.timed;
      outcome_.order = both ? by_sender(left_, *left) == by_sender(right_, *right) : same_connections(*left, *right);
      if (both) outcome_.steps = by_step(left_, *left) == by_step(right_, *right);
    }
    compare_results();
    return std::move(outcome_);
  }

 private:
  static constexpr std::uint64_t bytes_of_an_entry = 64;

  // By transfer; nothing if the memory does not do.
  std::optional<std::vector<KnownSend>> sends_of(const SentContents& side) {
    std::vector<KnownSend> result;
    for (const SentContent& it : side.all) {
      const Sums::Parts* parts = sums_.parts(it.content, most_);
      if (parts == nullptr) return std::nullopt;
      const auto [known, added] = numbers_.try_emplace(key_of(*parts), static_cast<std::uint32_t>(contents_.size()));
      if (added) contents_.push_back(*parts);
      result.emplace_back(it.from, it.to, known->second);
    }
    return result;
  }

  static std::vector<std::pair<std::uint32_t, std::uint32_t>> key_of(const Sums::Parts& parts) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> key;
    for (const Sums::Part& part : parts) key.emplace_back(part.number, part.times);
    return key;
  }

  void compare_sends(const std::vector<KnownSend>& left, const std::vector<KnownSend>& right) {
    outcome_.left_sends = left.size();
    outcome_.right_sends = right.size();
    std::map<KnownSend, std::int64_t> more;  // on the left than on the right
    for (const KnownSend& it : left) ++more[it];
    for (const KnownSend& it : right) --more[it];
    std::uint64_t only = 0;
    for (const auto& [send, count] : more) {
      if (count > 0) only += static_cast<std::uint64_t>(count);
    }
    outcome_.common = left.size() - only;
    list(left_, left, more, 1, outcome_.left_only);
    list(right_, right, more, -1, outcome_.right_only);
  }

  // The first sends of a side that the other one has not, in the order in which they leave.
  void list(const SentContents& side, const std::vector<KnownSend>& sends,
            const std::map<KnownSend, std::int64_t>& more, std::int64_t sign, std::vector<MissingSend>& listed) const {
    std::map<KnownSend, std::int64_t> left;
    for (const auto& [send, count] : more) {
      if (count * sign > 0) left.emplace(send, count * sign);
    }
    for (std::size_t i = sends.size(); i-- > 0;) {  // the last ones are those that are more
      const auto found = left.find(sends[i]);
      if (found == left.end() || found->second-- <= 0) continue;
      const SentContent& it = side.all[i];
      listed.push_back({it.from, it.to, text_of(std::get<2>(sends[i])),
                        side.timed ? std::optional(it.leaves) : std::nullopt, side.in_rounds});
    }
    std::ranges::reverse(listed);
    std::ranges::stable_sort(listed, {}, [](const MissingSend& it) { return it.step.value_or(0); });
    if (listed.size() > listed_) listed.resize(listed_);
  }

  // "input 2 of 0", "the sum of input 1 of 0, 4, 5".
  std::string text_of(std::uint32_t content) const {
    constexpr std::size_t most_named = 8;
    const Sums::Parts& parts = contents_[content];
    const std::uint64_t inputs = std::max<std::uint64_t>(1, std::max(left_.inputs, right_.inputs));
    if (parts.empty() || parts.front().number == Sums::no_number) return "something that no one has written";
    std::vector<std::string> owners;
    bool one_place = true;
    for (const Sums::Part& part : parts) {
      one_place = one_place && part.number % inputs == parts.front().number % inputs;
      if (owners.size() < most_named) owners.push_back(std::to_string(part.number / inputs));
    }
    if (!one_place) return fmt::format("a sum of {} inputs of several places", parts.size());
    std::string text = fmt::format("input {} of {}", parts.front().number % inputs, fmt::join(owners, ", "));
    if (parts.size() > owners.size()) text += fmt::format(", … ({} processors)", parts.size());
    return parts.size() == 1 ? text : "the sum of " + text;
  }

  // By sender, group after group of what leaves at once.
  using SendGroups = std::map<std::uint64_t, std::vector<KnownSend>>;
  static std::map<std::uint32_t, std::vector<std::vector<KnownSend>>> by_sender(const SentContents& side,
                                                                                const std::vector<KnownSend>& sends) {
    std::map<std::uint32_t, SendGroups> groups;
    for (std::size_t i = 0; i < sends.size(); ++i) groups[side.all[i].from][side.all[i].leaves].push_back(sends[i]);
    std::map<std::uint32_t, std::vector<std::vector<KnownSend>>> result;
    for (auto& [sender, steps] : groups) result[sender] = in_turn(steps);
    return result;
  }

  static std::vector<std::vector<KnownSend>> in_turn(SendGroups& groups) {
    std::vector<std::vector<KnownSend>> result;
    for (auto& [step, together] : groups) {
      std::ranges::sort(together);
      result.push_back(std::move(together));
    }
    return result;
  }

  static std::vector<std::tuple<KnownSend, std::uint64_t, std::uint64_t>> by_step(const SentContents& side,
                                                                                  const std::vector<KnownSend>& sends) {
    std::vector<std::tuple<KnownSend, std::uint64_t, std::uint64_t>> result;
    for (std::size_t i = 0; i < sends.size(); ++i)
      result.emplace_back(sends[i], side.all[i].leaves, side.all[i].arrives);
    std::ranges::sort(result);
    return result;
  }

  // By pair of processors, the sequences of its connections.
  using Sequences = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::vector<std::vector<KnownSend>>>>;
  static Sequences connections(const SentContents& side, const std::vector<KnownSend>& sends) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, SendGroups> groups;
    for (std::size_t i = 0; i < sends.size(); ++i) {
      const SentContent& it = side.all[i];
      groups[{it.from, it.to, it.connection}][it.leaves].push_back(sends[i]);
    }
    Sequences result;
    for (auto& [connection, steps] : groups)
      result[{std::get<0>(connection), std::get<1>(connection)}].push_back(in_turn(steps));
    return result;
  }

  // Whether each connection of the one side has one of the other's that carries the same in the same order; what one of
  // them sends at once may be in any order.
  bool same_connections(const std::vector<KnownSend>& left, const std::vector<KnownSend>& right) const {
    const Sequences one = connections(left_, left);
    Sequences other = connections(right_, right);
    for (const auto& [pair, sequences] : one) {
      std::vector<std::vector<std::vector<KnownSend>>>& unused = other[pair];
      if (unused.size() != sequences.size()) return false;
      for (const auto& sequence : sequences) {
        const auto found = std::ranges::find_if(unused, [&](const auto& it) { return alike(sequence, it); });
        if (found == unused.end()) return false;
        unused.erase(found);
      }
    }
    return true;
  }

  // Whether both can come about in one order.
  static bool alike(const std::vector<std::vector<KnownSend>>& one, const std::vector<std::vector<KnownSend>>& other) {
    std::size_t at = 0;                    // in `other`
    std::vector<KnownSend> ahead, behind;  // of the group of `one` that is open: what is still to come, and its surplus
    for (const std::vector<KnownSend>& group : one) {
      ahead = group;
      while (!ahead.empty()) {
        if (behind.empty()) {
          if (at == other.size()) return false;
          behind = other[at++];
        }
        // SendGroups are sorted: the shorter one lies in the other.
        const bool inside =
            behind.size() <= ahead.size() ? std::ranges::includes(ahead, behind) : std::ranges::includes(behind, ahead);
        if (!inside) return false;
        std::vector<KnownSend>& larger = behind.size() <= ahead.size() ? ahead : behind;
        std::vector<KnownSend>& smaller = behind.size() <= ahead.size() ? behind : ahead;
        std::vector<KnownSend> rest;
        std::ranges::set_difference(larger, smaller, std::back_inserter(rest));
        smaller.clear();
        larger = std::move(rest);
      }
    }
    return at == other.size() && behind.empty();
  }

  void compare_results() {
    for (const auto& [place, sum] : left_.results) {
      const auto other = right_.results.find(place);
      if (other == right_.results.end() || other->second == sum) continue;
      ++outcome_.other_sums;
      if (!outcome_.first_other_sum)
        outcome_.first_other_sum = MissingSend{place.first, place.first, std::to_string(place.second)};
    }
    outcome_.sums = outcome_.other_sums == 0;
  }

  const SentContents& left_;
  const SentContents& right_;
  Sums& sums_;
  std::uint64_t most_;
  std::size_t listed_ = 0;
  std::map<std::vector<std::pair<std::uint32_t, std::uint32_t>>, std::uint32_t> numbers_;
  std::vector<Sums::Parts> contents_;
  DiffOutcome outcome_;
};

Result<bool> follow(ComparedSide& side, SlotNumbering buffers, Sums& sums, Context& context) {
  Result<SentContents> transfers =
      side.table ? sent_contents_of(*side.table, buffers, sums, context)
                 : sent_contents_of(side.program->file, side.program->calls.front(), sums, context);
  if (!transfers) return transfers.diagnostics();
  side.transfers = *std::move(transfers);
  return true;
}

}  // namespace

Result<DiffOutcome> run(const DiffRequest& request, Context& context) {
  Result<ComparedSide> left = open(request.left, request, context);
  if (!left) return left.diagnostics();
  Result<ComparedSide> right = open(request.right, request, context);
  if (!right) return right.diagnostics();
  if (left->table && right->table && left->table->collective.notation() != right->table->collective.notation()) {
    return error_at({},
                    fmt::format("{} is for {}, {} for {}: only what does the same can be compared", request.left,
                                left->table->collective.notation(), request.right, right->table->collective.notation()),
                    Code::usage);
  }
  for (auto [side, other] : {std::pair(&*left, &*right), std::pair(&*right, &*left)}) {
    if (side->program && other->table && request.collective.empty())
      side->program->calls.front().root = other->table->collective.description().root;
  }
  tell_stage(context, "following what is sent");
  const SlotNumbering buffers = left->table && right->table ? SlotNumbering::own : SlotNumbering::calls;
  Sums sums;
  for (ComparedSide* side : {&*left, &*right}) {
    if (const Result<bool> done = follow(*side, buffers, sums, context); !done) return done.diagnostics();
  }
  if (left->transfers.processors != right->transfers.processors) {
    return error_at({},
                    fmt::format("{} has {} processors, {} has {}", request.left, left->transfers.processors,
                                request.right, right->transfers.processors),
                    Code::usage);
  }
  return Difference(*left, *right, sums, request, remaining(context)).all();
}

}  // namespace quadrille::driver
