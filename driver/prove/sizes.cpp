// The command `prove --sizes FROM..TO`: checks sizes one by one. This is no proof for other sizes, and the report
// says so.
//
// Each range is of one parameter, and every combination of their values is checked that is a size of the schedule:
// `--sizes N=2..4 --sizes root=0..3` checks nine, since root is less than N. Open patterns are tried both ways, so
// `total_exchange --sizes 1..3` checks constant and exponential capacities for L = 1, 2 and 3: six tables. The verdict
// holds if all were checked and hold. Cost: the checker's, for each size.
#include "driver/prove/sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir.h"
#include "driver/inputs/input.h"
#include "driver/prove/prove.h"
#include "model/text/number_in.h"

namespace quadrille::driver {
namespace {

constexpr std::uint64_t most_sizes = 100'000;

// Values of a parameter: all from the first to the last.
struct SizeRange {
  std::string text = {};  // as it was given
  std::string name = {};  // empty: of the one parameter that has no value
  std::int64_t first = 0;
  std::int64_t last = 0;

  std::uint64_t count() const { return static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1; }
};
using SizeRanges = std::vector<SizeRange>;

Diagnostic refused(const SizeRange& range, std::string_view why) {
  return error_at({}, fmt::format("--sizes {}: {}", range.text, why), Code::usage);
}

Result<SizeRange> parse_sizes(const std::string& text) {
  SizeRange range{text};
  std::string_view values = text;
  if (const std::size_t equals = values.find('='); equals != values.npos) {
    range.name = values.substr(0, equals);
    values.remove_prefix(equals + 1);
    if (range.name.empty()) return refused(range, "expected a parameter's name before '=', such as N=1..8");
  }
  const std::size_t dots = values.find("..");
  if (dots == values.npos) return refused(range, "expected FROM..TO, such as 1..8");
  const auto first = number_in<std::int64_t>(values.substr(0, dots));
  const auto last = number_in<std::int64_t>(values.substr(dots + 2));
  if (!first || !last) return refused(range, "expected two numbers, such as 1..8");
  if (*first > *last) return refused(range, fmt::format("nothing from {} up to {}", *first, *last));
  range.first = *first;
  range.last = *last;
  // The count of all numbers that there are is 2^64, which is 0 here.
  if (range.count() == 0 || range.count() > most_sizes)
    return refused(range, fmt::format("expected at most {} sizes", most_sizes));
  return range;
}

// The parameters without a value that have no default either.
std::vector<std::string> needed_sizes(const ir::Schedule& schedule, const Arguments& given) {
  std::vector<std::string> names = open_sizes(schedule, given);
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(schedule.parameters, name, &ir::Parameter::name)->default_value.has_value();
  });
  return names;
}

// The parameter that a range without a name is for.
Result<std::string> only_open(const ir::Schedule& schedule, const Arguments& given) {
  const auto open = open_sizes(schedule, given);
  if (open.size() == 1) return open.front();
  if (open.empty()) {
    return error_at({}, fmt::format("--sizes: {} has no parameter left that sizes could be given to", schedule.name),
                    Code::usage);
  }
  if (const auto needed = needed_sizes(schedule, given); needed.size() == 1) return needed.front();
  return error_at({},
                  fmt::format("--sizes: {} has several parameters without a value: {}; expected --sizes {}=FROM..TO, "
                              "and the like of the others",
                              schedule.name, fmt::join(open, ", "), open.front()),
                  Code::usage);
}

// What is wrong with the range's parameter; empty if it may take sizes.
Diagnostics wrong_with_name(const SizeRange& range, const std::shared_ptr<const ir::Schedule>& schedule,
                            const Arguments& given) {
  const auto parameter = std::ranges::find_if(
      schedule->parameters, [&](const ir::Parameter& each) { return each.name == range.name && !each.idle; });
  if (parameter == schedule->parameters.end()) return check_arguments(schedule, {{range.name, "0"}});
  if (parameter->pattern || parameter->set || parameter->list) return {refused(range, range.name + " is no number")};
  if (given.contains(range.name)) return {refused(range, fmt::format("-D gives {} a value already", range.name))};
  return {};
}

