// A certificate of prices as its file has it, written by hand: nothing of the product's writer is in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "verifier/bounds.h"

namespace quadrille::tests {

inline std::string price_certificate(const Fabric& fabric, const Collective& collective, std::uint32_t steps,
                                     const std::vector<PriceList>& lists) {
  std::string text = "quadrille certificate 1\nfabric " + fabric.notation() + "\ncollective " + collective.notation() +
                     "\nsteps " + std::to_string(steps) + "\ninject many\nevidence prices\n";
  for (const PriceList& list : lists) {
    text += "price " + list.resource + " " + std::to_string(list.first) + ":";
    for (const std::uint64_t price : list.prices) text += " " + std::to_string(price);
    text += "\n";
  }
  return text;
}

}  // namespace quadrille::tests
