#include "verifier/prover/unfold.h"

#include <fmt/format.h>

#include <utility>

namespace quadrille::prover {
namespace {

constexpr unsigned deepest_call = 60;

// Another collective, while it lives.
class Exchanged {
 public:
  Exchanged(CollectiveKind& kind, CollectiveKind other) : kind_(kind), own_(std::exchange(kind, other)) {}
  ~Exchanged() { kind_ = own_; }
  Exchanged(const Exchanged&) = delete;
  Exchanged& operator=(const Exchanged&) = delete;

 private:
  CollectiveKind& kind_;
  CollectiveKind own_;
};

}  // namespace

Number hops(Algebra& algebra, const Machine& machine, const Number& source, const Number& target) {
  if (machine.kind == Machine::Kind::ring) return Number(1);  // to a neighbour; that it is one is a condition
  return Number(2) * algebra.bits(algebra.bitwise(AtomKind::bit_xor, source, target));
}

Number hops(Algebra& algebra, const Machine& machine, const Family& family) {
  return family.apex ? Number(2) * *family.apex : hops(algebra, machine, family.source, family.target);
}

Unfolder::Unfolder(Algebra& algebra, const ir::Schedule& schedule, const std::map<std::string, std::string>& fixed,
                   Feasible feasible)
    : algebra_(algebra), feasible_(std::move(feasible)) {
  problem_.schedule = &schedule;
  problem_.clocks.push_back({});
  problem_.clocks.back().given = algebra_.truth(true);
  parameters(fixed);
}

void Unfolder::run() {
  fabric();
  collective();
  Frame frame(problem_.schedule->frame.size);
  block(problem_.schedule->body, frame, {&problem_.clocks.front(), Number(0)});
}

// --- time ------------------------------------------------------------------------------------------------------------

Clock* Unfolder::clock(Clock::Kind kind, const Time& time, Span span) {
  Clock clock;
  clock.kind = kind;
  clock.parent = time.clock;
  clock.start = time.before;
  clock.scope = expressions_->path().scope();
  clock.given = expressions_->path().given();
  clock.span = span;
  problem_.clocks.push_back(std::move(clock));
  return &problem_.clocks.back();
}

void Unfolder::block(const ir::Block& statements, Frame& frame, const Time& time) {
  bool parts = false;
  for (const ir::Statement& s : statements) parts = parts || s.then;
  if (!parts) {
    for (const ir::Statement& s : statements) statement(s, frame, time);
    return;
  }
  const std::uint32_t number = ++blocks_;
  std::uint32_t part = 0;
  Time here = time;
  for (const ir::Statement& s : statements) {
    if (s.then || part == 0) {
      auto* fresh = clock(Clock::Kind::part, time, s.span);
      fresh->block = number;
      fresh->part = part++;
      here = {fresh, Number(0)};
    }
    statement(s, frame, here);
  }
}

void Unfolder::statement(const ir::Statement& s, Frame& frame, const Time& time) {
  try {
    std::visit([&](const auto& node) { run_node(node, s, frame, time); }, s.node);
  } catch (Unsupported& beyond) {
    if (!beyond.span.known()) beyond.span = s.span;
    throw;
  }
}

void Unfolder::run_node(const ir::At& at, const ir::Statement&, Frame& frame, const Time& time) {
  const Number step = expressions_->number(at.step, frame);
  expressions_->require(algebra_.at_least_zero(step - Number(1)), "a step of at least 1", at.step.span,
                        "the step is {}", step);
  block(at.body, frame, {time.clock, time.before + step - Number(1)});
}

void Unfolder::run_node(const ir::For& loop, const ir::Statement& s, Frame& frame, const Time& time) {
  if (!loop.in_turn) {
    expressions_->bind(loop.bindings, frame, [&] { block(loop.body, frame, time); });
    return;
  }
  auto* turns = clock(Clock::Kind::iteration, time, s.span);
  const std::size_t outside = expressions_->path().scope().size();
  const Formula given = expressions_->path().given();
  bool visited = false;
  expressions_->bind(loop.bindings, frame, [&] {
    if (visited || expressions_->path().given() != given) throw Unsupported{"a loop in turn over a list", s.span};
    visited = true;
    const auto& scope = expressions_->path().scope();
    turns->variables.assign(scope.begin() + static_cast<std::ptrdiff_t>(outside), scope.end());
    block(loop.body, frame, {turns, Number(0)});
  });
}

void Unfolder::run_node(const ir::Repeat& repeat, const ir::Statement& s, Frame& frame, const Time& time) {
  const Number times = expressions_->number(repeat.times, frame);
  expressions_->require(algebra_.at_least_zero(times), "a number of times of at least 0", repeat.times.span,
                        "the number is {}", times);
  auto* turns = clock(Clock::Kind::iteration, time, s.span);
  const Atom turn = algebra_.variable("turn", Number(1), times);
  turns->variables = {turn};
  const Path::Step step(expressions_->path(), {turn}, algebra_.truth(true));
  block(repeat.body, frame, {turns, Number(0)});
}

// --- statements ------------------------------------------------------------------------------------------------------

void Unfolder::branch(Formula condition, const ir::Block& body, Frame& frame, const Time& time) {
  if (body.empty() || condition == algebra_.truth(false)) return;
  const Path::Step step(expressions_->path(), {}, condition);
  const std::size_t families = problem_.families.size();
  const std::size_t conditions = problem_.conditions.size();
  const std::size_t clocks = problem_.clocks.size();
  try {
    block(body, frame, time);
  } catch (const Unsupported&) {
    // What never happens may be beyond us.
    if (feasible_(expressions_->path().scope(), expressions_->path().given())) throw;
    problem_.families.resize(families);
    problem_.conditions.resize(conditions);
    while (problem_.clocks.size() > clocks) problem_.clocks.pop_back();
  }
}

void Unfolder::run_node(const ir::If& choice, const ir::Statement&, Frame& frame, const Time& time) {
  const Formula condition = expressions_->truth(choice.condition, frame);
  branch(condition, choice.then, frame, time);
  branch(algebra_.negation(condition), choice.otherwise, frame, time);
}

void Unfolder::run_node(const ir::Let& let, const ir::Statement&, Frame& frame, const Time&) {
  frame[let.slot] = expressions_->value(let.value, frame);
}

void Unfolder::run_node(const ir::Call& call, const ir::Statement& s, Frame& frame, const Time& time) {
  const std::size_t index =
      call.procedure ? *call.procedure : std::get<std::size_t>(frame[static_cast<std::size_t>(call.slot)]);
  const ir::Procedure& procedure = problem_.schedule->procedures[index];
  if (depth_ >= deepest_call) throw Unsupported{fmt::format("'{}' calls itself", procedure.name), s.span};
  if (procedure.formals.size() != call.arguments.size())
    throw Unsupported{fmt::format("'{}' with another number of arguments", procedure.name), s.span};
  Frame callee(procedure.frame.size);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    callee[i] = expressions_->value(call.arguments[i], frame);
  }
  const Deeper deeper(depth_);
  block(procedure.body, callee, time);
}

