// Writes to a file descriptor.
#pragma once

#include <string_view>

namespace quadrille::driver {

// Writes everything. Returns 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view text);

}  // namespace quadrille::driver
