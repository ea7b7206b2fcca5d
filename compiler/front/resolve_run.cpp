// `run file(N: 8)`, resolved: which included file it means, and the values of that file's parameters.
//
// An argument's value is read as the parameter wants it: a number, a set, a list of numbers, or a pattern, each of
// which may also be a parameter of the same kind by its name. The values are judged when the run is planned, since
// ranges may depend on other parameters. Cost: the arguments' expressions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "compiler/front/resolve.h"

namespace quadrille {

using ir::Type;

namespace {

std::vector<std::string> parameters_asked_for(const ir::Schedule& schedule) {
  std::vector<std::string> names;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (!parameter.idle) names.push_back(parameter.name);
  }
  return names;
}

bool has_default(const ir::Parameter& parameter) {
  return parameter.default_value || parameter.default_word || !parameter.default_list.empty();
}

}  // namespace

std::optional<ir::Argument> Resolver::run_argument(const ast::Argument& tree, const ir::Schedule& schedule) {
  const std::vector<std::string> names = parameters_asked_for(schedule);
  const std::string known = names.empty() ? "it has none" : fmt::format("it has {}", fmt::join(names, ", "));
  if (!tree.key || tree.variable) {
    mistake(tree.span, fmt::format("expected a parameter of '{}' and its value; {}", schedule.name, known), Code::name);
    return std::nullopt;
  }
  const std::string& name = tree.key->text;
  const auto parameter =
      std::ranges::find_if(schedule.parameters, [&](const auto& it) { return it.name == name && !it.idle; });
  if (parameter == schedule.parameters.end()) {
    const auto near = nearest(name, names);
    mistake(tree.key->span,
            fmt::format("'{}' has no parameter '{}'; {}", schedule.name, name,
                        near ? fmt::format("did you mean '{}'?", *near) : known),
            Code::name);
    return std::nullopt;
  }
  if (!parameter->set && (parameter->pattern || parameter->list)) {
    ir::Argument argument = arguments(std::span(&tree, 1)).front();
    const bool wrong =
        argument.word && (parameter->list || (*argument.word != "constant" && *argument.word != "exponential"));
    if (wrong) {
      mistake(tree.span, fmt::format("'{}' is a {} of '{}'", name, parameter->list ? "list" : "pattern", schedule.name),
              Code::type);
    }
    return argument;
  }
  ir::Argument argument;
  argument.key = name;
  argument.span = tree.span;
  if (tree.values.size() != 1) {
    mistake(tree.span, fmt::format("'{}' is given a list; expected one value", name), Code::type);
    return std::nullopt;
  }
  argument.values.push_back(expression(tree.values[0], parameter->set ? Type::integer_set : Type::integer));
  return argument;
}

ir::Statement Resolver::node(const ast::Run& tree) {
  ir::Statement result;
  const std::string& name = tree.file.text;
  const auto& runs = context_.declarations.runs;
  const auto found = runs.find(std::pair(tree.file.span.source, name));
  if (found == runs.end()) {
    mistake(tree.file.span,
            fmt::format("no included file is named '{0}'; expected a line such as 'include \"{0}\"'", name),
            Code::name);
    return result;
  }
  ir::Run run;
  run.schedule = found->second;
  const auto schedule = context_.runs[run.schedule];
  if (schedule == nullptr) return result;  // its own mistakes are told
  std::set<std::string, std::less<>> given;
  for (const ast::Argument& argument : tree.arguments) {
    auto resolved = run_argument(argument, *schedule);
    if (!resolved) continue;
    if (!given.insert(resolved->key).second)
      mistake(argument.span, fmt::format("'{}' is given twice", resolved->key), Code::duplicate);
    run.arguments.push_back(*std::move(resolved));
  }
  for (const ir::Parameter& parameter : schedule->parameters) {
    if (parameter.idle || has_default(parameter) || given.contains(parameter.name)) continue;
    mistake(tree.file.span,
            fmt::format("parameter {1} of '{0}' is not given; expected 'run {0}({1}: …)'", name, parameter.name),
            Code::missing);
  }
  result.node = std::move(run);
  return result;
}

}  // namespace quadrille
