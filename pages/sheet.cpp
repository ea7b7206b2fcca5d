// Text and legends, line by line.
#include "pages/sheet.h"

namespace quadrille::pages {
namespace {

constexpr double swatch = 14;

void draw_swatch(Svg& svg, Point at, const LegendEntry& entry) {
  if (entry.line > 0) {
    svg.lines({{at.x, at.y - 3}, {at.x + swatch, at.y - 3}}, {entry.colour, entry.line, entry.dashes});
  } else {
    svg.rectangle({at.x + 3, at.y - 7}, 8, 8, entry.colour);
  }
}

}  // namespace

void Sheet::write(std::string_view text, std::string_view colour, bool bold) {
  const double room = (width_ - 2 * margin) * (bold ? 0.94 : 1);
  for (const std::string& line : wrapped(text, room)) {
    top_ += line_height;
    svg_.text({margin, top_ - 2}, line, Anchor::start, colour, bold);
  }
}

void Sheet::legend(const std::vector<LegendEntry>& entries) {
  double x = margin;
  top_ += line_height;
  for (const LegendEntry& entry : entries) {
    const double needed = swatch + 4 + text_width(entry.name);
    if (x > margin && x + needed > width_ - margin) {
      x = margin;
      top_ += line_height;
    }
    draw_swatch(svg_, {x, top_ - 2}, entry);
    svg_.text({x + swatch + 4, top_ - 2}, wrapped(entry.name, width_ - 2 * margin - swatch - 4).front());
    x += needed + 8;
  }
}

}  // namespace quadrille::pages
