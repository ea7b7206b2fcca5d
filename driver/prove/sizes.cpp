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

// The errors of ends that are not values of the parameter.
Diagnostics outside_range(const std::shared_ptr<const ir::Schedule>& schedule, const std::string& name,
                          const Sizes& sizes, Arguments given) {
  for (const std::int64_t end : {sizes.first, sizes.last}) {
    given[name] = fmt::to_string(end);
    if (Diagnostics wrong = check_arguments(schedule, given); !wrong.empty()) return wrong;
  }
  return {};
}

std::vector<CheckedSize> check_all(SizeChecker& checker, const std::string& name, const Sizes& sizes,
                                   const std::vector<Arguments>& all_patterns, const Arguments& given,
                                   const Limits& limits) {
  std::vector<CheckedSize> checked;
  for (std::int64_t size = sizes.first; size <= sizes.last && limits.reached() == Reason::none; ++size) {
    if (limits.progress) {
      limits.progress({.stage = "checking sizes one by one",
                       .done = static_cast<std::uint64_t>(size - sizes.first),
                       .of = static_cast<std::uint64_t>(sizes.last - sizes.first + 1),
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
  if (Diagnostics wrong = outside_range(schedule, *name, *sizes, given); !wrong.empty()) return wrong;

  SizeChecker checker(schedule, context, OptimalClaims::judged);
  SizesOutcome outcome{schedule, check_all(checker, *name, *sizes, patterns(*schedule, given), given, context.limits)};
  // The answer requires that no size was left out at the end, or cut short in the middle.
  const auto wanted = static_cast<std::uint64_t>(sizes->last - sizes->first + 1);
  const bool all = outcome.checked.size() >= wanted && outcome.checked.back().result.reason == Reason::none;
  if (!all) outcome.reason = context.limits.reached();
  outcome.verdict = all ? Verdict::holds : Verdict::unknown;
  for (const CheckedSize& size : outcome.checked) outcome.verdict = both(outcome.verdict, size.result.verdict);
  return outcome;
}

}  // namespace quadrille::driver
