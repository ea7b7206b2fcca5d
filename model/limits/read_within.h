// Reading what may have to be waited for: a pipe, a terminal, a device.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "model/limits/limits.h"

namespace quadrille {

// The front of the span is filled with what a descriptor has next, once it has something. The number of bytes, 0 at its
// end; nothing on an error (errno), or once the limits are reached, which are looked at meanwhile. A descriptor that
// was opened without O_NONBLOCK serves, too, if nobody else reads it.
std::optional<std::size_t> read_ready(int descriptor, std::span<char> bytes, const Limits& limits);

// All that a descriptor has, or why not.
struct WholeText {
  std::optional<std::string> text = {};
  std::string why = {};          // there is none: "Is a directory", "it has not been read to its end: timeout"
  Reason reason = Reason::none;  // of that, if it is a limit
};

WholeText read_whole(int descriptor, const Limits& limits);

// The same of a file that is opened for it.
WholeText read_whole(const std::string& path, const Limits& limits);

}  // namespace quadrille
