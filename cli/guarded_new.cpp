// `operator new` of our programs: it asks the ceiling over the process's memory (model/limits/memory_ceiling.h) for
// whatever is large, and for what is small once in so many bytes. So no loop, and no library, takes more than
// `--memory` promises. Not under AddressSanitizer, which has an `operator new` of its own, and pairs it with its other
// forms. Cost: an addition for each allocation, and 5 µs a MiB that is allocated, where its pages take 50.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QUADRILLE_UNGUARDED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define QUADRILLE_UNGUARDED
#endif

#ifndef QUADRILLE_UNGUARDED
#include <cstddef>
#include <cstdlib>
#include <new>

#include "model/limits/memory_ceiling.h"

namespace {

constexpr std::size_t between_looks = std::size_t{1} << 20;  // bytes

thread_local std::size_t since_the_last_look = 0;

void ask(std::size_t size) {
  since_the_last_look += size;
  if (since_the_last_look < between_looks) return;
  since_the_last_look = 0;
  if (!quadrille::below_memory_ceiling(size)) throw quadrille::OverMemoryCeiling();
}

// Memory that std::free takes back; `allocate` gives null where the system has none.
template <class Allocate>
void* guarded(std::size_t size, const Allocate& allocate) {
  ask(size);
  while (true) {
    if (void* memory = allocate()) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

void* operator new(std::size_t size) {
  return guarded(size, [&] { return std::malloc(size == 0 ? 1 : size); });
}

// Containers of std::pmr allocate by this one, whatever their alignment is.
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  if (unit <= alignof(std::max_align_t)) return operator new(size);
  return guarded(size, [&] { return std::aligned_alloc(unit, (size + unit - 1) / unit * unit); });
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif  // QUADRILLE_UNGUARDED
