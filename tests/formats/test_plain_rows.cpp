// Rows that are read fast, compared with the same rows read by the readers proper: the same table, or the same faults
// at the same places. CSV: a carriage return at every line's end makes the fast reader pass all of them on.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "formats/our_tables.h"
#include "formats/packed_rows.h"
#include "formats/table_io.h"
#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/formats/written.h"
#include "tests/reference/random_tables.h"

using namespace quadrille;
using tests::written;

namespace {

// Everything that can be told of a table, or what is wrong with it and where.
std::string told(const Result<SendTable>& read) {
  std::string text;
  for (const Diagnostic& it : read.diagnostics())
    text += fmt::format("{}-{} {}\n", it.span.begin, it.span.end, it.message);
  if (!read) return text;
  text += read->fabric.notation() + "\n" + read->collective.notation() + "\n" + read->schedule + "\n";
  const auto cursor = read->rows->open();
  while (const auto step = cursor->next()) {
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      const Row& row = step->rows[i];
      text += fmt::format("{} {} {} {}", step->step.value, row.channel.value, row.lane.value, row.chunk.value);
      text += step->messages.empty() ? "\n" : fmt::format(" {}\n", step->messages[i].value);
    }
  }
  return text;
}

std::string with_carriage_returns(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result += '\r';
    result += c;
  }
  return result;
}

// Diagnostics of a text with carriage returns, as they would be without.
Result<SendTable> without_carriage_returns(Result<SendTable> read, const std::string& text) {
  if (read) return read;
  Diagnostics moved = read.diagnostics();
  for (Diagnostic& it : moved) {
    const auto before = [&](std::uint32_t place) {
      return static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + place, '\r'));
    };
    it.span = {it.span.source, it.span.begin - before(it.span.begin), it.span.end - before(it.span.end)};
  }
  return moved;
}

Result<SendTable> read_slowly(const std::string& text, const std::string& form) {
  if (form == "csv") {
    const std::string other = with_carriage_returns(text);
    return without_carriage_returns(read_table({"it", other}, 0), other);
  }
  const Source source{"it", text};
  return read_any_json({source, 0, {nullptr, text}, {}, standard_families()});
}

// By several threads, in pieces of few lines.
Result<SendTable> read_in_pieces(const std::string& text, reference::Dice& dice) {
  const Source source{"it", text};
  return read_csv({source, 0, {nullptr, text}, {}, standard_families()},
                  {.bytes = dice.from_to(1, 400), .threads = dice.from_to(2, 4)});
}

// With memory for few of the rows, so that they are not kept.
Result<SendTable> read_again(const std::string& text, std::uint64_t memory_of_rows) {
  static std::string kept;  // what the tables of one test are read from
  kept = text;
  const Source source{"it", text};
  const auto whole = read_csv({source, 0, {nullptr, text}, {}, standard_families()}, {});
  Limits limits;
  if (whole) limits.memory = whole->fabric.memory() + memory_of_rows;
  const SharedBytes bytes{std::make_shared<int>(0), kept};
  return read_csv({source, 0, bytes, limits, standard_families()}, {});
}

// A few bytes of the rows changed, so that about half of the tables are still read.
std::string damaged(reference::Dice& dice, std::string text, const std::string& form) {
  const std::string bytes = std::string("0123456789,+-.*\"{}[]: \n\tx\x80") + '\0';
  const std::size_t first = text.find(form == "csv" ? "\nstep," : "\"rows\"");
  for (std::uint32_t changes = dice.below(3); changes > 0; --changes) {
    const std::size_t at = first + dice.below(text.size() - first);
    const std::size_t line = text.rfind('\n', at) + 1;
    switch (dice.below(4)) {
      case 0:
        text[at] = bytes[dice.below(bytes.size())];
        break;
      case 1:
        text.erase(at, 1);
        break;
      case 2:
        text.insert(at, 1, bytes[dice.below(bytes.size())]);
        break;
      default:  // a line again: out of order, if it is an earlier one
        text += form == "csv" ? text.substr(line, text.find('\n', at) - line + 1) : "";
    }
  }
  return text;
}

}  // namespace

