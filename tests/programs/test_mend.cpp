// Files with a race or a flag that is never set, mended: judged anew they hold, and no change is one too many.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>
#include <string>

#include "programs/msccl/mend.h"
#include "tests/programs/random_executor.h"
#include "tests/programs/small_msccl.h"

namespace quadrille::programs {
namespace {

std::optional<MendedMsccl> mended(const MscclFile& file, const SmallCall& small = {}) {
  // Steps are told apart by their places in a text.
  const std::string text = write_msccl_xml(file);
  const MscclFile read = *read_msccl_xml({"x.xml", text}, 0);
  const auto mend = mend_msccl(read, {call_of(file, small)}, {});
  if (mend) {
    const auto edited = read_msccl_xml({"x.xml", edit_msccl_xml(text, read, mend->file)}, 0);
    REQUIRE(edited.ok());
    CHECK(write_msccl_xml(*edited) == write_msccl_xml(mend->file));
  }
  return mend;
}

ProgramVerdict after(const MendedMsccl& mend, const SmallCall& small = {}) {
  return judged(*read_msccl_xml({"x.xml", write_msccl_xml(mend.file)}, 0), small).report.verdict();
}

TEST_CASE("the ring whose sends do not wait is mended by two dependencies on each rank") {
  const auto mend = mended(sample("ring-allgather-4-race.xml"));
  REQUIRE(mend);
  CHECK(mend->changes.size() == 8);
  CHECK(after(*mend) == ProgramVerdict::holds);
  for (std::uint64_t seed = 0; seed < 30; ++seed) CHECK(!RandomExecutor(mend->file, {.seed = seed}).run().failed());
}

TEST_CASE("a dependency beside one that is there becomes a nop, and the numbers after it follow") {
  MscclFile file = small_file("allgather", 1, 1);
  for (int i = 0; i < 2; ++i) {
    add_step(add_block(file, 0, -1, -1), "cpy", "i0", "s" + std::to_string(i), {.has_dependence = 1});
  }
  MscclBlock& reader = add_block(file, 0, -1, -1);
  add_step(reader, "cpy", "s0", "s3", {.depends_on_block = 0, .depends_on_step = 0});
  add_step(reader, "re", "s1", "s3", {.depends_on_block = 0, .depends_on_step = 0});
  add_step(reader, "cpy", "i0", "s4", {.has_dependence = 1});
  add_step(add_block(file, 0, -1, -1), "cpy", "s4", "o0", {.depends_on_block = 2, .depends_on_step = 2});
  CHECK(verdict_of(file, ProgramProperty::race) == ProgramVerdict::violated);
  const auto mend = mended(file);
  REQUIRE(mend);
  REQUIRE(mend->changes.size() == 1);
  CHECK(mend->changes[0].text ==
        "gpu 0: hasdep=1 at block 1 step 0, and a nop with depid=1 deps=0 before block 2 step 1");
  CHECK(after(*mend) == ProgramVerdict::holds);
  CHECK(mend->file.members[0].blocks[3].steps[0].depends_on_step == 3);
}

TEST_CASE("a flag that is waited for and never set is set") {
  MscclFile file = small_file("allgather", 1, 1);
  add_step(add_block(file, 0, -1, -1), "cpy", "i0", "s0");
  add_step(add_block(file, 0, -1, -1), "cpy", "s0", "o0", {.depends_on_block = 0, .depends_on_step = 0});
  const auto mend = mended(file);
  REQUIRE(mend);
  REQUIRE(mend->changes.size() == 1);
  CHECK(mend->changes[0].text == "gpu 0: hasdep=1 at block 0 step 0");
  CHECK(after(*mend) == ProgramVerdict::holds);
}

TEST_CASE("where an LL send of rccl sets its flag too early, the next step's flag is waited for") {
  MscclFile file = small_file("allgather", 2, 2, Protocol::ll);
  for (std::int64_t r = 0; r < 2; ++r) {
    const std::string own = std::to_string(r);
    MscclBlock& sender = add_block(file, r, 1 - r, -1);
    add_step(sender, "cpy", "i0", "s0");
    add_step(sender, "s", "s0", "o" + own, {.has_dependence = 1});
    add_step(sender, "cpy", "i0", "o" + own);
    add_step(add_block(file, r, -1, -1), "cpy", "i0", "s0", {.depends_on_block = 0, .depends_on_step = 1});
    add_step(add_block(file, r, -1, 1 - r), "r", "i0", "o" + std::to_string(1 - r));
  }
  CHECK(verdict_of(file, ProgramProperty::race, {.executor = "azure"}) == ProgramVerdict::holds);
  CHECK(verdict_of(file, ProgramProperty::race) == ProgramVerdict::violated);
  const auto mend = mended(file);
  REQUIRE(mend);
  CHECK(mend->changes.size() == 2);
  CHECK(mend->changes[0].text ==
        "gpu 0: hasdep=1 at block 0 step 2, and a nop with depid=0 deps=2 before block 1 step 0");
  CHECK(after(*mend) == ProgramVerdict::holds);
}

// A step of an odd layout: `after` its own attributes whatever is handed in.
std::string odd_step(int s, const char* what, const char* waits, const char* after = "") {
  return fmt::format(R"(<step hasdep="{}" s="{}" {} cnt="1" {}{}/>)", s == 0 ? 1 : 0, s, what, waits, after);
}

TEST_CASE("a mended text keeps comments, unknown attributes and layout, and new steps stand on lines of their own") {
  const std::string head =
      "<!-- by hand -->\n<algo nchannels=\"1\" name=\"a\" proto=\"Simple\" nchunksperloop=\"1\" ngpus=\"1\" "
      "coll=\"allgather\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"0\" author=\"x\">\n"
      "<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"5\">\n";
  const std::string writers =
      "<tb id=\"0\" send=\"-1\" recv=\"-1\" chan=\"0\">" +
      odd_step(0, R"(type="cpy" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0")", R"(depid="-1" deps="-1")") + "</tb>\n" +
      "  <tb id=\"1\" send=\"-1\" recv=\"-1\" chan=\"0\">" +
      odd_step(0, R"(type="cpy" srcbuf="i" srcoff="0" dstbuf="s" dstoff="1")", R"(depid="-1" deps="-1")") + "</tb>\n";
  const std::string reads = R"(type="cpy" srcbuf="s" srcoff="0" dstbuf="s" dstoff="3")";
  const std::string adds = R"(type="re" srcbuf="s" srcoff="1" dstbuf="s" dstoff="3")";
  const std::string tail =
      "\n   <!-- s=\"7\" --> </tb>\n<tb id=\"3\" send=\"-1\" recv=\"-1\" chan=\"0\">" +
      odd_step(0, R"(type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0")", R"(depid="-1" deps="-1")") +
      "</tb></gpu>\n</algo>\n<!-- end -->";
  const auto reader = [&](bool mended) {
    std::string text = " <tb id=\"2\" send=\"-1\" recv=\"-1\" chan=\"0\">\n";
    text += "     " + odd_step(0, reads.c_str(), R"(depid="0" deps="0")", R"( note="first")") + "\n     ";
    text.replace(text.find("hasdep=\"1\""), 10, "hasdep=\"0\"");
    if (mended) {
      text +=
          "<step s=\"1\" type=\"nop\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"i\" dstoff=\"0\" cnt=\"0\" depid=\"1\" "
          "deps=\"0\" hasdep=\"0\"/>\n     ";
    }
    return text + odd_step(mended ? 2 : 1, adds.c_str(), R"(depid="0" deps="0")", R"( note="second")");
  };
  const std::string text = head + writers + reader(false) + tail;
  const auto file = read_msccl_xml({"x.xml", text}, 0);
  REQUIRE(file.ok());
  const auto mend = mend_msccl(*file, {call_of(*file, {})}, {});
  REQUIRE(mend);
  CHECK(edit_msccl_xml(text, *file, mend->file) == head + writers + reader(true) + tail);
}

TEST_CASE("what is no matter of order is not mended") {
  MscclFile file = sample("ap-1pass.xml");
  CHECK(!mended(file, {.in_place = true}));
  MscclFile wrong = sample("ring-allgather-4.xml");
  wrong.members[0].blocks[2].steps.clear();
  CHECK(!mended(wrong));
}

TEST_CASE("each dependency of the sound ring that is taken away is found again, or one that does as well") {
  const MscclFile sound = sample("ring-allgather-4.xml");
  int tried = 0;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    for (std::size_t step = 0; step < 3; ++step) {
      MscclFile file = sound;
      MscclStep& it = file.members[rank].blocks[0].steps[step];
      if (it.depends_on_block < 0) continue;
      it.depends_on_block = -1;
      it.depends_on_step = -1;
      if (verdict_of(file, ProgramProperty::race) != ProgramVerdict::violated) continue;
      ++tried;
      const auto mend = mended(file);
      REQUIRE(mend);
      CHECK(mend->changes.size() == 1);
      CHECK(after(*mend) == ProgramVerdict::holds);
    }
  }
  CHECK(tried > 0);
}

}  // namespace
}  // namespace quadrille::programs
