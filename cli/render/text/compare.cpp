// The comparison of algorithms as a table, the best first, with the winner for each size, its distance from the bound,
// and the rounds that take its time; and the comparison of what two sides send.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "cli/render/wrapped.h"
#include "model/described.h"
#include "model/text/counted.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

using ShownChoice = driver::Compared::Choice;

template <class Number>
std::string number_text(const std::optional<Number>& number) {
  return number ? fmt::to_string(*number) : "-";
}

// Its mark: not all choices of its arguments were tried.
std::string name_text(const driver::Compared& it) { return it.algorithm + (it.whole ? "" : " ..."); }

// Whether a column for the load is of use: paths are shared.
bool tells_load(const driver::CompareOutcome& outcome) {
  return std::ranges::any_of(outcome.algorithms, [](const driver::Compared& it) {
    return it.first().in_rounds && it.first().in_rounds->load;
  });
}

class ComparisonTable {
 public:
  explicit ComparisonTable(const driver::CompareOutcome& outcome) : outcome_(outcome), loads_(tells_load(outcome)) {
    for (const driver::Compared& it : outcome.algorithms) width_ = std::max(width_, name_text(it).size());
    if (!outcome.sizes.empty()) width_ = std::max(width_, least_name.size());
  }

  std::string text() const {
    std::string text = line("algorithm", {"chunks", "rounds", "volume", "load", "hops"}, "steps", "at least");
    for (const std::uint64_t size : outcome_.sizes) text += time_column(size_text(size));
    text += "\n";
    for (const driver::Compared& it : outcome_.algorithms) text += row(it);
    if (outcome_.sizes.empty()) return text;
    text += line(least_name, {}, "", "");
    for (const double seconds : outcome_.at_least) text += time_column(time_text(seconds));
    return text + "\n";
  }

 private:
  static constexpr std::string_view least_name = "at least, any schedule";

  static std::string time_column(const std::string& text) { return fmt::format(" {:>10}", text); }

  std::string line(std::string_view name, const std::array<std::string, 5>& rounds, const std::string& steps,
                   const std::string& bound) const {
    const std::string load = loads_ ? fmt::format(" {:>7}", rounds[3]) : "";
    const std::string text =
        fmt::format("{:<{}} {:>6} {:>7} {:>7}{} {:>6}", name, width_, rounds[0], rounds[1], rounds[2], load, rounds[4]);
    return outcome_.steps ? fmt::format("{} {:>6} {:>8}", text, steps, bound) : text;
  }

  std::string row(const driver::Compared& it) const {
    const ShownChoice& choice = it.first();
    std::array<std::string, 5> rounds{fmt::to_string(choice.chunks), "-", "-", "-", "-"};
    if (const auto& measures = choice.in_rounds) {
      rounds = {rounds[0], fmt::to_string(measures->rounds), fmt::to_string(measures->volume),
                measures->load ? to_string(*measures->load) : "-", fmt::to_string(measures->hops)};
    }
    std::string text = line(name_text(it), rounds, number_text(it.steps), it.steps ? number_text(it.bound.steps) : "-");
    for (const auto& time : it.times) text += time_column(time_text(time));
    return text + "\n";
  }

  const driver::CompareOutcome& outcome_;
  bool loads_;
  std::size_t width_ = std::string_view("algorithm").size();
};

// "12%"; near its ends "0.4%".
std::string share_text(double share) {
  const double percent = std::clamp(share, 0.0, 1.0) * 100;
  return percent < 9.95 || percent > 99 ? fmt::format("{:.1f}%", percent) : fmt::format("{:.0f}%", percent);
}

// "rounds 1-14: 0->4.0 and 7 more are full"
std::string rounds_text(const driver::BusyRounds& it, const Fabric& fabric) {
  const std::string rounds =
      it.first == it.last ? fmt::format("round {}", it.first) : fmt::format("rounds {}-{}", it.first, it.last);
  const std::string more = it.channels > 1 ? fmt::format(" and {} more are", it.channels - 1) : " is";
  return fmt::format("{}: {}{} full", rounds, fabric.name(it.channel), more);
}

