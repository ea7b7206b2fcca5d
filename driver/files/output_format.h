// The format in which a table is written.
#pragma once

#include <string>
#include <vector>

#include "formats/formats.h"
#include "model/text/result.h"

namespace quadrille::driver {

// The one of that name; without a name that of files named like `path`; else the first that can be written. Never null;
// an error if there is none of that name that can be written. The pointer is into the list.
Result<const Format*> output_format(const FormatList& formats, const std::string& name, const std::string& path);

// The names of those that can be written, in the list's order.
std::vector<std::string> written_formats(const FormatList& formats);

}  // namespace quadrille::driver