TEST_CASE("what is read fast is what is read slowly, good and damaged") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::brief ? 400 : 3000;
  std::uint64_t good = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    reference::Dice dice(seed);
    const std::string form = dice.one_in(2) ? "csv" : "json";
    const std::string text = damaged(dice, written(reference::random_table(seed), form.c_str()), form);
    const auto fast = read_table({"it", text}, 0);
    const auto slow = read_slowly(text, form);
    CHECK_MESSAGE(told(fast) == told(slow), "QUADRILLE_SEED=" << seed << "\n" << text);
    if (form == "csv") CHECK_MESSAGE(told(read_in_pieces(text, dice)) == told(fast), "QUADRILLE_SEED=" << seed);
    good += fast.ok() ? 1 : 0;
  }
  CHECK(good > count / 4);
  CHECK(good < count * 3 / 4);
}

TEST_CASE("rows that memory has no room for are read again in each pass, and are the same") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t again = 0;
  for (std::uint64_t seed = first; seed < first + 600; ++seed) {
    reference::Dice dice(seed);
    const std::string text = written(reference::random_table(seed), "csv");
    const std::uint64_t memory = dice.pick<std::uint64_t>({64, 100, 200, 400});
    const auto kept = read_table({"it", text}, 0);
    const auto read = read_again(text, memory);
    if (!read) {
      CHECK(reason_of(read.diagnostics()) == Reason::limit);  // not even for one step
      continue;
    }
    CHECK_MESSAGE(told(read) == told(kept), "QUADRILLE_SEED=" << seed << "\n" << text);
    CHECK(read->rows->row_count() == kept->rows->row_count());
    CHECK(read->rows->last_step() == kept->rows->last_step());
    CHECK(read->rows->has_messages() == kept->rows->has_messages());
    again += dynamic_cast<const PackedRows*>(read->rows.get()) == nullptr ? 1 : 0;
  }
  CHECK(again > 10);
}

TEST_CASE("of rows that memory has no room for, faults are told; steps that go back are refused") {
  std::string text =
      "# quadrille-table 1\n# fabric: complete:4\n# collective: total_exchange\n# schedule: it\n"
      "step,from,to,lane,origin,target,part\n";
  for (int step = 1; step <= 1000; ++step) text += fmt::format("{},0,1,0,0,1,0\n", step);
  REQUIRE(read_again(text, 300).ok());
  CHECK(read_again(text, 300)->rows->row_count() == 1000U);
  const Source source{"it", text};
  Limits limits;
  limits.memory = read_table({"it", text}, 0)->fabric.memory() + 300;
  const auto read = [&](const std::string& it) {
    const Source all{"it", it};
    return read_csv({all, 0, {std::make_shared<int>(0), it}, limits, standard_families()}, {});
  };
  const auto wrong = read(text + "1001,0,9,0,0,1,0\n");
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.diagnostics().front().message.find("9") != std::string::npos);
  CHECK(reason_of(read(text + "7,0,1,0,0,1,0\n").diagnostics()) == Reason::limit);
  CHECK(reason_of(read_csv({source, 0, {nullptr, text}, limits, standard_families()}, {}).diagnostics()) ==
        Reason::limit);
}