// why_text says where the time of a message of that size goes: to the busiest channels of the rounds that take the most
// of it, in their order, and the starts.
std::string why_text(const driver::CompareOutcome& outcome, const ShownChoice& choice, std::uint64_t size,
                     double time) {
  constexpr std::size_t most_listed = 3;
  if (time <= 0) return "nothing takes time at these costs";
  const auto seconds = [&](const driver::BusyRounds& it) { return driver::CompareOutcome::seconds(it, choice, size); };
  std::vector<driver::BusyRounds> listed = choice.busy;
  std::ranges::stable_sort(listed, std::ranges::greater(), seconds);
  listed.resize(std::min(listed.size(), most_listed));
  std::ranges::sort(listed, {}, &driver::BusyRounds::first);
  double starts = time;
  for (const driver::BusyRounds& it : choice.busy) starts -= seconds(it);
  double others = time - starts;
  std::string text;
  for (const driver::BusyRounds& it : listed) {
    others -= seconds(it);
    text += fmt::format("{}, {} of the time; ", rounds_text(it, outcome.fabric), share_text(seconds(it) / time));
  }
  if (choice.busy.size() > listed.size()) text += fmt::format("other rounds {}; ", share_text(others / time));
  return text + fmt::format("starts and latencies {}", share_text(starts / time));
}

std::string why_lines(const driver::CompareOutcome& outcome, const ShownChoice& choice, std::uint64_t size,
                      double time) {
  constexpr std::size_t indent = 12;
  return std::string(indent, ' ') + wrapped(why_text(outcome, choice, size, time), indent) + "\n";
}

// " (1.25 times the bound)"
std::string gap_text(double time, double at_least) {
  return at_least > 0 ? fmt::format(" ({:.3g} times the bound)", time / at_least) : "";
}

// The winner for each size, and why it takes its time.
std::string best_text(const driver::CompareOutcome& outcome) {
  std::string text;
  for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
    const std::string size = size_text(outcome.sizes[i]);
    if (!outcome.best[i]) {
      text += fmt::format("best        {}: none is written in rounds\n", size);
      continue;
    }
    const driver::Compared& best = outcome.algorithms[*outcome.best[i]];
    text +=
        fmt::format("best        {}: {}{}\n", size, best.at(i).name(), gap_text(*best.times[i], outcome.at_least[i]));
    text += bandwidth_text(outcome.collective, outcome.sizes[i], best.times[i]);
    text += why_lines(outcome, best.at(i), outcome.sizes[i], *best.times[i]);
  }
  return text;
}

// The algorithm to run at each size, and its files; nothing of one size without files.
std::string by_size_text(const driver::CompareOutcome& outcome) {
  const bool files = std::ranges::any_of(
      outcome.by_size, [](const driver::BestOfSizes& it) { return !it.table.empty() || !it.schedule_file.empty(); });
  if (outcome.sizes.size() < 2 && !files) return {};
  std::vector<std::string> ranges;
  for (const driver::BestOfSizes& it : outcome.by_size) {
    ranges.push_back(it.up_to ? "up to " + size_text(*it.up_to) : it.above > 0 ? "above" : "any size");
  }
  std::size_t width = 0;
  for (const std::string& range : ranges) width = std::max(width, range.size());
  std::string text;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const driver::BestOfSizes& it = outcome.by_size[i];
    text += fmt::format("{:<12}{:<{}}  {}\n", i == 0 ? "to run" : "", ranges[i], width, it.choice.name());
    for (const std::string& file : {it.table, it.schedule_file}) {
      if (!file.empty()) text += fmt::format("{:<12}{:<{}}  {}\n", "", "", width, printable(file));
    }
  }
  return text;
}

// For each algorithm its arguments at each size, and why it takes its time; and the choices that were passed over.
std::string details_text(const driver::CompareOutcome& outcome) {
  std::string text;
  for (const driver::Compared& it : outcome.algorithms) {
    for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
      if (!it.times[i]) continue;
      text += fmt::format("{}, {}: {}{}\n", it.at(i).name(), size_text(outcome.sizes[i]), time_text(it.times[i]),
                          gap_text(*it.times[i], outcome.at_least[i]));
      text += why_lines(outcome, it.at(i), outcome.sizes[i], *it.times[i]);
    }
  }
  for (const driver::PassedOver& it : outcome.passed_over) {
    text += fmt::format("passed over {}: ", it.algorithm);
    if (it.rows > 0) {
      text += fmt::format("{} rows", it.rows);
    } else {
      text += it.more_segments ? "fewer segments tell that it is of no use" : "at least";
    }
    for (const double seconds : it.at_least) text += " " + time_text(seconds);
    text += "\n";
  }
  return text.empty() ? text : "\n" + text;
}

