// What processors do by themselves, taken together, is what the table does: their programs are carried out here, from
// the files that `compile --by-rank` writes, and what each ends with is compared with the collective.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "driver/compile.h"
#include "driver/compile_programs.h"
#include "driver/inputs/input.h"
#include "dsl/load.h"
#include "export/processor_sends.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;
using driver::CompileRequest;
using driver::Context;
using driver::MemoryEnvironment;
using driver::TableRequest;

// A chunk's number; or contributions, in the order in which they were combined.
using Payload = std::vector<std::uint64_t>;

struct Line {
  std::uint32_t step = 0;
  std::string action, peer, buffer;
  std::string lane, message;
  ChunkName name;
  std::size_t slot = 0;
  std::vector<std::pair<std::string, std::size_t>> places;  // all that is named, this one first
};

struct Program {
  std::map<std::string, std::string> head;
  std::vector<Line> lines;
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> result;
  std::stringstream stream(text + at);
  for (std::string piece; std::getline(stream, piece, at);) result.push_back(piece);
  return result;
}

Line line_of(const std::vector<std::string>& columns, const std::string& text) {
  const std::vector<std::string> fields = split(text, ',');
  REQUIRE(fields.size() == columns.size());
  std::map<std::string, std::string> at;
  for (std::size_t i = 0; i < fields.size(); ++i) at[columns[i]] = fields[i];
  const auto number = [](const std::string& digits) { return static_cast<std::uint32_t>(std::stoul(digits)); };
  Line line{number(at["step"]), at["action"], at["peer"], at["buffer"], at["lane"], at["message"], {}, 0, {}};
  line.name = {number(at["origin"]), std::nullopt, number(at["part"])};
  if (at["target"] != "*") line.name.target = number(at["target"]);
  if (line.buffer.empty()) return line;
  const auto buffers = split(line.buffer, '+');
  const auto slots = split(at["slot"], '+');
  REQUIRE(buffers.size() == slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) line.places.emplace_back(buffers[i], number(slots[i]));
  line.buffer = line.places.front().first;
  line.slot = line.places.front().second;
  return line;
}

Program parsed(const std::string& text) {
  Program program;
  std::vector<std::string> columns;
  REQUIRE(text.starts_with("# quadrille-program 1\n"));
  for (const std::string& line : split(text.substr(0, text.size() - 1), '\n')) {
    if (line.starts_with("#| ")) continue;  // goes on with the fabric or the collective
    if (line.starts_with("# ")) {
      const std::size_t colon = line.find(": ");
      if (colon != line.npos) program.head[line.substr(2, colon - 2)] = line.substr(colon + 2);
    } else if (columns.empty()) {
      columns = split(line, ',');
    } else {
      program.lines.push_back(line_of(columns, line));
    }
  }
  return program;
}

// All processors at work.
class Machine {
 public:
  Machine(const SendTable& table, const std::map<std::string, std::string>& files)
      : table_(table),
        collective_(table.collective),
        rounds_(table.fabric.in_rounds()),
        joins_(collective_.combining() && table.fabric.switches_reduce() && table.fabric.has_switches()) {
    for (std::uint32_t p = 0; p < collective_.processors(); ++p) {
      programs_.push_back(parsed(files.at(fmt::format("programs/{}.csv", p))));
      CHECK(programs_[p].head.at("processor") == fmt::to_string(p));
      at_.push_back(0);
      auto& own = buffers_.emplace_back();
      for (const char* buffer : {"input", "output", "values", "kept", "scratch"}) {
        const auto size = programs_[p].head.find(buffer);
        if (size != programs_[p].head.end()) own[buffer].resize(std::stoul(size->second));
      }
      if (collective_.combining()) {
        REQUIRE(own["values"].size() == collective_.values());
        for (Payload& value : own["values"]) value = {p};
      } else {
        const auto chunks = chunks_where([&](ChunkId chunk) { return collective_.starts_at(chunk, NodeId(p)); });
        REQUIRE(own["input"].size() == chunks.size());
        for (std::size_t i = 0; i < chunks.size(); ++i) own["input"][i] = {chunks[i].value};
      }
    }
  }