// The ranges, each with the name of a parameter of its own. Every parameter without a default has a value, or a range.
Result<SizeRanges> ranges_of(const std::vector<std::string>& texts, const std::shared_ptr<const ir::Schedule>& schedule,
                             const Arguments& given) {
  SizeRanges ranges;
  Arguments taken = given;
  std::uint64_t count = 1;
  for (const std::string& text : texts) {
    Result<SizeRange> range = parse_sizes(text);
    if (!range) return range.diagnostics();
    if (range->name.empty()) {
      Result<std::string> name = only_open(*schedule, taken);
      if (!name) return name.diagnostics();
      range->name = *std::move(name);
    }
    const auto same = std::ranges::find(ranges, range->name, &SizeRange::name);
    if (same != ranges.end())
      return refused(*range, fmt::format("{} has sizes already, {}..{}", same->name, same->first, same->last));
    if (Diagnostics wrong = wrong_with_name(*range, schedule, given); !wrong.empty()) return wrong;
    count *= range->count();  // both were at most most_sizes
    if (count > most_sizes) {
      return refused(*range, fmt::format("with the sizes before, that is {} combinations; expected at most {}", count,
                                         most_sizes));
    }
    taken[range->name] = "";
    ranges.push_back(*std::move(range));
  }
  if (const auto needed = needed_sizes(*schedule, taken); !needed.empty()) {
    return error_at({},
                    fmt::format("--sizes: {} has no value for {}; expected --sizes {}=FROM..TO, or -D {}=…",
                                schedule->name, fmt::join(needed, ", "), needed.front(), needed.front()),
                    Code::usage);
  }
  return ranges;
}

// The values of the open patterns, one set after another; one empty set if there are none.
std::vector<Arguments> patterns(const ir::Schedule& schedule, const Arguments& given) {
  Arguments constant;
  Arguments exponential;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (!parameter.pattern || parameter.set || parameter.list || parameter.idle || given.contains(parameter.name))
      continue;
    constant[parameter.name] = "constant";
    exponential[parameter.name] = "exponential";
  }
  if (constant.empty()) return {{}};
  return {constant, exponential};
}

// All combinations of the ranges' values; the last range's change first.
class Combinations {
 public:
  // Keeps references.
  Combinations(const std::shared_ptr<const ir::Schedule>& schedule, const SizeRanges& ranges, const Arguments& given,
               const Arguments& pattern)
      : schedule_(schedule), ranges_(ranges), given_(given), pattern_(pattern) {}

