// Pairs of a schedule and a fabric, and what commands give of the retimed schedule there: its steps and verdict, its
// rows, its replays and its programs for other systems.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "tests/reference/compiled.h"

namespace quadrille::reference {

struct FrozenPair {
  std::string schedule;   // one that ships, "machine NAME" of machine_schedules.h, or "KIND SEED" of drawn_schedules.h
  std::string arguments;  // "N=6 root=1"
  std::string fabric;     // in notation; "own", also with a timing: "own,timing=steps"; or "drawn" with the seed
  auto operator<=>(const FrozenPair&) const = default;
};

struct FrozenOutcome {
  std::string source;  // a hash of the texts: if it has changed, the outcomes say nothing of the retimer
  // On the schedule's own fabric: "12 h" (12 steps, it holds), "12 v causal queue" (violated: what is), "12 u"
  // (unknown), or "refused:limit".
  std::string written;
  std::string retimed;  // likewise, on the fabric of the pair
  // Hashes of the retimed table (frozen_hashes.h); empty where it is refused.
  std::string rows;
  std::string replay;
  std::string programs;
  auto operator<=>(const FrozenOutcome&) const = default;
};

// Compiles each schedule once. Claims and invariants are not judged: they are no matter of the retimer's.
class PairRunner {
 public:
  // Of a pair that is not there any more, everything is empty.
  FrozenOutcome outcome(const FrozenPair& pair);

 private:
  struct Opened {
    std::string source;
    std::string target;  // of what is drawn
    std::shared_ptr<const ir::Schedule> schedule;
    std::map<std::string, std::string> written;  // by arguments
  };
  Opened& open(const std::string& schedule);

  std::map<std::string, Opened> opened_;
};

// Thousands of pairs in order, of schedules that are defined for their arguments: of all that ship, and of seeds.
std::vector<FrozenPair> pairs_to_freeze();

}  // namespace quadrille::reference
