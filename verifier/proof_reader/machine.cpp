// Terms become expressions operation by operation: those that no rule of proof speaks of yet (binary digits, powers of
// variables) are refused by name.
//
// Example: on ring(N) the term (s + i) mod p0, of the packet from k, is (mod (+ k i) N).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/topology_family.h"
#include "verifier/proof_reader/rules.h"

namespace quadrille::proof_reader {
namespace {

// What a term speaks of.
struct Binding {
  const std::vector<CoreExpression>& parameters;
  const Ends& ends;
  const CoreExpression& index;
};

CoreExpression converted(const Term& term, const Binding& binding);

CoreExpression in_truth(const Term& term, const Binding& binding) {
  CoreExpression x = converted(term, binding);
  if (x.is_truth()) return x;
  return x.op() == Op::number ? truth(x.number() != 0) : negated(equal(x, 0));
}

CoreExpression in_number(const Term& term, const Binding& binding) {
  const CoreExpression x = converted(term, binding);
  return x.is_truth() ? choice(x, 1, 0) : x;
}

// Both operands are numbers.
CoreExpression arithmetic(TermOp op, const CoreExpression& a, const CoreExpression& b) {
  switch (op) {
    case TermOp::add:
      return a + b;
    case TermOp::subtract:
      return a - b;
    case TermOp::multiply:
      return a * b;
    case TermOp::divide:
      return {Op::divide, {a, b}};
    case TermOp::modulo:
      return {Op::modulo, {a, b}};
    case TermOp::power:
      if (a.op() == Op::number && a.number() == 2) return {Op::power, {b}};
      throw Refused{{}, "no rule of proof is for this topology: its routes depend on powers of other numbers than two"};
    case TermOp::minimum:
      return choice(at_most(a, b), a, b);
    case TermOp::maximum:
      return choice(at_most(a, b), b, a);
    case TermOp::equal:
      return equal(a, b);
    case TermOp::less:
      return less(a, b);
    default:
      throw Refused{{}, "no rule of proof is for this topology: its routes depend on binary digits or powers"};
  }
}

// One branch a time, as the condition may be known.
CoreExpression conditional(const Term& term, const Binding& binding) {
  const CoreExpression condition = in_truth(term.operands()[0], binding);
  if (term.is_truth()) {
    const CoreExpression then = in_truth(term.operands()[1], binding);
    const CoreExpression otherwise = in_truth(term.operands()[2], binding);
    return all_of({any_of({negated(condition), then}), any_of({condition, otherwise})});
  }
  return choice(condition, in_number(term.operands()[1], binding), in_number(term.operands()[2], binding));
}

// Whether it is source xor target.
bool is_difference(const Term& term) {
  return term.op() == TermOp::bit_xor && term.operands()[0].op() == TermOp::source &&
         term.operands()[1].op() == TermOp::target;
}

CoreExpression converted(const Term& term, const Binding& binding) {
  switch (term.op()) {
    case TermOp::number:
      return term.number();
    case TermOp::parameter:
      return binding.parameters.at(static_cast<std::size_t>(term.number()));
    case TermOp::source:
      return binding.ends.source;
    case TermOp::target:
      return binding.ends.target;
    case TermOp::index:
      return binding.index;
    case TermOp::negation:
      return negated(in_truth(term.operands()[0], binding));
    case TermOp::conjunction:
      return all_of({in_truth(term.operands()[0], binding), in_truth(term.operands()[1], binding)});
    case TermOp::conditional:
      return conditional(term, binding);
    case TermOp::bits:
      if (binding.ends.apex && is_difference(term.operands()[0])) return *binding.ends.apex;
      return {Op::digits, {in_number(term.operands()[0], binding)}};
    case TermOp::apex:
    case TermOp::ones:
      throw Refused{{}, "no rule of proof is for this topology: its routes depend on binary digits or powers"};
    default:
      return arithmetic(term.op(), in_number(term.operands()[0], binding), in_number(term.operands()[1], binding));
  }
}

class MachineReader {
 public:
  MachineReader(const CoreForm& core, const Families& families) : core_(core), families_(families) {}

