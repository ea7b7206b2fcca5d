// What a fabric has, by the names that a certificate's lines give.
#pragma once

#include <optional>

#include "model/fabric.h"
#include "verifier/certificate/pieces.h"

namespace quadrille::certificate {

// Each finds what is named, or reports that there is no such thing.
class FabricNames {
 public:
  // Keeps references.
  FabricNames(Pieces& text, const Fabric& fabric) : text_(text), fabric_(fabric) {}

  std::optional<NodeId> processor(TextPiece name) const;
  std::optional<ChannelId> channel(TextPiece name) const;
  std::optional<ChannelId> link(TextPiece name) const;  // the channel must be its link's lower-numbered one

 private:
  std::optional<NodeId> node(TextPiece name) const;

  Pieces& text_;
  const Fabric& fabric_;
};

}  // namespace quadrille::certificate
