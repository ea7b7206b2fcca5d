// The propositional formula of a question about a copying collective (verifier/FORMULA.md). Under a group it asks for
// an invariant schedule: then a variable stands for an orbit, and a constraint for its orbit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"
#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/problem.h"
#include "verifier/search/problem/symmetry.h"
#include "verifier/search/solver/solver.h"

namespace quadrille::searching {

// The question that the search asks again and again: is there a schedule of T steps? (verifier/FORMULA.md)
struct Question {
  Fabric fabric;
  Collective collective;
  std::uint32_t steps = 1;  // T, at least 1
  bool inject_once = false;
  bool keep_to_paths = false;
  std::optional<std::uint32_t> phases = {};  // at least 1, at most T
};

class ChunkFormula final : public ScheduleFormula {
 public:
  // Numbers the variables. Keeps references to the moves, the group and the watch.
  ChunkFormula(Question question, const std::vector<Moves>& moves, const Group& group, Watch* watch = nullptr);

  int write(ClauseSink& sink) override;
  std::vector<int> last_hops(std::uint32_t T) const override;
  void name_variables(const NameVariables& say) const override;
  std::vector<StepRow> rows(const std::function<bool(int variable)>& is_true) const override;

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
  template <class Own>
  void number_places(AllStepVariables& all, const Own& own);
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
  int start_of_phase(std::uint32_t step) const;
  int hop_of_leaf(std::uint32_t leaf, std::uint32_t step) const;

  Question question_;
  const std::vector<Moves>& moves_;
  Orbits orbits_;
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