  CoreMachine read() {
    read_fabric();
    read_collective();
    return std::move(machine_);
  }

 private:
  void read_fabric() {
    const TopologyFamily* family = families_.topology(core_.topology);
    if (family == nullptr) throw Refused{{}, fmt::format("there is no fabric `{}`", core_.topology)};
    FabricForm form{family->name, {}};
    std::map<std::string, std::vector<CoreExpression>> numbers;
    for (const FabricArgument& argument : core_.fabric) {
      if (!keys_.insert(argument.key).second) throw Refused{{}, fmt::format("`{}` is given twice", argument.key)};
      if (is_rule(argument)) continue;
      add_argument(argument, *family);
      form.arguments.push_back({argument.key, argument.numbers.size(), argument.word});
      numbers[argument.key] = argument.numbers;
    }
    if (machine_.half_duplex && (machine_.rounds || !machine_.single_port))
      throw Refused{{}, "no rule of proof is for half duplex, but in steps with single ports"};
    auto crossings = family->crossings ? family->crossings(form) : std::nullopt;
    if (!crossings) throw Refused{{}, fmt::format("the routes of {} are not known for every size", core_.topology)};
    machine_.crossings = std::move(*crossings);
    for (const CrossingParameter& parameter : machine_.crossings.parameters) {
      const auto named = numbers.find(parameter.key);
      const auto& list = named == numbers.end() ? numbers[""] : named->second;
      if (parameter.position >= list.size()) throw Refused{{}, fmt::format("`{}` is missing", parameter.key)};
      machine_.parameters.push_back(list[parameter.position]);
    }
    // What the crossings do not speak of would be believed unseen.
    std::size_t given = 0;
    for (const auto& [key, list] : numbers) given += list.size();
    if (given != machine_.parameters.size())
      throw Refused{{}, fmt::format("the fabric has other numbers than {} takes", core_.topology)};
    machine_.processors = machine_.number(machine_.crossings.processors, {0, 0});
    if (core_.topology == "fat_tree" && !machine_.rounds) read_tree(numbers);
  }

  // Binary, of constant or exponential capacities.
  void read_tree(const std::map<std::string, std::vector<CoreExpression>>& numbers) {
    const auto given = [&](const char* key) { return numbers.contains(key) && !numbers.at(key).empty(); };
    if (given("arity") || given("capacity"))
      throw Refused{{}, "no rule of proof is for trees of other arities than two, or of listed capacities"};
    machine_.levels = machine_.parameters.at(0);
    machine_.widening = std::ranges::any_of(
        machine_.words, [](const auto& each) { return each.first == "capacity" && each.second == "exponential"; });
  }

  // The numbers must not be less than what the family takes.
  void add_argument(const FabricArgument& argument, const TopologyFamily& family) {
    const auto known = std::ranges::find_if(family.parameters, [&](const FabricParameter& each) {
      return each.name == argument.key || argument.key.empty();
    });
    if (known == family.parameters.end())
      throw Refused{{}, fmt::format("`{}` is nothing that {} takes", argument.key, core_.topology)};
    if (argument.numbers.empty()) {
      expect_word(argument, *known);
      machine_.words.emplace_back(known->name, argument.word);
    }
    for (const CoreExpression& number : argument.numbers) {
      machine_.numbers.push_back(number);
      machine_.least.push_back(known->low);
    }
  }

  static void expect_word(const FabricArgument& argument, const FabricParameter& parameter) {
    if (std::ranges::find(parameter.words, argument.word) == parameter.words.end())
      throw Refused{{}, fmt::format("`{}` is no word for `{}`", argument.word, parameter.name)};
  }

