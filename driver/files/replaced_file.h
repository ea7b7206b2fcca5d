// Files that are replaced as a whole or not at all.
#pragma once

#include <memory>
#include <string>

#include "driver/files/environment.h"

namespace quadrille::driver {

// The new content of `path`. It is written to a file beside it, which takes its place when kept, so readers see the
// old content or the new, never a part. A link is followed; permissions stay. A file that is not regular (a terminal,
// a pipe, /dev/null) is written directly.
std::unique_ptr<NewFile> replace_file(const std::string& path);

// From now on, removes files that are being written when the process is interrupted, terminated or hung up on.
void remove_unfinished_files_on_interrupt();

}  // namespace quadrille::driver
