// A sheet: a figure that is written from its head down: lines of text, a picture, a legend, a caption.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pages/svg.h"

namespace quadrille::pages {

inline constexpr double margin = 8;

// What a colour in the picture means; as a line, of that width, or as a filled square.
struct LegendEntry {
  std::string name;
  std::string_view colour;
  double line = 0;  // 0: a square
  std::string_view dashes = {};
};

class Sheet {
 public:
  explicit Sheet(double width) : width_(width) {}

  Svg& svg() { return svg_; }
  double width() const { return width_; }
  double top() const { return top_; }  // where the next piece begins
  void skip(double height) { top_ += height; }

  // Wrapped to the sheet's width; all of it, however long.
  void write(std::string_view text, std::string_view colour = colours::text, bool bold = false);
  void legend(const std::vector<LegendEntry>& entries);

  std::string finished(std::string_view title) const { return svg_.finished(width_, top_ + margin, title); }

 private:
  Svg svg_;
  double width_;
  double top_ = margin / 2;
};

}  // namespace quadrille::pages
