// What must be shown of a schedule's families, property by property (model/MODEL.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verifier/prover/decide.h"
#include "verifier/prover/problem.h"
#include "verifier/prover/story.h"

namespace quadrille::prover {

class Obligations {
 public:
  // `cancelled`: whether to stop; may be empty, and outlives the object.
  Obligations(Algebra& algebra, const Problem& problem, const std::function<bool()>& cancelled)
      : algebra_(algebra), problem_(problem), cancelled_(cancelled) {}

  // Each throws Beyond, Interrupted.
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
    std::vector<Atom> fan;
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
  std::vector<Pair> two(const Family& f, const Family& g, const std::vector<Atom>& shared, bool with_fan);
  // The variables that are the same for any two sends that are under way together, by the clocks that they share;
  // nothing if they never are.
  std::optional<std::vector<Atom>> meet(const Family& f, const Family& g);
  void pair(const Family& f, const Family& g);
  void pair_on_tree(const Sample& a, const Sample& b, Formula given);
  Number lower_turn(const Sample& a, const Sample& b);
  Shortcut subtrees_apart(const Number& end_a, const Number& end_b, const Number& top);
  bool never_equal(const std::string& property, const std::string& name, const std::string& what, const Sample& a,
                   const Sample& b, const Number& of_a, const Number& of_b);
  bool turn_elsewhere(const Sample& a, const Sample& b);
  void pair_on_ring(const Sample& a, const Sample& b, Formula given);
  void only_once(const Family& f, const Family& g);
  void arrives_before(const Family& family);
  std::optional<Number> count(const Family& family, bool with_fan);
  std::optional<Number> count_fan(const Family& family);
  std::optional<Number> counted(const std::vector<Atom>& variables, Number each, const std::vector<Atom>& outside);
  void add(std::string property, std::string name, std::string meaning, std::vector<Atom> scope, Formula given,
           Formula must, Span span, bool exact, Story story = {}, Span second = {},
           std::optional<Shortcut> shortcut = {});
  std::vector<Atom> scope_of(const Sample& a, const Sample& b) const;

  Algebra& algebra_;
  const Problem& problem_;
  const std::function<bool()>& cancelled_;
  std::vector<Obligation> all_;
};

}  // namespace quadrille::prover
