// Idea: a variable in an exponent, and the number of digits of a number, have few values, if the ranges say so. With
// each of them in its place powers of two are numbers, and what is left has no powers, and often no products.
//
//   2^t <= N, N in 2 … 9, t in 0 … digits(N) - 1:  digits(N) is 2: N in 2 … 3, t is 0 or 1; it is 3: …; it is 4: …
//
// Why it is sound: a case is left out only if the assertions, which include the ranges, have no values in it. Powers of
// negative exponents, and digits of negative numbers, may be anything (leaf.h): a new variable.
//
// Cost: linear in the number of cases, of some thousand at most, and the size of what is asserted.
#include "verifier/proof_reader/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "verifier/proof_reader/power_axioms.h"

namespace quadrille::proof_reader {
namespace {

constexpr std::size_t most_cases = 6000;
constexpr std::int64_t most_of_one_variable = 200;  // values

constexpr std::int64_t most_halved = std::int64_t{1} << 60;  // a number whose lowest digit is one of few

constexpr std::string_view free_name = "!free";  // of variables that may have any value: no range of theirs is asserted

using CoreEnd = std::optional<std::int64_t>;

// The values of an expression lie between these; nothing: no end is known.
struct NumericEnds {
  CoreEnd first, last;
};

CoreEnd value_of(const CoreExpression& x) { return evaluate(x, {}); }
CoreEnd of_two(Op op, CoreEnd a, CoreEnd b) { return a && b ? value_of({op, {*a, *b}}) : CoreEnd(); }

class ExpressionEnds {
 public:
  explicit ExpressionEnds(const CoreRanges& scope, const std::map<std::string, NumericEnds>& known) {
    for (const CoreRange& range : scope) {
      if (range.name.starts_with(free_name)) continue;
      NumericEnds it{of(range.first).first, range.last ? of(*range.last).last : CoreEnd()};
      if (const auto found = known.find(range.name); found != known.end()) it = both(it, found->second);
      all_[range.name] = it;
    }
  }

  NumericEnds of(const CoreExpression& x) const {
    switch (x.op()) {
      case Op::number:
        return {x.number(), x.number()};
      case Op::variable: {
        const auto found = all_.find(x.name());
        return found == all_.end() ? NumericEnds() : found->second;
      }
      case Op::add:
      case Op::multiply:
        return of_many(x);
      case Op::divide:
      case Op::modulo:
        return of_division(x);
      case Op::power:
      case Op::digits:
        return of_monotone(x);
      case Op::lowest:
        return {of_monotone(x).first ? CoreEnd(0) : CoreEnd(), of(x.operands()[0]).last};
      case Op::choice:
        return hull(of(x.operands()[1]), of(x.operands()[2]));
      default:
        return {};
    }
  }

 private:
  static NumericEnds both(const NumericEnds& a, const NumericEnds& b) {
    return {a.first && b.first ? std::max(a.first, b.first) : (a.first ? a.first : b.first),
            a.last && b.last ? std::min(a.last, b.last) : (a.last ? a.last : b.last)};
  }
  static NumericEnds hull(const NumericEnds& a, const NumericEnds& b) {
    return {a.first && b.first ? std::min(a.first, b.first) : CoreEnd(),
            a.last && b.last ? std::max(a.last, b.last) : CoreEnd()};
  }

  NumericEnds of_many(const CoreExpression& x) const {
    NumericEnds result = of(x.operands()[0]);
    for (std::size_t i = 1; i < x.operands().size(); ++i) {
      const NumericEnds other = of(x.operands()[i]);
      result = x.op() == Op::add
                   ? NumericEnds{of_two(Op::add, result.first, other.first), of_two(Op::add, result.last, other.last)}
                   : product(result, other);
    }
    return result;
  }

