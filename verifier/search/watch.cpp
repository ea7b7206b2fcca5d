#include "verifier/search/watch.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace quadrille::searching {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(10);

// Not counted: holes in the heap, tables that libraries make at their first use.
constexpr std::uint64_t allowance = std::uint64_t{16} << 20;  // bytes

// Bytes of the process that are in memory, but for those of files (its code); 0 where the system does not tell.
std::uint64_t resident_bytes() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "re"), &std::fclose);
  unsigned long long size = 0;
  unsigned long long resident = 0;
  unsigned long long shared = 0;
  if (!file || std::fscanf(file.get(), "%llu %llu %llu", &size, &resident, &shared) != 3) return 0;
  return (resident - std::min(resident, shared)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

Watch::Watch(Limits limits)
    : limits_(std::move(limits)), at_start_(resident_bytes()), next_look_(Limits::Clock::now() + between_looks) {}

Reason Watch::reached() {
  if (limits_.stop.stop_requested()) return Reason::cancelled;
  const auto now = Limits::Clock::now();
  if (now >= limits_.deadline) return Reason::timeout;
  if (now >= next_look_) {
    next_look_ = now + between_looks;
    too_large_ = used() > limits_.memory;
  }
  return too_large_ ? Reason::limit : Reason::none;
}

void Watch::require_open() {
  if (const Reason reason = reached(); reason != Reason::none) throw Stopped{reason};
}

std::uint64_t Watch::used() const {
  const std::uint64_t now = resident_bytes();
  return now - std::min(now, at_start_ + allowance);
}

std::uint64_t Watch::room() const { return limits_.memory - std::min(limits_.memory, used()); }

void return_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace quadrille::searching
