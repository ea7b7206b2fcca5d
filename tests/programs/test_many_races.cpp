// Programs with more races than anyone reads: they are no longer looked for at some point, which is said.
#include <doctest/doctest.h>

#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

// Blocks that write the same chunk over and over, and never wait for one another.
MscclFile racing(int blocks, int steps) {
  MscclFile file = small_file("allreduce", 1, 1);
  for (int b = 0; b < blocks; ++b) {
    MscclBlock& block = add_block(file, 0, -1, -1);
    for (int s = 0; s < steps; ++s) add_step(block, "cpy", "i0", "o0");
  }
  return file;
}

TEST_CASE("a few races are all counted") {
  const PropertyVerdict race = judged(racing(4, 3)).report.of(ProgramProperty::race);
  CHECK(race.verdict == ProgramVerdict::violated);
  CHECK(race.findings > 0);
  CHECK(race.findings < 12);
  CHECK_FALSE(race.partial);
}

TEST_CASE("of many races the first thousand or so are counted, and the number is said to be partial") {
  const PropertyVerdict race = judged(racing(30, 200)).report.of(ProgramProperty::race);
  CHECK(race.verdict == ProgramVerdict::violated);
  CHECK(race.findings >= 1000);
  CHECK(race.findings < 2000);
  CHECK(race.partial);
}

TEST_CASE("an order that holds is found, however many accesses there are to a chunk") {
  const PropertyVerdict race = judged(racing(1, 5000)).report.of(ProgramProperty::race);
  CHECK(race.verdict == ProgramVerdict::holds);
  CHECK_FALSE(race.partial);
}

}  // namespace
}  // namespace quadrille::programs
