// What orders a program's operations: by hand of a small one, and of random ones as the file itself says.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "programs/goal/judge.h"
#include "programs/msccl/mend.h"
#include "programs/order_graph.h"
#include "tests/environment.h"
#include "tests/programs/mutate.h"
#include "tests/programs/random_goal.h"
#include "tests/programs/random_msccl.h"
#include "tests/programs/small_msccl.h"
#include "tests/reference/random_tables.h"

namespace quadrille::programs {
namespace {

using enum OrderReason;

MscclFile reread(const MscclFile& file) { return *read_msccl_xml({"x.xml", write_msccl_xml(file)}, 0); }

OrderGraph graph_of(const MscclFile& file) {
  OrderGraph graph;
  LoadedMsccl loaded = load_msccl(file, call_of(file, {}), 5);
  judge(loaded.program, loaded.report, {.order = &graph});
  return graph;
}

// Where each operation stands in an order that keeps all edges; nothing if some wait for one another.
std::optional<std::vector<std::size_t>> positions(std::size_t count, const std::vector<OrderEdge>& edges) {
  std::vector<std::size_t> open(count);
  std::vector<std::vector<std::size_t>> later(count);
  for (const OrderEdge& edge : edges) {
    ++open[edge.later];
    later[edge.earlier].push_back(edge.later);
  }
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < count; ++i) {
    if (open[i] == 0) ready.push_back(i);
  }
  std::vector<std::size_t> at(count);
  for (std::size_t done = 0; done < ready.size(); ++done) {
    at[ready[done]] = done;
    for (const std::size_t next : later[ready[done]]) {
      if (--open[next] == 0) ready.push_back(next);
    }
  }
  return ready.size() == count ? std::optional(at) : std::nullopt;
}

MscclFile passed_on() {
  MscclFile file = small_file("broadcast", 2, 1);
  MscclBlock& first = add_block(file, 0, 1, -1);
  add_step(first, "cpy", "i0", "o0");
  add_step(first, "s", "i0", "o0");
  MscclBlock& second = add_block(file, 1, -1, 0);
  add_step(second, "r", "i0", "s3", {.has_dependence = 1});
  add_step(add_block(file, 1, -1, -1), "cpy", "s3", "o0", {.depends_on_block = 0, .depends_on_step = 0});
  return reread(file);
}

TEST_CASE("a program's edges are the order of its blocks, its messages and its flags") {
  const OrderGraph graph = graph_of(passed_on());
  CHECK(graph.count == 4);
  REQUIRE(graph.operations.size() == 4);
  CHECK(graph.edges == std::vector<OrderEdge>{{0, 1, program}, {1, 2, message}, {2, 3, depend}});
  CHECK(graph.operations[0].does == "copy input 0 to output 0");
  CHECK(graph.operations[1].does == "send input 0 to gpu 1");
  CHECK(graph.operations[1].to == 1);
  CHECK(!graph.operations[1].from);
  CHECK(graph.operations[2].does == "receive from gpu 0, store in scratch 3");
  CHECK(graph.operations[2].at.rank == 1);
  CHECK(graph.operations[3].at.block == 1);
}

TEST_CASE("an operation says all that it does with what it receives") {
  MscclFile file = small_file("allreduce", 2, 4);
  for (std::int64_t r = 0; r < 2; ++r) {
    MscclBlock& block = add_block(file, r, 1 - r, 1 - r);
    add_step(block, "rrcs", "i0", "o2", {.count = 2});
    add_step(block, "rrs", "i1", "o0");
    add_step(block, "re", "s1", "o1");
    add_step(block, "re", "s3", "o1");
  }
  const OrderGraph graph = graph_of(reread(file));
  REQUIRE(graph.operations.size() >= 3);
  CHECK(graph.operations[0].does == "receive from gpu 1, add input 0..1, store in output 2..3, send on to gpu 1");
  CHECK(graph.operations[1].does == "receive from gpu 1, add input 1, send on to gpu 1");
  CHECK(graph.operations[2].does == "add scratch 1, 3 to output 1");
}

TEST_CASE("of a program with more operations than are listed their number is known, and nothing else") {
  MscclFile file = small_file("allreduce", 1, 1);
  for (std::uint64_t done = 0; done <= most_listed_operations;) {
    MscclBlock& block = add_block(file, 0, -1, -1);
    for (int i = 0; i < 250; ++i, ++done) add_step(block, "cpy", "i0", "o0");
  }
  Program program = load_msccl(reread(file), call_of(file, {}), 0).program;
  OrderGraph graph;
  ProgramReport report;
  judge(program, report, {.order = &graph});
  CHECK(graph.count > most_listed_operations);
  CHECK(graph.cut());
  CHECK(graph.operations.empty());
  CHECK(graph.edges.empty());
}

// The n-th that a rank sends to another on a channel is the n-th that is received there.
std::vector<OrderEdge> messages_of(const OrderGraph& graph) {
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::vector<std::uint32_t>> sent;
  for (std::uint32_t i = 0; i < graph.operations.size(); ++i) {
    const ListedOperation& it = graph.operations[i];
    if (it.to) sent[{it.at.rank, *it.to, it.channel}].push_back(i);
  }
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::size_t> received;
  std::vector<OrderEdge> edges;
  for (std::uint32_t i = 0; i < graph.operations.size(); ++i) {
    const ListedOperation& it = graph.operations[i];
    if (!it.from) continue;
    const std::tuple key(*it.from, std::int64_t{it.at.rank}, it.channel);
    const std::size_t number = received[key]++;
    if (number < sent[key].size()) edges.push_back({sent[key][number], i, message});
  }
  return edges;
}

TEST_CASE("edges order each send of a random program before its reception, whatever else they order") {
  int acyclic = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + tests::share(1500); ++seed) {
    CAPTURE(seed);
    const MscclFile file = reread(RandomMsccl(seed).file());
    const LoadedMsccl loaded = judged(file);
    if (loaded.report.of(ProgramProperty::structure).verdict == ProgramVerdict::violated) continue;
    const OrderGraph graph = graph_of(file);
    const std::vector<OrderEdge> messages = messages_of(graph);
    for (const OrderEdge& edge : messages) {
      CHECK(std::find(graph.edges.begin(), graph.edges.end(), edge) != graph.edges.end());
    }
    const auto at = positions(graph.operations.size(), graph.edges);
    // What ends with some timing keeps all edges.
    if (loaded.report.of(ProgramProperty::deadlock).verdict == ProgramVerdict::holds) CHECK(at.has_value());
    if (!at) continue;
    ++acyclic;
    for (const OrderEdge& edge : messages) CHECK((*at)[edge.earlier] < (*at)[edge.later]);
  }
  CHECK(acyclic > static_cast<int>(tests::share(1500) / 15));
}

