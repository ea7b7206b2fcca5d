// Which rows go on with which, through switches of each kind.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/fabric_notation.h"
#include "model/limits/work.h"
#include "motion/continued_rows.h"

namespace quadrille::test_continued_rows {

struct ContinuedSend {
  std::uint32_t step, from, to, origin, target;
};

// "2: 3->0" for each row that goes on with another: "1->3 > 2: 3->0"; or the error.
std::string continued(const std::string& on, const std::string& what, const std::vector<ContinuedSend>& sends) {
  const Fabric fabric = parse_fabric({"test", on}, 0).value();
  const Collective collective = parse_collective({"test", what}, 0, fabric.processors()).value();
  std::vector<StoredRows::StepRow> rows;
  for (const ContinuedSend& send : sends) {
    rows.push_back({StepId(send.step),
                    {fabric.channel_between(NodeId(send.from), NodeId(send.to)).value(), LaneId(0),
                     collective.chunk({send.origin, send.target, 0}).value()}});
  }
  const SendTable table{fabric, collective, "test", {}, std::make_shared<StoredRows>(std::move(rows))};
  const Limits limits;
  Work work(limits);
  const auto all = continued_rows(table, work);
  if (!all) return all.diagnostics().front().message;
  const auto name = [&](const ContinuedRow& row) {
    const Channel& channel = fabric.channel(row.row.channel);
    return fmt::format("{}: {}->{}", row.step, channel.from.value, channel.to.value);
  };
  std::vector<std::string> lines;
  for (const ContinuedRow& row : *all) {
    for (const std::size_t next : row.next) lines.push_back(name(row) + " > " + name((*all)[next]));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

TEST_CASE("rows out of a switch that copies go on with the arrivals in turn, and then with the latest") {
  CHECK(continued("star:3", "total_exchange", {{1, 0, 3, 0, 1}, {2, 3, 1, 0, 1}, {3, 3, 2, 0, 1}}) ==
        "1: 0->3 > 2: 3->1\n1: 0->3 > 3: 3->2");
  CHECK(continued("star:3", "total_exchange", {{1, 0, 3, 0, 1}, {2, 0, 3, 0, 1}, {3, 3, 1, 0, 1}, {4, 3, 2, 0, 1}}) ==
        "1: 0->3 > 3: 3->1\n2: 0->3 > 4: 3->2");
}

TEST_CASE("a switch that forwards sends each arrival on once") {
  CHECK(continued("star:3,switches=forward", "total_exchange", {{1, 0, 3, 0, 1}, {2, 3, 1, 0, 1}}) ==
        "1: 0->3 > 2: 3->1");
  CHECK(continued("star:3,switches=forward", "total_exchange", {{1, 0, 3, 0, 1}, {2, 3, 1, 0, 1}, {3, 3, 2, 0, 1}}) ==
        "packet 0->1 leaves switch 1.0 in step 3, and none has come there before");
}

TEST_CASE("a row out of a switch that reduces goes on with all that has come since something left") {
  CHECK(continued("star:4,switches=reduce", "reduce:root=0",
                  {{1, 1, 4, 1, 0}, {1, 2, 4, 2, 0}, {2, 4, 0, 1, 0}, {2, 3, 4, 3, 0}, {3, 4, 0, 3, 0}}) ==
        "1: 1->4 > 2: 4->0\n1: 2->4 > 2: 4->0\n2: 3->4 > 3: 4->0");
}

TEST_CASE("a packet does not leave a switch in the step in which it comes") {
  CHECK(continued("star:3", "total_exchange", {{1, 0, 3, 0, 1}, {1, 3, 1, 0, 1}}) ==
        "packet 0->1 leaves switch 1.0 in step 1, and none has come there before");
}

}  // namespace quadrille::test_continued_rows
