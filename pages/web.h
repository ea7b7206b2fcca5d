// The style and the scripts of pages, from pages/web/; CMake writes the source (embed_web.cmake).
#pragma once

#include <span>
#include <string_view>

namespace quadrille::pages {

std::string_view web_style();

// In the order in which they are to run.
std::span<const std::string_view> web_scripts();

}  // namespace quadrille::pages
