// Idea: who has the message is a set of leaves, and two such sets are alike if turning subtrees around makes one of
// them the other. There are 2, 3, 6, 21 and 231 sets that are not alike for 1, 2, 4, 8 and 16 leaves. What a round
// makes of one is found bottom up: for a subtree, each set that it may become, with the messages that leave it over its
// root, and those that enter it, counted by the height at which they turn. Then a shortest way from one leaf to all
// (Dijkstra).
//
//   two leaves, one of which has it: becomes {both} in a round of height 1; with one message out and one in, too
//
// All messages of a round leave together, so what crosses a channel upwards does so in one step. Downwards it does if
// it turned at the same height; where messages hold their paths, as in our rounds, heights do not matter. A processor
// that has the message receives nothing, so whether one may do both in a round does not matter.
//
// Cost: for 16 leaves some 10^6 pairs of moves. Source: §4.2 of the paper has the rules.
#include "tests/reference/round_optimum.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace quadrille::reference {
namespace {

constexpr std::size_t most_levels = 4;

using Shape = std::uint32_t;                            // of a subtree of one size: its number
using In = std::array<std::uint64_t, most_levels + 1>;  // by height, from 1 on
using Move = std::tuple<Shape, std::uint64_t, In>;      // what it becomes; messages out and in over its root
using Halves = std::pair<Shape, Shape>;                 // the lower number first

class Rounds {
 public:
  Rounds(const Capacities& capacities, bool held) : capacities_(capacities), held_(held) {
    numbers_.emplace_back();
    halves_.push_back({{}, {}});  // level 0: a leaf without it, and with it
    for (std::size_t level = 1; level <= capacities.size(); ++level) {
      numbers_.emplace_back();
      halves_.emplace_back();
      const auto below = static_cast<Shape>(halves_[level - 1].size());
      for (Shape a = 0; a < below; ++a) {
        for (Shape b = a; b < below; ++b) {
          numbers_[level][{a, b}] = static_cast<Shape>(halves_[level].size());
          halves_[level].emplace_back(a, b);
        }
      }
    }
  }

  std::uint64_t shortest() {
    const std::size_t top = capacities_.size();
    Shape first = 1;
    for (std::size_t level = 1; level <= top; ++level) first = numbers_[level][{0, first}];
    const auto last = static_cast<Shape>(halves_[top].size()) - 1;
    std::map<Shape, std::uint64_t> known;
    std::set<std::pair<std::uint64_t, Shape>> next{{0, first}};
    while (!next.empty()) {
      const auto [time, shape] = *next.begin();
      next.erase(next.begin());
      if (!known.emplace(shape, time).second) continue;
      if (shape == last) return time;
      for (std::size_t height = 1; height <= top; ++height) {
        for (const Shape after : within(top, height, shape)) next.emplace(time + 2 * height, after);
      }
    }
    throw std::logic_error("a broadcast comes to no end");
  }

 private:
  Shape number(std::size_t level, Shape a, Shape b) { return numbers_[level][{std::min(a, b), std::max(a, b)}]; }

  // What a round of this height makes of a subtree.
  std::set<Shape> within(std::size_t level, std::size_t height, Shape shape) {
    std::set<Shape> result;
    if (level > height) {
      const auto [a, b] = halves_[level][shape];
      for (const Shape left : within(level - 1, height, a)) {
        for (const Shape right : within(level - 1, height, b)) result.insert(number(level, left, right));
      }
      return result;
    }
    for (const auto& [after, out, in] : moves(level, shape)) {
      if (out == 0 && in == In{}) result.insert(after);
    }
    return result;
  }

  const std::set<Move>& moves(std::size_t level, Shape shape) {
    auto& known = moves_[{level, shape}];
    if (!known.empty()) return known;
    if (level == 0) return known = shape == 0 ? receptions() : std::set<Move>{{1, 0, {}}, {1, 1, {}}};
    std::set<Move> result;
    const auto [a, b] = halves_[level][shape];
    for (const Move& left : moves(level - 1, a)) {
      for (const Move& right : moves(level - 1, b)) join(level, left, right, result);
    }
    return moves_[{level, shape}] = result;
  }

  // Of a leaf without it: none, or one that turns at any height.
  std::set<Move> receptions() const {
    std::set<Move> result = {{0, 0, {}}};
    for (std::size_t height = 1; height <= capacities_.size(); ++height) {
      In in = {};
      in[height] = 1;
      result.emplace(1, 0, in);
    }
    return result;
  }

  // What turns here leaves one half and enters the other.
  void join(std::size_t level, const Move& left, const Move& right, std::set<Move>& result) {
    const auto& [a, a_out, a_in] = left;
    const auto& [b, b_out, b_in] = right;
    if (a_out < b_in[level] || b_out < a_in[level]) return;
    const std::uint64_t most = level == capacities_.size() ? 0 : capacities_[level];
    const std::uint64_t out = a_out - b_in[level] + b_out - a_in[level];
    In in = {};
    for (std::size_t height = level + 1; height < in.size(); ++height) in[height] = a_in[height] + b_in[height];
    const std::uint64_t together =
        held_ ? std::accumulate(in.begin(), in.end(), std::uint64_t{0}) : *std::max_element(in.begin(), in.end());
    if (out <= most && together <= most) result.emplace(number(level, a, b), out, in);
  }

  const Capacities& capacities_;
  bool held_;
  std::vector<std::map<Halves, Shape>> numbers_;  // by level
  std::vector<std::vector<Halves>> halves_;
  std::map<std::pair<std::size_t, Shape>, std::set<Move>> moves_;
};

}  // namespace

std::uint64_t round_optimum(const Capacities& capacities, bool held) {
  if (capacities.empty() || capacities.size() > most_levels) throw std::invalid_argument("for 2 to 16 leaves");
  return Rounds(capacities, held).shortest();
}

}  // namespace quadrille::reference
