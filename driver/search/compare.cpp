// The command `compare`. Each algorithm that ships, and each schedule of a file, is measured (measure_choice.h); one
// that breaks a rule gets no numbers. Where a number of segments, a radix, or servers may be chosen, all choices
// (known_arguments.h) are tried, those with the fewest chunks first, and the row has the best for each size. A choice
// is passed over if by its bound (any_rounds.h) it takes, at each size, more than the best of all algorithms, or no
// less than the best of its own. Two choices are tried at a time; each knows those that come `lag` or more before it,
// however fast these were.
//
// For example, an all-reduce of 1 KiB and of 64 MiB on star:8: allreduce_double_tree is best with 1 segment for the one
// size, and with 32 for the other; its row says `segments=1|32`. Cost: that of the measures, of all choices.
#include "driver/search/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <future>
#include <iterator>
#include <limits>
#include <semaphore>
#include <set>
#include <string_view>
#include <utility>

#include "driver/inputs/bandwidth.h"
#include "driver/inputs/input.h"
#include "driver/inputs/notations.h"
#include "driver/search/fit.h"
#include "driver/search/least_time.h"
#include "driver/search/measure_choice.h"
#include "dsl/load.h"

namespace quadrille::driver {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

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

// What a choice has to beat, as far as it was known when the choice was begun.
struct Standards {
  std::vector<double> least;                     // by size, of all algorithms; empty: no choice is passed over
  std::vector<std::optional<double>> own_least;  // by size, of its own algorithm
  std::vector<std::uint64_t> own_chunks;         // of the choices that take that

  bool is_of_no_use(const AnyRounds& bound, std::uint64_t chunks, const std::vector<std::uint64_t>& sizes) const {
    constexpr double rounding = 1e-9;
    for (std::size_t i = 0; i < least.size(); ++i) {
      const double seconds = bound.of(sizes[i], chunks);
      const bool too_long = seconds > least[i] * (1 + rounding);
      const bool as_good = own_least[i] && seconds * (1 + rounding) >= *own_least[i] && chunks >= own_chunks[i];
      if (!too_long && !as_good) return false;
    }
    return !least.empty();
  }
};

// An algorithm and what is known of it.
class AlgorithmAtWork {
 public:
  // `usual`: its first choice.
  AlgorithmAtWork(std::shared_ptr<const ir::Schedule> schedule, Arguments usual, std::size_t sizes)
      : schedule_(std::move(schedule)), usual_(std::move(usual)), least_(sizes) {}

  const std::shared_ptr<const ir::Schedule>& schedule() const { return schedule_; }
  const Arguments& usual() const { return usual_; }
  // The choices that are still to be tried.
  std::size_t open = 0;
  std::string file = {};  // as Compared has it
  void add(const Arguments& arguments, MeasuredChoice measured) {
    for (std::size_t i = 0; i < least_.size(); ++i) {
      if (measured.times[i]) least_[i] = std::min(least_[i].value_or(never), *measured.times[i]);
    }
    arguments_.push_back(arguments);
    measured_.push_back(std::move(measured));
  }

  bool known() const { return !measured_.empty(); }
  bool has(const std::string& name) const {
    return std::ranges::any_of(measured_, [&](const MeasuredChoice& it) { return it.choice.algorithm == name; });
  }

  // Sets what its own choices so far say.
  void set(Standards& standards) const {
    standards.own_least = least_;
    for (std::size_t size = 0; known() && size < least_.size(); ++size) {
      standards.own_chunks.push_back(measured_[best_at(size)].choice.chunks);
    }
  }

  // Its row, with the arguments of the first choice; none if nothing is known of it.
  std::optional<std::pair<Compared, Arguments>> row() const {
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
    return std::pair(std::move(row), arguments_[best.front()]);
  }

 private:
  // The first choice that takes the least time at the size. Among those that differ only by rounding errors it is the
  // one with the fewest chunks.
  std::size_t best_at(std::size_t size) const {
    constexpr double alike = 1 + 1e-9;
    const auto chunks = [&](const MeasuredChoice& it) {
      return it.times[size].value_or(never) <= least_[size].value_or(never) * alike
                 ? it.choice.chunks
                 : std::numeric_limits<std::uint64_t>::max();
    };
    return static_cast<std::size_t>(std::ranges::min_element(measured_, {}, chunks) - measured_.begin());
  }

