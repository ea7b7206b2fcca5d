// A program that links the library adds a format of its own: nothing of the product changes for it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "formats/table_io.h"
#include "model/fabric_notation.h"

using namespace quadrille;

namespace {

// Tables of a broadcast of one chunk on a ring, a hop a line: step, from and to between tabs.
constexpr std::string_view first_line = "#ring-broadcast";

Match recognise(std::string_view beginning) { return beginning.starts_with(first_line) ? Match::yes : Match::no; }

Written write(const SendTable& table, const Sink& sink) {
  std::string text = std::string(first_line) + "\t" + std::to_string(table.fabric.processors()) + "\n";
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    for (const Row& row : batch->rows) {
      const Channel& channel = table.fabric.channel(row.channel);
      text += std::to_string(batch->step.value) + "\t" + std::to_string(channel.from.value) + "\t" +
              std::to_string(channel.to.value) + "\n";
    }
  }
  return {sink(text), cursor->ended_early()};
}

Result<SendTable> read(const TableInput& input) {
  std::istringstream text(input.source.text);
  std::string word;
  std::uint32_t processors = 0;
  if (!(text >> word >> processors))
    return error_at({input.source_number, 0, 1}, "no number of processors", Code::range);
  const auto fabric = parse_fabric({"", "ring:" + std::to_string(processors)}, 0);
  if (!fabric) return fabric.diagnostics();
  const auto collective = parse_collective({"", "broadcast"}, 0, processors);
  std::vector<StoredRows::StepRow> rows;
  std::uint32_t step = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  while (text >> step >> from >> to) {
    const auto channel = fabric->channel_between(NodeId(from), NodeId(to));
    if (!channel) return error_at({input.source_number, 0, 1}, "no such channel", Code::range);
    rows.push_back({StepId(step), Row{*channel, LaneId(0), ChunkId(0)}});
  }
  return SendTable{*fabric, *collective, "", {}, std::make_shared<StoredRows>(std::move(rows))};
}

FormatList extended() {
  FormatList formats = standard_formats();
  formats.push_back({.name = "tsv",
                     .summary = "broadcasts on rings",
                     .extensions = {"tsv"},
                     .recognise = recognise,
                     .read = read,
                     .write = write});
  return formats;
}

SendTable broadcast() {
  const auto fabric = parse_fabric({"", "ring:3"}, 0).value();
  const auto collective = parse_collective({"", "broadcast"}, 0, 3).value();
  const auto channel = fabric.channel_between(NodeId(0), NodeId(1));
  std::vector<StoredRows::StepRow> rows{{StepId(1), Row{*channel, LaneId(0), ChunkId(0)}}};
  return {fabric, collective, "", {}, std::make_shared<StoredRows>(rows)};
}

}  // namespace

TEST_CASE("a format of one's own is written, recognised and read through the same calls") {
  const FormatList formats = extended();
  std::string text;
  const Sink sink = [&](std::string_view piece) { return text += piece, true; };
  REQUIRE(write_table(broadcast(), "tsv", sink, formats));
  CHECK(text == "#ring-broadcast\t3\n1\t0\t1\n");
  CHECK(recognise_format(formats, text)->name == "tsv");
  CHECK(format_of_path(formats, "out.d/some.tsv")->name == "tsv");

  ReadOptions options;
  options.formats = formats;
  const auto read_again = read_table({"it", text}, 0, options);
  REQUIRE(read_again.ok());
  CHECK(all_rows(*read_again) == all_rows(broadcast()));

  const auto path = (std::filesystem::temp_directory_path() / "quadrille_test_format_list").string();
  std::ofstream(path) << text;
  Sources sources;
  const auto loaded = load_table(path, sources, options);
  std::filesystem::remove(path);
  REQUIRE(loaded.ok());
  CHECK(all_rows(*loaded) == all_rows(broadcast()));
  CHECK(sources.front().text == text);
  CHECK_FALSE(read_table({"it", text}, 0).ok());  // the standard list does not know it
}

TEST_CASE("formats are found by name and by a path's extension") {
  const FormatList formats = standard_formats();
  CHECK(format_named(formats, "binary")->name == "binary");
  CHECK(format_named(formats, "xml") == nullptr);
  CHECK(format_of_path(formats, "a/b.json")->name == "json");
  CHECK(format_of_path(formats, "a.json/b") == nullptr);
  CHECK(format_of_path(formats, "json") == nullptr);
  for (const Format& format : formats) {
    CHECK_FALSE(format.summary.empty());
    CHECK_FALSE(format.extensions.empty());
  }
}

TEST_CASE("reading within limits: what takes more time or memory is refused, with the limit's code") {
  std::string text;
  SendTable large = broadcast();
  const Row row = all_rows(large)[0].row;
  std::vector<StoredRows::StepRow> rows;
  for (std::uint32_t step = 1; step <= 20000; ++step) rows.push_back({StepId(step), row});
  large.rows = std::make_shared<StoredRows>(rows);
  for (const char* form : {"csv", "json"}) {
    CAPTURE(form);
    text.clear();
    REQUIRE(write_table(large, form, [&](std::string_view piece) { return text += piece, true; }));
    ReadOptions options;
    options.limits.deadline = Limits::Clock::now();
    const auto late = read_table({"it", text}, 0, options);
    REQUIRE_FALSE(late.ok());
    CHECK(reason_of(late.diagnostics()) == Reason::timeout);
    options.limits = {};
    options.limits.memory = 10000;
    const auto small = read_table({"it", text}, 0, options);
    REQUIRE_FALSE(small.ok());
    CHECK(reason_of(small.diagnostics()) == Reason::limit);
  }
}

TEST_CASE("a table's fabric counts before it is made, and leaves less to the rows") {
  const std::string text =
      "# quadrille-table 1\n# fabric: hypercube:14\n# collective: broadcast\nstep,from,to,lane,origin,target,part\n"
      "1,0,1,0,0,*,0\n";
  const auto reason = [&](std::uint64_t memory) {
    ReadOptions options;
    options.limits.memory = memory;
    return reason_of(read_table({"it", text}, 0, options).diagnostics());
  };
  CHECK(reason(default_memory) == Reason::none);
  CHECK(reason(1'000'000) == Reason::limit);
}
