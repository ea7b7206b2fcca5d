// The command `compare`. Each algorithm that ships, and each schedule of a file, is measured (measure_choice.h); one
// that breaks a rule gets no numbers. Where a number of segments, a radix, or servers may be chosen, all choices
// (known_arguments.h) are tried, and the row has the best for each size: of each algorithm the choice with the
// fewest chunks, by levels and plain ones first; then all others, those with the fewest chunks first. Where lanes
// are uneven, those that are near to the best are tried again in the end with messages in pieces. There are no more
// segments where fewer were worse than half as many, or foretell starts that leave nothing to win. A choice is passed
// over if by its bound (any_rounds.h) it takes, at each size, more than the best of all algorithms, or no less than the
// best of its own. Two choices are tried at a time; each knows those that come `lag` or more before it, however fast
// these were.
//
// For example, an all-reduce of 1 KiB and of 64 MiB on star:8: allreduce_double_tree is best with 1 segment for the one
// size, and with 32 for the other; its row says `segments=1|32`. Cost: that of the measures, of all choices.
#include "driver/search/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <future>
#include <iterator>
#include <limits>
#include <semaphore>
#include <span>
#include <string_view>
#include <utility>

#include "driver/inputs/bandwidth.h"
#include "driver/inputs/input.h"
#include "driver/inputs/notations.h"
#include "driver/search/algorithm_at_work.h"
#include "driver/search/consumer.h"
#include "driver/search/fit.h"
#include "driver/search/known_arguments.h"
#include "driver/search/least_time.h"
#include "driver/search/measure_choice.h"
#include "dsl/load.h"
#include "model/text/diagnostic.h"
#include "model/text/number_in.h"

namespace quadrille::driver {
namespace {

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

// When its choice with the fewest chunks is tried: that of a schedule by levels first, which is best most often, then
// plain ones. All others come later.
std::size_t place_of_first(const ir::Schedule& schedule) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(schedule.parameters, [&](const auto& it) { return it.name == name && !it.idle; });
  };
  if (has("gpus") && has("segments")) return 0;
  return static_cast<std::size_t>(std::ranges::count(schedule.parameters, false, &ir::Parameter::idle));
}

// The title with another value of a parameter: "segments=8" becomes "segments=4", wherever it stands.
std::string replaced(const std::string& title, const std::string& part, const std::string& by) {
  const std::size_t at = (title + ' ').find(' ' + part + ' ');
  return at == std::string::npos ? std::string() : std::string(title).replace(at + 1, part.size(), by);
}

// How far ahead of the choice whose result comes next others are begun. It is the same on every machine, as results
// are.
constexpr std::size_t lag = 4;

