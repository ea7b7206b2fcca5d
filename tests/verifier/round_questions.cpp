#include "tests/verifier/round_questions.h"

#include <algorithm>

#include "verifier/certificate/formulas/formula.h"
#include "verifier/search.h"
#include "verifier/search/make_problem.h"
#include "verifier/search/problem/problem.h"

namespace quadrille::tests {
namespace {

Clauses sorted(Clauses clauses) {
  for (std::vector<int>& clause : clauses) std::ranges::sort(clause);
  return clauses;
}

}  // namespace

Fabric random_fabric_in_rounds(reference::Dice& dice) {
  const Fabric fabric = reference::random_fabric(dice);
  Rules rules = fabric.rules();
  rules.timing = Timing::rounds;
  rules.queue = {};
  rules.paths = dice.one_in(2) ? Paths::shared : Paths::held;
  return fabric.with_rules(rules);
}

bool messages_may_join(const Fabric& fabric, const Collective& collective) {
  return collective.combining() && fabric.switches_reduce() && fabric.has_switches();
}

bool links_alike(const Fabric& fabric) {
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const auto back = fabric.reverse(ChannelId(e));
    if (!back || fabric.channel(*back).capacity != fabric.channel(ChannelId(e)).capacity) return false;
  }
  return true;
}

Certificate question_in_rounds(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                               std::optional<std::uint32_t> volume) {
  const ProofFile proof{"proof", std::nullopt, ProofFile::About::rounds};
  return {fabric, collective, rounds, false, false, std::nullopt, proof, volume};
}

Clauses clauses_of_search(const Certificate& question) {
  Watch watch({});
  SearchGoal goal;
  if (question.volume) goal.phases = question.steps;
  const auto problem = searching::make_problem(question.fabric, question.collective, goal, watch);
  const searching::Group group = searching::trivial_group(question.fabric);
  Collected collected;
  const std::uint32_t T = question.volume.value_or(question.steps);
  problem->formula(T, group, searching::PathChoice::all, watch)->write(collected);
  return sorted(std::move(collected.clauses));
}

Clauses clauses_of_judge(const Certificate& question) {
  Clauses clauses;
  const Limits limits;
  Work work(limits);
  const auto add = [&](std::span<const std::int32_t> clause) {
    clauses.emplace_back(clause.begin(), clause.end());
    return true;
  };
  certificate::write_formula(question, ProofFile::About::rounds, add, work);
  return sorted(std::move(clauses));
}

}  // namespace quadrille::tests
