// The propositional formula of a question about a copying collective (verifier/FORMULA.md). Under a group it asks for
// an invariant schedule: then a variable stands for an orbit, and a constraint for its orbit.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/send_table.h"
#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/question.h"
#include "verifier/search/problem/symmetry.h"
#include "verifier/search/solver/clauses.h"

namespace quadrille::searching {

class ChunkFormula {
 public:
  // Numbers the variables. Keeps references to all arguments.
  ChunkFormula(const Question& question, const std::vector<Moves>& moves, const Orbits& orbits, Watch* watch = nullptr);

  // Writes the clauses. Returns the number of variables.
  int write(ClauseSink& sink);

  // The variables of the hops that are of use in schedules of T steps, but not in those of T - 1.
  std::vector<int> last_hops(std::uint32_t T) const;

  // Names the variables, but for counters. Requires the trivial group.
  void name_variables(const NameVariables& say) const;

  // The schedule of an assignment: the hops that are true. Their lanes are not chosen yet.
  std::vector<StoredRows::StepRow> rows(const std::function<bool(int variable)>& is_true) const;

 private:
  // The variables of one chunk and crossing, or place, for steps first … last; none if last < first.
  struct StepVariables {
    int variable = 0;
    std::uint32_t first = 1;
    std::uint32_t last = 0;
    int at(std::uint32_t step) const {
      return first <= step && step <= last ? variable + static_cast<int>(step - first) : 0;
    }
  };
  using AllStepVariables = std::vector<std::vector<StepVariables>>;  // [chunk][crossing or place]
  struct User {                                                      // a user of a channel
    std::size_t chunk;
    std::size_t crossing;
  };

  StepVariables numbered(std::uint32_t first, std::uint32_t last);
  void number_hops();
  void number_places();
  void number_held();
  void number_injections();
  void number_phases();
  void number_siblings();

  void leaving(ClauseSink& sink);
  void staying(ClauseSink& sink);
  void holding(ClauseSink& sink);
  void phases(ClauseSink& sink);
  void injecting(ClauseSink& sink);
  void demands(ClauseSink& sink);
  void queues(ClauseSink& sink);
  void once_is_enough(ClauseSink& sink);
  void injecting_once(ClauseSink& sink);
  void siblings(ClauseSink& sink);

  bool is_switch(std::size_t chunk, std::size_t place) const;
  bool keeps(std::size_t chunk, std::size_t place) const;  // whether a chunk there stays without a variable of its own
  bool is_first(std::size_t chunk, std::size_t crossing) const;
  bool is_first_place(std::size_t chunk, std::size_t place) const;
  void append_hops(ChannelId channel, std::uint32_t step, std::vector<int>& literals) const;
  int start_of_phase(std::uint32_t step) const;
  int hop_of_leaf(std::uint32_t leaf, std::uint32_t step) const;

  const Question& question_;
  const std::vector<Moves>& moves_;
  const Orbits& orbits_;
  Watch* watch_;
  std::uint32_t steps_;
  int next_ = 1;
  AllStepVariables hops_;
  AllStepVariables at_;
  AllStepVariables held_;
  AllStepVariables injected_;
  AllStepVariables early_;
  int phase_starts_ = 0;                          // the variable of step 2
  std::vector<std::vector<StepVariables>> sent_;  // [level][subtree]; siblings are ordered
  std::vector<std::vector<User>> users_;
};

}  // namespace quadrille::searching
