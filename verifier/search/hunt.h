// Hunt: one search, from bounds over constructions to formulas.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "verifier/search.h"
#include "verifier/search/attempt.h"
#include "verifier/search/problem.h"

namespace quadrille::searching {

class Hunt {
 public:
  // Keeps references to the arguments.
  Hunt(const Fabric& fabric, const Collective& collective, const SearchGoal& goal, const SearchOptions& options)
      : fabric_(fabric), collective_(collective), goal_(goal), options_(options) {}

  // To be called once.
  SearchResult run();

 private:
  void count();
  void count_over_time(std::uint64_t at_least);
  void rule_out(const Bound& bound, std::uint32_t T);
  bool settled() const;  // whether more work could not change the verdict
  bool cancelled() const { return options_.cancelled && options_.cancelled(); }
  void say(const std::string& what) const;

  void consider_known();
  void construct();
  void consider(SendTable table, std::string method);
  void take(SendTable table, std::uint64_t steps, std::string method);

  void solve();
  // Attempts for the same numbers of steps.
  struct Attempts {
    Attempt::Range steps;
    std::vector<std::unique_ptr<Attempt>> each;
  };

  std::uint32_t most_steps() const;
  bool try_all(std::uint32_t T, std::uint64_t conflicts);
  Attempts& attempts_for(std::uint32_t T);
  Attempt::Range steps_around(std::uint32_t T) const;
  void prepare(Attempts& attempts);
  void prepare_one(const Group& group, Ways ways, Attempts& attempts);
  std::string too_large(const std::string& what) const;
  std::uint64_t room_for(bool exact) const;
  bool try_one(Attempt& attempt, std::uint32_t T, std::uint64_t conflicts);
  void found(const Attempt& attempt);
  void refuted(const Attempt& attempt, std::uint32_t T, std::string reason);
  std::string formula_text(std::uint32_t T) const;
  void prove_bound();

  void conclude();

  const Fabric& fabric_;
  const Collective& collective_;
  const SearchGoal& goal_;
  const SearchOptions& options_;
  std::unique_ptr<Problem> problem_;
  std::vector<Group> groups_;  // the last one is trivial
  std::list<Attempts> attempts_;
  std::string too_large_;
  SearchResult result_;
};

}  // namespace quadrille::searching
