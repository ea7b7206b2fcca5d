// These functions offer every split of a small fabric, and splits of a larger one that follow its links and its
// eigenvectors.
#pragma once

#include "verifier/bounds/split.h"

namespace quadrille::bounds {

// Whether all_splits() can look at all splits.
bool few_splits(const CutGraph& graph);

// Offers every split of 20 nodes or fewer; else every split of 20 processors or fewer, with each switch on the side
// where most of its links lead. Returns whether these were all splits that there are. Requires few_splits().
bool all_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Offers, for a number of links u--v that are evenly spread, the nodes nearer to u than to v.
void splits_at_links(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Offers sweeps: nodes come inside one by one, by their distance from some node, or in the order of an eigenvector.
void sweeps(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Improves each of the best splits by moving nodes across, and offers the results.
void improve(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Offers minimum cuts: between processors, by the Gomory-Hu tree, where links go both ways; else from and to the root.
void minimum_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

}  // namespace quadrille::bounds
