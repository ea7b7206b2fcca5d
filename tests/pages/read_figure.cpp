// Elements of SVG, and the least rectangle that holds each; of texts about how wide they are in a common font.
#include "tests/pages/read_figure.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace quadrille::pages {
namespace {

void begin(void* data, const char* name, const char** attributes) {
  auto& figure = *static_cast<ReadFigure*>(data);
  Element element{name, {}};
  for (; *attributes != nullptr; attributes += 2) element.attributes[attributes[0]] = attributes[1];
  figure.elements.push_back(std::move(element));
}

void characters(void* data, const char* text, int size) {
  std::string& all = static_cast<ReadFigure*>(data)->elements.back().text;
  all.append(text, static_cast<std::size_t>(size));
  while (all.ends_with('\n')) all.pop_back();  // between elements
}

double value(const Element& element, const std::string& name) {
  const auto found = element.attributes.find(name);
  return found == element.attributes.end() ? 0 : std::stod(found->second);
}

struct Box {
  double left = 1e300, top = 1e300, right = -1e300, bottom = -1e300;
  void add(double x, double y) {
    left = std::min(left, x);
    top = std::min(top, y);
    right = std::max(right, x);
    bottom = std::max(bottom, y);
  }
};

std::vector<double> numbers(const std::string& text) {
  static const std::regex number("-?[0-9]+(\\.[0-9]+)?");
  std::vector<double> all;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), number); it != std::sregex_iterator(); ++it)
    all.push_back(std::stod(it->str()));
  return all;
}

Box text_box(const Element& element) {
  constexpr double character = 9.5 * 0.5;  // digits of Helvetica have 0.56, letters less on an average, blanks 0.28
  const auto count = std::ranges::count_if(element.text, [](char c) { return (c & 0xc0) != 0x80; });
  const double width = character * static_cast<double>(count);
  const auto anchor = element.attributes.find("text-anchor");
  double left = value(element, "x");
  if (anchor != element.attributes.end()) left -= anchor->second == "middle" ? width / 2 : width;
  Box box;
  box.add(left, value(element, "y") - 7);
  box.add(left + width, value(element, "y") + 2);
  return box;
}

Box box_of(const Element& element) {
  Box box;
  if (element.name == "rect") {
    box.add(value(element, "x"), value(element, "y"));
    box.add(value(element, "x") + value(element, "width"), value(element, "y") + value(element, "height"));
  } else if (element.name == "circle") {
    const double r = value(element, "r");
    box.add(value(element, "cx") - r, value(element, "cy") - r);
    box.add(value(element, "cx") + r, value(element, "cy") + r);
  } else if (element.name == "text") {
    box = text_box(element);
  } else {
    const std::vector<double> all = numbers(element.attributes.at(element.name == "path" ? "d" : "points"));
    for (std::size_t i = 0; i + 1 < all.size(); i += 2) box.add(all[i], all[i + 1]);
  }
  return box;
}

}  // namespace

ReadFigure read_figure(const std::string& svg) {
  ReadFigure figure;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &figure);
  XML_SetElementHandler(parser, begin, [](void*, const char*) {});
  XML_SetCharacterDataHandler(parser, characters);
  if (XML_Parse(parser, svg.data(), static_cast<int>(svg.size()), 1) == XML_STATUS_ERROR)
    figure.error = XML_ErrorString(XML_GetErrorCode(parser));
  XML_ParserFree(parser);
  if (!figure.error.empty()) return figure;
  const std::vector<double> box = numbers(figure.elements.front().attributes["viewBox"]);
  figure.width = box.at(2);
  figure.height = box.at(3);
  return figure;
}

bool ReadFigure::says(const std::string& text) const {
  return std::ranges::any_of(elements, [&](const Element& it) { return it.name == "text" && it.text == text; });
}

bool ReadFigure::mentions(const std::string& text) const {
  std::string all;
  for (const Element& it : elements) {
    if (it.name == "text") all += it.text + " ";
  }
  return all.find(text) != std::string::npos;
}

std::vector<std::string> ReadFigure::outside() const {
  std::vector<std::string> result;
  for (const Element& it : elements) {
    if (it.name == "svg" || it.name == "title") continue;
    const Box box = box_of(it);
    if (box.left < 0 || box.top < 0 || box.right > width || box.bottom > height)
      result.push_back(fmt::format("{} {} {},{} {},{}", it.name, it.text, box.left, box.top, box.right, box.bottom));
  }
  return result;
}

}  // namespace quadrille::pages
