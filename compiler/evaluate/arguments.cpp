// Parameters get their values in the order of their declarations, since a range may refer to earlier parameters: in
// `param n in 2..64`, `param k in 1..n-1`, k's range is evaluated with n's value, so `-D n=4 -D k=4` is refused with
// "expected 1 to 3". Before a proof not all parameters have values; then only values whose ranges do not depend on
// others are judged (check_arguments). Cost: the ranges' expressions; a range of numbers is not listed.
#include "compiler/evaluate/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "compiler/evaluate/parameter_range.h"
#include "model/text/number_in.h"

namespace quadrille {
namespace {

// "{0, 3}", "{}", "0,3": nothing if it is no list of numbers.
std::optional<std::vector<std::int64_t>> parse_numbers(std::string_view text, char open, char close) {
  if (text.size() >= 2 && text.front() == open && text.back() == close) {
    text = text.substr(1, text.size() - 2);
    if (text.empty()) return std::vector<std::int64_t>();
  }
  std::vector<std::int64_t> values;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view number = text.substr(0, comma);
    while (number.starts_with(' ')) number.remove_prefix(1);
    const auto value = number_in<std::int64_t>(number);
    if (!value) return std::nullopt;
    values.push_back(*value);
    if (comma == text.size()) return values;
    text.remove_prefix(comma + 1);
  }
}

// Each once, in the order in which they are first met.
void remove_repetitions(std::vector<std::int64_t>& values) {
  std::unordered_set<std::int64_t> seen;
  std::erase_if(values, [&](std::int64_t value) { return !seen.insert(value).second; });
}

// Of literals, operators and the variables of its own sets alone.
bool depends_on_nothing(const ir::Expression& e) {
  return !ir::any_part(e, [](const ir::Expression& part) {
    const auto& node = part.node;
    return std::holds_alternative<ir::ParameterUse>(node) || std::holds_alternative<ir::ConstantUse>(node) ||
           std::holds_alternative<ir::FunctionCall>(node) || std::holds_alternative<ir::PatternCall>(node) ||
           std::holds_alternative<ir::BuiltinCall>(node);
  });
}

class Binder {
 public:
  Binder(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
         const ElaborateOptions& options)
      : schedule_(*schedule), arguments_(arguments) {
    instance_.schedule = schedule;
    instance_.iterations = options.iterations;
    instance_.limits = options.limits;
    instance_.parameters.resize(schedule_.parameters.size());
    instance_.patterns.resize(schedule_.parameters.size());
  }

  Instance run() {
    refuse_unknown();
    for (std::size_t i = 0; i < schedule_.parameters.size(); ++i) {
      if (schedule_.parameters[i].idle) continue;
      if (schedule_.parameters[i].set || schedule_.parameters[i].list) {
        bind_numbers(i);
        const auto& range = schedule_.parameters[i].range;
        if (range && (errors_.empty() || depends_on_nothing(*range))) judge_numbers(i);
      } else if (schedule_.parameters[i].pattern) {
        bind_pattern(i);
      } else if (errors_.empty() || depends_on_nothing(*schedule_.parameters[i].range)) {
        bind_integer(i);  // after a mistake, its range and its default may refer to a wrong value
      }
    }
    if (!errors_.empty()) throw BadArguments{std::move(errors_)};
    return std::move(instance_);
  }

  // Returns the mistakes in the given values that do not depend on the other parameters.
  Diagnostics judge() {
    refuse_unknown();
    for (std::size_t i = 0; i < schedule_.parameters.size(); ++i) {
      const ir::Parameter& parameter = schedule_.parameters[i];
      if (parameter.idle || given(parameter) == nullptr) continue;
      if (parameter.set || parameter.list) {
        bind_numbers(i);
        if (parameter.range && depends_on_nothing(*parameter.range)) judge_numbers(i);
      } else if (parameter.pattern) {
        bind_pattern(i);
      } else if (depends_on_nothing(*parameter.range)) {
        bind_integer(i);
      } else {
        // A range that refers to other parameters cannot be judged yet; the value must be a number all the same.
        given_integer(parameter);
      }
    }
    return std::move(errors_);
  }

