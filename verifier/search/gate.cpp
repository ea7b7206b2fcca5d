#include "verifier/search/gate.h"

#include <utility>

namespace quadrille::searching {
namespace {

// Of CaDiCaL, as measured; with the variables that a clause brings, and what is learnt.
constexpr std::uint64_t bytes_per_clause = 150;
constexpr std::uint64_t bytes_per_literal = 10;
constexpr std::uint64_t between_looks = 1U << 14;  // clauses

}  // namespace

Gate::Gate(ClauseSink& to, bool counts, std::uint64_t room, std::function<bool()> cancelled)
    : to_(to), counts_(counts), room_(room), cancelled_(std::move(cancelled)) {}

void Gate::clause(std::span<const int> literals) {
  pass(literals.size());
  to_.clause(literals);
}

void Gate::at_most(std::uint64_t k, std::span<const int> literals, int& next) {
  if (!counts_) {
    ClauseSink::at_most(k, literals, next);
  } else if (literals.size() > k) {
    pass(literals.size());
    to_.at_most(k, literals, next);
  }
}

std::uint64_t Gate::bytes() const { return clauses_ * bytes_per_clause + literals_ * bytes_per_literal; }

void Gate::pass(std::size_t literals) {
  ++clauses_;
  literals_ += literals;
  if (bytes() > room_) throw Abandoned::too_large;
  if (clauses_ % between_looks == 0 && cancelled_ && cancelled_()) throw Abandoned::cancelled;
}

}  // namespace quadrille::searching
