// The structure and the limits of MSCCL++ plans: every message, each of a plan that is made wrong in one place.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "programs/mscclpp/judge.h"
#include "programs/mscclpp/structure.h"

namespace quadrille::programs {
namespace {

using PlanJson = nlohmann::json;

PlanJson plan_file(const std::string& name) {
  std::ifstream file(QUADRILLE_SOURCE_FOLDER "/tests/programs/plans/" + name + ".json");
  REQUIRE(file.good());
  return PlanJson::parse(file);
}

ProgramReport structure_of(const PlanJson& json) {
  const auto plan = read_execution_plan(json.dump(), {});
  REQUIRE(plan.ok());
  ProgramReport report;
  judge_plan_structure(*plan, 1000, report);
  return report;
}

ProgramReport structure_of(const std::string& name, const std::string& changes) {
  return structure_of(plan_file(name).patch(PlanJson::parse("[" + changes + "]")));
}

// A change of a plan, in words of JSON Patch; paths that begin with @ are of block 0 of GPU 0.
std::string changed(const char* how, std::string path, const std::string& value) {
  if (path.starts_with("@")) path = "/gpus/0/threadblocks/0" + path.substr(1);
  return PlanJson{{"op", how}, {"path", path}, {"value", PlanJson::parse(value)}}.dump();
}
std::string set(const std::string& path, const std::string& value) { return changed("replace", path, value); }
std::string add(const std::string& path, const std::string& value) { return changed("add", path, value); }
std::string without(const std::string& path) { return changed("remove", path, "null"); }
// One more operation at the end of block 0 of GPU 0.
std::string one_more(const std::string& operation) { return add("@/ops/-", operation); }

// A chunk of a plan's text: "i", "o", "s", or the index of a remote buffer.
std::string chunk(const std::string& where, int index, int size = 1) {
  const std::string of = where.find_first_of("ios") == 0 ? R"("type": ")" + where + "\"" : "\"buffer_id\": " + where;
  return "{" + of + R"(, "index": )" + std::to_string(index) + R"(, "size": )" + std::to_string(size) + "}";
}
std::string operation(const std::string& name, const std::string& sources, const std::string& targets,
                      const std::string& more = "") {
  return R"({"name": ")" + name + R"(", "src_buff": [)" + sources + R"(], "dst_buff": [)" + targets + "]" + more + "}";
}
std::string pipeline_of(int unit, int chunks, const std::string& inner) {
  return R"({"name": "pipeline", "iter_context": {"unit_size": )" + std::to_string(unit) + R"(, "num_chunks": )" +
         std::to_string(chunks) + R"(}, "ops": [)" + inner + "]}";
}
std::string zeros(int count) { return PlanJson(std::vector<int>(static_cast<std::size_t>(count), 0)).dump(); }

struct WrongPlan {
  std::string plan;
  std::string changes;
  std::string message;
  ProgramProperty property = ProgramProperty::structure;
};

void check_wrong(const std::vector<WrongPlan>& all) {
  for (const WrongPlan& it : all) {
    CAPTURE(it.message);
    const ProgramReport report = structure_of(it.plan, it.changes);
    const auto found = std::ranges::count(report.findings, it.message, &Finding::message);
    for (const Finding& finding : report.findings) {
      if (found == 0) MESSAGE(finding.message);
    }
    CHECK(found == 1);
    CHECK(report.of(it.property).verdict == ProgramVerdict::violated);
  }
}

TEST_CASE("plans that are right hold") {
  for (const char* name : {"allreduce_packets", "allgather", "missing_nop", "wait_first"}) {
    CAPTURE(name);
    const ProgramReport report = structure_of(plan_file(name));
    CHECK(report.of(ProgramProperty::structure).verdict == ProgramVerdict::holds);
    CHECK(report.of(ProgramProperty::limits).verdict == ProgramVerdict::holds);
    CHECK(report.covers.size() == property_count);
  }
}

TEST_CASE("what is wrong with a plan as a whole, and with its GPUs") {
  check_wrong({
      {"allgather", set("/gpus", "[]"), "there are no gpus"},
      {"allgather", set("/buffer_alignment", "0"), "buffer_alignment is 0: the loader divides by it"},
      {"allgather", set("/min_message_size", "2000000"),
       "min_message_size 2000000 is more than max_message_size 1048576"},
      {"allgather", set("/num_threads_per_block", "2000"), "blocks have 2000 threads; the executor runs 1 to 1024",
       ProgramProperty::limits},
      {"allgather", set("/num_threads_per_block", "2") + "," + set("@/ops/6/channel_ids", zeros(3)),
       "signal of 3 channels or semaphores by 2 threads, each of which does one"},
      {"allgather", set("/gpus/0/input_chunks", "0"),
       "gpu 0 has no chunk of input: the loader divides by their number"},
      {"allgather", set("/gpus/1/output_chunks", "0"),
       "gpu 1 has no chunk of output: the loader divides by their number"},
      {"allgather", set("/gpus/1/output_chunks", "3"),
       "gpu 1 has 1 and 3 chunks of input and output, and gpu 0 has 1 and 2: their chunks are not of one size"},
      {"allreduce_packets", set("/gpus/1/scratch_chunks", "2"),
       "gpu 1 has 2 chunks of scratch, and gpu 0 has 1: with two halves senders take their own"},
      {"allgather", set("/gpus/0/id", "5"), "gpus[0] has the id 5"},
      {"allgather", set("/gpus/0/channels/0/connected_to", "[7]"), "gpu 0: a memory channel is to gpu 7 of 2"},
      {"allgather", set("/gpus/1/channels/0/connected_to", "[1]"), "gpu 1: a memory channel is to the gpu itself"},
      {"allgather", set("/gpus/0/remote_buffers/0/rank", "9"), "gpu 0: a remote buffer is of gpu 9 of 2"},
      {"allgather",
       add("/gpus/0/channels/-",
           R"({"channel_type": "switch", "buffer_type": "i", "rank_groups": [{"size": 2, "ranks": [0, 3]}]})"),
       "gpu 0: a group of a switch channel names gpu 3 of 2"},
  });
}

TEST_CASE("sizes that are no multiple of 16 bytes are beyond what packets carry") {
  const ProgramReport report = structure_of("allreduce_packets", set("/buffer_alignment", "4"));
  REQUIRE(!report.findings.empty());
  CHECK(report.findings[0].property == ProgramProperty::limits);
  CHECK(report.findings[0].message ==
        "ppkt with a buffer_alignment of 4: what is left of a size beyond a multiple of 16 bytes is not sent");
}

TEST_CASE("what is wrong with a block") {
  check_wrong({
      {"allgather", set("@/id", "4"), "threadblocks[0] has the id 4: operations are taken in the file's order"},
      {"allgather", set("@/channels/0/channel_ids", "[0, 3]"), "memory channel 3: the gpu has 1"},
      {"allgather", set("@/remote_buffer_refs/0/remote_buffer_ids", "[0, 3]"), "remote buffer 3: the gpu has 1"},
      {"allgather", set("@/channels/0/channel_ids", zeros(17)),
       "17 memory channels in a block; the executor has room for 16", ProgramProperty::limits},
  });
  PlanJson long_plan = plan_file("allgather");
  for (int i = 0; i < 57; ++i) long_plan["gpus"][0]["threadblocks"][0]["ops"].push_back({{"name", "nop"}});
  const ProgramReport report = structure_of(long_plan);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].message == "65 operations in a block, those in pipelines included; the executor takes 64");
  CHECK(report.of(ProgramProperty::structure).verdict == ProgramVerdict::holds);
}

