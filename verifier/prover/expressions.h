// Evaluating a schedule's expressions for every size.
#pragma once

#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "compiler/ir.h"
#include "verifier/prover/algebra.h"
#include "verifier/prover/problem.h"

namespace quadrille::prover {

// The elements that a set has for each value of `variables` with which `given` holds; different values give different
// elements.
struct Piece {
  std::vector<Atom> variables;
  Formula given = nullptr;
  Number element;
};
struct Set {
  std::vector<Piece> pieces;
  bool everyone = false;  // `all`
};
using Value = std::variant<std::monostate, Number, Formula, Set, std::size_t>;  // the last: a procedure
using Frame = std::vector<Value>;

// The conditions under which something is evaluated: variables in their ranges, and what the ifs around it say.
class Path {
 public:
  explicit Path(Algebra& algebra) : algebra_(algebra), given_(algebra.truth(true)) {}
  const std::vector<Atom>& scope() const { return scope_; }
  Formula given() const { return given_; }

  // Adds to the path while it lives.
  class Step {
   public:
    Step(Path& path, std::vector<Atom> variables, Formula given);
    ~Step();
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Path& path_;
    std::size_t scope_;
    Formula given_;
  };

 private:
  Algebra& algebra_;
  std::vector<Atom> scope_;
  Formula given_;
};

// One more call is open while it lives.
class Deeper {
 public:
  explicit Deeper(unsigned& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  unsigned& depth_;
};

// What `steps` and the like are in claims.
struct Measures {
  std::optional<Number> steps, messages, max_queue;
};

class Expressions {
 public:
  Expressions(Algebra& algebra, Problem& problem, std::vector<Value> parameters);

  // Throws Unsupported where something has no value for every size here.
  Value value(const ir::Expression& e, Frame& frame);
  Number number(const ir::Expression& e, Frame& frame) { return std::get<Number>(value(e, frame)); }
  Formula truth(const ir::Expression& e, Frame& frame) { return std::get<Formula>(value(e, frame)); }
  Set set(const ir::Expression& e, Frame& frame) { return std::get<Set>(value(e, frame)); }

  // Binds the variables one after another and calls visit() for each combination of pieces of their sets.
  void bind(const std::vector<ir::Binding>& bindings, Frame& frame, const std::function<void()>& visit);

  // What must hold here for the schedule to mean anything. Where it fails, `failure` says with the number in place of
  // {}.
  void require(Formula must, std::string words, Span span, std::string failure = {}, Number number = {});

  Path& path() { return path_; }
  void set_measures(Measures measures) { measures_ = std::move(measures); }

 private:
  void bind_from(std::size_t i, const std::vector<ir::Binding>& bindings, Frame& frame,
                 const std::function<void()>& visit);
  Value conditional(const ir::Expression& e, Frame& frame);
  Value call(const ir::Expression& e, Frame& frame);
  Value constant(const ir::Expression& e);
  Number pattern(const ir::Expression& e, Frame& frame);
  Value builtin(const ir::Expression& e, Frame& frame);
  Number measure(ir::Builtin which, Span span) const;
  Value binary(const ir::Expression& e, Frame& frame);
  Number arithmetic(const ir::Expression& e, const Number& a, const Number& b);
  Number power(const ir::Expression& e, const Number& base, const Number& exponent);
  Number two_to(const Number& exponent, Span span);
  Value comparison(const ir::Expression& e, const Value& a, const Value& b);
  Set range(const Number& first, const Number& last);
  Set comprehension(const ir::Expression& e, Frame& frame);
  Value fold(const ir::Expression& e, Frame& frame);
  Number sum(const ir::Expression& e, Frame& frame);
  Number extreme(const ir::Expression& e, Frame& frame);
  Formula every(const ir::Expression& e, Frame& frame, bool all);

  Algebra& algebra_;
  Problem& problem_;
  std::vector<Value> parameters_;  // patterns: nothing
  Path path_;
  Measures measures_;
  unsigned depth_ = 0;
};

}  // namespace quadrille::prover