TEST_CASE("each edge that a mend adds to a program with random faults is one of the mended program") {
  int mends = 0;
  const std::uint64_t first = reference::first_seed();
  const MscclFile sound = sample("ring-allgather-4.xml");
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const MscclFile file = reread(mutated(mutated(sound, random), random));
    const auto mend = mend_msccl(file, {call_of(file, {})}, {});
    if (!mend) continue;
    ++mends;
    const OrderGraph before = graph_of(file);
    const OrderGraph after = graph_of(reread(mend->file));
    const std::vector<OrderEdge> added = added_edges(mend->changes, before);
    CHECK(added.size() >= mend->changes.size());
    REQUIRE(before.count == after.count);
    for (const OrderEdge& edge : added) {
      CHECK(std::find(before.edges.begin(), before.edges.end(), edge) == before.edges.end());
      CHECK(std::find(after.edges.begin(), after.edges.end(), edge) != after.edges.end());
    }
  }
  CHECK(mends > 10);
}

TEST_CASE("a flag that a mend sets orders all that wait for it") {
  MscclFile file = small_file("allgather", 1, 1);
  add_step(add_block(file, 0, -1, -1), "cpy", "i0", "s0");
  for (const char* target : {"o0", "s1"}) {
    add_step(add_block(file, 0, -1, -1), "cpy", "s0", target, {.depends_on_block = 0, .depends_on_step = 0});
  }
  file = reread(file);
  const auto mend = mend_msccl(file, {call_of(file, {})}, {});
  REQUIRE(mend);
  const OrderGraph graph = graph_of(file);
  CHECK(graph.edges.empty());
  CHECK(added_edges(mend->changes, graph) == std::vector<OrderEdge>{{0, 1, depend}, {0, 2, depend}});
}

GoalSchedule exchange() {
  GoalSchedule schedule;
  schedule.ranks.resize(2);
  schedule.ranks[0].operations = {{10, 1, 1, GoalKind::send}, {5, 0, 0, GoalKind::calculate}};
  schedule.ranks[0].dependencies = {{1, 0, true}};
  schedule.ranks[1].operations = {{10, 0, 1, GoalKind::receive}, {10, 1, 3, GoalKind::send}};
  schedule.ranks[1].dependencies = {{1, 0, false}};
  return schedule;
}

TEST_CASE("a schedule's edges in GOAL are its dependencies and its messages") {
  std::vector<OrderEdge> edges;
  judge_goal(exchange(), {.order = &edges});
  CHECK(edges == std::vector<OrderEdge>{{0, 1, start}, {2, 3, dependency}, {0, 2, message}});
  GoalSchedule wrong = exchange();
  wrong.ranks[1].operations[1].peer = 7;
  judge_goal(wrong, {.order = &edges});
  CHECK(edges == std::vector<OrderEdge>{{0, 1, start}, {2, 3, dependency}});
}

TEST_CASE("messages of random schedules in GOAL go from a send to a reception that may take it, once each") {
  std::size_t all = 0;
  const auto first = static_cast<unsigned>(reference::first_seed());
  for (unsigned seed = first; seed < first + tests::share(1500); ++seed) {
    CAPTURE(seed);
    const GoalSchedule schedule = RandomGoal(seed).make();
    std::vector<const GoalOperation*> operations;
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t rank = 0; rank < schedule.ranks.size(); ++rank) {
      for (const GoalOperation& it : schedule.ranks[rank].operations) {
        operations.push_back(&it);
        ranks.push_back(rank);
      }
    }
    std::vector<OrderEdge> edges;
    judge_goal(schedule, {.order = &edges});
    std::vector<bool> met(operations.size());
    for (const OrderEdge& edge : edges) {
      if (edge.why != message) continue;
      ++all;
      const GoalOperation& send = *operations[edge.earlier];
      const GoalOperation& reception = *operations[edge.later];
      CHECK(send.kind == GoalKind::send);
      CHECK(reception.kind == GoalKind::receive);
      CHECK(send.peer == ranks[edge.later]);
      CHECK((reception.peer == goal_any || reception.peer == ranks[edge.earlier]));
      CHECK((reception.tag == goal_any || send.tag == goal_any || reception.tag == send.tag));
      CHECK(!met[edge.earlier]);
      CHECK(!met[edge.later]);
      met[edge.earlier] = met[edge.later] = true;
    }
  }
  CHECK(all > tests::share(1500) / 3);
}

}  // namespace
}  // namespace quadrille::programs