  // Of rules, those that the rules of proof speak of; queues may be anything, since no packet waits.
  bool is_rule(const FabricArgument& argument) {
    const auto& rules = rule_parameters();
    const auto rule =
        std::ranges::find_if(rules, [&](const FabricParameter& each) { return each.name == argument.key; });
    if (rule == rules.end()) return false;
    if (argument.numbers.empty()) expect_word(argument, *rule);
    const auto is = [&](std::string_view key, std::string_view word) {
      return argument.key == key && argument.word == word;
    };
    if (is("ports", "single")) machine_.single_port = true;
    if (is("duplex", "half")) machine_.half_duplex = true;
    if (is("timing", "rounds")) machine_.rounds = true;
    if (is("paths", "shared")) machine_.shared = true;
    const bool known = argument.key == "queue" || is("ports", "single") || is("ports", "multi") ||
                       is("timing", "rounds") || is("timing", "steps") || is("paths", "shared") ||
                       is("paths", "held") || is("duplex", "full") || is("duplex", "half") || is("switches", "copy");
    if (!known)
      throw Refused{{}, fmt::format("no rule of proof is for fabrics with {}={}", argument.key, argument.word)};
    return true;
  }

  void read_collective() {
    const CollectiveFamily* family = families_.collective(core_.collective);
    if (family == nullptr) throw Refused{{}, fmt::format("there is no collective `{}`", core_.collective)};
    auto terms = family->terms();
    machine_.reduction = family->reduction_terms();
    if (machine_.reduction) terms = CollectiveTerms{};
    if (!terms) throw Refused{{}, fmt::format("no rule of proof is for the collective {}", core_.collective)};
    const auto kind = collective_kind(core_.collective, families_);
    if (!kind) throw Refused{{}, fmt::format("there is no collective `{}`", core_.collective)};
    machine_.collective = *kind;
    machine_.terms = std::move(*terms);
    machine_.rooted = family->facts().rooted;
    if (!machine_.rooted && !(core_.root.op() == Op::number && core_.root.number() == 0))
      throw Refused{{}, fmt::format("{} has no root", core_.collective)};
    machine_.root = core_.root;
    machine_.parts = core_.parts;
    machine_.values = machine_.reduction ? machine_.of_collective(machine_.reduction->values, {0, 0}) : core_.parts;
    read_operation(family->facts());
  }

  void read_operation(const CollectiveFacts& facts) {
    if (!core_.operation.empty()) {
      const auto operation = operation_named(core_.operation);
      if (!operation || !machine_.reduction)
        throw Refused{{}, fmt::format("`{}` is no operation of {}", core_.operation, core_.collective)};
      machine_.operation = *operation;
    }
    if (facts.always_idempotent) machine_.operation = Operation::idempotent;
    if (facts.always_ordered && machine_.operation == Operation::commutative) machine_.operation = Operation::ordered;
  }

  const CoreForm& core_;
  const Families& families_;
  CoreMachine machine_;
  std::set<std::string> keys_;
};

}  // namespace

CoreExpression CoreMachine::number(const Term& term, const Ends& ends, const CoreExpression& index) const {
  return in_number(term, {parameters, ends, index});
}

CoreExpression CoreMachine::truth(const Term& term, const Ends& ends, const CoreExpression& index) const {
  return in_truth(term, {parameters, ends, index});
}

CoreExpression CoreMachine::of_collective(const Term& term, const Ends& ends) const {
  const std::vector<CoreExpression> own = {processors, root, parts};
  const CoreExpression none = 0;
  return converted(term, {own, ends, none});
}

CoreExpression CoreMachine::truth_of_collective(const Term& term, const Ends& ends) const {
  const std::vector<CoreExpression> own = {processors, root, parts};
  const CoreExpression none = 0;
  return in_truth(term, {own, ends, none});
}

CoreMachine machine_of(const CoreForm& core, const Families& families) { return MachineReader(core, families).read(); }

}  // namespace quadrille::proof_reader
