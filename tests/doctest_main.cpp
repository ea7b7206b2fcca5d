// The main() of every test program.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

// libbliss does not give back all that it takes for a search (some hundred bytes each), nor what it takes of libgmp.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libbliss\nleak:libgmp\n"; }
