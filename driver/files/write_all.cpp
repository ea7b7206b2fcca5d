// Writes to a descriptor, and continues after a partial or interrupted write.
#include "driver/files/write_all.h"

#include <unistd.h>

#include <cerrno>

namespace quadrille::driver {

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace quadrille::driver
