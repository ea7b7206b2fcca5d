// Execution plans as files: what is written is read back the same, and what cannot be read is told at its place.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "programs/mscclpp/plan.h"
#include "programs/mscclpp/write_plan.h"

namespace quadrille::programs {
namespace {

// All of a plan as text that has nothing to do with JSON, so that two plans are the same if their texts are.
std::string flat(const PlanChunks& it) {
  return fmt::format("{}:{}{}:{}+{} ", it.space ? static_cast<int>(*it.space) : -1, it.id, it.by_switch, it.index,
                     it.size);
}

std::string flat(const PlanOperation& it) {
  std::string text =
      fmt::format("{}({} {} tbg {}/{} barrier {}/{} sem {} red {} turns {}/{} ", to_string(it.kind),
                  it.channel ? to_string(*it.channel) : "-", it.channels, it.share.number, it.share.parts, it.barrier,
                  it.barrier_blocks, it.semaphores, it.reduction, it.unit_bytes, it.pipeline_chunks);
  for (const PlanChunks& source : it.sources) text += "<" + flat(source);
  for (const PlanChunks& target : it.targets) text += ">" + flat(target);
  for (const PlanOperation& inner : it.inner) text += flat(inner);
  return text + ")";
}

std::string flat(const PlanRank& it) {
  std::string text = fmt::format("\nrank {}: {} {} {} peers {} {} semaphores {}\n", it.id, it.input, it.output,
                                 it.scratch, it.peers[0], it.peers[1], it.semaphores);
  for (const PlanGroups& groups : it.switches)
    text += fmt::format("switch {} {}\n", static_cast<int>(groups.space), groups.groups);
  for (const PlanRemoteBuffer& buffer : it.remote_buffers) {
    text += fmt::format("remote {} {}", buffer.rank, static_cast<int>(buffer.space));
    for (const PlanChannel access : buffer.access) text += fmt::format(" {}", to_string(access));
  }
  for (const PlanBlock& block : it.blocks) {
    text += fmt::format("\nblock {} {} {}: ", block.id, block.channels, block.remote_buffers);
    for (const PlanOperation& operation : block.operations) text += flat(operation);
  }
  return text;
}

std::string flat(const ExecutionPlan& it) {
  std::string text = fmt::format("{} {} {} {}{}{} {} {} {}-{}", it.name, it.collective, it.protocol, it.in_place,
                                 it.reuses, it.double_scratch, it.alignment, it.threads, it.bytes_from, it.bytes_to);
  for (const PlanRank& rank : it.ranks) text += flat(rank);
  return text;
}

// Plans with all that a file can say, drawn at random; the numbers in them need not name anything.
class RandomPlan {
 public:
  explicit RandomPlan(std::uint64_t seed) : random_(seed) {}

  ExecutionPlan plan() {
    ExecutionPlan plan{"a \"name\"\\", "all\nreduce", chance() ? "LL" : "Simple", chance(), chance(), chance()};
    plan.alignment = number();
    plan.threads = number();
    plan.bytes_from = number();
    plan.bytes_to = number();
    for (std::uint32_t rank = number() % 4; rank > 0; --rank) plan.ranks.push_back(one_rank());
    return plan;
  }

 private:
  std::uint32_t number() { return static_cast<std::uint32_t>(random_() % 1000); }
  bool chance() { return random_() % 2 == 0; }
  std::vector<std::uint32_t> numbers() {
    std::vector<std::uint32_t> all(random_() % 3);
    for (std::uint32_t& it : all) it = number();
    return all;
  }
  Space space() { return static_cast<Space>(random_() % 3); }
  PlanChannel channel() { return static_cast<PlanChannel>(random_() % 3); }

  PlanChunks chunks() {
    PlanChunks it{.index = number(), .size = number()};
    if (chance()) {
      it.space = space();
    } else {
      it.by_switch = chance();
      it.id = number();
    }
    return it;
  }

  PlanOperation operation(bool inner) {
    PlanOperation it;
    it.kind = static_cast<PlanKind>(random_() % (inner ? 30 : 31));
    if (chance()) it.channel = channel();
    it.channels = numbers();
    for (auto count = random_() % 3; count > 0; --count) it.sources.push_back(chunks());
    for (auto count = random_() % 3; count > 0; --count) it.targets.push_back(chunks());
    if (chance()) it.share = {number(), number()};
    if (it.kind == PlanKind::barrier) it.barrier = number(), it.barrier_blocks = number();
    it.semaphores = numbers();
    if (chance()) it.reduction = "sum";
    if (it.kind != PlanKind::pipeline) return it;
    it.unit_bytes = number();
    it.pipeline_chunks = number();
    for (auto count = random_() % 3; count > 0; --count) it.inner.push_back(operation(true));
    return it;
  }

