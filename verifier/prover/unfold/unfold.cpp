// Idea: the schedule is run once for all sizes. A loop leaves a variable in its range, a condition a formula, and
// each send statement one family: all its sends, for every value of the variables around it.
//
//   for d in 1..n-1: at n - d: send 0 -> d
//   is one family: variable d in 1..n-1, start n - d, source 0, target d; and the conditions that n - d >= 1 and that d
//   is a processor other than 0
//
// Sends are in unfold_sends.cpp, relabellings in unfold_reversal.cpp. Cost: linear in the statements, with calls
// expanded.
#include "verifier/prover/unfold/unfold.h"

#include <fmt/format.h>

#include <utility>

#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {
namespace {

// Whether each loop runs downwards; nothing unless all of them are plain ranges.
std::vector<bool> falling(const std::vector<ir::Binding>& bindings) {
  std::vector<bool> result;
  for (const ir::Binding& binding : bindings) {
    const auto* range = std::get_if<ir::Range>(&binding.set.node);
    if (range == nullptr) return {};
    result.push_back(range->down);
  }
  return result;
}

constexpr unsigned deepest_call = 60;
constexpr std::size_t most_families = 200;  // those that ship and are proved have up to 40

// The collective that is this one time-reversed, if each packet goes to one processor; nothing otherwise.
std::optional<BoundCollective> dual_of(const BoundCollective& collective) {
  const auto kind = Collective::dual(collective.kind);
  auto terms = kind ? kind->family().terms() : std::nullopt;
  if (!terms || collective.terms.for_everyone || terms->for_everyone) return std::nullopt;
  return BoundCollective{*kind, std::move(*terms), collective.parameters, collective.parts};
}

}  // namespace

Unfolder::Unfolder(Algebra& algebra, const ir::Schedule& schedule, const Arguments& fixed, Feasible feasible,
                   Watch& watch)
    : algebra_(algebra), feasible_(std::move(feasible)), watch_(watch) {
  problem_.schedule = &schedule;
  problem_.sizes = algebra.truth(true);
  problem_.clocks.push_back({});
  problem_.clocks.back().given = algebra_.truth(true);
  parameters(fixed);
}

void Unfolder::run() {
  fabric();
  collective();
  const ExpressionContext outermost = expressions_->outermost(problem_.schedule->frame);
  block(problem_.schedule->body, {outermost, &problem_.clocks.front(), Number(0), &problem_.collective, nullptr});
}

// --- time ------------------------------------------------------------------------------------------------------------

Clock* Unfolder::clock(Clock::Kind kind, const StatementPlace& at, Span span) {
  Clock clock;
  clock.kind = kind;
  clock.parent = at.clock;
  clock.start = at.before;
  clock.scope = at.in.scope;
  clock.given = at.in.given;
  clock.span = span;
  problem_.clocks.push_back(std::move(clock));
  return &problem_.clocks.back();
}

Unfolder::StatementPlace Unfolder::inside(StatementPlace at, const std::vector<Atom>& variables, Formula given) const {
  at.in = expressions_->inside(std::move(at.in), variables, given);
  return at;
}

Unfolder::StatementPlace Unfolder::on(StatementPlace at, const Clock* clock, Number before) {
  at.clock = clock;
  at.before = std::move(before);
  return at;
}

Unfolder::StatementPlace Unfolder::bound(StatementPlace at, const ExpressionContext& in) {
  at.in = in;
  return at;
}

void Unfolder::block(const ir::Block& statements, StatementPlace at) {
  for (const ir::Statement& s : statements) statement(s, at);
}

void Unfolder::statement(const ir::Statement& s, StatementPlace& at) {
  expressions_->count_evaluation(s.span);
  try {
    std::visit([&](const auto& node) { run_node(node, s, at); }, s.node);
    // The number of obligations grows with the square of the number of families.
    if (problem_.families.size() > most_families)
      throw Unsupported{
          fmt::format("more than {} kinds of sends, when its calls are followed; write a loop instead", most_families),
          {}};
  } catch (Unsupported& unsupported) {
    if (!unsupported.span.known()) unsupported.span = s.span;
    throw;
  }
}

