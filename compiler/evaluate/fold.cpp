// Folding evaluates the expressions that a loop does not change once, before the loop is run many times.
//
// For example, in `for k in processors: send k -> k xor 2^(h-1) * 2 + 0` with h = 3 around it, 2^(h-1)*2 becomes 8 and
// the sum of that and 0 becomes 8. The loop changes the variables that it, or a statement in it, sets. An expression
// that fails stays as it is, for it may never be reached. Cost: a copy of the statement, and the expressions in it
// once.
#include "compiler/evaluate/fold.h"

#include <optional>
#include <set>

namespace quadrille {
namespace {

using ir::BinaryOperator;
using ir::Type;

ir::Literal* literal(ir::Expression& e) { return std::get_if<ir::Literal>(&e.node); }

bool is(ir::Expression& e, std::int64_t number) { return literal(e) != nullptr && literal(e)->value == number; }

class Folder {
 public:
  Folder(Evaluator& evaluator, Evaluator::Slot* frame) : evaluator_(evaluator), frame_(frame) {}

  void fold(ir::Statement& statement) {
    if (auto* send = std::get_if<ir::Send>(&statement.node)) {
      fold(send->source);
      fold(send->target);
      for (auto* part : {&send->origin, &send->addressee, &send->part, &send->sum}) {
        if (*part) fold(**part);
      }
      if (send->held && send->held->condition) fold(*send->held->condition);
    } else if (auto* loop = std::get_if<ir::For>(&statement.node)) {
      for (const ir::Binding& binding : loop->bindings) set_here_.insert(binding.variable);
      for (ir::Statement& inner : loop->body) fold(inner);
    } else if (auto* branch = std::get_if<ir::If>(&statement.node)) {
      fold(branch->condition);
      for (ir::Statement& inner : branch->then) fold(inner);
      for (ir::Statement& inner : branch->otherwise) fold(inner);
    } else if (auto* let = std::get_if<ir::Let>(&statement.node)) {
      set_here_.insert(let->variable);
      fold(let->value);
    }
  }

  // A let sets its slot where it stands, so the slots of all lets must be known before folding begins.
  void note_lets(const ir::Statement& statement) {
    const auto each = [&](const ir::Block& block) {
      for (const ir::Statement& inner : block) note_lets(inner);
    };
    if (const auto* send = std::get_if<ir::Send>(&statement.node); send != nullptr && send->held) {
      set_here_.insert({send->held->origin, send->held->target, send->held->part});
    }
    if (const auto* loop = std::get_if<ir::For>(&statement.node)) {
      for (const ir::Binding& binding : loop->bindings) set_here_.insert(binding.variable);
      each(loop->body);
    } else if (const auto* branch = std::get_if<ir::If>(&statement.node)) {
      each(branch->then);
      each(branch->otherwise);
    } else if (const auto* let = std::get_if<ir::Let>(&statement.node)) {
      set_here_.insert(let->variable);
    }
  }

 private:
  static bool scalar(const ir::Expression& e) {
    return e.type == Type::integer || e.type == Type::boolean || e.type == Type::node;
  }

  bool changes(const ir::Expression& e) const {
    return ir::any_part(e, [&](const ir::Expression& part) {
      if (ir::binds(part)) return true;  // sets variables of its own
      const auto* use = std::get_if<ir::VariableUse>(&part.node);
      return use != nullptr && set_here_.contains(use->variable);
    });
  }

  void fold(ir::Expression& e) {
    if (literal(e) == nullptr && scalar(e) && !changes(e)) {
      try {
        e.node = ir::Literal{evaluator_.value(e, frame_)};
      } catch (const EvaluationError&) {
        return;  // it is a mistake only if it is ever reached
      }
      return;
    }
    // Its parts see variables of its own, whose slots nothing has set yet.
    if (ir::binds(e)) return;
    ir::for_each_part(e, [&](ir::Expression& part) { fold(part); });
    simplify(e);
  }

  // x + 0, 0 + x, x * 1, 1 * x, x xor a xor b: exact whatever x is.
  static void simplify(ir::Expression& e) {
    auto* binary = std::get_if<ir::Binary>(&e.node);
    if (binary == nullptr) return;
    const auto neutral = [&](ir::Expression& side) {
      return (binary->op == BinaryOperator::add && is(side, 0)) ||
             (binary->op == BinaryOperator::multiply && is(side, 1)) ||
             (binary->op == BinaryOperator::bit_xor && is(side, 0));
    };
    if (neutral(*binary->right)) return become(e, *binary->left);
    if (neutral(*binary->left)) return become(e, *binary->right);
    auto* inner = std::get_if<ir::Binary>(&binary->left->node);
    const bool chain = binary->op == BinaryOperator::bit_xor && literal(*binary->right) != nullptr &&
                       inner != nullptr && inner->op == BinaryOperator::bit_xor && literal(*inner->right) != nullptr;
    if (!chain) return;
    literal(*binary->right)->value ^= literal(*inner->right)->value;
    become(*binary->left, *inner->left);
  }

  // Replaces the expression by `part`, a part of it.
  static void become(ir::Expression& e, ir::Expression& part) {
    ir::Expression kept = std::move(part);
    e = std::move(kept);
  }

  Evaluator& evaluator_;
  Evaluator::Slot* frame_;
  std::set<ir::VariableId> set_here_;
};

}  // namespace

ir::Statement folded(const ir::Statement& statement, Evaluator& evaluator, Evaluator::Slot* frame) {
  ir::Statement result = statement;
  Folder folder(evaluator, frame);
  folder.note_lets(result);
  folder.fold(result);
  return result;
}

}  // namespace quadrille
