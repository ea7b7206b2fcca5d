// The order of siblings in fat trees: variables 7 and constraint 14 of verifier/FORMULA.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "verifier/certificate.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

class Siblings {
 public:
  // Numbers the variables, if siblings are ordered.
  Siblings(const Certificate& question, Writer& writer);

  // `hop_of`: the leaf's hop out of it in a step, of its own chunk.
  void write(const std::function<std::int32_t(NodeId leaf, std::uint32_t step)>& hop_of);

 private:
  struct Subtree {
    std::uint32_t first_leaf = 0;
    std::uint32_t last_leaf = 0;
    Series sent;
    std::optional<std::size_t> left_sibling;  // in subtrees_
  };

  std::uint32_t T_;
  Writer& writer_;
  std::vector<Subtree> subtrees_;  // in the order of their variables; none if siblings are not ordered
};

}  // namespace quadrille::certificate