void Unfolder::run_node(const ir::Relabel&, const ir::Statement& s, Frame&, const Time&) {
  throw Unsupported{"relabelling", s.span};
}

void Unfolder::run_node(const ir::Discipline&, const ir::Statement& s, Frame&, const Time&) {
  throw Unsupported{"times that the compiler chooses (a queueing discipline)", s.span};
}

// --- sends -----------------------------------------------------------------------------------------------------------

void Unfolder::run_node(const ir::Send& send, const ir::Statement& s, Frame& frame, const Time& time) {
  if (!send.along.empty()) throw Unsupported{"a way that is given", s.span};
  if (!send.waits.empty()) throw Unsupported{"waiting on the way", s.span};
  Family family;
  family.variables = expressions_->path().scope();
  family.given = expressions_->path().given();
  family.known = algebra_.truth(true);
  family.clock = time.clock;
  family.start = time.before + Number(1);
  family.source = expressions_->number(send.source, frame);
  family.destinations_given = algebra_.truth(true);
  family.span = s.span;
  const Value target = expressions_->value(send.target, frame);
  if (const auto* one = std::get_if<Number>(&target)) {
    family.target = *one;
    expressions_->require(algebra_.negation(algebra_.equal(*one, family.source)), "no send to oneself", s.span,
                          "{} sends to itself", *one);
    return send_to(send, s, frame, std::move(family));
  }
  const Set& set = std::get<Set>(target);
  family.everyone = set.everyone;
  if (set.pieces.size() != 1) throw Unsupported{"a send to a list of processors", s.span};
  if (problem_.machine.kind == Machine::Kind::ring) throw Unsupported{"a multicast on a ring", s.span};
  const Piece piece = counted_from_zero(set.pieces[0]);
  family.multicast = true;
  family.destinations = piece.variables;
  family.target = piece.element;
  family.destinations_given =
      algebra_.conjunction({piece.given, algebra_.negation(algebra_.equal(piece.element, family.source))});
  send_to(send, s, frame, std::move(family));
}