  std::shared_ptr<const ir::Schedule> schedule_;
  Arguments usual_;
  std::vector<Arguments> arguments_;
  std::vector<MeasuredChoice> measured_;
  std::vector<std::optional<double>> least_;
};

// The order of the algorithms: the least time at the first size, or the fewest steps for a chunk; unknown values come
// last.
double rank(const Compared& it) {
  if (!it.times.empty()) return it.times.front().value_or(never);
  return it.steps ? static_cast<double>(*it.steps) / static_cast<double>(it.first().chunks) : never;
}

void find_best(CompareOutcome& outcome) {
  for (std::size_t size = 0; size < outcome.sizes.size(); ++size) {
    std::optional<std::size_t>& best = outcome.best.emplace_back();
    for (std::size_t i = 0; i < outcome.algorithms.size(); ++i) {
      const auto& time = outcome.algorithms[i].times[size];
      if (time && (!best || *time < *outcome.algorithms[*best].times[size])) best = i;
    }
  }
}

// How far ahead of the choice whose result comes next others are begun. It is the same on every machine, as results
// are.
constexpr std::size_t lag = 4;

// Two choices are tried at a time, so that memory is taken for two.
using ChoiceSlots = std::counting_semaphore<2>;

class ChoiceSlot {
 public:
  explicit ChoiceSlot(ChoiceSlots& slots) : slots_(slots) { slots_.acquire(); }
  ChoiceSlot(const ChoiceSlot&) = delete;
  ChoiceSlot& operator=(const ChoiceSlot&) = delete;
  ~ChoiceSlot() { slots_.release(); }

 private:
  ChoiceSlots& slots_;
};

// The schedules of files and all algorithms that ship, and the choices of their arguments.
class ComparisonAtWork {
 public:
  ComparisonAtWork(CompareOutcome& outcome, const CompareRequest& request, Context& context)
      : outcome_(outcome), request_(request), context_(context), meter_(outcome, request, context) {}

