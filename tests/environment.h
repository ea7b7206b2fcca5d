// What a test run is like: how slow, and how long it may take. Its first seed is reference::first_seed().
#pragma once

#include <cstdlib>
#include <string_view>

namespace quadrille::tests {

// What is tested is built with a sanitizer: everything takes many times as long.
#if defined(QUADRILLE_SANITIZED)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

// `./dev test --long`.
inline bool long_run() {
  const char* given = std::getenv("QUADRILLE_LONG");
  return given != nullptr && std::string_view(given) == "1";
}

}  // namespace quadrille::tests
