// Writes whole files: all of a file, or none of it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "driver/files/environment.h"

namespace quadrille::driver {

// Makes or replaces the file with the text that `fill` writes. Returns nothing, or the error: "cannot write …".
std::optional<std::string> write_file(const std::string& path, const std::function<void(NewFile& file)>& fill,
                                      Environment& environment);
std::optional<std::string> write_file(const std::string& path, std::string_view text, Environment& environment);

}  // namespace quadrille::driver
