// Matches sends and receptions. The simulator keeps, at each receiver, a list of messages that have arrived and one
// of receptions that have begun. A new entry takes the first one of the other list with its sender and its tag
// (LogGOPSim.cpp, match). So messages of one sender with one tag meet receptions in the order in which they began.
// That order is known if dependencies determine it (order.h). Messages that leave by different processors or network
// interfaces may overtake one another.
//
// For example, two sends to 1 with tag 3, in no order, and their two receptions all meet a partner, but the timing
// decides which one. Such a group is kept together. `from -1` and `tag -1` make larger groups.
//
// The simulator does not compare sizes. This code does, because MPI would truncate a message.
#include "programs/goal/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "model/limits/work.h"
#include "model/text/counted.h"
#include "programs/goal/goal.h"

namespace quadrille::programs {
namespace {

// --- order ---------------------------------------------------------------------------------------------------------

// GoalOrder finds the order in which operations of a rank begin, whatever the timing.
//
// Operations begin one after another if a chain of dependencies leads from each to the next. The dependencies may be
// of either kind, as an operation that has ended has begun.
//
// The operations are put in some order that keeps all dependencies. If another order were possible for two neighbours
// in it, no chain would lead from one to the other. Chains are searched backwards, but not beyond the earlier one's
// position. Cost: for each pair of neighbours, at most the dependencies between them.

class GoalOrder {
 public:
  // Looks at no more than `effort` dependencies in all. Keeps references. Throws Ended, as sort() does.
  GoalOrder(const GoalRank& rank, std::uint64_t& effort, Work& work)
      : rank_(rank),
        effort_(effort),
        work_(work),
        begin_(rank.operations.size() + 1),
        earlier_(rank.dependencies.size()),
        position_(rank.operations.size()),
        seen_(rank.operations.size()) {
    const std::size_t count = rank_.operations.size();
    work_.spend(16 * count + 32 * rank_.dependencies.size());
    std::vector<std::uint32_t> later_begin(count + 1);
    for (const GoalDependency& it : rank_.dependencies) {
      ++begin_[it.later + 1];
      ++later_begin[it.earlier + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::partial_sum(later_begin.begin(), later_begin.end(), later_begin.begin());
    std::vector<std::uint32_t> later(rank_.dependencies.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    std::vector<std::uint32_t> next_later(later_begin.begin(), later_begin.end() - 1);
    for (const GoalDependency& it : rank_.dependencies) {
      earlier_[next[it.later]++] = it.earlier;
      later[next_later[it.earlier]++] = it.later;
    }
    std::vector<std::uint32_t> open(count);
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < count; ++i) {
      open[i] = begin_[i + 1] - begin_[i];
      if (open[i] == 0) ready.push_back(i);
    }
    for (std::size_t done = 0; done < ready.size(); ++done) {
      position_[ready[done]] = static_cast<std::uint32_t>(done);
      for (std::uint32_t i = later_begin[ready[done]]; i < later_begin[ready[done] + 1]; ++i) {
        if (--open[later[i]] == 0) ready.push_back(later[i]);
      }
    }
    acyclic_ = ready.size() == count;
  }

  // Sorts indices of operations in the order in which they begin; false if it depends on the timing, or is not found.
  bool sort(std::span<std::uint32_t> operations) {
    if (!acyclic_) return false;
    std::sort(operations.begin(), operations.end(),
              [&](std::uint32_t a, std::uint32_t b) { return position_[a] < position_[b]; });
    for (std::size_t i = 0; i + 1 < operations.size(); ++i) {
      if (!before(operations[i], operations[i + 1])) return false;
    }
    return true;
  }

 private:
  bool before(std::uint32_t earlier, std::uint32_t later) {
    ++search_;
    std::vector<std::uint32_t> open{later};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (std::uint32_t i = begin_[at]; i < begin_[at + 1]; ++i) {
        if (effort_ == 0) return false;
        --effort_;
        work_.spend(2);
        const std::uint32_t found = earlier_[i];
        if (found == earlier) return true;
        if (position_[found] < position_[earlier] || seen_[found] == search_) continue;
        seen_[found] = search_;
        open.push_back(found);
      }
    }
    return false;
  }

  const GoalRank& rank_;
  std::uint64_t& effort_;
  Work& work_;
  bool acyclic_ = true;
  std::vector<std::uint32_t> begin_;     // by operation: its place in earlier_
  std::vector<std::uint32_t> earlier_;   // the operations that each one waits for
  std::vector<std::uint32_t> position_;  // of each in an order that keeps all dependencies
  std::vector<std::uint32_t> seen_;      // by operation: the last search that passed it
  std::uint32_t search_ = 0;
};

// --- matching ------------------------------------------------------------------------------------------------------

// One end of a message. If receptions take messages from any rank or with any tag, `source` and `tag` are those of
// the group.
struct GoalEnd {
  std::uint32_t target = 0;
  std::uint32_t source = 0;
  std::uint32_t tag = 0;
  bool receives = false;
  GoalNumber number = 0;

