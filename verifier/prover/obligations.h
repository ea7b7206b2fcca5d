// What must be shown of a schedule's families, property by property (model/MODEL.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/prover/explanation.h"
#include "verifier/prover/obligation.h"
#include "verifier/prover/problem.h"
#include "verifier/prover/watch.h"

namespace quadrille::prover {

class Obligations {
 public:
  Obligations(Algebra& algebra, const Problem& problem, Watch& watch)
      : algebra_(algebra), problem_(problem), watch_(watch) {}

  // Each throws Unsupported, LimitsReached.
  void well_formed();
  void contention();
  void causal();
  void complete();

  std::vector<Obligation>& all() { return all_; }

  // How many sends the families make together; nothing if that has no closed form.
  std::optional<Number> messages();

 private:
  // One send (and target) of a family, with variables of its own.
  struct Sample : Flight {
    const Family* family = nullptr;
    Substitution renamed;
    std::vector<Atom> variables;
    std::vector<Atom> destinations;
    Formula given = nullptr;
    Number hops;
  };
  // `preset`: variables that are not new. `above`: this variable's values are above its preset one.
  Sample sample(const Family& family, const std::string& suffix, const Substitution& preset = {},
                std::optional<Atom> above = {});
  // Samples of two different sends of f and g, case by case: of one family, the first variable in which they differ is
  // larger in the second. `shared`: variables that have the same value in both.
  struct Pair {
    Sample a, b;
  };
  std::vector<Pair> two(const Family& f, const Family& g, const std::vector<Atom>& shared, bool with_destinations);
  // The variables that are the same for any two sends that are under way together, by the clocks that they share;
  // nothing if they never are.
  std::optional<std::vector<Atom>> meet(const Family& f, const Family& g);
  void pair(const Family& f, const Family& g);
  void pair_on_tree(const Sample& a, const Sample& b, Formula given);
  Number lower_apex(const Sample& a, const Sample& b);
  Shortcut subtrees_apart(const Number& end_a, const Number& end_b, const Number& top);
  bool never_equal(ProvedProperty property, const std::string& name, const std::string& what, const Sample& a,
                   const Sample& b, const Number& of_a, const Number& of_b);
  bool apexes_differ(const Sample& a, const Sample& b);
  void pair_on_ring(const Sample& a, const Sample& b, Formula given);
  void only_once(const Family& f, const Family& g);
  void arrives_before(const Family& family);
  std::optional<Number> count(const Family& family, bool with_destinations);
  std::optional<Number> count_destinations(const Family& family);
  std::optional<Number> counted(const std::vector<Atom>& variables, Number each, const std::vector<Atom>& outside);
  void add(ProvedProperty property, std::string name, std::string meaning, std::vector<Atom> scope, Formula given,
           Formula must, Span span, bool exact, Explanation explanation = {}, Span second = {},
           std::optional<Shortcut> shortcut = {});
  std::vector<Atom> scope_of(const Sample& a, const Sample& b) const;

  Algebra& algebra_;
  const Problem& problem_;
  Watch& watch_;
  std::vector<Obligation> all_;
};

}  // namespace quadrille::prover
