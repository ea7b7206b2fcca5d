// The format in which a table is written.
#pragma once

#include <string>
#include <vector>

#include "formats/formats.h"
#include "model/text/result.h"

namespace quadrille::driver {

// The format with this name; without a name, the one for files named like `path`; otherwise the first that can be
// written. An error if no format with this name can be written; never null. The pointer is into the list.
Result<const Format*> output_format(const FormatList& formats, const std::string& name, const std::string& path);

// The names of the formats that can be written, in the list's order.
std::vector<std::string> written_formats(const FormatList& formats);

}  // namespace quadrille::driver
