// Threads take the obligations in their order, one after another. If several obligations ask the same (claims may
// build on the same times), the first one is decided for all of them.
//
// Example: two claims about `steps` build on the same "no packet arrives after step n - 1": Z3 is asked once.
//
// Cost: the sum of the costs of decide(), divided among the threads.
#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include "verifier/prover/solver/decide.h"

namespace quadrille::prover {
namespace {

bool asks_the_same(const Obligation& a, const Obligation& b) {
  return a.given == b.given && a.must == b.must && a.scope == b.scope;
}

// For each obligation, the index of the first one that asks the same.
std::vector<std::size_t> first_alike(const std::vector<Obligation>& obligations) {
  std::vector<std::size_t> result(obligations.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    while (!asks_the_same(obligations[i], obligations[result[i]])) ++result[i];
  }
  return result;
}

Decision left_open(Reason reason, std::string why) {
  Decision decision;
  decision.reason = reason;
  decision.why = std::move(why);
  return decision;
}

// Several threads use one object.
class Discharge {
 public:
  Discharge(const Algebra& algebra, const Discharging& how, std::size_t obligations)
      : algebra_(algebra), how_(how), obligations_(obligations) {}

  // Decides an obligation. It throws nothing.
  Decision decided(const Obligation& obligation) {
    if (enough_) return left_open(Reason::cancelled, "not asked after a refutation");
    const Reason reached = how_.effort.watch.reached();
    if (reached != Reason::none) return left_open(reached, why_of(reached));
    how_.effort.watch.report({.stage = "proving", .done = done_++, .of = obligations_, .unit = "obligations"});
    Decision decision = decide(algebra_, obligation, how_.small, how_.effort);
    try {
      if (how_.enough && how_.enough(obligation, decision)) enough_ = true;
    } catch (const std::exception& problem) {
      decision.verdict = ProofVerdict::unknown;
      Failure failure = failure_of(problem);
      decision.reason = failure.reason;
      decision.why = std::move(failure.why);
    }
    return decision;
  }

  bool enough() const { return enough_; }

 private:
  const Algebra& algebra_;
  const Discharging& how_;
  std::size_t obligations_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> enough_ = false;
};

}  // namespace

Decisions discharge(const Algebra& algebra, const std::vector<Obligation>& obligations, const Discharging& how) {
  std::vector<Decision> decisions(obligations.size());
  const std::vector<std::size_t> alike = first_alike(obligations);
  Discharge discharge(algebra, how, obligations.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < obligations.size(); i = next++) {
      if (alike[i] == i) decisions[i] = discharge.decided(obligations[i]);
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < how.threads; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  for (std::size_t i = 0; i < alike.size(); ++i) decisions[i] = decisions[alike[i]];
  return {std::move(decisions), discharge.enough()};
}

}  // namespace quadrille::prover
