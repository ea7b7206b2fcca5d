// The ceiling over the memory of a whole process: what `--memory` promises, whoever allocates.
//
// Limits are asked by work that can end early with what it knows, and hear of the ceiling (Limits::reached); what lies
// a tenth above is for everything else: a library's containers, a list that doubles between two looks at the limits.
// `operator new` of our programs (cli/guarded_new.cpp) asks for it; programs that link the library keep their own. Like
// the system's limits (setrlimit), it is the process's, and set once.
#pragma once

#include <cstdint>
#include <new>
#include <string_view>

namespace quadrille {

// Thrown in place of memory that would be above the ceiling. Any other std::bad_alloc: the system has refused it.
class OverMemoryCeiling : public std::bad_alloc {
 public:
  const char* what() const noexcept override;
};

// From now on the process may take `bytes` and a tenth, beside what it has now and 10 MiB; 0: all that there is.
void set_memory_ceiling(std::uint64_t bytes);

// Whether `bytes` more are below the ceiling, as the system sees it; memory that was freed is given back before the
// answer is no. True where there is no ceiling. Cost: some 5 µs. Any thread may ask.
bool below_memory_ceiling(std::uint64_t bytes);

// Whether the process has taken what `--memory` names, and so should end what it does; the tenth above that is for
// ending it. Cost: likewise.
bool memory_is_taken();

// The same as of the last question of either kind, whoever asked it, and without giving back what was freed: whether it
// is time to ask. Cost: a load.
bool memory_was_taken();

// Who refused: "this needs more memory than the limit", or "the machine has no memory left".
std::string_view why_no_memory(const std::bad_alloc& refusal);

}  // namespace quadrille