  // Returns a warning for each of the files' schedules that has no row.
  Diagnostics run(const std::vector<OpenedSchedule>& files) {
    for (const OpenedSchedule& file : files) add(file.schedule, file.given).file = file.schedule->name;
    add_shipped();
    std::ranges::stable_sort(choices_, {}, &ChoiceToTry::chunks);
    least_.assign(outcome_.sizes.size(), never);
    std::vector<std::optional<Compared>> rows(algorithms_.size());
    std::size_t begun = 0;
    for (std::size_t tried = 0; tried < choices_.size(); ++tried) {
      const ChoiceToTry& each = choices_[tried];
      report(algorithms_[each.algorithm], tried);
      for (; begun < choices_.size() && begun < tried + lag; ++begun) begin(choices_[begun]);
      if (!finish(each)) break;
      if (algorithms_[each.algorithm].open > 0) continue;
      std::optional<Compared> row = finished(algorithms_[each.algorithm]);
      if (context_.limits.reached() != Reason::none) break;
      if (row && request_.on_row) request_.on_row(*row);
      rows[each.algorithm] = std::move(row);
    }
    // What limits have cut short has the choices that were tried.
    outcome_.reason = context_.limits.reached();
    Diagnostics warnings;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i] && outcome_.reason != Reason::none) rows[i] = unfinished(algorithms_[i]);
      if (!rows[i] && outcome_.reason == Reason::none && i < files.size()) warnings.push_back(left_out(algorithms_[i]));
      if (rows[i]) outcome_.algorithms.push_back(std::move(*rows[i]));
    }
    if (outcome_.reason == Reason::none && meter_.over_limit()) outcome_.reason = Reason::limit;
    return warnings;
  }

 private:
  struct ChoiceToTry {
    std::size_t algorithm;
    std::uint64_t chunks;
    Arguments arguments;
  };

  AlgorithmAtWork& add(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& given) {
    std::vector<Arguments> choices = meter_.choices(*schedule, given);
    AlgorithmAtWork& algorithm = algorithms_.emplace_back(schedule, choices.front(), outcome_.sizes.size());
    if (!may_serve(schedule->collective.kind, outcome_.collective)) return algorithm;
    for (Arguments& arguments : choices) {
      const std::uint64_t chunks = meter_.chunks(schedule, arguments).value_or(0);
      choices_.push_back({algorithms_.size() - 1, chunks, std::move(arguments)});
      ++algorithm.open;
    }
    return algorithm;
  }

  void add_shipped() {
    for (const ShippedFile& shipped : shipped_schedules()) {
      if (context_.limits.reached() != Reason::none) return;
      Context apart{context_.environment, context_.limits, {}, context_.world};  // its sources are of no use later
      const auto schedule = open_shipped_schedule(std::string(shipped.name), apart);
      if (schedule && may_serve((*schedule)->collective.kind, outcome_.collective)) add(*schedule, {});
    }
  }

  // "two_shot.qd N=8 is left out: …", where that is to be seen.
  Diagnostic left_out(const AlgorithmAtWork& algorithm) const {
    Diagnostic why = meter_.why_none(algorithm.schedule(), algorithm.usual());
    std::string name = algorithm.schedule()->name;
    for (const auto& [parameter, value] : algorithm.usual()) name += fmt::format(" {}={}", parameter, value);
    why.message = fmt::format("{} is left out: {}", name, why.message);
    why.severity = Severity::warning;
    why.code = Code::none;
    return why;
  }

  void report(const AlgorithmAtWork& algorithm, std::size_t tried) const {
    if (!context_.limits.progress) return;
    context_.limits.progress({.stage = fmt::format("trying {}", algorithm.schedule()->name),
                              .done = tried,
                              .of = choices_.size(),
                              .unit = "choices of arguments"});
  }

  // Begins to try a choice as soon as one of the threads is free.
  void begin(const ChoiceToTry& each) {
    const AlgorithmAtWork& algorithm = algorithms_[each.algorithm];
    Standards standards;
    // Some choice of each algorithm is measured.
    if (!request_.every_choice && algorithm.known()) standards.least = least_;
    algorithm.set(standards);
    under_way_.push_back(std::async(
        std::launch::async, [this, &each, schedule = algorithm.schedule(), standards = std::move(standards)] {
          const ChoiceSlot slot(slots_);
          return meter_.in_rounds(schedule, each.arguments, standards.own_least, standards.least,
                                  [&](const AnyRounds& bound, std::uint64_t chunks) {
                                    return standards.is_of_no_use(bound, chunks, outcome_.sizes);
                                  });
        }));
  }

  // Takes the result of the choice that was begun first. False if the limits were reached: then measures may be
  // lacking.
  bool finish(const ChoiceToTry& each) {
    AlgorithmAtWork& algorithm = algorithms_[each.algorithm];
    TriedChoice tried = under_way_.front().get();
    under_way_.pop_front();
    if (context_.limits.reached() != Reason::none) return false;
    --algorithm.open;
    if (tried.passed_over) pass_over(algorithm, std::move(*tried.passed_over));
    for (MeasuredChoice& measured : tried.measured) {
      for (std::size_t i = 0; i < least_.size(); ++i) {
        if (const auto& time = measured.times[i]) least_[i] = std::min(least_[i], *time);
      }
      algorithm.add(each.arguments, std::move(measured));
    }
    return true;
  }

  // Defaults may come twice, once by name.
  void pass_over(const AlgorithmAtWork& algorithm, PassedOver it) {
    auto& all = outcome_.passed_over;
    const bool known =
        algorithm.has(it.algorithm) || std::ranges::find(all, it.algorithm, &PassedOver::algorithm) != all.end();
    if (!known) all.push_back(std::move(it));
  }

  // The algorithm's row, with its steps if they are asked for; none if it has no measures.
  std::optional<Compared> finished(const AlgorithmAtWork& algorithm) const {
    auto row = algorithm.row();
    if (!row && outcome_.steps) {
      std::optional<Compared> in_steps = meter_.in_steps(algorithm.schedule(), algorithm.usual());
      if (in_steps) in_steps->file = algorithm.file;
      return in_steps;
    }
    if (!row) return std::nullopt;
    if (outcome_.steps) meter_.add_steps(row->first, algorithm.schedule(), row->second);
    return std::move(row->first);
  }

  static std::optional<Compared> unfinished(const AlgorithmAtWork& algorithm) {
    auto row = algorithm.row();
    if (!row) return std::nullopt;
    row->first.whole = false;
    return std::move(row->first);
  }

  CompareOutcome& outcome_;
  const CompareRequest& request_;
  Context& context_;
  ChoiceMeter meter_;
  std::vector<AlgorithmAtWork> algorithms_;  // files first, and then in the order of the catalogue
  std::vector<ChoiceToTry> choices_;         // those with the fewest chunks first
  std::vector<double> least_;                // by size, of all algorithms
  ChoiceSlots slots_{2};
  std::deque<std::future<TriedChoice>> under_way_;  // in the order of the choices; the last: they end before the rest
};

