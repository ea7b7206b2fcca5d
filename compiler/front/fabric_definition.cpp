// Families of topologies from definitions in the language: a family's parameters are the definition's, and making one
// is running it (make_fabric.h).
//
// The definition's own faults for one size (a link to a node that is not there) have places in its file. Where messages
// cannot show that file, as for fabrics that ship, the faults are reported at the argument list.
#include "compiler/front/fabric_definition.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "compiler/evaluate/arguments.h"
#include "compiler/evaluate/make_fabric.h"
#include "compiler/front/resolve_fabric.h"
#include "dsl/format.h"
#include "dsl/load.h"
#include "model/fabric.h"

namespace quadrille {
namespace {

// A message for each fault, at the arguments, with a note at the place in the definition if that can be shown.
void report_error(FabricArguments& given, const std::string& family, const Diagnostics& faults, bool places) {
  for (const Diagnostic& fault : faults) {
    Diagnostic told = error_at(given.whole_span(), fmt::format("{}: {}", family, fault.message), fault.code);
    if (places && fault.span.known()) told.notes.emplace_back(fault.span, "it is said here");
    given.report_error({told});
  }
}

// Of a fabric that ships, nanoseconds and gigabytes are always named: `dgx_h100:8` reads as its size. Own fabrics
// (`places`) are their authors' business.
void refuse_unnamed(FabricArguments& given, const ir::FabricDefinition& definition) {
  if (!given.has("") || definition.names->parameters.empty()) return;
  const std::string& first = definition.names->parameters.front().name;
  if (!first.ends_with("_ns") && first != "gigabytes") return;
  given.report_error("",
                     fmt::format("{0} takes {1} by its name only: {0}:{1}={2}, or in a schedule {0}({1}: {2})",
                                 definition.name, first, given.number(first)),
                     Code::missing);
}

std::shared_ptr<const Topology> make(const std::shared_ptr<const ir::FabricDefinition>& definition, bool places,
                                     FabricArguments& given) {
  if (!places) refuse_unnamed(given, *definition);
  Arguments arguments;
  std::string title = definition->name;
  char separator = ':';
  for (const ir::Parameter& parameter : definition->names->parameters) {
    if (!given.has(parameter.name) && parameter.default_value) continue;
    const std::uint32_t value = given.number(parameter.name);
    arguments[parameter.name] = fmt::to_string(value);
    title += fmt::format("{}{}={}", separator, parameter.name, value);
    separator = ',';
  }
  if (!given.faults().empty()) return nullptr;
  try {
    return make_fabric(definition, arguments, std::move(title), given.limits());
  } catch (const EvaluationError& error) {
    report_error(given, definition->name, {error.diagnostic}, places);
  } catch (const BadArguments& bad) {
    report_error(given, definition->name, bad.diagnostics, places);
  }
  return nullptr;
}

// The first sentence of the comment before a definition.
std::string summary_of(const ast::Comments& comments) {
  if (comments.before.empty()) return "a fabric of this file";
  std::string all;
  for (const std::string& line : comments.before) {
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    all += (all.empty() ? "" : " ") + line.substr(first);
  }
  return first_sentence(all);
}

TopologyFamily family_of(const std::shared_ptr<const ir::FabricDefinition>& definition,
                         const ast::FabricDefinition& tree, const ast::Comments& comments, bool places) {
  TopologyFamily family;
  family.name = definition->name;
  family.summary = summary_of(comments);
  family.example = definition->name;
  char separator = ':';
  for (const ast::Parameter& parameter : tree.parameters) {
    FabricParameter known{parameter.name.text, FabricParameter::Kind::number, 0, max_fabric_size};
    if (parameter.range) known.values = format(*parameter.range);
    if (parameter.default_value)
      known.usual = format(*parameter.default_value);
    else {
      family.example += fmt::format("{}{}=4", separator, parameter.name.text);
      separator = ',';
    }
    family.parameters.push_back(std::move(known));
  }
  family.make = [definition, places](FabricArguments& given) { return make(definition, places, given); };
  return family;
}

// Refuses parameters with the name of a rule, since neither the rule nor the parameter could then be given.
void refuse_names_of_rules(const ast::FabricDefinition& tree, Diagnostics& diagnostics) {
  for (const ast::Parameter& parameter : tree.parameters) {
    for (const FabricParameter& rule : rule_parameters()) {
      if (rule.name != parameter.name.text) continue;
      diagnostics.push_back(error_at(
          parameter.name.span, fmt::format("'{}' is a rule of every fabric; a parameter has another name", rule.name),
          Code::duplicate));
    }
  }
}

}  // namespace

Result<std::vector<TopologyFamily>> fabrics_defined(const ast::SourceFiles& program, bool places,
                                                    const Limits& limits) {
  Diagnostics diagnostics;
  std::vector<TopologyFamily> families;
  std::set<std::string, std::less<>> names;
  try {
    for (std::size_t i = 1; i <= program.files.size(); ++i) {
      for (const ast::Item& item : program.files[i % program.files.size()].items) {  // the main file last
        const auto* tree = std::get_if<ast::FabricDefinition>(&item.node);
        if (tree == nullptr) continue;
        if (standard_families().topology(tree->name.text) != nullptr || !names.insert(tree->name.text).second) {
          diagnostics.push_back(error_at(
              tree->name.span, fmt::format("there is a fabric '{}' already", tree->name.text), Code::duplicate));
        }
        refuse_names_of_rules(*tree, diagnostics);
        const auto definition = resolve_fabric(*tree, limits, diagnostics);
        families.push_back(family_of(definition, *tree, item.comments, places));
      }
    }
  } catch (const EvaluationError& at_limit) {
    return at_limit.diagnostic;
  }
  if (!diagnostics.empty()) return diagnostics;
  return families;
}

const Families& language_families() {
  static const Families all = [] {
    Families families = standard_families();
    for (const ShippedFile& file : shipped_fabric_files()) {
      Sources sources;
      const auto none = [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
      const auto program = load({fmt::format("shipped:{}", file.name), std::string(file.text)}, none, sources);
      const auto defined = program ? fabrics_defined(*program, false) : program.diagnostics();
      if (!defined) throw std::logic_error(render(defined.diagnostics(), sources));
      families.topologies.insert(families.topologies.end(), defined->begin(), defined->end());
    }
    return families;
  }();
  return all;
}

}  // namespace quadrille