 private:
  void error(Span span, std::string message, Code code) { errors_.push_back(error_at(span, std::move(message), code)); }

  const std::string* given(const ir::Parameter& parameter) const {
    const auto found = arguments_.find(parameter.name);
    return found == arguments_.end() ? nullptr : &found->second;
  }

  void refuse_unknown() {
    std::vector<std::string> names;
    for (const ir::Parameter& parameter : schedule_.parameters) {
      if (!parameter.idle) names.push_back(parameter.name);
    }
    for (const auto& [name, value] : arguments_) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      std::string message = fmt::format("{} has no parameter '{}'", schedule_.name, name);
      if (const auto near = nearest(name, names)) {
        message += fmt::format("; did you mean '{}'?", *near);
      } else if (!names.empty()) {
        message += fmt::format("; it has {}", fmt::join(names, ", "));
      }
      error({}, std::move(message), Code::name);
    }
  }

  std::optional<std::int64_t> given_integer(const ir::Parameter& parameter) {
    const std::string& text = *given(parameter);
    const auto value = number_in<std::int64_t>(text);
    if (!value)
      error({}, fmt::format("parameter {} is given '{}'; expected a number", parameter.name, text), Code::type);
    return value;
  }

  void bind_integer(std::size_t i) {
    const ir::Parameter& parameter = schedule_.parameters[i];
    Evaluator evaluator(instance_);
    Evaluator::FrameGuard frame(evaluator, parameter.frame.size, parameter.span);
    std::optional<std::int64_t> value;
    if (given(parameter)) {
      value = given_integer(parameter);
      if (!value) return;
    } else if (parameter.default_value) {
      value = evaluator.value(*parameter.default_value, frame.slots());
    } else {
      const ParameterRange range(evaluator, *parameter.range, frame.slots());
      const std::string values = parameter.unbounded ? range.first() + " or more" : range.description();
      return error(parameter.span,
                   fmt::format("parameter {0} is not given; expected {1}, for example -D {0}={2}", parameter.name,
                               values, range.first()),
                   Code::missing);
    }
    // A default is judged like a given value: another parameter may have narrowed the range.
    const ParameterRange range(evaluator, *parameter.range, frame.slots());
    if (!range.contains(*value)) {
      const std::string expected = !parameter.unbounded               ? range.description()
                                   : *value > (std::int64_t{1} << 62) ? "at most 2^62 where it is compiled"
                                                                      : "at least " + range.first();
      return error(given(parameter) ? Span{} : parameter.span,
                   fmt::format("parameter {} is {}; expected {}", parameter.name, *value, expected), Code::range);
    }
    instance_.parameters[i] = *value;
  }

  // A set, "{0,3}", or a list, "[0,2,1]"; the brackets may be left out.
  void bind_numbers(std::size_t i) {
    const ir::Parameter& parameter = schedule_.parameters[i];
    const std::string_view example = parameter.set ? "{0,3}" : "[0,2,1]";
    std::vector<std::int64_t>& values = instance_.patterns[i].values;
    if (const std::string* text = given(parameter)) {
      auto numbers = parse_numbers(*text, parameter.set ? '{' : '[', parameter.set ? '}' : ']');
      if (!numbers) {
        return error(
            {}, fmt::format("parameter {} is given '{}'; expected numbers, such as {}", parameter.name, *text, example),
            Code::type);
      }
      values = *std::move(numbers);
    } else if (parameter.default_value || !parameter.default_list.empty()) {
      Evaluator evaluator(instance_);
      Evaluator::FrameGuard frame(evaluator, parameter.frame.size, parameter.span);
      if (parameter.default_value) evaluator.collect(*parameter.default_value, frame.slots(), values);
      for (const ir::Expression& e : parameter.default_list) values.push_back(evaluator.value(e, frame.slots()));
    } else {
      return missing_numbers(parameter, example);
    }
    if (parameter.set) remove_repetitions(values);
  }

