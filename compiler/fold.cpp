// Folding: before a loop is run many times, what does not change in it is worked out once.
//
// For example, in `for k in processors: send k -> k xor 2^(h-1) * 2 + 0` with h = 3 around it, 2^(h-1)*2 becomes 8 and
// the sum of that and 0 becomes 8. What changes are the variables that the loop or anything in it sets; a folded
// expression that fails stays as it is, for it may never be reached. Cost: a copy of the statement, and the expressions
// in it once.
#include "compiler/fold.h"

#include <optional>
#include <set>

namespace quadrille {
namespace {

using ir::Op;
using ir::Type;

bool is_literal(const ir::Expression& e) { return e.op == Op::literal; }

class Folder {
 public:
  Folder(Evaluator& evaluator, Evaluator::Slot* frame) : evaluator_(evaluator), frame_(frame) {}

  void fold(ir::Statement& statement) {
    if (auto* send = std::get_if<ir::Send>(&statement.node)) {
      fold(send->source);
      fold(send->target);
      for (auto* part : {&send->origin, &send->addressee, &send->part}) {
        if (*part) fold(**part);
      }
    } else if (auto* loop = std::get_if<ir::For>(&statement.node)) {
      for (const ir::Binding& binding : loop->bindings) set_here_.insert(binding.slot);
      for (ir::Statement& inner : loop->body) fold(inner);
    } else if (auto* branch = std::get_if<ir::If>(&statement.node)) {
      fold(branch->condition);
      for (ir::Statement& inner : branch->then) fold(inner);
      for (ir::Statement& inner : branch->otherwise) fold(inner);
    } else if (auto* let = std::get_if<ir::Let>(&statement.node)) {
      set_here_.insert(let->slot);
      fold(let->value);
    }
  }

  // Lets are set where they stand, so every slot that any of them sets must be known first.
  void note_lets(const ir::Statement& statement) {
    const auto each = [&](const ir::Block& block) {
      for (const ir::Statement& inner : block) note_lets(inner);
    };
    if (const auto* loop = std::get_if<ir::For>(&statement.node)) {
      for (const ir::Binding& binding : loop->bindings) set_here_.insert(binding.slot);
      each(loop->body);
    } else if (const auto* branch = std::get_if<ir::If>(&statement.node)) {
      each(branch->then);
      each(branch->otherwise);
    } else if (const auto* let = std::get_if<ir::Let>(&statement.node)) {
      set_here_.insert(let->slot);
    }
  }

 private:
  static bool scalar(const ir::Expression& e) {
    return e.type == Type::integer || e.type == Type::boolean || e.type == Type::node;
  }

  bool changes(const ir::Expression& e) const {
    if (e.op == Op::local) return set_here_.contains(static_cast<std::uint32_t>(e.number));
    if (!e.bindings.empty()) return true;  // sets slots of its own
    for (const ir::Expression& operand : e.operands) {
      if (changes(operand)) return true;
    }
    return false;
  }

  void fold(ir::Expression& e) {
    if (!is_literal(e) && scalar(e) && !changes(e)) {
      try {
        const std::int64_t value = evaluator_.value(e, frame_);
        const Type type = e.type;
        const Span span = e.span;
        e = {};
        e.type = type;
        e.span = span;
        e.number = value;
      } catch (const EvaluationError&) {
        return;  // only if it is ever reached is it a mistake
      }
      return;
    }
    if (!e.bindings.empty()) return;
    for (ir::Expression& operand : e.operands) fold(operand);
    simplify(e);
  }

  // x + 0, 0 + x, x * 1, 1 * x, x xor a xor b: exact whatever x is.
  static void simplify(ir::Expression& e) {
    if (e.operands.size() != 2) return;
    ir::Expression& left = e.operands[0];
    ir::Expression& right = e.operands[1];
    const auto is = [](const ir::Expression& x, std::int64_t number) { return is_literal(x) && x.number == number; };
    const bool right_drops = (e.op == Op::add && is(right, 0)) || (e.op == Op::multiply && is(right, 1)) ||
                             (e.op == Op::bit_xor && is(right, 0));
    const bool left_drops = (e.op == Op::add && is(left, 0)) || (e.op == Op::multiply && is(left, 1)) ||
                            (e.op == Op::bit_xor && is(left, 0));
    if (right_drops || left_drops) {
      ir::Expression kept = std::move(right_drops ? left : right);
      e = std::move(kept);
      return;
    }
    const bool chain =
        e.op == Op::bit_xor && is_literal(right) && left.op == Op::bit_xor && is_literal(left.operands[1]);
    if (chain) {
      right.number ^= left.operands[1].number;
      ir::Expression inner = std::move(left.operands[0]);
      left = std::move(inner);
    }
  }

  Evaluator& evaluator_;
  Evaluator::Slot* frame_;
  std::set<std::uint32_t> set_here_;
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