TEST_CASE("what is wrong with a pipeline") {
  const std::string copy = operation("copy", chunk("i", 0), chunk("o", 0));
  check_wrong({
      {"allgather", one_more(pipeline_of(0, 1, copy)), "unit_size is 0: the pipeline never ends"},
      {"allgather", one_more(pipeline_of(24, 1, copy)), "unit_size 24 is no multiple of buffer_alignment 16"},
      {"allgather",
       one_more(pipeline_of(
           64, 1, operation("copy", chunk("i", 0), chunk("o", 0), R"(, "tbg_info": {"tb_id": 0, "tbg_size": 2})"))),
       "copy in a pipeline does a part of its chunks: windows are of whole ones"},
      {"allgather", one_more(pipeline_of(64, 2, copy)),
       "copy in a pipeline is not of 2 chunks: its last windows reach beyond them"},
      {"allgather", one_more(pipeline_of(64, 1, operation("copy", chunk("i", 1), chunk("o", 0)))),
       "copy reads input 1..1 of gpu 0, which has 1"},
  });
}

TEST_CASE("what is wrong with the channels of an operation") {
  const std::string by_port = R"(, "channel_ids": [], "channel_type": "port")";
  check_wrong({
      {"allgather", without("@/ops/6/channel_type"), "signal has no channel_type"},
      {"allgather", without("@/ops/4/channel_type"), "put has no channel_type"},
      {"allgather", without("@/ops/6/channel_ids"), "signal has no channel_ids"},
      {"allgather", set("@/ops/6/channel_ids", "[1]"), "signal on memory channel 1 of the block, which has 1"},
      {"allgather", set("@/ops/6/channel_type", "\"switch\""),
       "signal on switch channels: the executor has none for it"},
      {"allgather", one_more(operation("rre", chunk("i", 0) + "," + chunk("0", 0), chunk("o", 0), by_port)),
       "rre on port channels: the executor takes memory channels for it"},
      {"allgather",
       one_more(operation("put", chunk("i", 0) + "," + chunk("i", 0), chunk("0", 0) + "," + chunk("0", 1),
                          R"(, "channel_ids": [0], "channel_type": "port")")),
       "put of 2 targets by 1 channel: each needs its own"},
      {"allgather", one_more(operation("put", chunk("i", 0), chunk("0", 0), by_port)), "put has no channel_ids"},
  });
}

