// A row has the choices that are best at some size. Its name joins theirs: "allreduce_double_tree N=8 segments=1|32"
// for one segment at the one size and 32 at another. Cost: the choices, for each size.
#include "driver/search/algorithm_at_work.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

namespace quadrille::driver {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// "--retime" of all choices, "written|--spread" of some.
std::string joined_options(const std::vector<Compared::Choice>& choices) {
  std::vector<std::string_view> seen;
  for (const Compared::Choice& choice : choices) {
    const std::string_view options = options_of(choice.placement);
    const std::string_view word = options.empty() ? "written" : options.substr(1);
    if (std::ranges::find(seen, word) == seen.end()) seen.push_back(word);
  }
  if (seen == std::vector<std::string_view>{"written"}) return {};
  return fmt::format(" {}", fmt::join(seen, "|"));
}

// "allreduce_ring N=8 segments=1|64" of the same with one each.
std::string joined_names(const std::vector<Compared::Choice>& choices) {
  std::vector<std::string> all = words_of(choices.front().algorithm);
  std::vector<std::set<std::string>> seen(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) seen[i].insert(all[i]);
  for (const Compared::Choice& choice : choices) {
    const std::vector<std::string> words = words_of(choice.algorithm);
    for (std::size_t i = 0; i < std::min(words.size(), all.size()); ++i) {
      if (seen[i].insert(words[i]).second) all[i] += "|" + words[i].substr(words[i].find('=') + 1);
    }
  }
  return fmt::format("{}{}", fmt::join(all, " "), joined_options(choices));
}

}  // namespace

bool Standards::is_of_no_use(const AnyRounds& bound, std::uint64_t chunks,
                             const std::vector<std::uint64_t>& sizes) const {
  constexpr double rounding = 1e-9;
  for (std::size_t i = 0; i < least.size(); ++i) {
    const double seconds = bound.of(sizes[i], chunks);
    const bool too_long = seconds > least[i] * (1 + rounding);
    const bool as_good = own_least[i] && seconds * (1 + rounding) >= *own_least[i] && chunks >= own_chunks[i];
    if (!too_long && !as_good) return false;
  }
  return !least.empty();
}

void AlgorithmAtWork::add(MeasuredChoice measured) {
  for (std::size_t i = 0; i < least_.size(); ++i) {
    if (measured.times[i]) least_[i] = std::min(least_[i].value_or(never), *measured.times[i]);
  }
  measured_.push_back(std::move(measured));
}

bool AlgorithmAtWork::has(const std::string& name) const {
  return std::ranges::any_of(measured_, [&](const MeasuredChoice& it) { return it.choice.algorithm == name; });
}

std::vector<double> AlgorithmAtWork::times(const std::string& name) const {
  std::vector<double> least;
  for (const MeasuredChoice& it : measured_) {
    if (it.choice.algorithm != name) continue;
    least.resize(it.times.size(), never);
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], it.times[i].value_or(never));
  }
  return least;
}

void AlgorithmAtWork::set(Standards& standards) const {
  standards.own_least = least_;
  for (std::size_t size = 0; known() && size < least_.size(); ++size) {
    standards.own_chunks.push_back(measured_[best_at(size)].choice.chunks);
  }
}

std::optional<Compared> AlgorithmAtWork::row() const {
  if (measured_.empty()) return std::nullopt;
  Compared row;
  row.file = file;
  row.times = least_;
  std::vector<std::size_t> best;
  for (std::size_t size = 0; size < least_.size(); ++size) {
    const std::size_t at = best_at(size);
    const auto known = std::ranges::find(best, at);
    row.choice_at.push_back(static_cast<std::size_t>(known - best.begin()));
    if (known == best.end()) best.push_back(at);
    row.times[size] = measured_[at].times[size];
  }
  if (best.empty()) best.push_back(0);
  for (const std::size_t at : best) row.choices.push_back(measured_[at].choice);
  row.algorithm = joined_names(row.choices);
  return row;
}

// The first choice that takes the least time at the size. Among those that differ only by rounding errors it is the one
// with the fewest chunks.
std::size_t AlgorithmAtWork::best_at(std::size_t size) const {
  constexpr double alike = 1 + 1e-9;
  const auto chunks = [&](const MeasuredChoice& it) {
    return it.times[size].value_or(never) <= least_[size].value_or(never) * alike
               ? it.choice.chunks
               : std::numeric_limits<std::uint64_t>::max();
  };
  return static_cast<std::size_t>(std::ranges::min_element(measured_, {}, chunks) - measured_.begin());
}

}  // namespace quadrille::driver