  // With an end that is not known, that of a factor that is one number.
  static NumericEnds product(const NumericEnds& a, const NumericEnds& b) {
    if (a.first && a.first == a.last) return scaled(b, *a.first);
    if (b.first && b.first == b.last) return scaled(a, *b.first);
    NumericEnds result;
    for (const auto& [x, y] : {std::pair(a.first, b.first), {a.first, b.last}, {a.last, b.first}, {a.last, b.last}}) {
      const CoreEnd each = of_two(Op::multiply, x, y);
      if (!each) return {};
      result.first = std::min(result.first.value_or(*each), *each);
      result.last = std::max(result.last.value_or(*each), *each);
    }
    return result;
  }
  static NumericEnds scaled(const NumericEnds& a, std::int64_t by) {
    const NumericEnds result{of_two(Op::multiply, a.first, by), of_two(Op::multiply, a.last, by)};
    return by < 0 ? NumericEnds{result.last, result.first} : result;
  }

  NumericEnds of_division(const CoreExpression& x) const {
    const NumericEnds by = of(x.operands()[1]);
    if (!by.first || *by.first < 1) return {};
    if (x.op() == Op::modulo) return {0, of_two(Op::add, by.last, -1)};
    const NumericEnds a = of(x.operands()[0]);
    const bool one = by.first == by.last;
    if (!one && (!a.first || *a.first < 0)) return {};
    return {one ? of_two(Op::divide, a.first, by.first) : CoreEnd(0), of_two(Op::divide, a.last, by.first)};
  }

  // Of what is negative it may be anything.
  NumericEnds of_monotone(const CoreExpression& x) const {
    const NumericEnds a = of(x.operands()[0]);
    if (!a.first || *a.first < 0) return {};
    return {value_of({x.op(), {*a.first}}), a.last ? value_of({x.op(), {*a.last}}) : CoreEnd()};
  }

  std::map<std::string, NumericEnds> all_;
};

// --- cases -----------------------------------------------------------------------------------------------------------

// The term in place of which stands a number.
CoreExpression with(const CoreExpression& x, const CoreExpression& term, const std::string& text,
                    const CoreExpression& by) {
  if (x.op() == term.op() && x.size() == term.size() && smt(x) == text) return by;
  if (x.operands().empty()) return x;
  std::vector<CoreExpression> operands;
  for (const CoreExpression& each : x.operands()) operands.push_back(with(each, term, text, by));
  return {x.op(), std::move(operands), x.number(), x.name()};
}

// A power, a lowest digit or a number of digits within which there is none.
std::optional<CoreExpression> innermost(const CoreExpression& x) {
  for (const CoreExpression& each : x.operands()) {
    if (auto found = innermost(each)) return found;
  }
  const bool is = x.op() == Op::power || x.op() == Op::digits || x.op() == Op::lowest;
  return is ? std::optional(x) : std::nullopt;
}

class CaseSplitting {
 public:
  std::optional<std::vector<QuestionCase>> all(QuestionCase whole) {
    split(std::move(whole), {});
    if (failed_) return std::nullopt;
    return std::move(cases_);
  }

 private:
  using Known = std::map<std::string, NumericEnds>;

  void split(QuestionCase it, const Known& known) {
    if (failed_) return;
    for (CoreExpression& each : it.asserted) each = folded(each);
    for (const CoreExpression& each : it.asserted) {
      if (each.is(false)) return;
    }
    std::erase_if(it.asserted, [](const CoreExpression& each) { return each.is(true); });
    std::optional<CoreExpression> term;
    for (std::size_t i = 0; i < it.asserted.size() && !term; ++i) term = innermost(it.asserted[i]);
    if (!term) {
      cases_.push_back(std::move(it));
      failed_ = cases_.size() > most_cases;
      return;
    }
    if (term->op() == Op::digits) return split_digits(it, known, *term);
    term->op() == Op::lowest ? split_lowest(it, known, *term) : split_power(it, known, *term);
  }

  static QuestionCase replaced(const QuestionCase& it, const CoreExpression& term, const CoreExpression& by) {
    QuestionCase result = it;
    const std::string text = smt(term);
    for (CoreRange& range : result.scope) {
      range.first = folded(with(range.first, term, text, by));
      if (range.last) range.last = folded(with(*range.last, term, text, by));
    }
    for (CoreExpression& each : result.asserted) each = with(each, term, text, by);
    return result;
  }

  // Of a negative operand.
  void split_undefined(QuestionCase it, const Known& known, const CoreExpression& term) {
    it.asserted.push_back(less(term.operands()[0], 0));
    set_free(it, known, term);
  }

