// Needs for every size: what any schedule must bring to a processor, or take away from it (verifier/bounds/needs.cpp
// has them for one size).
#pragma once

#include <string>
#include <vector>

#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// A formula that must be true of these variables wherever they are in their ranges and `given` holds.
struct Premise {
  std::string words;
  std::vector<Atom> scope = {};
  Formula given = nullptr;
  Formula must = nullptr;
};

// If the premises hold, so many units, different chunks or values, must come to the processor over `distance`
// channels or more; or, for a need out of it, must leave it for processors that far away. `partners`: if not 0, the
// processor must also hear from (or tell) so many others.
struct Need {
  std::string words;  // "processor 0 must receive N - 1 packets"
  Number processor;
  Number units;
  Number distance = 1;
  Number partners = 0;
  std::vector<Premise> premises;
};

// Candidates for needs. A premise of most of them fails.
class Needs {
 public:
  Needs(Algebra& algebra, const Problem& problem) : algebra_(algebra), problem_(problem) {}

  // The candidates for processors 0, the root, and the last one.
  std::vector<Need> all();
  // The premise that every processor wants everyone's contribution to every value.
  Premise everyone_wants_all();
  // The units that must go from processors below `first` to the others; a packet for everyone, or a value, counts
  // once.
  Need across(const Number& first);

 private:
  enum class NeedDirection : std::uint8_t { in, out };
  void add_copied(const Number& p, NeedDirection direction, std::vector<Need>& all);
  void add_combined(const Number& p, NeedDirection direction, std::vector<Need>& all);
  void add_values(const Number& p, NeedDirection direction, const Number& first, const Number& last,
                  std::vector<Need>& all);
  // Needs from (for) all other processors; from those with numbers from `first` on, up to `distance`; from one.
  Need of_others(const Number& p, NeedDirection direction);
  Need of_far(const Number& p, NeedDirection direction, const Number& first, const Number& distance);
  Need of_one(const Number& p, NeedDirection direction, const Number& other);

  Formula packet(const Number& p, NeedDirection direction, const Number& other);
  Formula exists(const Number& processor);
  Formula differ(const Number& a, const Number& b) { return algebra_.negation(algebra_.equal(a, b)); }
  Number hops(const Number& p, NeedDirection direction, const Number& other);
  Formula wanted(const Number& value, const Number& processor);
  Number last_wanted(const Number& value, const Number& processor);
  std::vector<Number> processors();
  bool once(NeedDirection direction) const {
    return direction == NeedDirection::out && problem_.collective.terms.for_everyone;
  }
  Number root() const { return problem_.collective.parameters[1]; }
  Number middle();
  Number last() const { return problem_.processors - Number(1); }

  Algebra& algebra_;
  const Problem& problem_;
};

}  // namespace quadrille::prover