  void run() {
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      send(step->step.value);
      if (rounds_ && joins_) {
        join_on_paths(*step);
      } else if (rounds_) {
        arriving_ = std::move(leaving_);
      } else if (joins_) {
        join_at_switches(*step);
      } else {
        cross(*step);
      }
      leaving_.clear();
      auto stored = rounds_ && !joins_ ? end_at_switches() : stored_;
      receive(step->step.value);
      stored_ = std::move(stored);
      CHECK(arriving_.empty());
      arriving_.clear();
    }
    for (std::size_t p = 0; p < programs_.size(); ++p) CHECK(at_[p] == programs_[p].lines.size());
  }

  // Each processor has what the collective asks for.
  void judge() const {
    for (std::uint32_t p = 0; p < collective_.processors(); ++p) {
      if (collective_.combining()) {
        judge_values(p);
        continue;
      }
      const auto chunks = chunks_where([&](ChunkId chunk) { return collective_.demand(chunk, NodeId(p)).has_value(); });
      const auto& output = buffers_[p].at("output");
      REQUIRE(output.size() == chunks.size());
      for (std::size_t i = 0; i < chunks.size(); ++i) CHECK(output[i] == Payload{chunks[i].value});
    }
  }

 private:
  // From, to, message or lane, chunk.
  using Key = std::tuple<std::string, std::string, std::string, ChunkName>;

  std::string name(std::uint32_t processor) const { return table_.fabric.name(NodeId(processor)); }

  template <class Test>
  std::vector<ChunkId> chunks_where(const Test& test) const {
    std::vector<ChunkId> result;
    for (std::uint64_t id = 0; id < collective_.chunk_ids(); ++id) {
      if (collective_.has(ChunkId(id)) && test(ChunkId(id))) result.push_back(ChunkId(id));
    }
    std::sort(result.begin(), result.end(),
              [&](ChunkId a, ChunkId b) { return collective_.name(a) < collective_.name(b); });
    return result;
  }

  void send(std::uint32_t step) {
    for (std::uint32_t p = 0; p < programs_.size(); ++p) {
      for (const auto& lines = programs_[p].lines; at_[p] < lines.size(); ++at_[p]) {
        const Line& line = lines[at_[p]];
        if (line.step != step || line.action != "send") break;
        Payload what;
        for (const auto& [buffer, slot] : line.places) {
          const Payload& piece = buffers_[p].at(buffer).at(slot);
          CHECK_FALSE(piece.empty());
          what.insert(what.end(), piece.begin(), piece.end());
        }
        leaving_[{name(p), line.peer, rounds_ ? line.message : line.lane, line.name}].push_back(what);
      }
    }
  }

  void receive(std::uint32_t step) {
    for (std::uint32_t p = 0; p < programs_.size(); ++p) {
      for (const auto& lines = programs_[p].lines; at_[p] < lines.size() && lines[at_[p]].step == step; ++at_[p]) {
        const Line& line = lines[at_[p]];
        REQUIRE(line.action != "send");
        const Key key{line.peer, name(p), rounds_ ? line.message : line.lane, line.name};
        if (rounds_ && !joins_ && !table_.fabric.is_processor(*table_.fabric.node_named(line.peer))) {
          // The message begins at a switch, which has no program.
          const auto stored = stored_.find({line.peer, line.name});
          REQUIRE(stored != stored_.end());
          arriving_[key].push_back(stored->second);
        }
        const auto found = arriving_.find(key);
        REQUIRE(found != arriving_.end());
        const Payload what = found->second.back();
        found->second.pop_back();
        if (found->second.empty()) arriving_.erase(found);
        if (line.action != "discard") take(line, what, buffers_[p].at(line.buffer).at(line.slot));
      }
    }
  }

  static void take(const Line& line, const Payload& what, Payload& slot) {
    if (line.action == "keep") CHECK(slot.empty());
    if (line.action == "store" || line.action == "keep") {
      slot = what;
    } else if (line.action == "combine_before") {
      slot.insert(slot.begin(), what.begin(), what.end());
    } else {
      CHECK((line.action == "combine" || line.action == "combine_after"));
      slot.insert(slot.end(), what.begin(), what.end());
    }
  }

  // In rounds: what switches have when this one ends; those messages have arrived.
  std::map<std::pair<std::string, ChunkName>, Payload> end_at_switches() {
    auto stored = stored_;
    for (auto it = arriving_.begin(); it != arriving_.end();) {
      const auto& [from, to, message, chunk] = it->first;
      const bool ends = !table_.fabric.is_processor(*table_.fabric.node_named(to));
      if (ends) stored[{to, chunk}] = it->second.back();
      it = ends ? arriving_.erase(it) : std::next(it);
    }
    return stored;
  }

  // Switches that add up, by the table. What a switch holds for a target and part.
  using Sum = std::tuple<NodeId, std::uint32_t, std::uint32_t>;
  Sum sum_at(NodeId node, ChunkId chunk) const {
    return {node, *collective_.name(chunk).target, collective_.name(chunk).part};
  }
  Payload added(Payload sum, const Payload& more) const {
    sum.insert(sum.end(), more.begin(), more.end());
    std::sort(sum.begin(), sum.end());
    return sum;
  }
  Payload leaving(const Key& key) {
    const auto found = leaving_.find(key);
    REQUIRE(found != leaving_.end());
    const Payload what = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) leaving_.erase(found);
    return what;
  }
  void end_joins(const std::map<Sum, Payload>& brought, const std::set<Sum>& left) {
    CHECK(leaving_.empty());
    for (const Sum& sum : left) sums_.erase(sum);
    for (const auto& [sum, what] : brought) sums_[sum] = added(sums_[sum], what);
  }

  void join_at_switches(const StepRows& step) {
    std::map<Sum, Payload> brought;
    std::set<Sum> left;
    for (const Row& row : step.rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      const Key key{table_.fabric.name(channel.from), table_.fabric.name(channel.to), fmt::to_string(row.lane.value),
                    collective_.name(row.chunk)};
      const bool from_switch = !table_.fabric.is_processor(channel.from);
      if (from_switch) left.insert(sum_at(channel.from, row.chunk));
      const Payload what = from_switch ? sums_.at(sum_at(channel.from, row.chunk)) : leaving(key);
      if (table_.fabric.is_processor(channel.to)) {
        arriving_[key].push_back(what);
      } else {
        Payload& sum = brought[sum_at(channel.to, row.chunk)];
        sum = added(sum, what);
      }
    }
    end_joins(brought, left);
  }

  // Each row of a message adds what is at its near end to its far end, those first that nothing comes before.
  void join_on_paths(const StepRows& step) {
    std::map<Sum, Payload> brought;
    std::set<Sum> left;
    std::map<std::uint32_t, std::vector<Row>> messages;
    for (std::uint32_t i = 0; i < step.rows.size(); ++i) {
      const Row& row = step.rows[i];
      messages[step.messages.empty() ? i : step.messages[i].value].push_back(row);
    }
    for (const auto& [number, rows] : messages) {
      std::set<NodeId> senders;
      for (const Row& row : rows) {
        const NodeId from = table_.fabric.channel(row.channel).from;
        const auto into = [&](const Row& other) { return table_.fabric.channel(other.channel).to == from; };
        if (std::none_of(rows.begin(), rows.end(), into)) senders.insert(from);
      }
      // What joins is of one target and part; of one sender each packet goes by itself.
      std::map<std::pair<Sum, std::uint64_t>, std::vector<Row>> lines;
      for (const Row& row : rows) {
        lines[{sum_at(NodeId(), row.chunk), senders.size() > 1 ? 0 : row.chunk.value}].push_back(row);
      }
      for (auto& [line, all] : lines) {
        join_line(step.messages.empty() ? std::string() : fmt::to_string(number), all, brought, left);
      }
    }
    end_joins(brought, left);
  }

  // What moves together, of one message.
  void join_line(const std::string& message, const std::vector<Row>& rows, std::map<Sum, Payload>& brought,
                 std::set<Sum>& left) {
    const auto into = [&](NodeId node) {
      return std::count_if(rows.begin(), rows.end(),
                           [&](const Row& row) { return table_.fabric.channel(row.channel).to == node; });
    };
    const auto out_of = [&](NodeId node) {
      return std::count_if(rows.begin(), rows.end(),
                           [&](const Row& row) { return table_.fabric.channel(row.channel).from == node; });
    };
    const auto last = std::find_if(rows.begin(), rows.end(),
                                   [&](const Row& row) { return out_of(table_.fabric.channel(row.channel).to) == 0; });
    REQUIRE(last != rows.end());
    const NodeId to = table_.fabric.channel(last->channel).to;
    const auto begins = [&](const Row& row) { return into(table_.fabric.channel(row.channel).from) == 0; };
    const bool joins = std::count_if(rows.begin(), rows.end(), begins) > 1;
    NodeId peer = table_.fabric.channel(last->channel).from;
    Payload sum;
    for (const Row& row : rows) {
      const NodeId from = table_.fabric.channel(row.channel).from;
      if (!begins(row)) continue;
      if (!joins) peer = from;
      if (table_.fabric.is_processor(from)) {
        sum = added(sum,
                    leaving({table_.fabric.name(from), table_.fabric.name(to), message, collective_.name(row.chunk)}));
      } else {
        left.insert(sum_at(from, row.chunk));
        sum = added(sum, sums_.at(sum_at(from, row.chunk)));
      }
    }
    if (table_.fabric.is_processor(to)) {
      arriving_[{table_.fabric.name(peer), table_.fabric.name(to), message, collective_.name(last->chunk)}].push_back(
          sum);
    } else {
      Payload& held = brought[sum_at(to, last->chunk)];
      held = added(held, sum);
    }
  }

  // What switches do, by the table.
  void cross(const StepRows& step) {
    std::vector<Row> rows(step.rows.begin(), step.rows.end());
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return std::tie(a.channel, a.lane, a.chunk) < std::tie(b.channel, b.lane, b.chunk);
    });
    auto brought = in_switches_;
    const bool forwards = table_.fabric.switches_forward();
    std::map<std::pair<NodeId, ChunkId>, std::size_t> taken;  // in this step
    for (const Row& row : rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      const Key key{table_.fabric.name(channel.from), table_.fabric.name(channel.to), fmt::to_string(row.lane.value),
                    collective_.name(row.chunk)};
      Payload what;
      if (table_.fabric.is_processor(channel.from)) {
        REQUIRE(leaving_[key].size() == 1);
        what = leaving_[key].front();
        leaving_.erase(key);
      } else {
        std::deque<Payload>& here = brought.at({channel.from, row.chunk});
        what = in_switches_.at({channel.from, row.chunk}).at(taken[{channel.from, row.chunk}]);
        if (forwards) here.pop_front(), ++taken[{channel.from, row.chunk}];
      }
      if (table_.fabric.is_processor(channel.to)) {
        arriving_[key].push_back(what);
      } else {
        if (!forwards) brought[{channel.to, row.chunk}].clear();
        brought[{channel.to, row.chunk}].push_back(what);
      }
    }
    CHECK(leaving_.empty());
    in_switches_ = std::move(brought);
  }

  void judge_values(std::uint32_t p) const {
    for (std::uint32_t value = 0; value < collective_.values(); ++value) {
      const auto wanted = collective_.wanted_contributions(value, NodeId(p));
      if (!wanted) continue;
      Payload all;
      for (std::uint64_t c = wanted->first; c <= wanted->second; ++c) all.push_back(c);
      Payload got = result(p, value);
      if (!collective_.ordered()) std::sort(got.begin(), got.end());
      if (collective_.idempotent()) got.erase(std::unique(got.begin(), got.end()), got.end());
      CHECK(got == all);
    }
  }

  // The head says what makes up a result, where words are spoken of.
  Payload result(std::uint32_t p, std::uint32_t value) const {
    const auto results = programs_[p].head.find("results");
    if (results == programs_[p].head.end()) return buffers_[p].at("values").at(value);
    Payload all;
    for (const std::string& one : split(results->second, ',')) {
      const std::size_t is = one.find('=');
      if (one.substr(0, is) != fmt::to_string(value)) continue;
      for (const std::string& place : split(one.substr(is + 1), '+')) {
        const std::size_t colon = place.find(':');
        const Payload& piece = buffers_[p].at(place.substr(0, colon)).at(std::stoul(place.substr(colon + 1)));
        all.insert(all.end(), piece.begin(), piece.end());
      }
    }
    return all;
  }

  const SendTable& table_;
  const Collective& collective_;
  bool rounds_;
  bool joins_;  // switches add up what passes them
  std::vector<Program> programs_;
  std::vector<std::size_t> at_;  // the next line of each
  std::vector<std::map<std::string, std::vector<Payload>>> buffers_;
  std::map<Key, std::vector<Payload>> leaving_;
  std::map<Key, std::vector<Payload>> arriving_;
  std::map<std::pair<NodeId, ChunkId>, std::deque<Payload>> in_switches_;  // in steps; of a switch that copies, one
  std::map<std::pair<std::string, ChunkName>, Payload> stored_;            // in rounds, at switches
  std::map<Sum, Payload> sums_;                                            // at switches that add up
};