  // After a mistake, the range may refer to a wrong value, and is not told.
  void missing_numbers(const ir::Parameter& parameter, std::string_view example) {
    std::string range_told;
    std::string value(example);
    if (parameter.range && (errors_.empty() || depends_on_nothing(*parameter.range))) {
      Evaluator evaluator(instance_);
      Evaluator::FrameGuard frame(evaluator, parameter.frame.size, parameter.span);
      const ParameterRange range(evaluator, *parameter.range, frame.slots());
      range_told = fmt::format(", each {}", range.description());
      value = fmt::format("{}{}{}", example.front(), range.first(), example.back());
    }
    error(parameter.span,
          fmt::format("parameter {} is not given; expected a {} of numbers{}, for example -D '{}={}'", parameter.name,
                      parameter.set ? "set" : "list", range_told, parameter.name, value),
          Code::missing);
  }

  // Judges the numbers of a set or list that has been bound, and refuses the first one outside of its range.
  void judge_numbers(std::size_t i) {
    const ir::Parameter& parameter = schedule_.parameters[i];
    Evaluator evaluator(instance_);
    Evaluator::FrameGuard frame(evaluator, parameter.frame.size, parameter.span);
    const ParameterRange range(evaluator, *parameter.range, frame.slots());
    for (const std::int64_t value : instance_.patterns[i].values) {
      if (range.contains(value)) continue;
      return error(given(parameter) ? Span{} : parameter.span,
                   fmt::format("parameter {} has {}; expected {}", parameter.name, value, range.description()),
                   Code::range);
    }
  }

  void bind_pattern(std::size_t i) {
    const ir::Parameter& parameter = schedule_.parameters[i];
    Pattern& pattern = instance_.patterns[i];
    const std::string* text = given(parameter);
    if (text == nullptr) return default_pattern(parameter, pattern);
    if (*text == "constant" || *text == "exponential") {
      pattern.word = *text;
      return;
    }
    std::string_view rest = *text;
    while (true) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const auto value = number_in<std::int64_t>(rest.substr(0, comma));
      if (!value) {
        return error({},
                     fmt::format("parameter {} is given '{}'; expected constant, exponential or a list such as 1,1,2,4",
                                 parameter.name, *text),
                     Code::type);
      }
      pattern.values.push_back(*value);
      if (comma == rest.size()) return;
      rest.remove_prefix(comma + 1);
    }
  }

  void default_pattern(const ir::Parameter& parameter, Pattern& pattern) {
    if (parameter.default_word) {
      pattern.word = *parameter.default_word;
    } else if (parameter.default_list.empty()) {
      error(parameter.span,
            fmt::format("parameter {0} is not given; expected constant, exponential or a list such as 1,1,2,4, for "
                        "example -D {0}=constant",
                        parameter.name),
            Code::missing);
    } else {
      Evaluator evaluator(instance_);
      Evaluator::FrameGuard frame(evaluator, parameter.frame.size, parameter.span);
      for (const ir::Expression& e : parameter.default_list)
        pattern.values.push_back(evaluator.value(e, frame.slots()));
    }
  }

  const ir::Schedule& schedule_;
  const Arguments& arguments_;
  Instance instance_;
  Diagnostics errors_;
};

}  // namespace

Instance bind_parameters(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                         const ElaborateOptions& options) {
  return Binder(schedule, arguments, options).run();
}

Diagnostics check_arguments(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) {
  try {
    return Binder(schedule, arguments, {}).judge();
  } catch (const EvaluationError& error) {
    return {error.diagnostic};
  }
}

}  // namespace quadrille
