// A figure read back: its elements, by expat.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace quadrille::pages {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text = {};
};

struct ReadFigure {
  std::string error;  // empty: it is well-formed
  std::vector<Element> elements;
  double width = 0;
  double height = 0;

  bool says(const std::string& text) const;      // some text is just this
  bool mentions(const std::string& text) const;  // all its texts, one after another, have this
  std::vector<std::string> outside() const;      // elements that do not lie in the viewBox
};

ReadFigure read_figure(const std::string& svg);

}  // namespace quadrille::pages
