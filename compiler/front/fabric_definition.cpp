// Families of topologies from definitions in the language: a family's parameters are the definition's, and making one
// is running it (make_fabric.h).
//
// The definition's own faults for one size (a link to a node that is not there) have places in its file. Where messages
// cannot show that file, as for fabrics that ship, the faults are reported at the argument list.
#include "compiler/front/fabric_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "compiler/evaluate/arguments.h"
#include "compiler/evaluate/make_fabric.h"
#include "compiler/front/declared.h"
#include "compiler/ir_fabric.h"
#include "dsl/ast.h"
#include "dsl/format.h"
#include "dsl/load.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/text/diagnostic.h"
#include "model/text/quantity.h"

namespace quadrille {
namespace {

// --- names in fabrics ----------------------------------------------------------------------------------------------

// resolve_fabric resolves a fabric's definition: its parameters, constants and functions as a schedule's are
// (declared.h), then its lines.
//
// For example, in
//   fabric two(hosts):
//     let half = hosts/2
//     processors hosts
//     switches leaf[2]
//     for h in processors: link h -- leaf[h/half]
// `half` is a constant whatever its place, and leaf[h/half] the node of that name: which there are is known for one
// size only. Cost: linear in the definition.

using ir::Type;

// The names that the definition declares.
class Names {
 public:
  Names(const ast::FabricDefinition& tree, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    for (const ast::Parameter& parameter : tree.parameters) {
      if (declare(parameter.name, Global::Kind::parameter, names.parameters.size())) {
        names.parameters.push_back(&parameter);
      }
    }
    for (const ast::FabricItem& item : tree.items) {
      if (const auto* let = std::get_if<ast::Let>(&item.node)) {
        auto& list = let->function ? names.functions : names.constants;
        const auto kind = let->function ? Global::Kind::function : Global::Kind::constant;
        if (declare(let->name, kind, list.size())) list.push_back(let);
      } else if (const auto* arrays = std::get_if<ast::Switches>(&item.node)) {
        for (const ast::SwitchArray& array : arrays->arrays) declare_switch(array.name);
      }
    }
  }

  Declarations names;
  std::set<std::string, std::less<>> switches;

 private:
  bool declare(const ast::Name& name, Global::Kind kind, std::size_t index) {
    const Global global{kind, static_cast<std::uint32_t>(index), name.span};
    if (names.globals.emplace(name.text, global).second) return true;
    twice(name);
    return false;
  }

  void declare_switch(const ast::Name& name) {
    if (names.globals.contains(name.text) || !switches.insert(name.text).second) twice(name);
  }

  void twice(const ast::Name& name) {
    diagnostics_.push_back(error_at(name.span, fmt::format("'{}' is declared twice", name.text), Code::duplicate));
  }

  Diagnostics& diagnostics_;
};

class FabricResolver {
 public:
  FabricResolver(ResolveContext& context, ir::FabricDefinition& fabric)
      : context_(context), fabric_(fabric), resolver_(context, fabric.frame) {}

  void run(const ast::FabricDefinition& tree) {
    fabric_.items = items(tree.items, true);
    if (processor_lines_ == 0) {
      mistake(tree.name.span,
              fmt::format("the fabric '{}' does not say its processors; expected a line such as 'processors 8'",
                          tree.name.text),
              Code::missing);
    } else if (processor_lines_ > 1) {
      mistake(tree.name.span, fmt::format("the fabric '{}' says its processors twice", tree.name.text),
              Code::duplicate);
    }
  }

 private:
  void mistake(Span span, std::string message, Code code) {
    if (context_.diagnostics.size() >= most_mistakes) return;
    context_.diagnostics.push_back(error_at(span, std::move(message), code));
  }

  std::vector<ir::FabricItem> items(const std::vector<ast::FabricItem>& trees, bool outermost) {
    outermost_ = outermost;
    std::vector<ir::FabricItem> result;
    for (const ast::FabricItem& tree : trees) {
      std::visit([&](const auto& node) { add(node, tree.span, result); }, tree.node);
    }
    return result;
  }

  void add(const ast::Let&, Span span, std::vector<ir::FabricItem>&) {
    if (!outermost_) mistake(span, "'let' stands in the fabric's own block, not in a loop", Code::syntax);
  }

  void add(const ast::ProcessorCount& tree, Span span, std::vector<ir::FabricItem>& to) {
    if (!outermost_) return mistake(span, "'processors' stands in the fabric's own block, not in a loop", Code::syntax);
    ++processor_lines_;
    to.push_back({ir::ProcessorCount{resolver_.expression(*tree.count, Type::integer)}, span});
  }

