// One proof: a schedule, with one value for each pattern parameter.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "verifier/prove.h"
#include "verifier/prover/decide.h"
#include "verifier/prover/obligations.h"
#include "verifier/prover/unfold.h"

namespace quadrille::prover {

class Prover {
 public:
  using Arguments = std::map<std::string, std::string>;

  // `arguments`: as the options', and a word for each pattern parameter.
  Prover(const ir::Schedule& schedule, const ProveOptions& options, Watch& watch, Arguments arguments);

  Proof run();

  // Whether the proof speaks of capacities at all; else it is for any.
  bool uses_capacities() const;

  // A second opinion on run()'s proof: the smallest sizes are put to the checker, with each of these words for the
  // pattern parameters. Where all is proved, one that it refuses is a fault of the prover, and leaves the schedule
  // unknown; where something is unknown, it refutes the schedule.
  void ask_checker(const std::vector<Arguments>& patterns, Proof& proof);

 private:
  Proof attempted();
  void note(const Unsupported& problem);
  bool feasible(const std::vector<Atom>& scope, Formula given);
  std::vector<Atom> with_parameters(std::vector<Atom> scope) const;
  void unfold();
  void collect(bool with_apexes);
  void claim(const ir::Claim& claim, Obligations& obligations);
  static Explanation measured(const Measures& measures);
  void give_up(ProvedProperty property, const std::string& name, Span span, Reason reason, const std::string& why);
  void by_construction(ProvedProperty property, const std::string& name, const std::string& meaning);
  void decide_all();
  Decision decided(const Obligation& obligation, const std::vector<Atom>& small);
  const Decision& decision_of(const Obligation& obligation) const;
  void report(const Obligation& obligation, Decision& decision);
  // refute.cpp
  void refute(const Obligation& obligation, const Decision& decision, ProvedObligation& result);
  Assignment completed(Assignment values) const;
  Counterexample concretized(const Assignment& values);
  bool grounded(const Obligation& obligation) const;
  bool measures_right(const Obligation& obligation) const;
  bool tell(const Obligation& obligation, const Assignment& values, Counterexample& found) const;
  std::optional<bool> held(const Arguments& size);
  bool confirmed(const Obligation& obligation, const Decision& decision);
  bool is_counterexample(const Obligation& obligation, const Assignment& values) const;
  void weigh(const Obligation& obligation, const Counterexample& found, ProvedObligation& result) const;
  void judge();
  // second_opinion.cpp
  std::vector<Assignment> smallest_sizes() const;
  Arguments at_size(const Assignment& size) const;
  std::optional<Arguments> refused_size(const std::vector<Arguments>& patterns, bool all);

  const ir::Schedule& schedule_;
  const ProveOptions& options_;
  Watch& watch_;
  Arguments arguments_;
  Algebra algebra_;
  std::unique_ptr<Unfolder> unfolder_;
  std::vector<Obligation> obligations_;
  std::vector<Decision> decisions_;                // likewise
  std::map<Arguments, std::optional<bool>> held_;  // what the checker has said
  std::mutex held_mutex_;
  std::vector<ProvedObligation> open_;  // properties that are not, or not wholly, written down
  std::atomic<bool> enough_ = false;    // something is refuted, and no more was asked for
  bool unfolded_ = false;               // all sends are known
  Proof proof_;
};

}  // namespace quadrille::prover
