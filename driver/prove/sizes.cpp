// The command `prove --sizes FROM..TO`: checks sizes one by one. This is no proof for other sizes, and the report
// says so.
//
// The one parameter without a value takes the sizes; open patterns are tried both ways, so `total_exchange --sizes
// 1..3` checks constant and exponential capacities for L = 1, 2 and 3: six tables. The verdict holds if all were
// checked and hold. Cost: the checker's, for each size.
#include "driver/prove/sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir.h"
#include "driver/inputs/input.h"
#include "driver/prove/prove.h"

namespace quadrille::driver {
namespace {

constexpr std::int64_t most_sizes = 100'000;

struct Sizes {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<Sizes> parse_sizes(const std::string& text) {
  const auto refused = [&](std::string_view why) {
    return error_at({}, fmt::format("--sizes {}: {}", text, why), Code::usage);
  };
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return refused("expected FROM..TO, such as 1..8");
  const auto first = whole_number(std::string_view(text).substr(0, dots));
  const auto last = whole_number(std::string_view(text).substr(dots + 2));
  if (!first || !last) return refused("expected two numbers, such as 1..8");
  if (*first > *last) return refused(fmt::format("nothing from {} up to {}", *first, *last));
  if (static_cast<std::uint64_t>(*last) - static_cast<std::uint64_t>(*first) >= most_sizes) {
    return refused(fmt::format("expected at most {} sizes", most_sizes));
  }
  return Sizes{*first, *last};
}

Result<std::string> only_open(const ir::Schedule& schedule, const Arguments& given) {
  const auto open = open_sizes(schedule, given);
  if (open.size() == 1) return open.front();
  if (open.empty()) {
    return error_at({}, fmt::format("--sizes: {} has no parameter left that sizes could be given to", schedule.name),
                    Code::usage);
  }
  return error_at({},
                  fmt::format("--sizes: {} has several parameters without a value: {}; expected -D {}=… for all "
                              "but one of them",
                              schedule.name, fmt::join(open, ", "), open.back()),
                  Code::usage);
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

// The values of the parameter among the sizes: of a range all of them, whose ends must be values; of another set, such
// as {4, 8, 16}, those in it, one at least.
Result<std::vector<std::int64_t>> values_among(const std::shared_ptr<const ir::Schedule>& schedule,
                                               const std::string& name, const Sizes& sizes, Arguments given,
                                               const Limits& limits) {
  const auto faults_at = [&](std::int64_t size) {
    given[name] = fmt::to_string(size);
    return check_arguments(schedule, given);
  };
  const bool passes_over = !first_of_range(*schedule, name);
  for (const std::int64_t end : {sizes.first, sizes.last}) {
    if (Diagnostics wrong = faults_at(end); !passes_over && !wrong.empty()) return wrong;
  }
  std::vector<std::int64_t> values;
  for (std::int64_t size = sizes.first; size <= sizes.last; ++size) {
    if (!passes_over || faults_at(size).empty()) values.push_back(size);
    if (const Reason reason = limits.reached(); passes_over && reason != Reason::none) {
      return error_at({},
                      fmt::format("--sizes: which of them are values of {} is not known: {}", name, to_string(reason)),
                      code_of(reason));
    }
  }
  if (values.empty()) return faults_at(sizes.first);
  return values;
}

std::vector<CheckedSize> check_all(SizeChecker& checker, const std::string& name,
                                   const std::vector<std::int64_t>& sizes, const std::vector<Arguments>& all_patterns,
                                   const Arguments& given, const Limits& limits) {
  std::vector<CheckedSize> checked;
  for (const std::int64_t size : sizes) {
    if (limits.reached() != Reason::none) break;
    if (limits.progress) {
      limits.progress({.stage = "checking sizes one by one",
                       .done = checked.size() / all_patterns.size(),
                       .of = sizes.size(),
                       .unit = "sizes"});
    }
    for (const Arguments& pattern : all_patterns) {
      Arguments arguments = given;
      arguments.insert(pattern.begin(), pattern.end());
      arguments[name] = fmt::to_string(size);
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
  const Result<Sizes> sizes = parse_sizes(request.sizes);
  if (!sizes) return sizes.diagnostics();
  const Result<std::string> name = only_open(*schedule, given);
  if (!name) return name.diagnostics();
  const auto values = values_among(schedule, *name, *sizes, given, context.limits);
  if (!values) return values.diagnostics();

  SizeChecker checker(schedule, context, OptimalClaims::judged);
  SizesOutcome outcome{schedule, check_all(checker, *name, *values, patterns(*schedule, given), given, context.limits)};
  // The answer requires that no size was left out at the end, or cut short in the middle.
  const bool all = outcome.checked.size() >= values->size() && outcome.checked.back().result.reason == Reason::none;
  if (!all) outcome.reason = context.limits.reached();
  outcome.verdict = all ? Verdict::holds : Verdict::unknown;
  for (const CheckedSize& size : outcome.checked) outcome.verdict = both(outcome.verdict, size.result.verdict);
  return outcome;
}

}  // namespace quadrille::driver