// The schedules of the files, each under the file's name, with those of the defines that are its parameters'.
Result<std::vector<OpenedSchedule>> open_files(const CompareRequest& request, Context& context) {
  Result<Arguments> unused = parse_defines(request.defines);
  if (!unused) return unused.diagnostics();
  const Arguments given = *unused;
  std::vector<OpenedSchedule> files;
  Diagnostics warnings;
  for (const std::string& file : request.files) {
    const auto schedule = open_schedule(file, context);
    if (!schedule) return schedule.diagnostics();
    std::ranges::copy(schedule.diagnostics(), std::back_inserter(warnings));
    ir::Schedule named = **schedule;
    named.name = file;
    OpenedSchedule opened{std::make_shared<const ir::Schedule>(std::move(named)), {}};
    for (const ir::Parameter& parameter : opened.schedule->parameters) {
      const auto value = given.find(parameter.name);
      if (value == given.end()) continue;
      opened.given.insert(*value);
      unused->erase(parameter.name);
    }
    if (Diagnostics wrong = check_arguments(opened.schedule, opened.given); !wrong.empty()) return wrong;
    files.push_back(std::move(opened));
  }
  if (unused->empty()) return {std::move(files), std::move(warnings)};
  return error_at({}, fmt::format("-D {}: no file has a parameter of that name", unused->begin()->first), Code::name);
}

}  // namespace

Result<CompareOutcome> run(const CompareRequest& request, Context& context) {
  Result<CollectiveOnFabric> asked = collective_on(request.on, request.without, request.collective, context);
  if (!asked) return asked.diagnostics();
  const Result<Costs> costs = parse_costs(request.costs);
  if (!costs) return costs.diagnostics();
  Result<std::vector<std::uint64_t>> sizes = parse_sizes(request.sizes);
  if (!sizes) return sizes.diagnostics();
  sizes = message_sizes(*std::move(sizes), request.size_of, asked->collective);
  if (!sizes) return sizes.diagnostics();
  const Result<std::vector<OpenedSchedule>> files = open_files(request, context);
  if (!files) return files.diagnostics();
  CompareOutcome outcome{asked_for(request.on, request.without), std::move(asked->fabric), std::move(asked->collective),
                         *costs, std::move(*sizes)};
  outcome.steps = request.steps || outcome.sizes.empty();
  if (!outcome.sizes.empty()) {
    const Fabric in_rounds = timed(outcome.fabric, Timing::rounds);
    const LeastTime least = least_time(in_rounds, outcome.collective, outcome.costs, remaining(context));
    for (const std::uint64_t size : outcome.sizes) outcome.at_least.push_back(least.of(size));
  }
  Diagnostics warnings = files.diagnostics();
  std::ranges::move(ComparisonAtWork(outcome, request, context).run(*files), std::back_inserter(warnings));
  std::stable_sort(outcome.algorithms.begin(), outcome.algorithms.end(),
                   [](const Compared& a, const Compared& b) { return rank(a) < rank(b); });
  find_best(outcome);
  return {std::move(outcome), std::move(warnings)};
}

}  // namespace quadrille::driver
