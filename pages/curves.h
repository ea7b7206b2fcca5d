// Pictures of curves: several panels of points over numbers that double, both axes logarithmic.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace quadrille::pages {

struct Curve {
  std::string name;                               // the same in all panels, for the legend and its colour
  std::vector<std::pair<double, double>> points;  // both numbers at least 1
};

struct Panel {
  std::string title;
  std::vector<Curve> curves;
};

// At most three panels a row, and a legend below, of all names in the order of the first panel. Points of several
// curves over the same x are at least a line apart, so that curves that coincide are all seen. Requires a panel, and a
// curve in each.
std::string drawn(const std::vector<Panel>& panels, const std::string& x_name, const std::string& y_name);

}  // namespace quadrille::pages