std::string passed_over_text(const std::vector<driver::PassedOver>& all) {
  const auto line = [](std::uint64_t count, std::string_view why) {
    if (count == 0) return std::string();
    const std::string choices = count == 1 ? "1 choice" : fmt::format("{} choices", count);
    return fmt::format("            not measured: {} of arguments, each {}\n", choices, why);
  };
  const auto count = [&](const auto& is) { return static_cast<std::uint64_t>(std::ranges::count_if(all, is)); };
  const std::uint64_t large = count([](const driver::PassedOver& it) { return it.rows > 0; });
  const std::uint64_t segments = count([](const driver::PassedOver& it) { return it.more_segments; });
  return line(all.size() - large - segments, "slower than the best at every size, or no faster than its row") +
         line(large, "of more rows than are measured beside a row") +
         line(segments, "of more segments than are of use, as fewer tell");
}

using driver::DiffOutcome;
using driver::MissingSend;

constexpr std::size_t indent = 12;

std::string missing_text(const std::string& side, const std::vector<MissingSend>& missing, std::uint64_t all) {
  std::string text;
  for (const MissingSend& it : missing) {
    const std::string step = it.step ? fmt::format(", {} {}", it.in_rounds ? "round" : "step", *it.step) : "";
    text +=
        std::string(indent, ' ') +
        wrapped(fmt::format("only in {}: {} -> {}, {}{}\n", printable(side), it.from, it.to, it.content, step), indent);
  }
  if (all > missing.size()) text += fmt::format("{:{}}and {} more\n", "", indent, all - missing.size());
  return text;
}

std::string sends_text(const DiffOutcome& outcome) {
  if (outcome.same_sends()) return fmt::format("sends       the same, {}\n", outcome.common);
  return fmt::format("sends       {} and {}, {} in common\n", outcome.left_sends, outcome.right_sends, outcome.common) +
         missing_text(outcome.left, outcome.left_only, outcome.left_sends - outcome.common) +
         missing_text(outcome.right, outcome.right_only, outcome.right_sends - outcome.common);
}

std::string_view word(const std::optional<bool>& same) {
  return !same ? "not compared" : *same ? "the same" : "different";
}

std::string sums_text(const DiffOutcome& outcome) {
  if (outcome.sums) return "results     the same, sums in the same order\n";
  const MissingSend& first = *outcome.first_other_sum;
  return wrapped(fmt::format("results     {} added up otherwise, or of something else; the first: {} of processor {}\n",
                             counted(outcome.other_sums, "result"), first.content, first.to),
                 12);
}

}  // namespace

std::string rendered(AsText form, const driver::CompareOutcome& outcome, const Sources&) {
  std::string text = fmt::format("fabric      {}\ncollective  {}\n\n", fabric_text(outcome.fabric, outcome.on),
                                 described(outcome.collective));
  std::string cut = cut_text(outcome.reason, "all that ships was measured");
  if (!std::ranges::all_of(outcome.algorithms, &driver::Compared::whole)) {
    cut = "            not all is known where a name ends with ...\n" + cut;
  }
  if (outcome.algorithms.empty()) return text + (cut.empty() ? "no schedule that ships does this here\n" : cut);
  text += ComparisonTable(outcome).text();
  if (outcome.sizes.empty()) return text + cut;
  if (form.all) text += details_text(outcome);
  text += "\n" + best_text(outcome) + by_size_text(outcome);
  if (!form.all) text += passed_over_text(outcome.passed_over);
  return text + cut;
}

std::string rendered(AsText, const DiffOutcome& outcome, const Sources&) {
  std::string text = sends_text(outcome) + fmt::format("order       {}\n", word(outcome.order));
  if (outcome.steps) text += fmt::format("steps       {}\n", word(outcome.steps));
  return text + sums_text(outcome);
}

}  // namespace quadrille::cli
