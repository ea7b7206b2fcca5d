#include "compiler/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "model/fabric_notation.h"

namespace quadrille {
namespace {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool depends_on_nothing(const ir::Expression& e) {
  if (e.op == ir::Op::literal) return true;
  const bool arithmetic = e.op != ir::Op::parameter && e.op != ir::Op::constant && e.op != ir::Op::call_function &&
                          e.op != ir::Op::call_pattern && e.op != ir::Op::call_builtin;
  return arithmetic && e.bindings.empty() && std::all_of(e.operands.begin(), e.operands.end(), depends_on_nothing);
}

class Binder {
 public:
  Binder(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments)
      : schedule_(*schedule), arguments_(arguments) {
    instance_.schedule = schedule;
    instance_.parameters.resize(schedule_.parameters.size());
    instance_.patterns.resize(schedule_.parameters.size());
  }

  Instance run() {
    refuse_unknown();
    for (std::size_t i = 0; i < schedule_.parameters.size(); ++i) {
      if (schedule_.parameters[i].idle) continue;
      if (schedule_.parameters[i].pattern) {
        bind_pattern(i);
      } else {
        bind_integer(i);
      }
    }
    if (!errors_.empty()) throw BadArguments{std::move(errors_)};
    return std::move(instance_);
  }

  // What is wrong with the values that are given, whatever the others are.
  Diagnostics judge() {
    refuse_unknown();
    for (std::size_t i = 0; i < schedule_.parameters.size(); ++i) {
      const ir::Parameter& parameter = schedule_.parameters[i];
      if (parameter.idle || given(parameter) == nullptr) continue;
      if (parameter.pattern) {
        bind_pattern(i);
      } else if (depends_on_nothing(*parameter.range)) {
        bind_integer(i);
      } else {
        given_integer(parameter);
      }
    }
    return std::move(errors_);
  }

 private:
  void error(Span span, std::string message) { errors_.push_back(error_at(span, std::move(message))); }

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
      error({}, std::move(message));
    }
  }

  std::optional<std::int64_t> given_integer(const ir::Parameter& parameter) {
    const std::string& text = *given(parameter);
    const auto value = parse_integer(text);
    if (!value) error({}, fmt::format("parameter {} is given '{}'; expected a number", parameter.name, text));
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
      return error(parameter.span, fmt::format("parameter {0} is not given; expected, for example, -D {0}={1}",
                                               parameter.name, first_of(evaluator, *parameter.range, frame.slots())));
    }
    const std::string range = describe(evaluator, *parameter.range, frame.slots());
    if (!contains(evaluator, *parameter.range, frame.slots(), *value)) {
      return error(given(parameter) ? Span{} : parameter.span,
                   fmt::format("parameter {} is {}; expected {}", parameter.name, *value, range));
    }
    instance_.parameters[i] = *value;
  }

  std::string first_of(Evaluator& evaluator, const ir::Expression& set, Evaluator::Slot* frame) {
    if (const auto range = evaluator.progression(set, frame)) return fmt::to_string(range->first);
    std::vector<std::int64_t> elements;
    evaluator.collect(set, frame, elements);
    return elements.empty() ? "1" : fmt::to_string(elements.front());
  }

  std::string describe(Evaluator& evaluator, const ir::Expression& set, Evaluator::Slot* frame) {
    if (const auto range = evaluator.progression(set, frame)) {
      return fmt::format("{} to {}", range->first,
                         range->first + (static_cast<std::int64_t>(range->count) - 1) * range->step);
    }
    std::vector<std::int64_t> elements;
    evaluator.collect(set, frame, elements);
    return fmt::format("one of {}", fmt::join(elements, ", "));
  }

  bool contains(Evaluator& evaluator, const ir::Expression& set, Evaluator::Slot* frame, std::int64_t value) {
    if (const auto range = evaluator.progression(set, frame)) {
      if (range->count == 0) return false;
      const std::int64_t last = range->first + (static_cast<std::int64_t>(range->count) - 1) * range->step;
      return value >= std::min(range->first, last) && value <= std::max(range->first, last);
    }
    std::vector<std::int64_t> elements;
    evaluator.collect(set, frame, elements);
    return std::find(elements.begin(), elements.end(), value) != elements.end();
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
      const auto value = parse_integer(rest.substr(0, comma));
      if (!value) {
        return error({},
                     fmt::format("parameter {} is given '{}'; expected constant, exponential or a list such as 1,1,2,4",
                                 parameter.name, *text));
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
            fmt::format("parameter {0} is not given; expected, for example, -D {0}=constant", parameter.name));
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

// One argument of a fabric line, evaluated. `levels`: how many values a capacity(i) has.
FabricDescription::Entry fabric_argument(const ir::Argument& argument, Evaluator& evaluator, Evaluator::Slot* frame,
                                         std::int64_t levels) {
  if (argument.word) return {*argument.word, argument.span};
  if (argument.pattern) {
    const Pattern& pattern = evaluator.instance().patterns[*argument.pattern];
    if (!pattern.word.empty()) return {pattern.word, argument.span};
    return {pattern.values, argument.span};
  }
  std::vector<std::int64_t> values;
  if (argument.index_slot) {
    if (levels < 0 || levels > 64)
      fail(argument.span, fmt::format("the fabric has {} levels; expected 0 to 64", levels));
    for (std::int64_t i = 1; i <= levels; ++i) {
      frame[*argument.index_slot] = i;
      values.push_back(evaluator.value(argument.values[0], frame));
    }
  } else {
    for (const ir::Expression& e : argument.values) values.push_back(evaluator.value(e, frame));
  }
  return {std::move(values), argument.span};
}

}  // namespace

