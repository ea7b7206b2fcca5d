// Groups: how often every schedule must cross the borders of groups of processors, and how often it can.
//
// A unit (a value, or a chunk) enters a group where a packet of it comes to a processor in the group that a processor
// outside has sent. Of k groups a value that all want of all makes 2 (k - 1) entries; one that one wants of all, and a
// chunk that all want, k - 1 (CERTIFICATES.md has the proof). Different entries have different rows, which cross the
// channels that cut their group off.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric.h"
#include "model/limits/work.h"
#include "verifier/certificate.h"
#include "verifier/certificate/pieces.h"

namespace quadrille::certificate {

// `lines`: what follows the word `group` in each. Reports names that the fabric does not have. Throws Ended.
GroupCuts read_groups(Pieces& text, const std::vector<TextPiece>& lines, GroupCuts::Crossed border,
                      const Fabric& fabric, Work& work);

// The crossings of borders that all units together must make, and those that there is room for in all steps.
struct EntryCount {
  std::uint64_t needed = 0;
  std::uint64_t room = 0;
  std::optional<std::string> fault = {};  // why there is no count
};

// Believes nothing of the groups: neither that they are disjoint and have all processors, nor that the channels of each
// cut it off. Throws Ended. Cost: for each group a visit of the nodes and channels on its side.
EntryCount count_entries(const Certificate& certificate, const GroupCuts& groups, Work& work);

}  // namespace quadrille::certificate
