// The position of a node in drawings. Units are those of the picture: neighbours are about 1 apart; x grows to the
// right, y downwards (model/layout/positions.h).
#pragma once

namespace quadrille {

struct NodePosition {
  double x = 0;
  double y = 0;
  bool operator==(const NodePosition&) const = default;
};

}  // namespace quadrille
