// What a test run is like: how slow, and how long it may take. Its first seed is reference::first_seed().
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" [[gnu::weak]] void __asan_init();

namespace quadrille::tests {

// What is tested is built with a sanitizer: everything takes many times as long. Known when the program is linked, as
// the same tests, compiled, are linked with both.
inline const bool sanitized = &__asan_init != nullptr;

// `./dev test --long`.
inline bool long_run() {
  const char* given = std::getenv("QUADRILLE_LONG");
  return given != nullptr && std::string_view(given) == "1";
}

// How many of `n` random cases are tried: a sixth where everything takes so much longer.
inline std::uint64_t share(std::uint64_t n) { return sanitized && !long_run() ? n / 6 : n; }

}  // namespace quadrille::tests
