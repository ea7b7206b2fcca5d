// The verdict of every sample, in each executor that may run it.
#include <doctest/doctest.h>

#include "tests/programs/random_executor.h"
#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

TEST_CASE("what is read, written and read again is the same file") {
  for (const char* name : {"ring-allgather-4.xml", "r48ll.xml", "a2a2ll.xml"}) {
    const MscclFile file = sample(name);
    const std::string text = write_msccl_xml(file);
    CHECK(write_msccl_xml(*read_msccl_xml({name, text}, 0)) == text);
  }
}

}  // namespace
}  // namespace quadrille::programs
