// Samples: single sends of families, with variables of their own, for obligations to speak of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/prover/obligations/explanation.h"
#include "verifier/prover/obligations/writing.h"

namespace quadrille::prover {

// What is told apart: sends, whatever their targets; messages, one to each target, whatever their chunks; or what is
// delivered, each chunk to each target.
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

// `preset`: variables that are not new. `above`: this variable's values are above its preset one.
Sample sample(const Writing& writing, const Family& family, Each each, const std::string& suffix,
              const Substitution& preset = {}, std::optional<Atom> above = {});

// Samples of two different sends of f and g, case by case: of one family, the first variable in which they differ is
// larger in the second. `shared`: variables that have the same value in both.
struct SamplePair {
  Sample a, b;
  std::vector<Atom> scope() const;  // the variables of both
};
std::vector<SamplePair> two_sends(const Writing& writing, const Family& f, const Family& g,
                                  const std::vector<Atom>& shared, Each each);

// The variables that are the same for any two sends that are under way together, by the clocks that they share; nothing
// if they never are. Throws Unsupported.
std::optional<std::vector<Atom>> shared_while_under_way(const Family& f, const Family& g);

// Whether one of two numbers is always larger than the other, by a chain of bounds (chain.h); that it is, is then
// written: `like` says of which property, and where. `what`: "the time of the way up".
bool write_never_equal(const Writing& writing, const Obligation& like, const std::string& what, const SamplePair& pair,
                       const Number& of_a, const Number& of_b);

// The ways on which packets of two families meet, by the machine's strategy.
void write_contention_by_levels(const Writing& writing, const SamplePair& pair);
void write_contention_by_crossings(const Writing& writing, const SamplePair& pair);
// Of messages.
void write_contention_in_rounds(const Writing& writing, const SamplePair& pair);
// That they do not go against each other, on any machine.
void write_half_duplex(const Writing& writing, const SamplePair& pair);

}  // namespace quadrille::prover