bool right(const SendTable& table) {
  SendTable without_claims = table;
  without_claims.claims.clear();
  return check(without_claims).verdict == Verdict::holds;
}

// Whether there are programs of the table, which must then be right. They may be missing where a processor passes on
// what is for itself.
bool executed(const TableRequest& input, const SendTable& table, MemoryEnvironment& environment) {
  Context context{environment};
  const auto outcome = driver::run(CompileRequest{.input = input, .by_rank = "programs"}, context);
  if (!outcome) {
    CHECK(outcome.diagnostics().front().code == Code::unsupported);
    return false;
  }
  Machine machine(table, environment.files);
  machine.run();
  machine.judge();
  return true;
}

TEST_CASE("the programs of what ships, carried out together, are the collective") {
  std::size_t count = 0;
  std::size_t forwarded = 0;
  std::size_t joined = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    for (const std::string define : {"N=6", "N=8", "N=9", "L=2", "L=3"}) {
      for (const std::string on :
           {"", "ring:8", "leaf_spine:hosts=8,leaves=2,spines=2",
            "leaf_spine:hosts=8,leaves=2,spines=2,switches=forward", "complete:8,timing=rounds",
            "leaf_spine:hosts=8,leaves=2,spines=2,switches=reduce", "star:8,switches=reduce,timing=rounds"}) {
        const bool rounds = on.ends_with("rounds");
        const TableRequest input{.file = std::string(shipped.name),
                                 .defines = {define},
                                 .on = on,
                                 .without = {},
                                 .retime = !on.empty() && !rounds,
                                 .timing = {}};
        MemoryEnvironment environment;
        Context context{environment};
        const auto table = driver::open_table(input, context);
        if (!table || !right(*table)) continue;
        CAPTURE(table->schedule);
        CAPTURE(on);
        if (!executed(input, *table, environment)) continue;
        ++count;
        forwarded += table->collective.combining() && table->fabric.switches_forward() ? 1 : 0;
        joined += joins_in_switches(*table) ? 1 : 0;
      }
    }
  }
  MESSAGE(count, " tables, ", forwarded, " of combining collectives whose switches forward, and ", joined,
          " whose switches reduce");
  CHECK(count > 250);
  CHECK(forwarded > 10);
  CHECK(joined > 10);
}

