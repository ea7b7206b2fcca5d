// Samples are single sends of families, with variables of their own, that obligations are about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/prover/obligations/explanation.h"
#include "verifier/prover/obligations/writing.h"

namespace quadrille::prover {

// The unit that a sample stands for: a send, with all its targets; a message to one target, with all its chunks; or a
// delivery of one chunk to one target.
enum class Each : std::uint8_t { send, message, delivery };

// One send (target, chunk) of a family.
struct Sample : SymbolicFlight {
  const Family* family = nullptr;
  Substitution renamed;
  std::vector<Atom> variables;
  std::vector<Atom> destinations;
  std::vector<Atom> chunks;
  Formula given = nullptr;
  Number hops;
  std::vector<Atom> scope() const;
};

// Makes a sample. `preset`: values of variables that are not new. `above`: the variable whose value is above its
// preset one.
Sample sample(const Writing& writing, const Family& family, Each each, const std::string& suffix,
              const Substitution& preset = {}, std::optional<Atom> above = {});

// Samples of two different sends of f and g, case by case. For one family, the first variable in which they differ is
// larger in the second. `shared`: variables that have the same value in both.
struct SamplePair {
  Sample a, b;
  std::vector<Atom> scope() const;  // the variables of both
};
std::vector<SamplePair> two_sends(const Writing& writing, const Family& f, const Family& g,
                                  const std::vector<Atom>& shared, Each each);

// The clocks from the outermost one to this one.
std::vector<const Clock*> path_to(const Clock* clock);
// The variables that have the same value in any two sends that are under way together, by the clocks that they share.
// Nothing if two sends are never under way together. Throws Unsupported.
std::optional<std::vector<Atom>> shared_while_under_way(const Family& f, const Family& g);

// Whether one of two numbers is always larger than the other, by a chain of bounds (decide.h). If so, this is written
// as obligations like `like`, which gives the property and the place. `what`: "the time of the way up".
bool write_never_equal(const Writing& writing, const Obligation& like, const std::string& what, const SamplePair& pair,
                       const Number& of_a, const Number& of_b);

}  // namespace quadrille::prover
