// A fabric's definition resolved: its parameters, constants and functions as a schedule's are (declared.h), then its
// lines.
//
// For example, in
//   fabric two(hosts):
//     let half = hosts/2
//     processors hosts
//     switches leaf[2]
//     for h in processors: link h -- leaf[h/half]
// `half` is a constant whatever its place, and leaf[h/half] the node of that name: which there are is known for one
// size only. Cost: linear in the definition.
#include "compiler/front/resolve_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/front/declared.h"
#include "dsl/format.h"
#include "model/fabric.h"
#include "model/text/quantity.h"

namespace quadrille {
namespace {

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

}  // namespace

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

}  // namespace quadrille
