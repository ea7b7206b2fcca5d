// Files that are replaced as a whole or not at all.
#pragma once

#include <memory>
#include <string>

#include "driver/files/environment.h"

namespace quadrille::driver {

// The new content of `path`. It is written to a file beside it, which takes its place when kept: whoever reads sees the
// old content or the new, never a part. A link is followed; permissions stay. What is not a regular file (a terminal, a
// pipe, /dev/null) is written to directly.
std::unique_ptr<NewFile> replace_file(const std::string& path);

// From now on a file that is being written is removed when the process is interrupted, terminated or hung up on.
void remove_unfinished_files_on_interrupt();

}  // namespace quadrille::driver