  auto group() const { return std::tie(target, source, tag); }
  auto key() const { return std::tie(target, source, tag, receives, number); }
};

// The operations of a group that meet no partner.
struct Unmet {
  GoalEnd end;
  std::uint64_t count = 0;
};

class GoalMatcher {
 public:
  GoalMatcher(const GoalSchedule& schedule, const GoalJudgeOptions& options, ProgramReport& report, Work& work)
      : schedule_(schedule), options_(options), report_(report), work_(work) {}

  GoalMatch match() {
    match_.first.push_back(0);
    for (const GoalRank& rank : schedule_.ranks) match_.first.push_back(match_.first.back() + rank.operations.size());
    match_.group_of.assign(match_.first.back(), GoalMatch::no_group);
    match_.partner.assign(match_.first.back(), no_goal_operation);
    collect();
    for (std::size_t begin = 0; begin < ends_.size();) {
      std::size_t end = begin;
      while (end < ends_.size() && ends_[end].group() == ends_[begin].group()) ++end;
      group(std::span(ends_).subspan(begin, end - begin));
      begin = end;
    }
    tell_unmet();
    return std::move(match_);
  }

 private:
  void collect() {
    std::vector<bool> any_tag(schedule_.ranks.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> any_source;
    for (std::uint32_t rank = 0; rank < schedule_.ranks.size(); ++rank) {
      for (std::uint32_t i = 0; i < schedule_.ranks[rank].operations.size(); ++i) {
        const GoalOperation& it = schedule_.ranks[rank].operations[i];
        work_.spend(64);  // with the sorting
        if (it.kind == GoalKind::calculate) continue;
        const bool receives = it.kind == GoalKind::receive;
        const GoalEnd end{receives ? rank : it.peer, receives ? it.peer : rank, it.tag, receives,
                          match_.first[rank] + i};
        ends_.push_back(end);
        if (end.tag == goal_any) any_tag[end.target] = true;
        if (end.source == goal_any) any_source.emplace(end.target, end.tag);
      }
    }
    for (GoalEnd& it : ends_) {
      const bool tag = any_tag[it.target];
      if (tag || any_source.contains({it.target, it.tag})) it.source = goal_any;
      if (tag) it.tag = goal_any;
    }
    std::sort(ends_.begin(), ends_.end(), [](const GoalEnd& a, const GoalEnd& b) { return a.key() < b.key(); });
  }

  void group(std::span<const GoalEnd> ends) {
    const auto receptions = std::find_if(ends.begin(), ends.end(), [](const GoalEnd& it) { return it.receives; });
    std::vector<GoalNumber> sent;
    std::vector<GoalNumber> received;
    work_.spend(64 * (1 + ends.size()));
    for (auto it = ends.begin(); it != receptions; ++it) sent.push_back(it->number);
    for (auto it = receptions; it != ends.end(); ++it) received.push_back(it->number);
    const bool uniform = ends[0].source != goal_any || all_alike(sent, received);
    if (sent.size() > received.size()) unmet_.push_back({ends[sent.size() - 1], sent.size() - received.size()});
    if (sent.size() < received.size()) {
      unmet_.push_back({ends.back(), received.size() - sent.size()});
      match_.starving = true;
    }
    if (sent.size() == received.size() && !uniform) {
      report_.set_unknown(
          ProgramProperty::matching, Reason::unsupported,
          fmt::format("what rank {} receives from any rank or with any tag depends on the timing", ends[0].target));
    }
    const bool ordered = uniform && in_order(sent) && in_order(received);
    if (sent.size() == received.size()) compare_sizes(sent, received, ordered);
    keep(sent, received, ordered, uniform);
  }

  // Whether any of these sends may meet any of these receptions.
  bool all_alike(const std::vector<GoalNumber>& sent, const std::vector<GoalNumber>& received) const {
    if (received.empty() || sent.empty()) return true;
    const GoalOperation& first = operation(received[0]);
    const bool same = std::all_of(received.begin(), received.end(), [&](GoalNumber it) {
      return operation(it).peer == first.peer && operation(it).tag == first.tag;
    });
    return same && std::all_of(sent.begin(), sent.end(), [&](GoalNumber it) {
             const std::uint32_t tag = operation(it).tag;
             return (first.peer == goal_any || first.peer == match_.place(it).first) &&
                    (first.tag == goal_any || tag == goal_any || first.tag == tag);
           });
  }

  // Sorts operations in the order in which they begin, and their messages arrive; false if no such order is known.
  bool in_order(std::vector<GoalNumber>& numbers) {
    if (numbers.size() < 2) return true;
    const std::uint32_t rank = match_.place(numbers[0]).first;
    const GoalOperation& first = operation(numbers[0]);
    std::vector<std::uint32_t> indices;
    for (const GoalNumber number : numbers) {
      const auto [its_rank, index] = match_.place(number);
      const GoalOperation& it = operation(number);
      if (its_rank != rank) return false;
      if (it.kind == GoalKind::send && (it.cpu != first.cpu || it.nic != first.nic)) return false;
      indices.push_back(index);
    }
    const auto order = orders_.try_emplace(rank, schedule_.ranks[rank], effort_, work_).first;
    if (!order->second.sort(indices)) return false;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = match_.first[rank] + indices[i];
    return true;
  }

  void compare_sizes(const std::vector<GoalNumber>& sent, const std::vector<GoalNumber>& received, bool ordered) {
    const auto sizes = [&](const std::vector<GoalNumber>& numbers) {
      std::vector<std::uint64_t> result;
      for (const GoalNumber number : numbers) result.push_back(operation(number).size);
      return result;
    };
    std::vector<std::uint64_t> out = sizes(sent);
    std::vector<std::uint64_t> in = sizes(received);
    if (out == in && (ordered || std::adjacent_find(out.begin(), out.end(), std::not_equal_to<>()) == out.end()))
      return;
    match_.sizes_differ = true;
    if (!ordered) {
      std::sort(out.begin(), out.end());
      std::sort(in.begin(), in.end());
      if (out == in) {
        report_.set_unknown(ProgramProperty::matching, Reason::unsupported,
                            fmt::format("which of several messages rank {} receives first depends on the timing, "
                                        "and they have different sizes",
                                        match_.place(received[0]).first));
        return;
      }
    }
    const auto differ = std::mismatch(out.begin(), out.end(), in.begin());
    const auto at = static_cast<std::size_t>(differ.first - out.begin());
    report_.add(
        {ProgramProperty::matching,
         ordered ? fmt::format("{} bytes are sent, and {} received", *differ.first, *differ.second)
                 : fmt::format("of {}, some are of other sizes than their receptions", counted(sent.size(), "message")),
         place(received[at]), place(sent[at])},
        options_.listed);
  }

  void keep(const std::vector<GoalNumber>& sent, const std::vector<GoalNumber>& received, bool ordered, bool alike) {
    if (ordered) {
      for (std::size_t i = 0; i < std::min(sent.size(), received.size()); ++i) {
        match_.partner[sent[i]] = received[i];
        match_.partner[received[i]] = sent[i];
      }
      return;
    }
    for (const auto* numbers : {&sent, &received}) {
      for (const GoalNumber number : *numbers) {
        match_.group_of[number] = static_cast<std::uint32_t>(match_.groups.size());
      }
    }
    const std::size_t begin = match_.members.size();
    match_.members.insert(match_.members.end(), sent.begin(), sent.end());
    match_.members.insert(match_.members.end(), received.begin(), received.end());
    match_.groups.push_back({begin, begin + sent.size(), match_.members.size(), alike});
  }

  // A send that nothing receives and a reception that nothing reaches, between the same two ranks, are one finding.
  void tell_unmet() {
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    std::multimap<Pair, const Unmet*> sends;
    for (const Unmet& it : unmet_) {
      if (!it.end.receives) sends.emplace(Pair(it.end.target, it.end.source), &it);
    }
    for (const Unmet& it : unmet_) {
      if (!it.end.receives) continue;
      const auto send = sends.find({it.end.target, it.end.source});
      tell(it, send == sends.end() ? nullptr : send->second);
      if (send != sends.end()) sends.erase(send);
    }
    for (const auto& [ends, unmet] : sends) tell(*unmet, nullptr);
  }

  void tell(const Unmet& unmet, const Unmet* other) {
    const GoalOperation& it = operation(unmet.end.number);
    const auto [rank, index] = match_.place(unmet.end.number);
    const auto tag = [](std::uint32_t number) {
      return number == goal_any ? std::string("any tag") : fmt::format("tag {}", number);
    };
    const std::string peer = it.peer == goal_any ? "any rank" : fmt::format("rank {}", it.peer);
    std::string text = unmet.end.receives
                           ? fmt::format("rank {} receives from {} with {} what nobody sends", rank, peer, tag(it.tag))
                           : fmt::format("what rank {} sends to {} with {} nobody receives", rank, peer, tag(it.tag));
    if (unmet.count > 1) text += fmt::format(", {}", counted(unmet.count, "time"));
    Finding finding{ProgramProperty::matching, text, place(unmet.end.number), {}};
    if (other != nullptr) {
      finding.message +=
          fmt::format("; a message there has {}, and nobody receives it", tag(operation(other->end.number).tag));
      finding.other = place(other->end.number);
    }
    report_.add(std::move(finding), options_.listed);
  }

  const GoalOperation& operation(GoalNumber number) const {
    const auto [rank, index] = match_.place(number);
    return schedule_.ranks[rank].operations[index];
  }
  Location place(GoalNumber number) const { return place_of(schedule_, match_, number); }

  const GoalSchedule& schedule_;
  const GoalJudgeOptions& options_;
  ProgramReport& report_;
  Work& work_;
  GoalMatch match_;
  std::vector<GoalEnd> ends_;
  std::vector<Unmet> unmet_;
  std::map<std::uint32_t, GoalOrder> orders_;      // by rank
  std::uint64_t effort_ = std::uint64_t{1} << 28;  // dependencies looked at; some seconds
};

}  // namespace

std::pair<std::uint32_t, std::uint32_t> GoalMatch::place(GoalNumber number) const {
  const auto after = std::upper_bound(first.begin(), first.end(), number);
  const auto rank = static_cast<std::uint32_t>(after - first.begin() - 1);
  return {rank, static_cast<std::uint32_t>(number - first[rank])};
}

Location place_of(const GoalSchedule& schedule, const GoalMatch& match, GoalNumber number) {
  const auto [rank, index] = match.place(number);
  return place_of(schedule, rank, index);
}

GoalMatch match_goal(const GoalSchedule& schedule, const GoalJudgeOptions& options, ProgramReport& report, Work& work) {
  return GoalMatcher(schedule, options, report, work).match();
}

}  // namespace quadrille::programs