TEST_CASE("rows of steps that go back, of lanes that do not fit, and of messages are what they are in order") {
  const std::string head =
      "# quadrille-table 1\n# fabric: star:4,capacity=2,timing=rounds\n# collective: total_exchange\n# schedule: it\n";
  const std::string plain = head + "step,from,to,lane,origin,target,part\n";
  const std::string in_order = plain +
                               "1,0,1.0,0,0,1,0\n1,1,1.0,0,1,0,0\n1,1,1.0,1000000,1,2,0\n2,1.0,0,1,1,0,0\n"
                               "2,1.0,1,0,0,1,0\n7,2,1.0,0,2,1,0\n";
  const std::string shuffled = plain +
                               "2,1.0,1,0,0,1,0\n7,2,1.0,0,2,1,0\n1,1,1.0,1000000,1,2,0\n1,1,1.0,0,1,0,0\n"
                               "1,0,1.0,0,0,1,0\n2,1.0,0,1,1,0,0\n";
  CHECK(told(read_table({"it", in_order}, 0)) == told(read_table({"it", shuffled}, 0)));
  const std::string messages = head + "step,from,to,lane,origin,target,part,message\n";
  const std::string first = messages + "1,0,1.0,0,0,1,0,3\n1,1,1.0,0,1,0,0,1\n1,1,1.0,0,1,0,0,2\n2,2,1.0,0,2,1,0,0\n";
  const std::string second = messages + "1,1,1.0,0,1,0,0,2\n1,1,1.0,0,1,0,0,1\n1,0,1.0,0,0,1,0,3\n2,2,1.0,0,2,1,0,0\n";
  const std::string third = messages + "2,2,1.0,0,2,1,0,0\n1,1,1.0,0,1,0,0,2\n1,0,1.0,0,0,1,0,3\n1,1,1.0,0,1,0,0,1\n";
  CHECK(told(read_table({"it", first}, 0)) == told(read_table({"it", second}, 0)));
  CHECK(told(read_table({"it", first}, 0)) == told(read_table({"it", third}, 0)));
  CHECK(read_table({"it", first}, 0)->rows->has_messages());
}

TEST_CASE("zero bytes are no names and no numbers, and stand before none") {
  const std::string head =
      "# quadrille-table 1\n# fabric: complete:4\n# collective: total_exchange\n# schedule: it\n"
      "step,from,to,lane,origin,target,part\n";
  const std::string good = "1,0,1,0,0,1,0\n";
  const std::string zero(1, '\0');
  const std::string more = "1,2,3,0,2,3,0\n1,3,2,0,3,2,0\n1,0,2,0,0,2,0\n1,0,3,0,0,3,0\n";  // far from the text's end
  REQUIRE(read_table({"it", head + good + good + more + more}, 0));
  for (std::size_t field = 0; field < 7; ++field) {
    for (const bool instead : {false, true}) {
      const std::string row =
          good.substr(0, 2 * field) + zero + (instead ? "" : good.substr(2 * field, 1)) + good.substr(2 * field + 1);
      for (const std::string& before : {std::string(), good}) {
        INFO("field " << field << ", instead of it: " << instead << ", after a good row: " << !before.empty());
        CHECK_FALSE(read_table({"it", head + before + row + more + more}, 0));
      }
    }
  }
}

TEST_CASE("rows of JSON are read with any blanks, and behind keys of any order") {
  const SendTable table = reference::random_table(3);
  const std::string text = written(table, "json");
  std::string spaced;
  for (const char c : text) {
    spaced += c;
    if (c == ',' || c == ':' || c == '[') spaced += c == '[' ? "\n\t" : " ";
  }
  // A fabric's notation has commas, too.
  const std::size_t rows = text.find("\"rows\"");
  spaced = text.substr(0, rows) + spaced.substr(spaced.find("\"rows\""));
  CHECK(told(read_table({"it", spaced}, 0)) == told(read_table({"it", text}, 0)));
  const std::size_t end = text.rfind(']');
  const std::string last = text.substr(0, end) + "],\"note\":{\"rows\":1}}";
  CHECK(told(read_table({"it", last}, 0)) == told(read_table({"it", text}, 0)));
  const std::string no_more = text.substr(0, end) + "],\"rows\":[]}";
  CHECK_FALSE(read_table({"it", no_more}, 0).ok());
}