  PlanRank one_rank() {
    PlanRank rank{number(), number(), number(), number(), {numbers(), numbers()}};
    if (chance()) rank.switches.push_back({space(), {numbers(), numbers()}});
    if (chance()) rank.remote_buffers.push_back({number(), space(), {channel(), channel()}});
    rank.semaphores = numbers();
    for (auto count = random_() % 3; count > 0; --count) {
      PlanBlock& block = rank.blocks.emplace_back();
      block.id = number();
      block.channels = {numbers(), numbers(), numbers()};
      block.remote_buffers = {numbers(), numbers(), numbers()};
      for (auto operations = random_() % 5; operations > 0; --operations) block.operations.push_back(operation(false));
    }
    return rank;
  }

  std::mt19937_64 random_;
};

const std::string whole = R"({"name": "n", "collective": "allreduce", "protocol": "Simple", "inplace": false, "gpus": [
  {"id": 0, "input_chunks": 1, "output_chunks": 1, "scratch_chunks": 0, "channels": [], "remote_buffers": [],
   "threadblocks": [{"id": 0, "ops": [{"name": "copy", "src_buff": [{"type": "i", "index": 0, "size": 1}],
                                       "dst_buff": [{"type": "o", "index": 0, "size": 1}]}]}]}]})";

std::string without(std::string text, const std::string& old, const std::string& with) {
  const std::size_t at = text.find(old);
  REQUIRE(at != text.npos);
  return text.replace(at, old.size(), with);
}

std::string refusal_of(const std::string& text) {
  const auto plan = read_execution_plan(text, {});
  REQUIRE_FALSE(plan.ok());
  return plan.diagnostics().front().message;
}

}  // namespace

TEST_CASE("a plan that is written is read back the same") {
  const char* seed = std::getenv("QUADRILLE_SEED");
  const std::uint64_t first = seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10);
  MESSAGE("QUADRILLE_SEED=" << first);
  for (std::uint64_t at = first; at < first + 500; ++at) {
    CAPTURE(at);
    const ExecutionPlan plan = RandomPlan(at).plan();
    const std::string text = write_execution_plan(plan);
    CHECK(is_execution_plan(text));
    const auto again = read_execution_plan(text, {});
    REQUIRE(again.ok());
    CHECK(flat(*again) == flat(plan));
    CHECK(write_execution_plan(*again) == text);
  }
}

TEST_CASE("what a file leaves out is written as the executor takes it") {
  const auto plan = read_execution_plan(whole, {});
  REQUIRE(plan.ok());
  const std::string text = write_execution_plan(*plan);
  for (const char* piece : {"\"max_message_size\": 18446744073709551615", "\"num_threads_per_block\": 1024",
                            "\"buffer_alignment\": 16", "\"semaphores\": []"}) {
    CAPTURE(piece);
    CHECK(text.find(piece) != text.npos);
  }
  CHECK(text.find("tbg_info") == text.npos);
}

TEST_CASE("what is wrong in a file is told once, with its place") {
  CHECK(refusal_of("{").find("this JSON cannot be read at byte") == 0);
  CHECK(refusal_of("[]") == "the plan is no object");
  CHECK(refusal_of(without(whole, "\"protocol\": \"Simple\", ", "")) == "the plan has no `protocol`");
  CHECK(refusal_of(without(whole, "\"inplace\": false", "\"inplace\": 0")) == "inplace is neither true nor false");
  CHECK(refusal_of(without(whole, "\"input_chunks\": 1, ", "")) == "gpus[0] has no `input_chunks`");
  CHECK(refusal_of(without(whole, "\"copy\"", "\"copi\"")) ==
        "gpus[0].threadblocks[0].ops[0].name is \"copi\", which is no operation");
  CHECK(refusal_of(without(whole, "\"type\": \"i\"", "\"type\": \"x\"")) ==
        "gpus[0].threadblocks[0].ops[0].src_buff[0].type is \"x\"; expected i, o or s");
  CHECK(refusal_of(without(whole, "\"type\": \"i\", ", "")) ==
        "gpus[0].threadblocks[0].ops[0].src_buff[0] has no `buffer_id`");
  CHECK(refusal_of(without(whole, "\"ops\": [", "\"ops\": 1, \"was\": [")) == "gpus[0].threadblocks[0].ops is no list");
}

}  // namespace quadrille::programs
