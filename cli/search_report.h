// What a search says, for people and for machines.
#pragma once

#include <string>
#include <string_view>

#include "cli/commands.h"
#include "verifier/search.h"

namespace quadrille::cli {

struct SearchReport {
  const SearchArguments& asked;
  const Fabric& fabric;
  const Collective& collective;
  const SearchGoal& goal;
  const SearchResult& result;
  double seconds = 0;
};

std::string search_text(const SearchReport& report);
std::string search_json(const SearchReport& report);

// The certificate of result.impossibility (verifier/CERTIFICATES.md); nothing if there is none, or no evidence for it.
std::optional<std::string> certificate_text(const SearchReport& report);

// The files beside a certificate by formula: the proof, and the formula for other checkers.
inline constexpr std::string_view proof_file = "proof.drat";
inline constexpr std::string_view formula_file = "formula.cnf";

}  // namespace quadrille::cli