void Unfolder::run_node(const ir::At& node, const ir::Statement&, const StatementPlace& at) {
  const Number step = expressions_->number(node.step, at.in);
  expressions_->require(at.in, algebra_.at_least_zero(step - Number(1)), "a step of at least 1", node.step.span,
                        "the step is {}", step);
  block(node.body, on(at, at.clock, at.before + step - Number(1)));
}

void Unfolder::run_node(const ir::Parts& parts, const ir::Statement&, const StatementPlace& at) {
  const std::uint32_t number = ++blocks_;
  std::uint32_t order = 0;
  // Makes a clock for each part. Its start depends on how long the parts before it take, which is computed later.
  StatementPlace here = at;  // what one part lets, the later ones see
  for (const ir::Block& part : parts.parts) {
    auto* own = clock(Clock::Kind::part, at, part.front().span);
    own->block = number;
    own->part = order++;
    here = on(std::move(here), own, Number(0));
    for (const ir::Statement& s : part) statement(s, here);
  }
}

void Unfolder::run_node(const ir::Turns& turns, const ir::Statement& s, const StatementPlace& at) {
  if (const auto* times = std::get_if<ir::Expression>(&turns.over)) return repeat(*times, turns.body, s.span, at);
  auto* own = clock(Clock::Kind::iteration, at, s.span);
  bool visited = false;
  // One body represents all iterations, so the loop must be one range, without conditions.
  expressions_->bind(std::get<std::vector<ir::Binding>>(turns.over), at.in, [&](const ExpressionContext& inner) {
    if (visited || inner.given != at.in.given)
      throw Unsupported{"a loop in turn over a list; one over a range is understood", s.span};
    visited = true;
    own->variables.assign(inner.scope.begin() + static_cast<std::ptrdiff_t>(at.in.scope.size()), inner.scope.end());
    own->falling = falling(std::get<std::vector<ir::Binding>>(turns.over));
    block(turns.body, on(bound(at, inner), own, Number(0)));
  });
}

void Unfolder::repeat(const ir::Expression& count, const ir::Block& body, Span span, const StatementPlace& at) {
  const Number times = expressions_->number(count, at.in);
  expressions_->require(at.in, algebra_.at_least_zero(times), "a number of times of at least 0", count.span,
                        "the number is {}", times);
  auto* own = clock(Clock::Kind::iteration, at, span);
  const Atom turn = algebra_.variable("turn", Number(1), times);
  own->variables = {turn};
  own->falling = {false};
  block(body, on(inside(at, {turn}, algebra_.truth(true)), own, Number(0)));
}

void Unfolder::run_node(const ir::Discipline&, const ir::Statement& s, const StatementPlace&) {
  throw Unsupported{"times that the compiler chooses (a queueing discipline); give each send its step with `at`",
                    s.span};
}

// --- scopes ----------------------------------------------------------------------------------------------------------

void Unfolder::run_node(const ir::For& loop, const ir::Statement&, const StatementPlace& at) {
  expressions_->bind(loop.bindings, at.in, [&](const ExpressionContext& inner) { block(loop.body, bound(at, inner)); });
}

void Unfolder::branch(Formula condition, const ir::Block& body, const StatementPlace& at) {
  if (body.empty() || condition == algebra_.truth(false)) return;
  const StatementPlace here = inside(at, {}, condition);
  const std::size_t families = problem_.families.size();
  const std::size_t conditions = problem_.conditions.size();
  const std::size_t clocks = problem_.clocks.size();
  try {
    block(body, here);
  } catch (const Unsupported&) {
    // Statements that never happen may be unsupported.
    if (feasible_(here.in.scope, here.in.given)) throw;
    // Restores the state before the branch.
    problem_.families.resize(families);
    problem_.conditions.resize(conditions);
    while (problem_.clocks.size() > clocks) problem_.clocks.pop_back();
  }
}

