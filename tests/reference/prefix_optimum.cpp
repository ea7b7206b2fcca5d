// Idea: a formula that says that there is a schedule of T steps; the least T for which it can be satisfied. A word is a
// range a..b of operands. A processor holds a word after step t if it did before, if a message has brought it, or if it
// holds a..c and c+1..b. A message carries a word that its sender holds, and arrives 2h steps later. Ports, and each
// channel in each step, carry no more than they may.
//
//   4 leaves, one lane: 5 steps cannot be, as only two messages can leave 0 and 1 early enough to come to 2 and 3
//
// The schedule is of a second formula, stricter by what our checker asks of words: those that a processor has got, and
// that have no operand after its own, have none twice.
//
// Cost: 60,000 variables for 8 leaves and 11 steps; a second. It shares no code with the search but the solver.
#include "tests/reference/prefix_optimum.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <compare>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "verifier/search/solver/solver.h"

namespace quadrille::reference {
namespace {

struct Send {
  std::uint32_t step, from, to, first, last;
  auto operator<=>(const Send&) const = default;
};

class Formula {
 public:
  Formula(const Capacities& capacities, std::uint32_t steps, searching::ClauseSink& sink)
      : capacities_(capacities), leaves_(1U << capacities.size()), steps_(steps), sink_(sink) {
    for_each_word([&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t t = 0; t <= steps; ++t) {
        for (std::uint32_t p = 0; p < leaves_; ++p) held_[{p, first, last, t}] = next_++;
      }
    });
    for (std::uint32_t t = 1; t <= steps; ++t) add_sends(t);
  }

  void write() {
    for_each_port([&](const std::vector<int>& out, const std::vector<int>& in) {
      sink_.at_most(1, out, next_);
      sink_.at_most(1, in, next_);
    });
    for (std::uint32_t level = 1; level < capacities_.size(); ++level) channels(level);
    for_each_word([&](std::uint32_t first, std::uint32_t last) { words(first, last); });
    for (std::uint32_t p = 0; p < leaves_; ++p) sink_.clause({held_.at({p, 0, p, steps_})});
  }
  void be_strict() {
    for_each_port([&](std::vector<int> out, const std::vector<int>& in) {
      out.insert(out.end(), in.begin(), in.end());
      sink_.at_most(1, out, next_);
    });
    keep_words_apart();
  }
  const std::map<Send, int>& sends() const { return sends_; }

 private:
  // What our checker asks of the words that a processor ends with.
  void keep_words_apart() {
    for (std::uint32_t p = 0; p < leaves_; ++p) {
      for (std::uint32_t x = 0; x <= p; ++x) {
        std::vector<int> with;
        for (const auto& [send, variable] : sends_) {
          if (send.to == p && send.first <= x && x <= send.last && send.last <= p) with.push_back(variable);
        }
        if (x < p) sink_.at_most(1, with, next_);
        if (x < p) continue;
        for (const int variable : with) sink_.clause({-variable});
      }
    }
  }

  template <typename Each>
  void for_each_word(const Each& each) {
    for (std::uint32_t first = 0; first < leaves_; ++first) {
      for (std::uint32_t last = first; last < leaves_; ++last) each(first, last);
    }
  }
  template <typename Each>
  void for_each_pair(const Each& each) {
    for (std::uint32_t p = 0; p < leaves_; ++p) {
      for (std::uint32_t q = 0; q < leaves_; ++q) {
        if (p != q) each(p, q);
      }
    }
  }
  static std::uint32_t height(std::uint32_t p, std::uint32_t q) {
    return static_cast<std::uint32_t>(std::bit_width(p ^ q));
  }

  // Messages of a step that arrive in time: whether there is one from p to q, and which word it has.
  void add_sends(std::uint32_t t) {
    for_each_pair([&](std::uint32_t p, std::uint32_t q) {
      if (t + 2 * height(p, q) - 1 > steps_) return;
      const int any = any_[{t, p, q}] = next_++;
      std::vector<int> all;
      for_each_word([&](std::uint32_t first, std::uint32_t last) {
        const int variable = sends_[{t, p, q, first, last}] = next_++;
        all.push_back(variable);
        sink_.clause({-variable, any});
        sink_.clause({-variable, held_.at({p, first, last, t - 1})});
      });
      sink_.at_most(1, all, next_);
    });
  }

