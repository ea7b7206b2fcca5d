// The ceiling for the memory of the whole process: it keeps the promise of `--memory`, whoever allocates.
//
// Work that can end early with its results asks the limits, which know of the ceiling (Limits::reached). The next
// tenth above is for everything else: a library's containers, a list that doubles between two looks at the limits.
// `operator new` of our programs (cli/guarded_new.cpp) asks for it; programs that link the library keep their own.
// Like the system's limits (setrlimit), the ceiling belongs to the process, and is set once.
#pragma once

#include <cstdint>
#include <new>
#include <string_view>

namespace quadrille {

// Thrown where memory would be above the ceiling. Any other std::bad_alloc means that the system has refused it.
class OverMemoryCeiling : public std::bad_alloc {
 public:
  const char* what() const noexcept override;
};

// Sets the ceiling: from now on the process may take `bytes` and a tenth, besides what it has now and 10 MiB; 0: no
// ceiling.
void set_memory_ceiling(std::uint64_t bytes);

// Whether `bytes` more are below the ceiling, as the system counts. Gives freed memory back before it answers no.
// True if there is no ceiling. Cost: some 5 µs. Any thread may ask.
bool below_memory_ceiling(std::uint64_t bytes);

// Whether the process has taken the memory that `--memory` names, and so should end its work; the tenth above is for
// ending it. Cost: likewise.
bool memory_is_taken();

// The answer to the last question of either kind, whoever asked, without giving back freed memory: whether it is time
// to ask again. Cost: a load.
bool memory_was_taken();

// The text for who refused: "this needs more memory than the limit", or "the machine has no memory left".
std::string_view why_no_memory(const std::bad_alloc& refusal);

}  // namespace quadrille
