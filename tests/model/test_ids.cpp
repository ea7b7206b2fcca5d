// Ids as text, for programs that link the library.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>

#include "model/ids.h"

namespace quadrille {
namespace {

template <class SomeId>
void is_written_as_its_number() {
  std::ostringstream out;
  out << SomeId(3) << ' ' << SomeId(40);
  CHECK(out.str() == "3 40");
  CHECK(fmt::format("{} {:>3}", SomeId(3), SomeId(40)) == "3  40");
}

TEST_CASE("an id of any kind is written as its number") {
  is_written_as_its_number<NodeId>();
  is_written_as_its_number<ChannelId>();
  is_written_as_its_number<LaneId>();
  is_written_as_its_number<StepId>();
  is_written_as_its_number<MessageId>();
  is_written_as_its_number<ChunkId>();
}

}  // namespace
}  // namespace quadrille
