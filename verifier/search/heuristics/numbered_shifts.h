// Groups of shifts of the processors' numbers, digit by digit: machines are numbered server by server, and the places
// in them alike.
#pragma once

#include <vector>

#include "model/fabric.h"
#include "verifier/search/problem/symmetry.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Groups that move every processor and keep the fabric: cyclic shifts of some digits of the numbers, largest first.
// They are a dozen at most; none if no shift keeps the fabric, and on more than 4096 processors. Throws Ended when the
// watch has reached its limits.
std::vector<Group> numbered_shifts(const Fabric& fabric, Watch& watch);

}  // namespace quadrille::searching