  // The term may be anything: there is no more in what it is of.
  void set_free(const QuestionCase& it, const Known& known, const CoreExpression& term) {
    const std::string name = fmt::format("{}{}", free_name, ++made_);
    QuestionCase other = replaced(it, term, variable(name));
    other.scope.push_back({name, 0, std::nullopt});
    split(std::move(other), known);
  }

  void split_digits(const QuestionCase& it, const Known& known, const CoreExpression& term) {
    const CoreExpression& x = term.operands()[0];
    if (x.op() == Op::variable && x.name().starts_with(free_name)) return set_free(it, known, term);
    const NumericEnds values = ExpressionEnds(it.scope, known).of(x);
    if (!values.last) return fail();
    if (!values.first || *values.first < 0) split_undefined(it, known, term);
    const std::int64_t first = *value_of({Op::digits, {std::max<std::int64_t>(values.first.value_or(0), 0)}});
    const std::int64_t last = *value_of({Op::digits, {std::max<std::int64_t>(*values.last, 0)}});
    for (std::int64_t b = first; b <= last; ++b) {
      const CoreEnd least = b == 0 ? CoreEnd(0) : value_of({Op::power, {b - 1}});
      const CoreEnd beyond = value_of({Op::power, {b}});
      if (!least || !beyond) return fail();
      QuestionCase one = replaced(it, term, b);
      one.asserted.push_back(at_most(*least, x));
      one.asserted.push_back(less(x, *beyond));
      split(std::move(one), narrowed(known, x, {least, *beyond - 1}));
    }
  }

  // x mod 2p = p, if p is the lowest digit.
  void split_lowest(const QuestionCase& it, const Known& known, const CoreExpression& term) {
    const CoreExpression& x = term.operands()[0];
    const NumericEnds values = ExpressionEnds(it.scope, known).of(x);
    if (!values.last || *values.last >= most_halved) return fail();
    if (!values.first || *values.first < 0) split_undefined(it, known, term);
    QuestionCase none = replaced(it, term, 0);
    none.asserted.push_back(equal(x, 0));
    split(std::move(none), known);
    for (std::int64_t p = 1; p <= *values.last; p *= 2) {
      QuestionCase one = replaced(it, term, p);
      one.asserted.push_back(at_most(p, x));
      one.asserted.push_back(equal({Op::modulo, {x, 2 * p}}, p));
      split(std::move(one), known);
    }
  }

  // Of a variable, or one plus a number, more is known.
  static Known narrowed(Known known, const CoreExpression& x, NumericEnds values) {
    const CoreExpression* name = &x;
    if (x.op() == Op::add && x.operands().size() == 2) {
      const bool behind = x.operands()[0].op() == Op::number;
      const CoreExpression& number = x.operands()[behind ? 0 : 1];
      name = &x.operands()[behind ? 1 : 0];
      if (number.op() != Op::number) return known;
      values = {*values.first - number.number(), *values.last - number.number()};
    }
    if (name->op() == Op::variable) known.insert_or_assign(name->name(), values);
    return known;
  }

  // By the values of a variable in the exponent.
  void split_power(const QuestionCase& it, const Known& known, const CoreExpression& term) {
    const CoreExpression& exponent = term.operands()[0];
    if (exponent.op() == Op::number && exponent.number() >= 0) return fail();  // too large to be folded
    if (exponent.op() == Op::number) return split_undefined(it, known, term);
    std::set<std::string> names;
    collect_names(exponent, names);
    const ExpressionEnds intervals(it.scope, known);
    for (const CoreRange& range : it.scope) {
      if (!names.contains(range.name)) continue;
      const NumericEnds values = intervals.of(variable(range.name));
      if (!values.first || !values.last || *values.last - *values.first >= most_of_one_variable) continue;
      for (std::int64_t v = *values.first; v <= *values.last; ++v) split(put(it, range.name, v), known);
      return;
    }
    fail();
  }

  static QuestionCase put(const QuestionCase& it, const std::string& name, std::int64_t value) {
    const CoreSubstitution by = {{name, value}};
    QuestionCase result;
    for (const CoreRange& range : it.scope) {
      if (range.name == name) continue;
      result.scope.push_back({range.name, folded(substituted(range.first, by)), std::nullopt});
      if (range.last) result.scope.back().last = folded(substituted(*range.last, by));
    }
    for (const CoreExpression& each : it.asserted) result.asserted.push_back(substituted(each, by));
    return result;
  }

