// What a test run is like: how slow, and how long it may take. Its first seed is reference::first_seed().
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" [[gnu::weak]] void __asan_init();

namespace quadrille::tests {

// What is tested is built with a sanitizer: everything takes many times as long. Known when the program is linked, as
// the same tests, compiled, are linked with both.
inline const bool sanitized = &__asan_init != nullptr;

inline bool is_set(const char* variable) {
  const char* given = std::getenv(variable);
  return given != nullptr && std::string_view(given) == "1";
}

// `./dev test --long`.
inline bool long_run() { return is_set("QUADRILLE_LONG"); }

// Few random cases and small sizes are tried, of every property: by default, for the sake of time, and where a
// sanitizer watches. `./dev test --sanitize` sets QUADRILLE_THOROUGH=1 and tries more in the release build.
inline const bool brief = sanitized || !(is_set("QUADRILLE_THOROUGH") || long_run());

// How many of `n` random cases are tried. A sanitizer watches each path many times over, so fewer do there.
inline std::uint64_t share(std::uint64_t n) {
  if (long_run() || !brief) return n;
  return std::max<std::uint64_t>(sanitized ? n / 24 : n / 6, 1);
}

}  // namespace quadrille::tests
