// Tables whose packets pass switches become programs of processors alone: what each gets comes from where its packet
// left a processor last, and every executor of such programs has the collective's result.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "driver/check/check_program.h"
#include "driver/export.h"
#include "driver/inputs/input.h"
#include "dsl/load.h"
#include "export/msccl.h"
#include "export/processor_sends.h"
#include "export/rank_programs.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

// Sender, receiver, chunk: how often.
using Flights = std::map<std::tuple<NodeId, NodeId, ChunkId>, int>;

// Of a table in steps, row by row: at each switch all that has come of a packet, with its step and its sender.
Flights flights_of(const SendTable& table) {
  struct Came {
    StepId step;
    NodeId sender;
  };
  const Fabric& fabric = table.fabric;
  std::map<std::pair<NodeId, ChunkId>, std::deque<Came>> at;
  Flights flights;
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    std::vector<std::tuple<ChannelId, LaneId, ChunkId>> rows;
    for (const Row& row : step->rows) rows.emplace_back(row.channel, row.lane, row.chunk);
    std::sort(rows.begin(), rows.end());
    for (const auto& [id, lane, chunk] : rows) {
      const Channel& channel = fabric.channel(id);
      NodeId sender = channel.from;
      if (!fabric.is_processor(channel.from)) {
        auto& came = at.at({channel.from, chunk});
        if (fabric.switches_forward()) {
          sender = came.front().sender;
          came.pop_front();
        } else {
          const auto before = [&](const Came& it) { return it.step < step->step; };
          sender = std::find_if(came.rbegin(), came.rend(), before)->sender;
        }
      }
      if (sender == channel.to) continue;  // it has that already
      if (fabric.is_processor(channel.to)) {
        ++flights[{sender, channel.to, chunk}];
      } else {
        at[{channel.to, chunk}].push_back({step->step, sender});
      }
    }
  }
  return flights;
}

Flights sends_of(const std::vector<exporting::ProcessorProgram>& programs) {
  Flights sends;
  for (const auto& program : programs) {
    for (const exporting::Instruction& it : program.instructions) {
      if (it.sends()) ++sends[{program.processor, it.what.peer, it.what.chunk}];
    }
  }
  return sends;
}

Flights receptions_of(const std::vector<exporting::ProcessorProgram>& programs) {
  Flights received;
  for (const auto& program : programs) {
    for (const exporting::Instruction& it : program.instructions) {
      if (!it.sends() && !it.local()) ++received[{it.what.peer, program.processor, it.what.chunk}];
    }
  }
  return received;
}

bool right(const SendTable& table) {
  SendTable without_claims = table;
  without_claims.claims.clear();
  without_claims.invariants.clear();
  return check(without_claims).verdict == Verdict::holds;
}

// Whether an executor knows the collective, and packets do not join on their way.
bool can_be_said(const SendTable& table) {
  const Collective& collective = table.collective;
  return exporting::family_of(collective) != programs::ProgramFamily::other &&
         !(collective.combining() && collective.ordered()) && !joins_in_switches(table);
}

// The table as MSCCL XML, judged anew. False if the writer refuses it.
bool exported_and_right(const TableRequest& request, const SendTable& table, MemoryEnvironment& environment) {
  Context context{environment};
  const auto exported = run(ExportRequest{request, "msccl", "out.xml", "", "msccl"}, context);
  if (!exported) {
    const std::string why = exported.diagnostics().front().message;
    CAPTURE(why);
    const bool often = table.collective.idempotent() && why.find(" times") != why.npos;
    CHECK((often || why.find("passes on") != why.npos || why.find("to itself") != why.npos));
    return false;
  }
  CheckProgramRequest again{"out.xml", "msccl"};
  if (table.collective.rooted()) {
    again.collective =
        fmt::format("{}:{}", to_string(exporting::family_of(table.collective)), table.collective.description().root);
  }
  const auto outcome = run(again, context);
  REQUIRE_MESSAGE(outcome.ok(), render(outcome.diagnostics(), context.sources));
  for (std::size_t i = 0; i < programs::property_count; ++i) {
    const auto property = static_cast<programs::ProgramProperty>(i);
    CAPTURE(to_string(property));
    if (property == programs::ProgramProperty::agreement) continue;
    CHECK(outcome->verdict(property) == programs::ProgramVerdict::holds);
  }
  return true;
}

TEST_CASE("random tables through switches become programs that send what the table delivers, and are right") {
  const std::uint64_t tables = tests::brief ? 1500 : 20000;
  std::map<std::string, int> counts;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + tables; ++seed) {
    for (const bool rounds : {false, true}) {
      const SendTable table = rounds ? reference::random_rounds_table(seed, true) : reference::random_table(seed, true);
      if (!can_be_said(table) || !table.fabric.has_switches() || !right(table)) continue;
      CAPTURE(seed);
      CAPTURE(rounds);
      const auto programs = exporting::rank_programs(table, exporting::msccl_calls(), {});
      if (programs.ok()) {
        CHECK(sends_of(*programs) == receptions_of(*programs));
        if (!rounds) CHECK(sends_of(*programs) == flights_of(table));
      }
      MemoryEnvironment environment;
      std::string& text = environment.files["table.csv"];
      write_table(table, "csv", [&](std::string_view piece) {
        text += piece;
        return true;
      });
      if (!exported_and_right({.file = "table.csv"}, table, environment)) continue;
      ++counts[fmt::format("{}, {}, {}", rounds ? "rounds" : "steps",
                           table.collective.combining() ? "combining" : "copying",
                           table.fabric.switches_forward() ? "forward" : "copy")];
    }
  }
  for (const auto& [kind, count] : counts) MESSAGE(kind, ": ", count);
  CHECK(counts.size() >= 6);
}

TEST_CASE("schedules that ship, retimed for fabrics with switches, become programs that are right") {
  std::map<std::string, int> counts;
  for (const ShippedFile& shipped : shipped_schedules()) {
    for (const std::string on :
         {"", "star:8", "leaf_spine:hosts=8,leaves=2,spines=2", "leaf_spine:hosts=8,leaves=2,spines=2,switches=forward",
          "star:8,switches=forward,ports=single", "fat_tree:levels=3,capacity=constant,duplex=half"}) {
      for (const std::string define : {"N=8", "L=3"}) {
        TableRequest request{std::string(shipped.name), {define}};
        request.on = on;
        request.retime = !on.empty();
        MemoryEnvironment environment;
        Context context{environment};
        const auto table = open_table(request, context);
        if (!table || !can_be_said(*table) || !table->fabric.has_switches() || !right(*table)) continue;
        CAPTURE(table->schedule);
        CAPTURE(on);
        if (!table->fabric.in_rounds()) {
          const auto programs = exporting::rank_programs(*table, exporting::msccl_calls(), {});
          if (programs.ok()) CHECK(sends_of(*programs) == flights_of(*table));
        }
        counts[on] += exported_and_right(request, *table, environment) ? 1 : 0;
      }
    }
  }
  for (const auto& [on, count] : counts) {
    MESSAGE(on, ": ", count);
    CHECK(count > 3);
  }
  CHECK(counts.size() == 6);
}

}  // namespace
}  // namespace quadrille::driver
