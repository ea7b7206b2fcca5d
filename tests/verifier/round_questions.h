// Questions about rounds, for the search and the judge.
#pragma once

#include <cstdint>
#include <optional>

#include "tests/reference/random_tables.h"
#include "tests/verifier/collected_clauses.h"
#include "verifier/certificate.h"

namespace quadrille::tests {

Fabric random_fabric_in_rounds(reference::Dice& dice);

// Whether messages may join on the fabric, and whether its links are as wide both ways.
bool messages_may_join(const Fabric& fabric, const Collective& collective);
bool links_alike(const Fabric& fabric);

// Whether there is a proof about so many rounds, or of a volume in so many.
Certificate question_in_rounds(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                               std::optional<std::uint32_t> volume = {});

// The formulas of the search and of the judge; literals in order in each clause.
Clauses clauses_of_search(const Certificate& question);
Clauses clauses_of_judge(const Certificate& question);

}  // namespace quadrille::tests