Instance bind_parameters(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) {
  return Binder(schedule, arguments).run();
}

Diagnostics check_arguments(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) {
  try {
    return Binder(schedule, arguments).judge();
  } catch (const EvaluationError& error) {
    return {error.diagnostic};
  }
}

Fabric own_fabric(const Instance& instance) {
  const ir::FabricLine& line = instance.schedule->fabric;
  Evaluator evaluator(instance);
  Evaluator::FrameGuard frame(evaluator, line.frame.size, line.span);
  std::int64_t levels = 0;
  for (const ir::Argument& argument : line.arguments) {
    if ((argument.key == "levels" || argument.key.empty()) && argument.values.size() == 1 && !argument.index_slot) {
      levels = evaluator.value(argument.values[0], frame.slots());
    }
  }
  FabricDescription description;
  description.kind = line.kind;
  description.span = line.span;
  for (const ir::Argument& argument : line.arguments) {
    auto entry = fabric_argument(argument, evaluator, frame.slots(), levels);
    if (argument.key.empty() && description.arguments.contains("")) {  // torus(3, 4): one list
      auto& first = std::get<std::vector<std::int64_t>>(description.arguments[""].value);
      const auto* more = std::get_if<std::vector<std::int64_t>>(&entry.value);
      if (more == nullptr) fail(argument.span, "a word among numbers; expected a number");
      first.insert(first.end(), more->begin(), more->end());
      continue;
    }
    if (!description.arguments.emplace(argument.key, std::move(entry)).second) {
      fail(argument.span, fmt::format("'{}' is given twice", argument.key));
    }
  }
  auto fabric = build_fabric(description);
  if (!fabric) throw BadArguments{fabric.diagnostics()};
  return *fabric;
}

namespace {

void custom_chunks(const std::vector<ir::ChunkItem>& items, Evaluator& evaluator, Evaluator::Slot* frame,
                   CollectiveDescription& description) {
  constexpr std::size_t limit = std::size_t{1} << 24;
  const auto number = [&](const ir::Expression& e) {
    const std::int64_t value = evaluator.value(e, frame);
    if (value < 0 || value > 0xffffffff) fail(e.span, fmt::format("{} is no processor or part", value));
    return static_cast<std::uint32_t>(value);
  };
  const auto set = [&](const ir::Expression& e) {
    std::vector<std::int64_t> elements;
    evaluator.collect(e, frame, elements);
    std::vector<std::uint32_t> result;
    for (const std::int64_t x : elements) {
      if (x < 0 || x >= evaluator.instance().fabric->processors())
        fail(e.span, fmt::format("there is no processor {}", x));
      result.push_back(static_cast<std::uint32_t>(x));
    }
    return result;
  };
  for (const ir::ChunkItem& item : items) {
    if (!item.origin) {
      evaluator.for_each(item.bindings, frame, [&] {
        if (!item.condition || evaluator.truth(*item.condition, frame)) {
          custom_chunks(item.items, evaluator, frame, description);
        }
      });
      continue;
    }
    CustomChunk chunk;
    chunk.name.origin = number(*item.origin);
    if (item.target) chunk.name.target = number(*item.target);
    if (item.part) chunk.name.part = number(*item.part);
    chunk.held_by = item.held_by ? set(*item.held_by) : std::vector{chunk.name.origin};
    if (item.wanted_by) {
      chunk.wanted_by = set(*item.wanted_by);
    } else if (chunk.name.target) {
      chunk.wanted_by = {*chunk.name.target};
    } else {
      for (std::uint32_t p = 0; p < evaluator.instance().fabric->processors(); ++p) chunk.wanted_by.push_back(p);
    }
    if (description.chunks.size() >= limit)
      fail(item.span, fmt::format("more than {} chunks; that is the limit", limit), Code::limit);
    description.chunks.push_back(std::move(chunk));
  }
}

}  // namespace

Collective own_collective(const Instance& instance) {
  const ir::CollectiveLine& line = instance.schedule->collective;
  Evaluator evaluator(instance);
  Evaluator::FrameGuard frame(evaluator, line.frame.size, line.span);
  CollectiveDescription description;
  description.kind = line.kind;
  const auto number = [&](const ir::Argument& argument) {
    if (argument.values.size() != 1) fail(argument.span, fmt::format("'{}' is no number", argument.key));
    const std::int64_t value = evaluator.value(argument.values[0], frame.slots());
    if (value < 0 || value > 0xffffffff)
      fail(argument.span, fmt::format("{} is {}; expected 0 to 2^32 - 1", argument.key, value));
    return static_cast<std::uint32_t>(value);
  };
  for (const ir::Argument& argument : line.arguments) {
    if (argument.key == "root") {
      description.root = number(argument);
    } else if (argument.key == "parts") {
      description.parts = number(argument);
    } else if ((argument.key.empty() || argument.key == "operation") && argument.word == "ordered") {
      description.ordered = true;
    } else if ((argument.key.empty() || argument.key == "operation") && argument.word == "commutative") {
      description.ordered = false;
    } else {
      fail(argument.span, "expected root: number, parts: number, ordered or commutative");
    }
  }
  custom_chunks(line.chunks, evaluator, frame.slots(), description);
  auto collective = Collective::make(std::move(description), instance.fabric->processors(), line.span);
  if (!collective) throw BadArguments{collective.diagnostics()};
  return *collective;
}

}  // namespace quadrille