  // What a processor sends, and receives, in a step.
  template <typename Each>
  void for_each_port(const Each& each) {
    for (std::uint32_t t = 1; t <= steps_; ++t) {
      for (std::uint32_t p = 0; p < leaves_; ++p) {
        std::vector<int> out;
        std::vector<int> in;
        for (const auto& [key, variable] : any_) {
          const auto& [start, from, to] = key;
          if (from == p && start == t) out.push_back(variable);
          if (to == p && start + 2 * height(from, to) - 1 == t) in.push_back(variable);
        }
        each(out, in);
      }
    }
  }

  // Above subtrees of 2^level leaves: up in step start + level, and down 2(h - level) steps before the end at 0.
  void channels(std::uint32_t level) {
    for (std::uint32_t subtree = 0; subtree < leaves_ >> level; ++subtree) {
      for (std::uint32_t t = 1; t <= steps_; ++t) {
        std::vector<int> up;
        std::vector<int> down;
        for (const auto& [key, variable] : any_) {
          const auto& [start, from, to] = key;
          const bool inside = from >> level == subtree;
          if (inside == (to >> level == subtree)) continue;
          if (inside && start + level == t) up.push_back(variable);
          if (!inside && to >> level == subtree && start + 2 * height(from, to) - level - 1 == t)
            down.push_back(variable);
        }
        sink_.at_most(capacities_[level], up, next_);
        sink_.at_most(capacities_[level], down, next_);
      }
    }
  }

  // Why a processor holds a word.
  void words(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t p = 0; p < leaves_; ++p) {
      if (first != p || last != p) sink_.clause({-held_.at({p, first, last, 0})});
      for (std::uint32_t t = 1; t <= steps_; ++t) {
        std::vector<int> why = {-held_.at({p, first, last, t}), held_.at({p, first, last, t - 1})};
        for (std::uint32_t q = 0; q < leaves_; ++q) {
          if (q == p || t < 2 * height(p, q)) continue;
          why.push_back(sends_.at({t - 2 * height(p, q) + 1, q, p, first, last}));
        }
        for (std::uint32_t middle = first; middle < last; ++middle) {
          why.push_back(next_++);
          sink_.clause({-why.back(), held_.at({p, first, middle, t})});
          sink_.clause({-why.back(), held_.at({p, middle + 1, last, t})});
        }
        sink_.clause(why);
      }
    }
  }

  const Capacities& capacities_;
  std::uint32_t leaves_;
  std::uint32_t steps_;
  searching::ClauseSink& sink_;
  int next_ = 1;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, int> held_;  // processor, word, step
  std::map<Send, int> sends_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, int> any_;  // step, from, to
};

// The schedule, if there is one of so many steps.
std::string schedule_of(const Capacities& capacities, std::uint32_t steps, bool strict) {
  const auto solver = searching::make_cadical();
  Formula formula(capacities, steps, *solver);
  formula.write();
  if (strict) formula.be_strict();
  if (solver->solve({}) != searching::Answer::satisfiable) return {};
  std::string text =
      fmt::format("fabric fat_tree(capacity: [{}], ports: single, switches: forward, queue: none)\ncollective prefix\n",
                  fmt::join(capacities, ", "));
  for (const auto& [send, variable] : formula.sends()) {
    if (!solver->is_true(variable)) continue;
    text += fmt::format("at {}: send {} -> {} carrying sum {{{}..{}}} keeping\n", send.step, send.from, send.to,
                        send.first, send.last);
  }
  return text;
}

}  // namespace

PrefixOptimum prefix_optimum(const Capacities& capacities) {
  if (capacities.empty() || capacities.size() > 3) throw std::invalid_argument("for 2 to 8 leaves");
  std::uint32_t steps = 2;
  while (schedule_of(capacities, steps, false).empty()) ++steps;
  const std::string schedule = schedule_of(capacities, steps, true);
  if (schedule.empty()) throw std::runtime_error("the strict formula has no schedule of as few steps");
  return {steps, schedule};
}

}  // namespace quadrille::reference
