#include "verifier/search/attempt.h"

namespace quadrille::searching {
namespace {

struct Counting final : ClauseSink {
  Counting(ClauseSink& sink, std::uint64_t& clauses) : to(sink), number(clauses) {}
  using ClauseSink::clause;
  void clause(std::span<const int> literals) override {
    ++number;
    to.clause(literals);
  }
  ClauseSink& to;
  std::uint64_t& number;
};

}  // namespace

Attempt::Attempt(const Problem& problem, std::uint32_t T, const Group& group, Ways ways, const SearchOptions& options)
    : group_(group), ways_(ways), formula_(problem.formula(T, group, ways)) {
  if (options.z3) {
    solver_ = make_z3();
    variables_ = formula_->write(*solver_);
    return;
  }
  std::function<void(std::string_view)> proof;
  if (options.evidence && exact() && problem.provable()) proof = [this](std::string_view text) { proof_ += text; };
  solver_ = make_cadical(std::move(proof));
  Counting counting(*solver_, clauses_);
  variables_ = formula_->write(counting);
}

std::string Attempt::schedules() const {
  const std::string which = ways_ == Ways::all ? "schedules" : "schedules on shortest ways";
  if (group_.elements.size() > 1) return which + " invariant under " + group_.name;
  return ways_ == Ways::all ? "all schedules" : which;
}

}  // namespace quadrille::searching
