// Writing whole files: all of a file, or none of it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/outside.h"

namespace quadrille::cli {

// Makes or replaces the file, with what `fill` writes to it. Nothing, or why that could not be done: "cannot write …".
std::optional<std::string> write_file(const std::string& path, const std::function<void(NewFile& file)>& fill,
                                      Outside& outside);
std::optional<std::string> write_file(const std::string& path, std::string_view text, Outside& outside);

}  // namespace quadrille::cli