TEST_CASE("the programs of random tables that are right, carried out together, are the collective") {
  const std::uint64_t tables = tests::brief ? 500 : 5000;
  std::map<std::string, std::size_t> counts;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + tables; ++seed) {
    for (const bool rounds : {false, true}) {
      const SendTable table = rounds ? reference::random_rounds_table(seed, true) : reference::random_table(seed, true);
      if (!right(table)) continue;
      CAPTURE(seed);
      CAPTURE(rounds);
      MemoryEnvironment environment;
      std::string& text = environment.files["table.csv"];
      write_table(table, "csv", [&](std::string_view piece) {
        text += piece;
        return true;
      });
      const TableRequest input{.file = "table.csv"};
      const std::string kind = fmt::format("{}, {}", rounds ? "rounds" : "steps",
                                           table.collective.ordered()     ? "ordered"
                                           : table.collective.combining() ? "combining"
                                                                          : "copying") +
                               (table.rows->has_partial_reductions() ? ", words" : "") +
                               (joins_in_switches(table) ? ", joined in switches" : "");
      counts[kind] += executed(input, table, environment) ? 1 : 0;
    }
  }
  for (const auto& [kind, count] : counts) MESSAGE(kind, ": ", count);
  CHECK(counts.size() > 15);
}

std::map<std::string, std::string> programs_with(const SendTable& table, std::uint64_t memory) {
  MemoryEnvironment environment;
  Context context{environment};
  context.limits.memory = memory;
  const auto wrong = driver::write_programs(table, CompileRequest{.input = {}, .by_rank = "programs"}, context);
  CHECK_FALSE(wrong);
  return environment.files;
}