TEST_CASE("what is wrong with an operation's numbers") {
  const std::string by_memory = R"(, "channel_type": "memory")";
  check_wrong({
      {"allgather", one_more(R"({"name": "glre"})"), "glre: the loader takes no such operation"},
      {"allgather", add("@/ops/3/tbg_info", R"({"tb_id": 2, "tbg_size": 2})"),
       "copy does part 2 of 2 (tbg_info); parts are numbered from 0"},
      {"allgather", one_more(R"({"name": "sem_acquire", "semaphore_ids": [0]})"),
       "sem_acquire of semaphore 0: the gpu has 0"},
      {"allgather", one_more(R"({"name": "barrier", "barrier_id": 16, "num_threadblocks": 1})"),
       "barrier 16; the executor has 16", ProgramProperty::limits},
      {"allgather", without("@/ops/3/src_buff"), "copy has 0 sources; it needs 1"},
      {"allgather", without("@/ops/3/dst_buff"), "copy has 0 targets; it needs 1"},
      {"allgather", add("@/ops/4/src_buff/-", chunk("i", 0)), "put has 2 sources and 1 target"},
      {"allgather", set("@/ops/3/dst_buff/0/size", "2"), "copy of 1 chunk into 2"},
      {"allgather", one_more(operation("re", chunk("i", 0) + "," + chunk("o", 0, 2), chunk("o", 0))),
       "re adds 2 chunks to 1"},
      {"allgather", add("@/ops/4/reduce_op", "\"max\""),
       "put has the reduce_op \"max\", which the executor does not read: it adds", ProgramProperty::limits},
      {"allgather", one_more(operation("get", chunk("0", 1), chunk("o", 0), by_memory)),
       "get of chunk 1 into chunk 0: the executor takes the one index for the other", ProgramProperty::limits},
      {"allgather",
       one_more(operation("put", chunk("i", 0) + "," + chunk("o", 0), chunk("0", 0) + "," + chunk("0", 1), by_memory)),
       "put of several buffers: the executor reads all of them in the first one, the input", ProgramProperty::limits},
      {"allgather", set("@/ops/6/channel_ids", zeros(9)),
       "signal has 9 channels; the executor has room for 8 and writes beyond it", ProgramProperty::limits},
      {"allgather", one_more(R"({"name": "sem_release", "semaphore_ids": )" + zeros(17) + "}"),
       "sem_release has 17 semaphores; the executor has room for 16 and writes beyond it", ProgramProperty::limits},
  });
  const ProgramReport eleven = structure_of(plan_file("eleven_buffers"));
  REQUIRE(eleven.findings.size() == 4);
  CHECK(eleven.findings[0].message == "put has 11 sources; the executor has room for 10 and writes beyond it");
  CHECK(eleven.findings[1].message == "put has 11 targets; the executor has room for 10 and writes beyond it");
}

TEST_CASE("what is wrong with the chunks of an operation") {
  check_wrong({
      {"allgather", one_more(operation("copy", chunk("i", 0, 0), chunk("o", 0, 0))), "copy reads no chunk"},
      {"allgather", one_more(operation("copy", chunk("i", 0, 0), chunk("o", 0, 0))), "copy writes no chunk"},
      {"allgather", one_more(operation("copy", chunk("0", 0), chunk("o", 0))),
       "copy reads elsewhere, where it reads the gpu's own buffer"},
      {"allgather", one_more(operation("put", chunk("i", 0), chunk("o", 0))),
       "put writes the gpu's own buffer, where it writes elsewhere"},
      {"allgather",
       one_more(operation("glres", R"({"switch_channel_id": 0, "index": 0, "size": 1})",
                          R"({"switch_channel_id": 1, "index": 0, "size": 1})")),
       "glres reads switch channel 0 of the block, which has 0"},
      {"allgather", set("@/ops/4/dst_buff/0/buffer_id", "2"),
       "put writes remote buffer 2 of the block, which has 1 for memory channels"},
      {"allgather", set("/gpus/0/remote_buffers/0/access_channel_types", R"(["port"])"),
       "put writes gpu 1's output by a memory channel, which the file does not list for it"},
      {"allreduce_packets", set("/gpus/0/remote_buffers/0/type", "\"o\""),
       "ppkt writes packets in gpu 1's output; packets are in scratch"},
      {"out_of_range", "", "put writes output 2..2 of gpu 0, which has 2"},
      {"allgather", set("@/ops/3/src_buff/0/index", "1000000000"),
       "copy reads input 1000000000..1000000000 of gpu 0, which has 1"},
      {"allreduce_packets", set("/protocol", "\"Simple\""),
       "ppkt writes scratch 0..0 of gpu 1, which has 1; packets take twice the room, and the protocol is not LL"},
      {"allreduce_packets", set("@/ops/0/channel_type", "\"port\""),
       "ppkt reads packets in gpu 0's input; packets are in scratch"},
  });
}