  void add(const ast::Switches& tree, Span span, std::vector<ir::FabricItem>& to) {
    if (!outermost_) return mistake(span, "'switches' stands in the fabric's own block, not in a loop", Code::syntax);
    for (const ast::SwitchArray& array : tree.arrays) {
      ir::SwitchArray result{array.name.text, {}};
      for (const ast::Expression& e : array.extents) result.extents.push_back(resolver_.expression(e, Type::integer));
      to.push_back({std::move(result), array.name.span});
    }
  }

  void add(const ast::Link& tree, Span span, std::vector<ir::FabricItem>& to) {
    ir::Link link;
    link.from = resolver_.expression(*tree.from, Type::node);
    link.to = resolver_.expression(*tree.to, Type::node);
    if (tree.lanes) link.lanes = resolver_.expression(*tree.lanes, Type::integer);
    if (tree.latency.value) link.latency = speed(tree.latency, latency_units());
    if (tree.bandwidth.value) link.bandwidth = speed(tree.bandwidth, bandwidth_units());
    link.one_way = tree.one_way;
    to.push_back({std::move(link), span});
  }

  // The grammar takes the list's units only.
  ir::Speed speed(const ast::Speed& tree, std::span<const Unit> units) {
    const auto unit = std::ranges::find(units, tree.unit, &Unit::name);
    return {resolver_.expression(*tree.value, Type::integer), static_cast<std::uint64_t>(unit->factor)};
  }

  void add(const std::unique_ptr<ast::FabricLoop>& tree, Span span, std::vector<ir::FabricItem>& to) {
    const std::size_t scope = resolver_.locals().open_scope();
    ir::FabricLoop loop;
    loop.bindings = resolver_.bindings(tree->bindings);
    if (tree->condition) loop.condition = resolver_.expression(*tree->condition, Type::boolean);
    const bool outermost = std::exchange(outermost_, false);
    loop.items = items(tree->items, false);
    outermost_ = outermost;
    resolver_.locals().close_scope(scope);
    to.push_back({std::move(loop), span});
  }

  void add(const ast::Route& tree, Span span, std::vector<ir::FabricItem>&) {
    if (!outermost_) return mistake(span, "'route' stands in the fabric's own block, not in a loop", Code::syntax);
    ir::Route route;
    route.span = span;
    Resolver own(context_, route.frame);
    if (tree.source.text == tree.target.text) {
      return mistake(tree.target.span, fmt::format("'{}' is already in use here", tree.target.text), Code::duplicate);
    }
    route.source = own.locals().declare(tree.source, Type::integer);
    route.target = own.locals().declare(tree.target, Type::integer);
    if (tree.when) route.when = own.expression(*tree.when, Type::boolean);
    for (const ast::Expression& node : tree.along) route.along.push_back(own.expression(node, Type::node));
    fabric_.routes.push_back(std::move(route));
  }

  ResolveContext& context_;
  ir::FabricDefinition& fabric_;
  Resolver resolver_;
  bool outermost_ = true;
  int processor_lines_ = 0;
};

// Gives a parameter without a range all numbers that a fabric can use.
void give_ranges(ir::Schedule& names) {
  for (ir::Parameter& parameter : names.parameters) {
    if (parameter.range) continue;
    ir::Range range{false, ir::Expression{ir::Literal{0}, Type::integer, parameter.span},
                    ir::Expression{ir::Literal{max_fabric_size}, Type::integer, parameter.span}};
    parameter.range = ir::Expression{std::move(range), Type::integer_set, parameter.span};
  }
}

// Returns the definition for every size. Mistakes go to `diagnostics`; the result must then not be used. A definition
// may refer to its own parameters, to the constants that its block declares by `let`, and to the language's names.
std::shared_ptr<const ir::FabricDefinition> resolve_fabric(const ast::FabricDefinition& tree, const Limits& limits,
                                                           Diagnostics& diagnostics) {
  auto fabric = std::make_shared<ir::FabricDefinition>();
  fabric->name = tree.name.text;
  fabric->span = tree.name.span;
  const Names declared(tree, diagnostics);
  ResolveContext context(declared.names, diagnostics, limits);
  context.switches = declared.switches;
  auto names = std::make_shared<ir::Schedule>();
  names->name = tree.name.text;
  resolve_declared(context, limits, *names);
  give_ranges(*names);
  FabricResolver(context, *fabric).run(tree);
  fabric->names = std::move(names);
  return fabric;
}

// --- definitions ---------------------------------------------------------------------------------------------------

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