  void fail() { failed_ = true; }

  std::vector<QuestionCase> cases_;
  bool failed_ = false;
  int made_ = 0;
};

// Quotients that are small are written out: of x = q·n + r, 0 <= r < n, q in -2 … 2. All others may be anything.
class Quotients {
 public:
  explicit Quotients(CoreRanges& scope) : scope_(scope) {}

  CoreExpression without(const CoreExpression& x) {
    if (x.operands().empty()) return x;
    std::vector<CoreExpression> of;
    for (const CoreExpression& each : x.operands()) of.push_back(without(each));
    const bool divides = (x.op() == Op::divide || x.op() == Op::modulo) && of[1].op() != Op::number;
    CoreExpression result(x.op(), std::move(of), x.number(), x.name());
    return divides ? written_out(result) : result;
  }

 private:
  CoreExpression written_out(const CoreExpression& x) {
    const std::string text = smt(x);
    if (const auto found = known_.find(text); found != known_.end()) return found->second;
    const CoreExpression& a = x.operands()[0];
    const CoreExpression& n = x.operands()[1];
    const std::string name = fmt::format("{}.{}", free_name, known_.size());
    scope_.push_back({name, 0, std::nullopt});
    CoreExpression result = variable(name);
    for (const std::int64_t q : {-2, 2, -1, 1, 0}) {
      const CoreExpression rest = a - CoreExpression(q) * n;
      result =
          choice(all_of({at_most(0, rest), less(rest, n)}), x.op() == Op::divide ? CoreExpression(q) : rest, result);
    }
    known_.emplace(text, result);
    return result;
  }

  CoreRanges& scope_;
  std::map<std::string, CoreExpression> known_;
};

// Numbers together, and without what changes nothing.
CoreExpression folded_many(Op op, const std::vector<CoreExpression>& operands) {
  const std::int64_t neutral = op == Op::add ? 0 : 1;
  CoreEnd number = neutral;
  std::vector<CoreExpression> others;
  const auto take = [&](const CoreExpression& each) {
    if (each.op() != Op::number) return others.push_back(each);
    number = of_two(op, number, each.number());
  };
  for (const CoreExpression& each : operands) {
    if (each.op() != op) take(each);
    if (each.op() == op) std::ranges::for_each(each.operands(), take);
  }
  if (!number) return {op, operands};
  if (op == Op::multiply && *number == 0) return 0;
  if (*number != neutral || others.empty()) others.emplace_back(*number);
  return others.size() == 1 ? others[0] : CoreExpression(op, std::move(others));
}

}  // namespace

CoreExpression folded(const CoreExpression& x) {
  if (x.operands().empty()) return x;
  std::vector<CoreExpression> of;
  for (const CoreExpression& each : x.operands()) of.push_back(folded(each));
  switch (x.op()) {
    case Op::conjunction:
      return all_of(std::move(of));
    case Op::disjunction:
      return any_of(std::move(of));
    case Op::negation:
      return negated(of[0]);
    case Op::choice:
      return of[0].op() == Op::truth ? of[of[0].is(true) ? 1 : 2] : CoreExpression(x.op(), std::move(of));
    case Op::add:
    case Op::multiply:
      return folded_many(x.op(), of);
    default:
      break;
  }
  CoreExpression result(x.op(), std::move(of));
  const auto plain = [](const CoreExpression& each) { return each.op() == Op::number || each.op() == Op::truth; };
  if (!std::ranges::all_of(result.operands(), plain)) return result;
  const auto value = evaluate(result, {});
  if (!value) return result;
  return result.is_truth() ? truth(*value != 0) : CoreExpression(*value);
}

QuestionCase without_quotients(const QuestionCase& whole) {
  QuestionCase result{whole.scope, {}};
  Quotients quotients(result.scope);
  for (const CoreExpression& each : whole.asserted) result.asserted.push_back(quotients.without(each));
  return result;
}

std::optional<std::vector<QuestionCase>> cases_of(QuestionCase whole) { return CaseSplitting().all(std::move(whole)); }

}  // namespace quadrille::proof_reader