TEST_CASE("one processor's program is the same without the rows of all others") {
  for (const std::string file : {"total_exchange", "allgather_ring", "broadcast_binomial"}) {
    for (const std::string on : {"", "ring:8", "leaf_spine:hosts=8,leaves=2,spines=2"}) {
      MemoryEnvironment environment;
      Context context{environment};
      const TableRequest input{.file = file,
                               .defines = {file == "total_exchange" ? "L=3" : "N=8"},
                               .on = on,
                               .without = {},
                               .retime = !on.empty(),
                               .timing = "steps"};
      const auto table = driver::open_table(input, context);
      REQUIRE(table.ok());
      CAPTURE(table->schedule);
      CAPTURE(on);
      const auto all = programs_with(*table, std::uint64_t{1} << 30);
      SendTable stored = *table;  // whose rows nobody leaves out
      stored.rows = std::make_shared<StoredRows>(all_rows(*table));
      const auto all_stored = programs_with(stored, std::uint64_t{1} << 30);
      const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
      for (std::uint32_t rank = 0; rank < 8; ++rank) {
        const std::string path = fmt::format("programs/{}.csv", rank);
        MemoryEnvironment alone;
        Context asked{alone};
        const CompileRequest request{.input = {}, .output = "one.csv", .rank = rank};
        CHECK_FALSE(driver::write_programs(*table, request, asked));
        CHECK(alone.files.at("one.csv") == all.at(path));
        CHECK(lines(all_stored.at(path)) == lines(all.at(path)));  // of a step the rows may come in another order
      }
    }
  }
}

