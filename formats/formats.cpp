// The list of formats. A new one is a source of its own and a line here.
#include "formats/formats.h"

#include <algorithm>

#include "formats/our_tables.h"

namespace quadrille {

FormatList standard_formats() { return {csv_format(), json_format(), binary_format()}; }

const Format* format_named(const FormatList& formats, std::string_view name) {
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format& it) { return it.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

const Format* format_of_path(const FormatList& formats, std::string_view path) {
  const std::size_t dot = path.find_last_of("./");
  if (dot == path.npos || path[dot] != '.') return nullptr;
  const std::string_view extension = path.substr(dot + 1);
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format& it) {
    return std::find(it.extensions.begin(), it.extensions.end(), extension) != it.extensions.end();
  });
  return found == formats.end() ? nullptr : &*found;
}

const Format* recognise_format(const FormatList& formats, std::string_view beginning) {
  const Format* perhaps = nullptr;
  for (const Format& format : formats) {
    const Match match = format.recognise ? format.recognise(beginning) : Match::no;
    if (match == Match::yes) return &format;
    if (match == Match::perhaps && perhaps == nullptr) perhaps = &format;
  }
  return perhaps;
}

}  // namespace quadrille
