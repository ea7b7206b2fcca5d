// The part of the page of ideal fat trees (ideal_page.cpp) that is about the paper's Table 1: counts beside asymptotic
// claims, and from which size on one algorithm is shorter than another.
#pragma once

#include <string>

namespace quadrille::golden {

// Markdown, from an empty line on.
std::string ideal_table_1();

}  // namespace quadrille::golden
