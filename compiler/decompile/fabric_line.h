// fabric_line writes a fabric as a schedule names it, or declares it.
#pragma once

#include <string>
#include <vector>

#include "model/fabric.h"
#include "model/families.h"
#include "model/text/result.h"

namespace quadrille {

struct FabricText {
  std::string text;                   // the lines: `fabric NAME(…)`, perhaps below the definition of NAME
  Fabric fabric;                      // of the text: the same nodes and channels, perhaps with other default routes
  std::vector<std::string> switches;  // the names of its switches in statements, by number

  // The node as a statement writes it: "3", "leaf[0]", "switch(2, 0)", "\"spine-1\"".
  std::string node(NodeId id) const;
};

// Returns the lines for a fabric. It is named where a family makes it; the title of a graph says which one that is. Any
// other fabric is declared link by link (declaration.h). An error with Code::limit if that has too many links.
Result<FabricText> fabric_line(const Fabric& fabric, const Families& families);

}  // namespace quadrille
