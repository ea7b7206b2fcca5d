// Before each read, the descriptor is polled for some milliseconds at a time. A pipe that nobody writes yet would
// read as empty; polling shows that it is not ready.
#include "model/limits/read_within.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

WholeText cut_short(Reason reason) {
  return {std::nullopt, fmt::format("it has not been read to its end: {}", to_string(reason)), reason};
}

}  // namespace

std::optional<std::size_t> read_ready(int descriptor, std::span<char> bytes, const Limits& limits) {
  constexpr int between_looks = 20;  // milliseconds
  while (true) {
    struct pollfd waiting {
      descriptor, POLLIN, 0
    };
    const int ready = ::poll(&waiting, 1, between_looks);
    const ssize_t got = ready > 0 ? ::read(descriptor, bytes.data(), bytes.size()) : -1;
    if (got >= 0) return static_cast<std::size_t>(got);
    const int error = errno;
    const bool failed = ready != 0 && error != EINTR && error != EAGAIN;
    if (failed || limits.reached() != Reason::none) {
      errno = error;
      return std::nullopt;
    }
  }
}

WholeText read_whole(int descriptor, const Limits& limits) {
  std::string text;
  std::vector<char> bytes(std::size_t{1} << 16);
  while (true) {
    const std::optional<std::size_t> got = read_ready(descriptor, bytes, limits);
    const int error = errno;
    if (got && *got == 0) return {std::move(text)};
    if (const Reason reason = limits.reached(); reason != Reason::none) return cut_short(reason);
    if (!got) return {std::nullopt, std::strerror(error)};
    text.append(bytes.data(), *got);
  }
}

WholeText read_whole(const std::string& path, const Limits& limits) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return {std::nullopt, std::strerror(errno)};
  WholeText whole = read_whole(descriptor, limits);
  ::close(descriptor);
  return whole;
}

}  // namespace quadrille
