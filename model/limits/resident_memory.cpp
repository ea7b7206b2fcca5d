// From /proc/self/statm: resident pages without those that are shared with files.
#include "model/limits/resident_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace quadrille {

std::uint64_t resident_memory() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "re"), &std::fclose);
  unsigned long long size = 0;
  unsigned long long resident = 0;
  unsigned long long shared = 0;
  if (!file || std::fscanf(file.get(), "%llu %llu %llu", &size, &resident, &shared) != 3) return 0;
  return (resident - std::min(resident, shared)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void return_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace quadrille