constexpr std::size_t not_first = std::numeric_limits<std::size_t>::max();

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
  // `least_per_byte`: the seconds that each byte of a message takes at least, whatever the schedule.
  ComparisonAtWork(CompareOutcome& outcome, const CompareRequest& request, Context& context, double least_per_byte)
      : outcome_(outcome),
        request_(request),
        context_(context),
        meter_(outcome, request, context),
        least_per_byte_(least_per_byte) {}

  // Returns a warning for each of the files' schedules that has no row.
  Diagnostics run(const std::vector<OpenedSchedule>& files) {
    for (const OpenedSchedule& file : files) {
      if (is_asked_for(file.schedule->name)) add(file.schedule, file.given).file = file.schedule->name;
    }
    add_shipped();
    std::ranges::stable_sort(choices_, {}, [](const ChoiceToTry& it) { return std::pair(it.place, it.chunks); });
    least_.assign(outcome_.sizes.size(), never);
    rows_.resize(algorithms_.size());
    if (try_choices(0)) {
      const std::size_t tried = choices_.size();
      if (add_finer()) try_choices(tried);
    }
    under_way_.clear();  // waits for what limits have cut short, as that reads the outcome
    // An algorithm that limits have cut short has the choices that were tried.
    outcome_.reason = context_.limits.reached();
    Diagnostics warnings;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i] && outcome_.reason != Reason::none) rows_[i] = unfinished(algorithms_[i]);
      const bool by_name = !algorithms_[i].file.empty() || !request_.only.empty();
      if (!rows_[i] && outcome_.reason == Reason::none && by_name) warnings.push_back(left_out(algorithms_[i]));
      if (rows_[i]) outcome_.algorithms.push_back(std::move(*rows_[i]));
    }
    if (outcome_.reason == Reason::none && meter_.over_limit()) outcome_.reason = Reason::limit;
    return warnings;
  }

  // The ranges of sizes; none where some size has no best. Requires that the outcome has the best.
  std::vector<BestOfSizes> by_size() const {
    if (outcome_.sizes.empty()) return {};
    std::vector<Compared::Choice> choices;
    std::vector<LinearTime> times;
    for (const AlgorithmAtWork& algorithm : algorithms_) {
      for (const MeasuredChoice& it : algorithm.measured()) {
        if (!std::ranges::all_of(it.times, [](const auto& time) { return time.has_value(); })) continue;
        choices.push_back(it.choice);
        std::vector<double> known;
        std::ranges::transform(it.times, std::back_inserter(known), [](const auto& time) { return *time; });
        times.push_back(line_of(known));
      }
    }
    std::vector<BestAt> best;
    for (std::size_t i = 0; i < outcome_.sizes.size(); ++i) {
      if (!outcome_.best[i]) return {};
      const std::string name = outcome_.algorithms[*outcome_.best[i]].at(i).name();
      const auto found = std::ranges::find(choices, name, &Compared::Choice::name);
      if (found == choices.end()) return {};
      best.push_back({outcome_.sizes[i], static_cast<std::size_t>(found - choices.begin())});
    }
    std::vector<BestOfSizes> ranges;
    for (const BestInRange& it : best_by_size(std::move(best), times)) {
      ranges.push_back({it.above, it.up_to, choices[it.choice], times[it.choice]});
    }
    return ranges;
  }

 private:
  struct ChoiceToTry {
    std::size_t algorithm;
    std::size_t place = not_first;
    std::uint64_t chunks = 0;
    Arguments arguments = {};
  };

  AlgorithmAtWork& add(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& given) {
    std::vector<Arguments> choices = meter_.choices(schedule, given);
    AlgorithmAtWork& algorithm = algorithms_.emplace_back(schedule, choices.front(), outcome_.sizes.size());
    if (!may_serve(schedule->collective.kind, outcome_.collective)) return algorithm;
    const auto first = choices_.insert(choices_.end(), choices.size(), ChoiceToTry{algorithms_.size() - 1});
    for (auto it = first; it != choices_.end(); ++it) {
      it->arguments = std::move(choices[static_cast<std::size_t>(it - first)]);
      it->chunks = meter_.chunks(schedule, it->arguments).value_or(0);
    }
    std::ranges::min_element(first, choices_.end(), {}, &ChoiceToTry::chunks)->place = place_of_first(*schedule);
    algorithm.open = choices.size();
    algorithm.waits = !outcome_.sizes.empty() && !choices.empty() && takes_pieces(*schedule, outcome_.fabric);
    if (algorithm.waits) ++algorithm.open;
    return algorithm;
  }

  // Tries the choices from this one on. False if the limits were reached.
  bool try_choices(std::size_t tried) {
    for (std::size_t begun = tried; tried < choices_.size(); ++tried) {
      const ChoiceToTry& each = choices_[tried];
      report(algorithms_[each.algorithm], tried);
      for (; begun < choices_.size() && begun < tried + lag && may_begin(tried, begun); ++begun) begin(choices_[begun]);
      if (!finish(each) || !end_row(each.algorithm)) return false;
    }
    return true;
  }

  // Adds what takes hardly more than the best at some size, with messages in pieces, where lanes are uneven: where that
  // takes a moment, also what takes a quarter more. False if
  // the limits were reached.
  bool add_finer() {
    constexpr double nearly_of_few = 1.25;
    constexpr double nearly_of_many = 1.1;
    constexpr std::uint64_t few_demands = std::uint64_t{1} << 14;
    std::vector<ChoiceToTry> finer;
    for (std::size_t i = 0; i < algorithms_.size(); ++i) {
      AlgorithmAtWork& algorithm = algorithms_[i];
      if (!algorithm.waits) continue;
      --algorithm.open;
      for (std::size_t size = 0; size < least_.size(); ++size) {
        const MeasuredChoice* best = algorithm.best(size);
        if (best == nullptr) continue;
        std::optional<Arguments> pieces = in_pieces(best->choice.arguments);
        const auto is_same = [&](const ChoiceToTry& it) { return it.algorithm == i && it.arguments == *pieces; };
        if (!pieces || std::ranges::any_of(finer, is_same)) continue;
        const std::uint64_t chunks = meter_.chunks(algorithm.schedule(), *pieces).value_or(0);
        const bool few = chunks * outcome_.fabric.processors() <= few_demands;
        const double most = least_[size] * (few ? nearly_of_few : nearly_of_many);
        if (best->times[size].value_or(never) > most) continue;
        finer.push_back({i, not_first, chunks, *std::move(pieces)});
        ++algorithm.open;
      }
      if (!end_row(i)) return false;
    }
    std::ranges::stable_sort(finer, {}, &ChoiceToTry::chunks);
    std::ranges::move(finer, std::back_inserter(choices_));
    return true;
  }

  // Ends the algorithm's row if none of its choices is open. False if the limits were reached.
  bool end_row(std::size_t algorithm) {
    if (algorithms_[algorithm].open > 0) return true;
    std::optional<Compared> row = finished(algorithms_[algorithm]);
    if (context_.limits.reached() != Reason::none) return false;
    if (row && request_.on_row) request_.on_row(*row);
    rows_[algorithm] = std::move(row);
    return true;
  }

  // The line through the least and the largest size; with a single size, the time there.
  LinearTime line_of(std::span<const double> times) const {
    const auto [least, most] = std::ranges::minmax_element(outcome_.sizes);
    const double low = times[static_cast<std::size_t>(least - outcome_.sizes.begin())];
    const double high = times[static_cast<std::size_t>(most - outcome_.sizes.begin())];
    if (*least == *most) return {low, 0};
    const double per_byte = (high - low) / static_cast<double>(*most - *least);
    return {low - per_byte * static_cast<double>(*least), per_byte};
  }

  bool is_asked_for(std::string_view name) const {
    return request_.only.empty() || std::ranges::find(request_.only, name) != request_.only.end();
  }

  void add_shipped() {
    for (const ShippedFile& shipped : shipped_schedules()) {
      if (context_.limits.reached() != Reason::none) return;
      if (!is_asked_for(shipped.name)) continue;
      Context apart{context_.environment, context_.limits, {}, context_.world};  // its sources are of no use later
      const auto schedule = open_shipped_schedule(std::string(shipped.name), apart);
      if (!schedule) continue;
      const bool is_tried =
          may_serve((*schedule)->collective.kind, outcome_.collective) && suits(**schedule, outcome_.fabric);
      if (!request_.only.empty() || is_tried) add(*schedule, {});
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

  // Whether fewer segments tell that these are of no use: some were worse, at every size, than half as many, as starts
  // grow with their number and what they save becomes less and less (few may be worse because lanes are uneven); or
  // with starts that grow so, and messages that take no longer than any schedule's, they are no better than the best of
  // all is.
  bool grows_worse(const ChoiceToTry& each) const {
    const AlgorithmAtWork& algorithm = algorithms_[each.algorithm];
    const std::uint64_t all = segments_of(each.arguments);
    const auto title = title_at(algorithm.schedule(), each.arguments);
    if (request_.every_choice || all == 0 || !title) return false;
    const auto with = [&](std::uint64_t segments) {
      const auto part = [](std::uint64_t value) { return fmt::format("segments={}", value); };
      return algorithm.times(replaced(*title, part(all), part(segments)));
    };
    constexpr std::uint64_t few = 16;
    bool foretold = false;
    for (std::uint64_t segments = all / 2; segments > 1; segments /= 2) {
      const std::vector<double> more = with(segments);
      const std::vector<double> fewer = with(segments / 2);
      if (more.empty() || fewer.empty()) continue;
      if (segments > few && std::ranges::equal(fewer, more, std::less_equal())) return true;
      if (outcome_.sizes.size() < 2 || foretold) continue;
      foretold = true;
      const double growth = line_of(more).fixed - line_of(fewer).fixed;
      const double starts =
          line_of(more).fixed + growth * 2 * static_cast<double>(all - segments) / static_cast<double>(segments);
      bool may_be_best = !(growth > 0) || !std::isfinite(starts);
      for (std::size_t i = 0; i < least_.size(); ++i) {
        may_be_best = may_be_best || starts + least_per_byte_ * static_cast<double>(outcome_.sizes[i]) < least_[i];
      }
      if (!may_be_best) return true;
    }
    return false;
  }

  // Whether no choice from the first on is to be finished before the next one begins: one of half as many segments, if
  // these are many.
  bool may_begin(std::size_t first, std::size_t next) const {
    constexpr std::uint64_t many = 8;
    const ChoiceToTry& more = choices_[next];
    const std::uint64_t segments = segments_of(more.arguments);
    for (std::size_t i = first; i < next && segments >= many; ++i) {
      const ChoiceToTry& it = choices_[i];
      if (it.algorithm == more.algorithm && segments_of(it.arguments) == segments / 2) return false;
    }
    return true;
  }

  // Begins to try a choice as soon as one of the threads is free.
  void begin(const ChoiceToTry& each) {
    const AlgorithmAtWork& algorithm = algorithms_[each.algorithm];
    if (grows_worse(each)) {
      const std::string title = *title_at(algorithm.schedule(), each.arguments);
      under_way_.push_back(std::async(std::launch::deferred, [title] {
        return TriedChoice{.passed_over = PassedOver{.algorithm = title, .more_segments = true}};
      }));
      return;
    }
    Standards standards;
    // Some choice of each algorithm is measured.
    if (!request_.every_choice && algorithm.known()) standards.least = least_;
    algorithm.set(standards);
    under_way_.push_back(
        std::async(std::launch::async, [this, &each, schedule = algorithm.schedule(), standards = std::move(standards),
                                        of_all = request_.every_choice ? Standards() : of_all()] {
          const ChoiceSlot slot(slots_);
          return meter_.in_rounds(
              schedule, each.arguments, standards.own_least, standards.least,
              [&](const AnyRounds& bound, std::uint64_t chunks) {
                return standards.is_of_no_use(bound, chunks, outcome_.sizes);
              },
              [&](const AnyRounds& bound, std::uint64_t chunks) {
                return of_all.is_of_no_use(bound, chunks, outcome_.sizes);
              });
        }));
  }

  Standards of_all() const { return {least_, std::vector<std::optional<double>>(least_.size()), {}}; }

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
      measured.choice.schedule = algorithm.schedule();
      measured.choice.arguments = each.arguments;
      algorithm.add(std::move(measured));
    }
    return true;
  }

  // A file may be given twice.
  void pass_over(const AlgorithmAtWork& algorithm, PassedOver it) {
    auto& all = outcome_.passed_over;
    const bool known =
        algorithm.has(it.algorithm) || std::ranges::find(all, it.algorithm, &PassedOver::algorithm) != all.end();
    if (!known) all.push_back(std::move(it));
  }

  // The algorithm's row, with its steps if they are asked for; none if it has no measures.
  std::optional<Compared> finished(const AlgorithmAtWork& algorithm) const {
    std::optional<Compared> row = algorithm.row();
    if (!row && outcome_.steps) {
      std::optional<Compared> in_steps = meter_.in_steps(algorithm.schedule(), algorithm.usual());
      if (in_steps) in_steps->file = algorithm.file;
      return in_steps;
    }
    if (!row) return std::nullopt;
    if (outcome_.steps) meter_.add_steps(*row, algorithm.schedule(), row->first().arguments);
    return row;
  }

  static std::optional<Compared> unfinished(const AlgorithmAtWork& algorithm) {
    std::optional<Compared> row = algorithm.row();
    if (row) row->whole = false;
    return row;
  }

  CompareOutcome& outcome_;
  const CompareRequest& request_;
  Context& context_;
  ChoiceMeter meter_;
  double least_per_byte_;
  std::vector<AlgorithmAtWork> algorithms_;    // files first, and then in the order of the catalogue
  std::vector<ChoiceToTry> choices_;           // those with the fewest chunks first
  std::vector<double> least_;                  // by size, of all algorithms
  std::vector<std::optional<Compared>> rows_;  // of the algorithms
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

