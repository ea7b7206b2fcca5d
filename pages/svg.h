// SVG: elements of a figure, written one after another. The same calls give the same bytes: numbers have two decimals
// at most, no locale, time or chance has a say, and fonts are named, not measured.
//
// A column of a paper is 84 mm wide, about 320 px; its text is 9.5 px, a little over 7 pt.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::pages {

inline constexpr double column_width = 320;
inline constexpr double font_size = 9.5;
inline constexpr double line_height = 12;

// M. Okabe, K. Ito: Color Universal Design (2008): eight colours that all people tell apart. Vermilion is for what is
// violated, and for nothing else where there may be such; `series` are the others.
namespace colours {
inline constexpr const char* violated = "#D55E00";
inline constexpr const char* text = "#000000";
inline constexpr const char* faint = "#BBBBBB";
inline constexpr std::array<const char*, 7> series{"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                                   "#56B4E9", "#F0E442", "#000000"};
// From little to much, told apart by how dark they are, too.
inline constexpr std::array<const char*, 5> amounts{"#DDDDDD", "#9ECAE1", "#4292C6", "#08519C", "#041E42"};
}  // namespace colours

struct Point {
  double x = 0;
  double y = 0;
  Point operator+(Point other) const { return {x + other.x, y + other.y}; }
  Point operator-(Point other) const { return {x - other.x, y - other.y}; }
  Point operator*(double factor) const { return {x * factor, y * factor}; }
};

struct Stroke {
  std::string_view colour = colours::text;
  double width = 1;
  std::string_view dashes = {};  // "4 2"; empty: none
};

enum class Anchor : unsigned char { start, middle, end };

class Svg {
 public:
  // No stroke: an empty colour. No filling: "none".
  void rectangle(Point corner, double width, double height, std::string_view fill, const Stroke& stroke = {""});
  void circle(Point centre, double radius, std::string_view fill, const Stroke& stroke = {""});
  void lines(const std::vector<Point>& points, const Stroke& stroke);
  void polygon(const std::vector<Point>& points, std::string_view fill);
  void curve(Point from, Point first, Point second, Point to, const Stroke& stroke);  // a cubic, by its control points
  // The point is on the base line.
  void text(Point at, std::string_view text, Anchor anchor = Anchor::start, std::string_view colour = colours::text,
            bool bold = false);

  // The whole file, on white; `title` is for those who hear it read.
  std::string finished(double width, double height, std::string_view title) const;

 private:
  std::string body_;
};

// "12.5", "3", "-0.25": at most two decimals.
std::string number(double value);

// About how wide a text is, in px; rather more than less.
double text_width(std::string_view text);

// Lines of at most this width, broken at blanks; a longer word is broken anywhere.
std::vector<std::string> wrapped(std::string_view text, double width);

}  // namespace quadrille::pages
