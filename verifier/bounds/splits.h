// Generators of splits: every split of a small fabric; for a larger one, splits along its links and eigenvectors.
#pragma once

#include "verifier/bounds/split.h"

namespace quadrille::bounds {

// Whether the fabric is small enough for all_splits().
bool few_splits(const CutGraph& graph);

// Offers every split of 20 nodes or fewer; else every split of 20 processors or fewer, with each switch on the side
// where most of its links lead. Returns whether these were all splits. Requires few_splits().
bool all_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Offers, for links u--v, the nodes nearer to u than to v. Looks at a number of links that are evenly spread.
void splits_at_links(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Sweeps: moves the nodes inside one by one, by their distance from some node, or in the order of an eigenvector.
void sweeps(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Offers improved versions of the best splits, made by moving nodes across.
void improve(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Offers minimum cuts: between processors, from the tree of Gomory and Hu, if links have the same capacity both ways;
// else from and to the root.
void minimum_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

}  // namespace quadrille::bounds