// "8,4,2".
Result<MachineLevels> parse_levels(const std::string& text, std::uint32_t processors) {
  MachineLevels levels;
  std::uint64_t product = 1;
  const auto wrong = [&](std::string_view why) {
    return error_at({}, fmt::format("--levels {}: {}", text, why), Code::usage);
  };
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const auto size = number_in<std::uint32_t>(std::string_view(text).substr(begin, comma - begin)).value_or(0);
    if (size == 0) return wrong("expected sizes from the innermost level on, such as 8,4");
    levels.push_back(size);
    product *= size;
    if (product > processors) break;
    begin = comma + 1;
  }
  if (levels.empty() || product == processors) return levels;
  return wrong(fmt::format("expected sizes whose product is {}, the number of processors", processors));
}

// The fault of the names and the files that are asked for, if there is one.
std::optional<Diagnostic> wrong_with(const CompareRequest& request, const Collective& collective, bool no_sizes) {
  std::vector<std::string> names = request.files;
  for (const ShippedFile& shipped : shipped_schedules()) names.emplace_back(shipped.name);
  for (const std::string& name : request.only) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const auto near = nearest(name, names);
    return error_at({},
                    fmt::format("--only {}: neither one of the files nor a schedule that ships{}", name,
                                near ? fmt::format("; did you mean '{}'?", *near) : ""),
                    Code::name);
  }
  if (auto wrong = cannot_say(request.consumer, collective)) return wrong;
  if (!no_sizes) return std::nullopt;
  for (const auto& [option, value] : {std::pair("-o", request.output), std::pair("--schedule", request.schedule)}) {
    if (!value.empty())
      return error_at({}, fmt::format("{}: expected --size, too: what is best depends on it", option), Code::usage);
  }
  return std::nullopt;
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
  Result<MachineLevels> levels = parse_levels(request.levels, asked->fabric.processors());
  if (!levels) return levels.diagnostics();
  if (auto wrong = wrong_with(request, asked->collective, sizes->empty())) return *std::move(wrong);
  CompareOutcome outcome{asked_for(request.on, request.without),
                         std::move(asked->fabric),
                         std::move(asked->collective),
                         *costs,
                         *std::move(levels),
                         std::move(*sizes)};
  outcome.steps = request.steps || outcome.sizes.empty();
  double least_per_byte = 0;
  if (!outcome.sizes.empty()) {
    const Fabric in_rounds = timed(outcome.fabric, Timing::rounds);
    const LeastTime least = least_time(in_rounds, outcome.collective, outcome.costs, remaining(context));
    for (const std::uint64_t size : outcome.sizes) outcome.at_least.push_back(least.of(size));
    least_per_byte = least.per_byte;
  }
  Diagnostics warnings = files.diagnostics();
  ComparisonAtWork comparison(outcome, request, context, least_per_byte);
  std::ranges::move(comparison.run(*files), std::back_inserter(warnings));
  std::stable_sort(outcome.algorithms.begin(), outcome.algorithms.end(),
                   [](const Compared& a, const Compared& b) { return rank(a) < rank(b); });
  find_best(outcome);
  outcome.by_size = comparison.by_size();
  save_best(outcome, request, context);
  return {std::move(outcome), std::move(warnings)};
}

}  // namespace quadrille::driver
