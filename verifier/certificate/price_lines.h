// The `price` lines of a certificate.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric.h"
#include "model/limits/work.h"
#include "verifier/certificate.h"
#include "verifier/certificate/pieces.h"

namespace quadrille::certificate {

// `lines`: what follows the word `price` in each. Reports what is wrong. Throws Ended.
std::vector<Price> read_prices(Pieces& text, const std::vector<TextPiece>& lines, const Fabric& fabric,
                               std::uint32_t steps, Work& work);

}  // namespace quadrille::certificate
