// What rows carry, what is held and what joins in switches, step by step.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric_notation.h"
#include "model/limits/work.h"
#include "motion/reductions.h"

namespace quadrille::test_reductions {

// From a node to a node: the packet from an origin to a target.
struct MovedRow {
  std::uint32_t from, to, origin, target;
};

// Moves rows, and writes what each brings, and what is wrong: "{1-2}", "missing at 1".
class Mover final : ReductionVisitor {
 public:
  Mover(const std::string& fabric, const std::string& collective)
      : fabric_(parse_fabric({"test", fabric}, 0).value()),
        collective_(parse_collective({"test", collective}, 0, fabric_.processors()).value()),
        moved_(fabric_, collective_, work_, *this),
        packets_(&work_) {}

  std::string step(const std::vector<MovedRow>& sends) {
    text_.clear();
    std::vector<Row> rows;
    for (const MovedRow& send : sends) {
      rows.push_back({fabric_.channel_between(NodeId(send.from), NodeId(send.to)).value(), LaneId(0),
                      collective_.chunk({send.origin, send.target, 0}).value()});
    }
    const StepRows all{StepId(++step_), rows};
    list_packets(all, {}, work_, packets_);
    moved_.step(all, packets_);
    std::string carried;
    for (const ContributionSet& set : moved_.carried()) carried += (set.empty() ? "nothing" : set.text()) + " ";
    return carried + text_;
  }
  std::string held(std::uint32_t processor) const { return moved_.held().at(0, NodeId(processor)).text(); }

 private:
  void fault(const StepRows& /*rows*/, const ReductionFault& fault) override {
    static const std::vector<std::string> names{"missing", "words twice", "gap in words", "twice on a path",
                                                "twice",   "gap leaves",  "not joined",   "gap held"};
    text_ += fmt::format("{} at {} ", names[static_cast<std::size_t>(fault.kind)], fault.at.value);
  }

  Fabric fabric_;
  Collective collective_;
  Limits limits_;
  Work work_{limits_};
  MovedReductions moved_;
  std::pmr::vector<MovedPacket> packets_;
  std::uint32_t step_ = 0;
  std::string text_;
};

TEST_CASE("a row out of its packet's origin carries what the origin holds when the step begins") {
  Mover mover("complete:3", "reduce:root=0");
  CHECK(mover.step({{2, 1, 2, 1}, {1, 0, 1, 0}}) == "{1} {2} ");
  CHECK(mover.held(1) == "{1-2}");
  CHECK(mover.held(0) == "{0-1}");
}

TEST_CASE("a packet goes on with what it brought last") {
  Mover mover("line:3", "reduce:root=0");
  CHECK(mover.step({{2, 1, 2, 0}}) == "{2} ");
  CHECK(mover.step({{1, 0, 2, 0}}) == "{2} ");
  CHECK(mover.held(0) == "{0, 2}");
  CHECK(mover.held(1) == "{1}");
  CHECK(mover.step({{0, 1, 2, 1}}) == "nothing missing at 0 ");
}

TEST_CASE("what comes to a switch that reduces joins, and leaves by any of its names") {
  Mover mover("star:4,switches=reduce", "reduce:root=0");
  CHECK(mover.step({{1, 4, 1, 0}, {2, 4, 2, 0}}) == "{1} {2} ");
  CHECK(mover.step({{3, 4, 3, 0}, {4, 0, 2, 0}}) == "{3} {1-2} ");
  CHECK(mover.held(0) == "{0-2}");
  CHECK(mover.step({{4, 0, 1, 0}}) == "{3} ");
  CHECK(mover.step({{4, 0, 1, 0}}) == "nothing missing at 4 ");
  CHECK(mover.held(0) == "{0-3}");
}

TEST_CASE("switches that forward hand on what came first, and those that copy what came last") {
  for (const bool forward : {true, false}) {
    CAPTURE(forward);
    Mover mover(fmt::format("star:3,switches={}", forward ? "forward" : "copy"), "reduce:root=0");
    mover.step({{1, 3, 1, 0}, {2, 3, 2, 1}});
    mover.step({{3, 1, 2, 1}});
    CHECK(mover.held(1) == "{1-2}");
    mover.step({{1, 3, 1, 0}});
    CHECK(mover.step({{3, 0, 1, 0}}) == (forward ? "{1} " : "{1-2} "));
  }
}

TEST_CASE("a contribution that comes twice is left out, at a processor and in a switch") {
  Mover mover("star:3,switches=reduce", "reduce:root=0");
  mover.step({{1, 3, 1, 0}});
  CHECK(mover.step({{1, 3, 1, 0}, {3, 0, 1, 0}}) == "{1} {1} ");
  CHECK(mover.step({{1, 3, 1, 0}, {3, 0, 1, 0}}) == "{1} {1} not joined at 0 ");
  CHECK(mover.step({{1, 3, 1, 0}}) == "{1} twice at 3 ");
  CHECK(mover.held(0) == "{0-1}");
}

TEST_CASE("a gap is a fault where the operation is ordered, and only there") {
  for (const bool ordered : {false, true}) {
    Mover mover("complete:3", fmt::format("reduce:root=0{}", ordered ? ",operation=ordered" : ""));
    CHECK(mover.step({{2, 0, 2, 0}}) == (ordered ? "{2} gap held at 0 " : "{2} "));
    CHECK(mover.step({{1, 0, 1, 0}}) == "{1} ");
    CHECK(mover.held(0) == "{0-2}");
  }
}

}  // namespace quadrille::test_reductions