// A range that begins with a formula, as that formula and a number from 0 on: it is easier to reckon with.
Piece Unfolder::counted_from_zero(const Piece& piece) {
  if (piece.variables.size() != 1 || piece.variables[0]->first->constant()) return piece;
  const Atom old = piece.variables[0];
  const Atom fresh = algebra_.variable("to", Number(0), *old->last - *old->first);
  const Substitution by = {{old, *old->first + Number(fresh)}};
  return {{fresh}, algebra_.substituted(piece.given, by), algebra_.substituted(piece.element, by)};
}

// Which packet it is: what the schedule says, or what its collective implies.
void Unfolder::send_to(const ir::Send& send, const ir::Statement& s, Frame& frame, Family family) {
  const auto number = [&](const std::optional<ir::Expression>& e, const Number& otherwise) {
    return e ? expressions_->number(*e, frame) : otherwise;
  };
  const CollectiveKind kind = problem_.collective;
  const bool root_sends = kind == CollectiveKind::broadcast && !send.for_everyone;
  family.origin = number(send.origin, root_sends ? problem_.root : family.source);
  family.part = number(send.part, Number(0));
  expressions_->require(algebra_.equal(family.part, Number(0)), "the packet exists (part 0)", s.span, "the part is {}",
                        family.part);
  const bool rooted = kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter;
  if (kind == CollectiveKind::broadcast || kind == CollectiveKind::allgather) {
    if (send.addressee) throw Unsupported{"an addressee of a packet for everyone", s.span};
  } else {
    if (send.for_everyone || (family.multicast && !send.addressee))
      throw Unsupported{"a packet for everyone, where the collective has none", s.span};
    family.addressee = number(send.addressee, kind == CollectiveKind::gather ? problem_.root : family.target);
  }
  if (rooted) {
    expressions_->require(algebra_.equal(family.origin, problem_.root), "the packet comes from the root", s.span,
                          "it comes from {}", family.origin);
  }
  if (kind == CollectiveKind::gather) {
    expressions_->require(algebra_.equal(*family.addressee, problem_.root), "the packet goes to the root", s.span,
                          "it goes to {}", *family.addressee);
  }
  problem_.families.push_back(std::move(family));
}

// --- reversal --------------------------------------------------------------------------------------------------------

void Unfolder::run_node(const ir::Reverse& reverse, const ir::Statement& s, Frame& frame, const Time& time) {
  const CollectiveKind kind = problem_.collective;
  const auto dual = Collective::dual(kind);
  const bool of_pairs =
      kind == CollectiveKind::scatter || kind == CollectiveKind::gather || kind == CollectiveKind::total_exchange;
  if (!dual || !of_pairs) throw Unsupported{"a reversal other than of scatter, gather and total exchange", s.span};
  auto* backwards = clock(Clock::Kind::reversed, time, s.span);
  const std::size_t first = problem_.families.size();
  {
    const Exchanged collective(problem_.collective, *dual);
    block(reverse.body, frame, {backwards, Number(0)});
  }
  // How long the block takes is a number of its own; of it is known that no send arrives later, and some bound.
  Rational longest = 1;
  for (std::size_t i = first; i < problem_.families.size(); ++i) {
    const Family& family = problem_.families[i];
    if (family.clock != backwards) throw Unsupported{"sequence inside a reversal", s.span};
    const auto arrival = algebra_.upper(family.start + hops(algebra_, problem_.machine, family.source, family.target));
    if (!arrival) throw Unsupported{"a reversal of what has no bound", s.span};
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
  const Number arrival = family.start + hops(algebra_, problem_.machine, family.source, family.target) - Number(1);
  const Number length(*clock.length);
  family.start = length - arrival + Number(1);
  std::swap(family.source, family.target);
  family.origin = family.source;
  family.addressee = family.target;
  family.known = algebra_.conjunction({family.known, algebra_.at_most(arrival, length)});
}

}  // namespace quadrille::prover