TEST_CASE("programs that do not fit into memory together are the same") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto table = driver::open_table({.file = "total_exchange", .defines = {"L=4"}}, context);
  REQUIRE(table.ok());
  const auto all = programs_with(*table, std::uint64_t{1} << 30);
  CHECK(all.size() == 16 + 1);  // and the manifest
  for (const std::uint64_t memory : {5'000U, 8'000U, 20'000U}) CHECK(programs_with(*table, memory) == all);
  Context small{environment};
  small.limits.memory = 1000;
  const auto wrong = driver::write_programs(*table, CompileRequest{.input = {}, .rank = 3}, small);
  REQUIRE(wrong);
  CHECK(wrong->code == Code::limit);
}

TEST_CASE("a sum is combined in order of rank where the operation is ordered, in the table's order elsewhere") {
  MemoryEnvironment environment;
  environment.files["sum.csv"] =
      "# quadrille-table 1\n# fabric: line:3\n# collective: exclusive_prefix\n"
      "step,from,to,lane,origin,target,part,words,arrival\n1,0,1,0,0,1,0,,keep\n2,1,2,0,1,2,0,0+1,keep\n";
  environment.files["any.csv"] =
      "# quadrille-table 1\n# fabric: line:3\n# collective: allreduce\n"
      "step,from,to,lane,origin,target,part,words,arrival\n1,0,1,0,0,1,0,,keep\n2,1,2,0,1,2,0,0+1,keep\n";
  const auto last_line = [&](const char* file) {
    Context context{environment};
    environment.output.clear();
    CHECK(driver::run(CompileRequest{.input = {.file = file}, .format = "csv", .rank = 1}, context).ok());
    return split(environment.output, '\n').at(split(environment.output, '\n').size() - 2);
  };
  CHECK(last_line("sum.csv") == "2,send,2,0,1,2,0,kept+values,0+0");
  CHECK(last_line("any.csv") == "2,send,2,0,1,2,0,values+kept,0+0");
}

TEST_CASE("a slot of the scratch buffer is used again") {
  MemoryEnvironment environment;
  environment.files["line.qd"] =
      "fabric line(3)\ncollective total_exchange(parts: 4)\n"
      "for p in 0..3: at 2*p + 1: send 0 -> 2 carrying part p\n";
  Context context{environment};
  CHECK(driver::run(CompileRequest{.input = {.file = "line.qd"}, .format = "csv", .rank = 1}, context).ok());
  CHECK(environment.output.find("# scratch: 1\n") != std::string::npos);
  CHECK(environment.output.ends_with("8,send,2,0,0,2,3,scratch,0\n"));
  environment.output.clear();
  environment.files["line.qd"].replace(environment.files["line.qd"].find("2*p"), 3, "1*p");
  CHECK(driver::run(CompileRequest{.input = {.file = "line.qd"}, .format = "csv", .rank = 1}, context).ok());
  CHECK(environment.output.find("# scratch: 2\n") != std::string::npos);
}

TEST_CASE("what cannot be made a program is refused") {
  MemoryEnvironment environment;
  environment.files["early.qd"] =
      "fabric line(3)\ncollective total_exchange\nat 1: send 0 -> 1 carrying 0 -> 2\nat 1: send 1 -> 2 carrying 0 -> "
      "2\n";
  const auto refused = [&](const CompileRequest& request) {
    Context context{environment};
    const auto outcome = driver::run(request, context);
    REQUIRE(!outcome.ok());
    return outcome.diagnostics().front().message;
  };
  CHECK(refused({.input = {.file = "early.qd"}, .rank = 1}) ==
        "the table is wrong: processor 1 sends 0->2 in step 1, but does not have it; `quadrille check` tells more");
  CHECK(refused({.input = {.file = "early.qd"}, .rank = 3}) == "--rank 3: the processors are 0 to 2");
  CHECK(refused({.input = {.file = "early.qd"}, .rank = 1, .by_rank = "x"}) ==
        "--by-rank: goes without --rank, which asks for one");
  CHECK(refused({.input = {.file = "early.qd"}, .output = "x", .by_rank = "x"}) ==
        "--by-rank: goes without -o; the files are in its folder");
  CHECK(refused({.input = {.file = "early.qd"}, .format = "binary", .rank = 1}) ==
        "--format binary: expected text, csv or json for a processor's program");
  // As many rows as packets times channels, but no packet crosses both.
  environment.files["twice.csv"] =
      "# quadrille-table 1\n# fabric: line:3,timing=rounds\n# collective: allgather\n"
      "step,from,to,lane,origin,target,part,message\n"
      "1,0,1,0,0,*,0,7\n1,0,1,0,0,*,0,7\n1,1,2,0,1,*,0,7\n1,1,2,0,1,*,0,7\n";
  CHECK(refused({.input = {.file = "twice.csv"}, .rank = 1}) ==
        "the table is wrong: message 7 of round 1 is not well formed; `quadrille check` tells more");
}

}  // namespace
