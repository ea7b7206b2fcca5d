// The project's pages, for `quadrille help TOPIC`: embedded by cli/embed_pages.cmake.
#pragma once

#include <span>
#include <string_view>

namespace quadrille::cli {

struct Page {
  std::string_view topic;  // "language"
  std::string_view text;   // Markdown
};

// By topic.
std::span<const Page> pages();

}  // namespace quadrille::cli
