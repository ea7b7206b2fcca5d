// Counts the clauses on their way to a solver, and stops a formula that would be too large for the solver.
//
//   a clause of three literals counts as 150 + 3 x 10 bytes, as measured on CaDiCaL
#include "verifier/search/solver/metered_clauses.h"

namespace quadrille::searching {
namespace {

// CaDiCaL's memory, as measured; it includes the variables that a clause brings, and learnt clauses.
constexpr std::uint64_t bytes_per_clause = 150;
constexpr std::uint64_t bytes_per_literal = 10;
constexpr std::uint64_t between_looks = 1U << 14;  // clauses

}  // namespace

MeteredClauses::MeteredClauses(ClauseSink& to, bool counts, std::uint64_t room, Watch& watch)
    : to_(to), counts_(counts), room_(room), watch_(watch), used_before_(watch.used()) {}

void MeteredClauses::clause(std::span<const int> literals) {
  pass(literals.size());
  to_.clause(literals);
}

void MeteredClauses::at_most(std::uint64_t k, std::span<const int> literals, int& next) {
  if (!counts_) {
    ClauseSink::at_most(k, literals, next);
  } else if (literals.size() > k) {
    pass(literals.size());
    to_.at_most(k, literals, next);
  }
}

std::uint64_t MeteredClauses::bytes() const { return clauses_ * bytes_per_clause + literals_ * bytes_per_literal; }

void MeteredClauses::pass(std::size_t literals) {
  ++clauses_;
  literals_ += literals;
  if (bytes() > room_) throw Ended{Reason::limit};
  if (clauses_ % between_looks != 0) return;
  watch_.require_open();
  const std::uint64_t used = watch_.used();
  if (used > used_before_ && used - used_before_ > room_) throw Ended{Reason::limit};
}

}  // namespace quadrille::searching
