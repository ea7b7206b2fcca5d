// Every split of a small fabric, and those that follow its links and its vibrations where it is larger.
#pragma once

#include "verifier/bounds/split.h"

namespace quadrille::bounds {

// Whether all_splits() can look at all of them.
bool few_splits(const CutGraph& graph);

// Offers every split of 20 nodes or fewer; else every one of 20 processors or fewer, with each switch where most of its
// links lead. Whether that were all there are. Requires few_splits().
bool all_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// For the links u--v, the nodes nearer to u than to v: each of a number of links, evenly spread.
void splits_at_links(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Sweeps: the nodes come inside one by one, by their distance from some node, or in the order of an eigenvector.
void sweeps(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Of the best, each improved by moving nodes across.
void improve(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

// Minimum cuts: between processors, as the tree of Gomory and Hu has them where links go both ways, else from and to
// the root.
void minimum_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best);

}  // namespace quadrille::bounds
