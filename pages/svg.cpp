// Elements as strings. Text is made fit to be shown, then escaped.
#include "pages/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/text/printable.h"

namespace quadrille::pages {
namespace {

constexpr double widest_character = 0.62;  // of the font's size: digits have 0.56, `m` and `w` more, most letters less

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string stroke_of(const Stroke& stroke) {
  if (stroke.colour.empty()) return "";
  std::string text = fmt::format(" stroke=\"{}\"", stroke.colour);
  if (stroke.width != 1) text += fmt::format(" stroke-width=\"{}\"", number(stroke.width));
  if (!stroke.dashes.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
  return text;
}

std::string list(const std::vector<Point>& points) {
  std::string text;
  for (const Point& it : points) text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(it.x), number(it.y));
  return text;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) result.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

// The beginning that is no wider, a character at least.
std::string_view fitting(std::string_view word, double width) {
  std::size_t end = character_end(word, 0);
  if (end == 0) end = 1;
  while (end < word.size()) {
    const std::size_t next = std::max(character_end(word, end), end + 1);
    if (text_width(word.substr(0, next)) > width) break;
    end = next;
  }
  return word.substr(0, end);
}

}  // namespace

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text) {
  return static_cast<double>(characters(printable(text))) * font_size * widest_character;
}

std::vector<std::string> wrapped(std::string_view text, double width) {
  std::vector<std::string> lines(1);
  for (const std::string& word : words(printable(text))) {
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (text_width(longer) <= width) {
      lines.back() = longer;
      continue;
    }
    if (!lines.back().empty()) lines.emplace_back();
    for (std::string_view rest = word; !rest.empty();) {
      if (!lines.back().empty()) lines.emplace_back();
      lines.back() = fitting(rest, width);
      rest.remove_prefix(lines.back().size());
    }
  }
  return lines;
}

void Svg::rectangle(Point corner, double width, double height, std::string_view fill, const Stroke& stroke) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n", number(corner.x),
                       number(corner.y), number(width), number(height), fill, stroke_of(stroke));
}

void Svg::circle(Point centre, double radius, std::string_view fill, const Stroke& stroke) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"{}/>\n", number(centre.x), number(centre.y),
                       number(radius), fill, stroke_of(stroke));
}

void Svg::lines(const std::vector<Point>& points, const Stroke& stroke) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\"{}/>\n", list(points), stroke_of(stroke));
}

void Svg::polygon(const std::vector<Point>& points, std::string_view fill) {
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", list(points), fill);
}

void Svg::curve(Point from, Point first, Point second, Point to, const Stroke& stroke) {
  body_ += fmt::format("<path d=\"M{},{} C{}\" fill=\"none\"{}/>\n", number(from.x), number(from.y),
                       list({first, second, to}), stroke_of(stroke));
}

void Svg::text(Point at, std::string_view text, Anchor anchor, std::string_view colour, bool bold) {
  constexpr std::array<const char*, 3> anchors{"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}{}{}>{}</text>\n", number(at.x), number(at.y),
                       anchors[static_cast<std::size_t>(anchor)],
                       colour == colours::text ? "" : fmt::format(" fill=\"{}\"", colour),
                       bold ? " font-weight=\"bold\"" : "", escaped(text));
}

std::string Svg::finished(double width, double height, std::string_view title) const {
  const std::string w = number(std::ceil(width));
  const std::string h = number(std::ceil(height));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{}\">\n"
      "<title>{}</title>\n<rect x=\"0\" y=\"0\" width=\"{}\" height=\"{}\" fill=\"white\"/>\n{}</svg>\n",
      w, h, w, h, number(font_size), escaped(title), w, h, body_);
}

}  // namespace quadrille::pages