TEST_CASE("a finding names the operation, in a block whose id is wrong, too") {
  const PlanJson json =
      plan_file("allgather")
          .patch(PlanJson::parse("[" + set("@/id", "4") + "," +
                                 one_more(pipeline_of(64, 1,
                                                      operation("copy", chunk("i", 0), chunk("o", 0)) + "," +
                                                          operation("copy", chunk("i", 1), chunk("o", 0)))) +
                                 "]"));
  const auto plan = read_execution_plan(json.dump(), {});
  REQUIRE(plan.ok());
  const ProgramReport report = judge_plan(*plan, {});
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[1].message == "copy reads input 1..1 of gpu 0, which has 1");
  CHECK(plan_operation_text(*plan, *report.findings[1].at) == "ops[8].ops[1] copy");
}

// The largest message for which the limits hold; nothing: any that there is.
std::optional<std::uint64_t> most_bytes(const std::string& name, const std::string& changes) {
  const ProgramReport report = structure_of(name, changes);
  const PropertyVerdict& limits = report.of(ProgramProperty::limits);
  if (limits.verdict == ProgramVerdict::holds) return std::nullopt;
  REQUIRE(limits.verdict == ProgramVerdict::conditional);
  CHECK(report.findings.empty());
  return limits.condition.bytes_to;
}

TEST_CASE("messages that are too large for what the executor counts in are a condition") {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  const std::string any_size = without("/max_message_size");
  // Two chunks of output, which is the message of an all-gather: its end is counted in 32 bits.
  CHECK(most_bytes("allgather", any_size) == 4 * gib - 32);
  CHECK(most_bytes("allgather", set("/max_message_size", "4294967264")) == std::nullopt);
  CHECK(most_bytes("allgather", set("/max_message_size", "4294967295")) == std::nullopt);  // no whole number of units
  CHECK(most_bytes("allgather", set("/max_message_size", "4294967296")) == 4 * gib - 32);
  // Packets take twice the room, behind the other half of scratch, which is as large.
  CHECK(most_bytes("allreduce_packets", any_size) == gib - 16);
  CHECK(most_bytes("allreduce_packets", any_size + "," + set("/use_double_scratch_buffer", "false")) == 2 * gib - 16);
  // Scratch that plans share is smaller.
  CHECK(most_bytes("allreduce_packets", any_size + "," + set("/reuse_resources", "true")) == gib / 64);
  // Turns of 16 bytes for one of two chunks.
  const std::string turns = one_more(pipeline_of(16, 1, operation("copy", chunk("i", 0), chunk("o", 0))));
  CHECK(most_bytes("allgather", any_size + "," + turns) == 65535 * 16 * 2);
  CHECK(most_bytes("allgather", turns) == std::nullopt);
}

TEST_CASE("it is a finding if the smallest message is too large") {
  const ProgramReport report =
      structure_of("allgather", without("/max_message_size") + "," + set("/min_message_size", "8589934592"));
  CHECK(report.of(ProgramProperty::limits).verdict == ProgramVerdict::violated);
  CHECK(report.of(ProgramProperty::limits).findings == 8);
  CHECK(report.findings.at(0).message ==
        "offsets are counted in 32 bits, so that chunks have 4294967280 bytes at most; those of the smallest message "
        "have 4294967296");
}

TEST_CASE("numbers as large as they may be overflow nowhere") {
  const std::string most = "18446744073709551615";
  const ProgramReport report = structure_of(
      "allgather", set("/buffer_alignment", most) + "," + set("/min_message_size", most) + "," +
                       set("/gpus/0/input_chunks", "1000000000") + "," + set("/gpus/1/input_chunks", "1000000000") +
                       "," + one_more(pipeline_of(1000000000, 1000000000, "")));
  CHECK(report.of(ProgramProperty::limits).verdict == ProgramVerdict::violated);
}

}  // namespace
}  // namespace quadrille::programs
