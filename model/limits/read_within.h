// Reads from descriptors that may have to be waited for: a pipe, a terminal, a device.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "model/limits/limits.h"

namespace quadrille {

// Fills the front of the span with the next bytes of a descriptor, once it has some. Returns the number of bytes, 0
// at the end. Nothing on an error (errno), or once the limits are reached; they are looked at while it waits. A
// descriptor that was opened without O_NONBLOCK is allowed if nobody else reads it.
std::optional<std::size_t> read_ready(int descriptor, std::span<char> bytes, const Limits& limits);

// All bytes of a descriptor, or the reason why there are none.
struct WholeText {
  std::optional<std::string> text = {};
  std::string why = {};          // no text: "Is a directory", "it has not been read to its end: timeout"
  Reason reason = Reason::none;  // the limit, if that is why
};

WholeText read_whole(int descriptor, const Limits& limits);

// The same for a file, which is opened for it.
WholeText read_whole(const std::string& path, const Limits& limits);

}  // namespace quadrille