void Unfolder::run_node(const ir::If& choice, const ir::Statement&, const StatementPlace& at) {
  const Formula condition = expressions_->truth(choice.condition, at.in);
  branch(condition, choice.then, at);
  branch(algebra_.negation(condition), choice.otherwise, at);
}

void Unfolder::run_node(const ir::Let& let, const ir::Statement&, StatementPlace& at) {
  at.in.frame[let.variable.value] = expressions_->value(let.value, at.in);
}

void Unfolder::run_node(const ir::Call& call, const ir::Statement& s, const StatementPlace& at) {
  const auto* named = std::get_if<ir::ProcedureId>(&call.callee);
  const ir::ProcedureId callee =
      named != nullptr ? *named : std::get<ir::ProcedureId>(at.in.frame[std::get<ir::VariableId>(call.callee).value]);
  const ir::Procedure& procedure = problem_.schedule->procedures[callee.value];
  if (at.in.depth >= deepest_call)
    throw Unsupported{fmt::format("'{}' calls itself; write a loop instead", procedure.name), s.span};
  if (procedure.formals.size() != call.arguments.size())
    throw Unsupported{fmt::format("'{}' with another number of arguments", procedure.name), s.span};
  StatementPlace inner = at;
  ++inner.in.depth;
  inner.in.frame.assign(procedure.frame.size, {});
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    inner.in.frame[i] = expressions_->value(call.arguments[i], at.in);
  }
  block(procedure.body, std::move(inner));
}

// --- reversal --------------------------------------------------------------------------------------------------------

void Unfolder::run_node(const ir::Reverse& reverse, const ir::Statement& s, const StatementPlace& at) {
  if (at.collective->reduction) return reverse_into_reduction(reverse, s, at);
  const auto dual = dual_of(*at.collective);
  if (!dual) throw Unsupported{fmt::format("the reversal of {}", at.collective->kind.facts().name), s.span};
  auto* backwards = clock(Clock::Kind::reversed, at, s.span);
  const std::size_t first = problem_.families.size();
  StatementPlace inner = on(at, backwards, Number(0));
  inner.collective = &*dual;
  block(reverse.body, std::move(inner));
  // The duration of the block is a number of its own. It is known that no send arrives later, and some bound is
  // known.
  Rational longest = 1;
  for (std::size_t i = first; i < problem_.families.size(); ++i) {
    const Family& family = problem_.families[i];
    if (family.clock != backwards) throw Unsupported{"sequence inside a reversal", s.span};
    const auto arrival = algebra_.upper(family.start + duration(algebra_, problem_.machine, family));
    if (!arrival) throw Unsupported{"a reversal of what has no bound; give the parameters' ranges an end", s.span};
    longest = std::max(longest, *arrival);
  }
  backwards->length = algebra_.variable("length", Number(0), Number(longest));
  for (std::size_t i = first; i < problem_.families.size(); ++i) reverse_family(problem_.families[i], *backwards);
}

void Unfolder::reverse_family(Family& family, const Clock& clock) {
  if (family.multicast || !(family.origin == family.source) || !family.addressee ||
      !(*family.addressee == family.target)) {
    throw Unsupported{"a reversal of anything but sends from the packet's origin to its addressee", family.span};
  }
  const Number arrival = family.start + duration(algebra_, problem_.machine, family) - Number(1);
  const Number length(*clock.length);
  family.start = length - arrival + Number(1);
  std::swap(family.source, family.target);
  family.origin = family.source;
  family.addressee = family.target;
  family.known = algebra_.conjunction({family.known, algebra_.at_most(arrival, length)});
}

}  // namespace quadrille::prover
