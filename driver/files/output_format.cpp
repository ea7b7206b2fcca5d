// Chooses the format of an output file: the one that is named; else the one of its extension; else the first that can
// be written.
#include "driver/files/output_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quadrille::driver {

std::vector<std::string> written_formats(const FormatList& formats) {
  std::vector<std::string> names;
  for (const Format& format : formats) {
    if (format.write) names.push_back(format.name);
  }
  return names;
}

Result<const Format*> output_format(const FormatList& formats, const std::string& name, const std::string& path) {
  const auto usable = [](const Format* format) { return format != nullptr && format->write; };
  if (const Format* named = format_named(formats, name); usable(named)) return named;
  const std::vector<std::string> names = written_formats(formats);
  if (!name.empty() || names.empty()) {
    return error_at({}, fmt::format("no format '{}' can be written; expected one of {}", name, fmt::join(names, ", ")),
                    Code::name);
  }
  if (const Format* by_extension = format_of_path(formats, path); usable(by_extension)) return by_extension;
  return format_named(formats, names.front());
}

}  // namespace quadrille::driver
