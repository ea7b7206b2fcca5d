// What a search says, for people and for machines.
#pragma once

#include <string>

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
// `proof_file`: the name that a proof is written to.
std::optional<std::string> certificate_text(const SearchReport& report, const std::string& proof_file);

}  // namespace quadrille::cli
