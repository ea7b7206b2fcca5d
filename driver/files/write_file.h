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

// What a command writes with -o: into the file, all or nothing, or to standard output where the path is empty. `write`
// takes the sink, and says whether its text is whole; else the file is left as it was. Returns nothing, or "cannot
// write …" (Code::file); faults of standard output are reported as the command leaves.
std::optional<Diagnostic> write_output(const std::string& path,
                                       const std::function<bool(const std::function<bool(std::string_view)>&)>& write,
                                       Environment& environment);

// The same, where a text that is not whole is an error, too: its rows ended early.
std::optional<Diagnostic> write_whole(const std::string& path, const std::function<bool(const Sink& sink)>& write,
                                      Environment& environment);

}  // namespace quadrille::driver