  // Those that are sizes of the schedule. Of a parameter whose values are a range, both ends must be values in some
  // combination; of another, such as {4, 8, 16}, one value at least.
  Result<std::vector<Arguments>> sizes(const Limits& limits) {
    const bool alone = ranges_.size() == 1 && is_range(ranges_.front());
    std::vector<Arguments> sizes;
    for (std::uint64_t i = 0; i < count(); ++i) {
      if (const Reason reason = limits.reached(); !alone && reason != Reason::none) return not_known(reason);
      // Between the ends of a single range all are values, so only the ends are tried.
      const bool tried = !alone || i == 0 || i + 1 == count();
      if (tried && !faults_at(i).empty()) continue;
      sizes.push_back(at(i));
    }
    if (sizes.empty()) return faults_at(0);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (!is_range(ranges_[i])) continue;
      for (const std::int64_t end : {ranges_[i].first, ranges_[i].last}) {
        const auto has_end = [&](const Arguments& size) { return size.at(ranges_[i].name) == fmt::to_string(end); };
        if (std::ranges::none_of(sizes, has_end)) return faults_at(last_with(i, end));
      }
    }
    return sizes;
  }

 private:
  bool is_range(const SizeRange& range) const { return first_of_range(*schedule_, range.name).has_value(); }

  std::uint64_t count() const {
    std::uint64_t product = 1;
    for (const SizeRange& range : ranges_) product *= range.count();
    return product;
  }

  Arguments at(std::uint64_t index) const {
    Arguments arguments = given_;
    for (std::size_t i = ranges_.size(); i-- > 0;) {
      const SizeRange& range = ranges_[i];
      arguments[range.name] = fmt::to_string(range.first + static_cast<std::int64_t>(index % range.count()));
      index /= range.count();
    }
    return arguments;
  }

  // The last combination in which that range has the value.
  std::uint64_t last_with(std::size_t which, std::int64_t value) const {
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const std::uint64_t offset =
          i == which ? static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(ranges_[i].first)
                     : ranges_[i].count() - 1;
      index = index * ranges_[i].count() + offset;
    }
    return index;
  }

  // Why the combination is no size of the schedule; empty if it is one.
  Diagnostics faults_at(std::uint64_t index) const {
    Arguments arguments = at(index);
    arguments.insert(pattern_.begin(), pattern_.end());
    return title_at(schedule_, arguments).diagnostics();
  }

  Diagnostic not_known(Reason reason) const {
    std::vector<std::string> names;
    for (const SizeRange& range : ranges_) names.push_back(range.name);
    return error_at({},
                    fmt::format("--sizes: which of them are values of {} is not known: {}", fmt::join(names, ", "),
                                to_string(reason)),
                    code_of(reason));
  }

  const std::shared_ptr<const ir::Schedule>& schedule_;
  const SizeRanges& ranges_;
  const Arguments& given_;
  const Arguments& pattern_;
};

std::vector<CheckedSize> check_all(SizeChecker& checker, const std::vector<Arguments>& sizes,
                                   const std::vector<Arguments>& all_patterns, const Limits& limits) {
  std::vector<CheckedSize> checked;
  for (const Arguments& size : sizes) {
    if (limits.reached() != Reason::none) break;
    if (limits.progress) {
      limits.progress({.stage = "checking sizes one by one",
                       .done = checked.size() / all_patterns.size(),
                       .of = sizes.size(),
                       .unit = "sizes"});
    }
    for (const Arguments& pattern : all_patterns) {
      Arguments arguments = size;
      arguments.insert(pattern.begin(), pattern.end());
      checked.push_back({arguments, checker.at(arguments)});
    }
  }
  return checked;
}

}  // namespace

Result<SizesOutcome> run(const SizesRequest& request, Context& context) {
  const Result<OpenedSchedule> opened = open_schedule(request.file, request.defines, context);
  if (!opened) return opened.diagnostics();
  const auto& [schedule, given] = *opened;
  const Result<SizeRanges> ranges = ranges_of(request.sizes, schedule, given);
  if (!ranges) return ranges.diagnostics();
  const std::vector<Arguments> all_patterns = patterns(*schedule, given);
  const auto sizes = Combinations(schedule, *ranges, given, all_patterns.front()).sizes(context.limits);
  if (!sizes) return sizes.diagnostics();

  SizeChecker checker(schedule, context, OptimalClaims::judged);
  SizesOutcome outcome{schedule, check_all(checker, *sizes, all_patterns, context.limits)};
  // The answer requires that no size was left out at the end, or cut short in the middle.
  const bool all = outcome.checked.size() == sizes->size() * all_patterns.size() &&
                   outcome.checked.back().result.reason == Reason::none;
  if (!all) outcome.reason = context.limits.reached();
  outcome.verdict = all ? Verdict::holds : Verdict::unknown;
  for (const CheckedSize& size : outcome.checked) outcome.verdict = both(outcome.verdict, size.result.verdict);
  return outcome;
}

}  // namespace quadrille::driver
