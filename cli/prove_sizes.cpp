#include "cli/prove_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "cli/json_pieces.h"
#include "cli/prove_report.h"
#include "cli/refuse.h"
#include "compiler/ir.h"
#include "driver/input.h"
#include "driver/size_checker.h"
#include "model/counted.h"
#include "model/verdict.h"

namespace quadrille::cli {
namespace {

constexpr std::int64_t most_sizes = 100'000;

struct Sizes {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct CheckedSize {
  Arguments arguments;
  driver::SizeResult result;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<Sizes> parse_sizes(const std::string& text) {
  const auto refused = [&](std::string_view why) { return error_at({}, fmt::format("--sizes {}: {}", text, why)); };
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
    return error_at({}, fmt::format("--sizes: {} has no parameter left that sizes could be given to", schedule.name));
  }
  return error_at({}, fmt::format("--sizes: {} has several parameters without a value: {}; expected -D {}=… for all "
                                  "but one of them",
                                  schedule.name, fmt::join(open, ", "), open.back()));
}

// What the open patterns are given, one after another; one empty set if there are none.
std::vector<Arguments> patterns(const ir::Schedule& schedule, const Arguments& given) {
  Arguments constant;
  Arguments exponential;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (!parameter.pattern || parameter.idle || given.contains(parameter.name)) continue;
    constant[parameter.name] = "constant";
    exponential[parameter.name] = "exponential";
  }
  if (constant.empty()) return {{}};
  return {constant, exponential};
}

// Both ends are values that the parameter may have.
Diagnostics outside_range(const std::shared_ptr<const ir::Schedule>& schedule, const std::string& name,
                          const Sizes& sizes, Arguments given) {
  for (const std::int64_t end : {sizes.first, sizes.last}) {
    given[name] = fmt::to_string(end);
    if (Diagnostics wrong = check_arguments(schedule, given); !wrong.empty()) return wrong;
  }
  return {};
}

std::vector<CheckedSize> check_all(driver::SizeChecker& checker, const std::string& name, const Sizes& sizes,
                                   const std::vector<Arguments>& all_patterns, const Arguments& given,
                                   const driver::Environment& environment) {
  std::vector<CheckedSize> checked;
  for (std::int64_t size = sizes.first; size <= sizes.last && !environment.interrupted(); ++size) {
    for (const Arguments& pattern : all_patterns) {
      Arguments arguments = given;
      arguments.insert(pattern.begin(), pattern.end());
      arguments[name] = fmt::to_string(size);
      checked.push_back({arguments, checker.at(arguments)});
    }
  }
  return checked;
}

Verdict verdict_of(const std::vector<CheckedSize>& checked, const driver::Environment& environment) {
  Verdict verdict = environment.interrupted() || checked.empty() ? Verdict::unknown : Verdict::holds;
  for (const CheckedSize& size : checked) verdict = both(verdict, size.result.verdict);
  return verdict;
}

// What is wrong, or why nothing is known, in a line.
std::string why(const driver::SizeResult& result) {
  if (result.verdict == Verdict::unknown) return result.why;
  if (!result.refused.empty()) return result.refused.front().message;
  const Violation* violation = result.first("");
  return violation ? fmt::format("{}: {}", to_string(violation->property), violation->message) : "";
}

std::string values_text(const CheckedSize& size) {
  std::vector<std::string> values;
  for (const auto& [name, value] : size.arguments) values.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(values, " "));
}

std::string size_text(const CheckedSize& size, std::size_t width) {
  const bool holds = size.result.verdict == Verdict::holds;
  const std::string more =
      holds ? fmt::format("{}, {}", counted(size.result.steps, "step"), counted(size.result.rows, "row"))
            : why(size.result);
  return fmt::format("  {:<{}}  {:<9} {}\n", values_text(size), width, to_string(size.result.verdict), more);
}

std::string summary_text(const std::vector<CheckedSize>& checked, Verdict verdict) {
  const auto number = [&](Verdict which) {
    return std::count_if(checked.begin(), checked.end(),
                         [&](const CheckedSize& size) { return size.result.verdict == which; });
  };
  return fmt::format(
      "\nchecked     {}, one by one: {} hold, {} violated, {} unknown; this is no proof for others\n"
      "verdict     {}\n",
      counted(checked.size(), "size"), number(Verdict::holds), number(Verdict::violated), number(Verdict::unknown),
      to_string(verdict));
}

std::string to_text(const ir::Schedule& schedule, const std::vector<CheckedSize>& checked, Verdict verdict) {
  std::size_t width = 0;
  for (const CheckedSize& size : checked) width = std::max(width, values_text(size).size());
  std::string text = fmt::format("schedule    {}\n\n", schedule.name);
  for (const CheckedSize& size : checked) text += size_text(size, width);
  return text + summary_text(checked, verdict);
}

std::string to_json(const ir::Schedule& schedule, const std::vector<CheckedSize>& checked, Verdict verdict) {
  Json json{{"verdict", to_string(verdict)}, {"proof", false}, {"schedule", schedule.name}, {"sizes", Json::array()}};
  for (const CheckedSize& size : checked) {
    json["sizes"].push_back({{"arguments", size.arguments},
                             {"verdict", to_string(size.result.verdict)},
                             {"steps", size.result.steps},
                             {"rows", size.result.rows},
                             {"why", why(size.result)}});
  }
  return json_text(json);
}

}  // namespace

int check_sizes(const ProveArguments& arguments, const std::shared_ptr<const ir::Schedule>& schedule,
                const Arguments& given, const Sources& sources, driver::Environment& environment) {
  const Result<Sizes> sizes = parse_sizes(arguments.sizes);
  if (!sizes) return refuse(sizes.diagnostics(), sources, environment);
  const Result<std::string> name = only_open(*schedule, given);
  if (!name) return refuse(name.diagnostics(), sources, environment);
  const Diagnostics wrong = outside_range(schedule, *name, *sizes, given);
  if (!wrong.empty()) return refuse(wrong, sources, environment);

  driver::SizeChecker checker(schedule, arguments.timeout, environment);
  const auto checked = check_all(checker, *name, *sizes, patterns(*schedule, given), given, environment);
  const Verdict verdict = verdict_of(checked, environment);
  environment.print(arguments.json ? to_json(*schedule, checked, verdict) : to_text(*schedule, checked, verdict));
  return exit_status(verdict);
}

}  // namespace quadrille::cli
