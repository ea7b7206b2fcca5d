// One scale for all panels, so that they can be compared: x from the least to the greatest, y from 1 to the greatest.
#include "driver/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadrille::driver {
namespace {

constexpr double width = 250;
constexpr double height = 190;
constexpr double margin = 46;
constexpr std::size_t most_columns = 3;
constexpr std::array<const char*, 9> colours{"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                                             "#8c564b", "#e377c2", "#7f7f7f", "#17becf"};

struct Scale {
  double least_x = 1e300;
  double most_x = 2;
  double most_y = 2;

  double x(double value) const { return width * std::log(value / least_x) / std::log(most_x / least_x); }
  double y(double value) const { return height * (1 - std::log(value) / std::log(most_y)); }
};

Scale scale_of(const std::vector<Panel>& panels) {
  Scale scale;
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) {
      for (const auto& [x, y] : curve.points) {
        scale.least_x = std::min(scale.least_x, x);
        scale.most_x = std::max(scale.most_x, x);
        scale.most_y = std::max(scale.most_y, y);
      }
    }
  }
  return scale;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<' || c == '&') {
      result += c == '<' ? "&lt;" : "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string text_at(double x, double y, const std::string& text, const std::string& anchor) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

std::string axes(const Scale& scale) {
  std::string svg =
      fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"none\" stroke=\"#999\"/>\n", width, height);
  for (double x = scale.least_x; x <= scale.most_x; x *= 4) {
    svg += text_at(scale.x(x), height + 14, fmt::format("{:.0f}", x), "middle");
  }
  for (double y = 1; y <= scale.most_y; y *= 10) {
    svg += fmt::format("<path d=\"M0 {:.1f}h{:.0f}\" stroke=\"#ddd\"/>\n", scale.y(y), width);
    svg += text_at(-4, scale.y(y) + 4, fmt::format("{:.0f}", y), "end");
  }
  return svg;
}

std::string line(const Curve& curve, const Scale& scale, const char* colour) {
  std::string path;
  for (const auto& [x, y] : curve.points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", scale.x(x), scale.y(y));
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path, colour);
}

std::string panel_at(const Panel& panel, const Scale& scale, double x, double y) {
  std::string svg = fmt::format("<g transform=\"translate({:.0f} {:.0f})\">\n", x, y) + axes(scale);
  svg += text_at(width / 2, -6, panel.title, "middle");
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    svg += line(panel.curves[i], scale, colours[i % colours.size()]);
  }
  return svg + "</g>\n";
}

std::string legend(const std::vector<Curve>& curves, double y) {
  std::string svg;
  double x = margin;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    svg += fmt::format("<path d=\"M{:.0f} {:.0f}h16\" stroke=\"{}\" stroke-width=\"3\"/>\n", x, y - 4,
                       colours[i % colours.size()]);
    svg += text_at(x + 20, y, curves[i].name, "start");
    x += 40 + 7 * static_cast<double>(curves[i].name.size());
  }
  return svg;
}

}  // namespace

std::string drawn(const std::vector<Panel>& panels, const std::string& x_name, const std::string& y_name) {
  const Scale scale = scale_of(panels);
  const double step_x = width + margin;
  const double step_y = height + margin;
  const std::size_t columns = std::min(panels.size(), most_columns);
  const std::size_t full_rows = (panels.size() + columns - 1) / columns;
  const auto rows = static_cast<double>(full_rows);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      margin + step_x * static_cast<double>(columns), margin + step_y * rows + 20);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::size_t row = i / columns;
    svg += panel_at(panels[i], scale, margin + step_x * static_cast<double>(i % columns),
                    margin + step_y * static_cast<double>(row));
  }
  svg += text_at(margin, 18, fmt::format("{} over {}, both logarithmic", y_name, x_name), "start");
  return svg + legend(panels.front().curves, margin + step_y * rows + 8) + "</svg>\n";
}

}  // namespace quadrille::driver
