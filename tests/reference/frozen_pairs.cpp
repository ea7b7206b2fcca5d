#include "tests/reference/frozen_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string_view>

#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "tests/reference/drawn_schedules.h"
#include "tests/reference/frozen_hashes.h"
#include "tests/reference/machine_schedules.h"
#include "verifier/check.h"

namespace quadrille::reference {
namespace frozen {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Arguments arguments_of(const std::string& text) {
  Arguments arguments;
  for (const std::string& word : words_of(text)) {
    const std::size_t at = word.find('=');
    arguments[word.substr(0, at)] = word.substr(at + 1);
  }
  return arguments;
}

// The text and all that it includes of what ships.
std::string with_includes(std::string_view text) {
  std::string all(text);
  constexpr std::string_view include = "include \"";
  for (std::size_t at = text.find(include); at != text.npos; at = text.find(include, at + 1)) {
    const std::size_t begin = at + include.size();
    const auto shipped = shipped_schedule(text.substr(begin, text.find('"', begin) - begin));
    if (shipped) all += with_includes(shipped->text);
  }
  return all;
}

struct Text {
  std::string text;
  std::string target = {};
};

std::optional<Text> text_named(const std::string& schedule) {
  const std::vector<std::string> words = words_of(schedule);
  if (words.size() == 1) {
    const auto shipped = shipped_schedule(schedule);
    return shipped ? std::optional(Text{std::string(shipped->text)}) : std::nullopt;
  }
  if (words[0] != "machine") {
    const auto& kinds = drawn_kinds();
    if (std::find(kinds.begin(), kinds.end(), words[0]) == kinds.end()) return std::nullopt;
    DrawnSchedule drawn = drawn_schedule(words[0], std::stoull(words[1]));
    return Text{std::move(drawn.text), std::move(drawn.target)};
  }
  for (const MachineSchedule& machine : machine_schedules())
    if (machine.name == words[1]) return Text{machine.text};
  return std::nullopt;
}

std::string outcome_of(const Result<SendTable>& table) {
  if (!table) return fmt::format("refused:{}", to_string(table.diagnostics().front().code));
  const Report report = check({table->fabric, table->collective, table->schedule, {}, table->rows});
  if (report.verdict != Verdict::violated)
    return fmt::format("{} {}", report.steps, report.verdict == Verdict::holds ? 'h' : 'u');
  std::string violated;
  for (std::size_t i = 0; i < property_count; ++i) {
    const auto property = static_cast<Property>(i);
    if (report.only_warns(property) || report.of(property).violations == 0) continue;
    violated += fmt::format(" {}", to_string(property));
  }
  return fmt::format("{} v{}", report.steps, violated);
}

// Nothing if there is no such fabric.
std::optional<ElaborateOptions> retimed_on(const std::string& fabric) {
  ElaborateOptions options;
  options.retime = true;
  if (fabric == "own,timing=steps") options.timing = Timing::steps;
  if (fabric == "own,timing=rounds") options.timing = Timing::rounds;
  if (fabric.starts_with("own")) return options;
  const auto target = parse_fabric({"frozen", fabric}, 0, {}, language_families());
  if (!target) return std::nullopt;
  options.fabric = *target;
  return options;
}

}  // namespace
}  // namespace frozen

PairRunner::Opened& PairRunner::open(const std::string& schedule) {
  const auto [found, fresh] = opened_.try_emplace(schedule);
  if (!fresh) return found->second;
  if (const auto text = frozen::text_named(schedule)) {
    found->second.source = hash_of(frozen::with_includes(text->text) + text->target);
    found->second.target = text->target;
    found->second.schedule = compiled(text->text).schedule;
  }
  return found->second;
}

FrozenOutcome PairRunner::outcome(const FrozenPair& pair) {
  Opened& opened = open(pair.schedule);
  const auto options = frozen::retimed_on(pair.fabric == "drawn" ? opened.target : pair.fabric);
  if (!opened.schedule || !options) return {};
  const Arguments arguments = frozen::arguments_of(pair.arguments);
  const auto [written, fresh] = opened.written.try_emplace(pair.arguments);
  if (fresh) written->second = frozen::outcome_of(elaborate(opened.schedule, arguments));
  const auto retimed = elaborate(opened.schedule, arguments, *options);
  FrozenOutcome outcome{opened.source, written->second, frozen::outcome_of(retimed), {}, {}, {}};
  if (!retimed) return outcome;
  outcome.rows = hash_of_rows(*retimed);
  outcome.replay = hash_of_replay(*retimed);
  outcome.programs = hash_of_programs(*retimed);
  return outcome;
}

// --- which pairs ---------------------------------------------------------------------------------------------------

namespace frozen {
namespace {

constexpr std::uint32_t most_processors = 16;
constexpr std::uint64_t most_rows = 2000;

// Where schedules for n processors are retimed.
std::vector<std::string> targets(std::uint32_t n) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& machine, std::initializer_list<const char*> rules) {
    for (const char* each : rules) all.push_back(machine + each);
  };
  add(fmt::format("ring:{}", n), {"", ",ports=single", ",duplex=half", ",timing=rounds",
                                  ",timing=rounds,paths=shared,ports=single", ",capacity=2"});
  add(fmt::format("star:{}", n),
      {"", ",switches=reduce", ",switches=forward", ",ports=single,switches=reduce", ",timing=rounds,switches=reduce",
       ",ports=single,timing=rounds", ",duplex=half,ports=single"});
  add(fmt::format("complete:{}", n), {",ports=single", ",duplex=half,ports=single", ",timing=rounds,ports=single"});
  add(fmt::format("line:{}", n), {",ports=single", ",duplex=half,timing=rounds"});
  for (std::uint32_t rows = 2; rows * rows <= n; ++rows) {
    if (n % rows != 0) continue;
    add(fmt::format("torus:{}x{}", rows, n / rows),
        {"", ",ports=single", ",duplex=half", ",timing=rounds", ",timing=rounds,paths=shared"});
  }
  if (std::has_single_bit(n)) {
    const int levels = std::countr_zero(n);
    add(fmt::format("hypercube:{}", levels), {"", ",ports=single", ",timing=rounds"});
    add(fmt::format("fat_tree:levels={},capacity=constant", levels),
        {"", ",switches=reduce", ",switches=forward", ",queue=none", ",timing=rounds,switches=reduce",
         ",ports=single,timing=rounds"});
    add(fmt::format("fat_tree:levels={},capacity=exponential", levels),
        {"", ",ports=single,switches=reduce", ",ports=single,switches=forward", ",duplex=half"});
    if (n == 8) add("fat_tree:levels=3,capacity=1,2,2", {"", ",switches=reduce", ",timing=rounds"});
    if (n == 8) add("dgx1", {"", ":ports=single"});
  }
  add(fmt::format("shared_bus:hosts={}", n), {""});
  add(fmt::format("nvswitch:gpus={},planes=2", n), {",switches=reduce"});
  return all;
}

struct Sized {
  std::string schedule;
  std::string arguments;
  std::uint32_t processors;
  Timing timing;
};

constexpr std::size_t most_sizes = 8;  // of a schedule

// With small arguments, each for which the schedule is defined and short.
std::vector<Sized> sized(const std::string& schedule, const std::string& text) {
  const std::vector<std::string> sizes = {"",        "N=5",       "N=6",       "N=8",  "N=9", "L=2",
                                          "L=3",     "L=4",       "n=3",       "n=4",  "N=3", "A=2 B=3",
                                          "N=4 P=2", "n1=3 n2=3", "n1=4 n2=2", "N=12", "L=1"};
  const std::vector<std::string> others = {
      "", "segments=2", "radix=3", "root=1", "segments=3 root=1", "capacity=exponential", "aggregation=2", "ways=2"};
  const auto compiled_schedule = compiled(text).schedule;
  std::vector<Sized> all;
  if (!compiled_schedule) return all;
  for (const std::string& size : sizes) {
    for (const std::string& other : others) {
      const std::string arguments = size.empty() || other.empty() ? size + other : size + " " + other;
      const auto table = elaborate(compiled_schedule, arguments_of(arguments));
      if (!table || table->fabric.processors() > most_processors) continue;
      if (all_rows(*table).size() > most_rows) continue;
      all.push_back({schedule, arguments, table->fabric.processors(), table->fabric.rules().timing});
    }
  }
  std::vector<Sized> some;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all.size() <= most_sizes || i * most_sizes % all.size() < most_sizes) some.push_back(all[i]);
  return some;
}

// On its own fabric, and on each so-manyth of the others, others for each size and schedule.
void add_pairs(const std::vector<Sized>& sizes, std::size_t every, std::size_t& turn, std::vector<FrozenPair>& pairs) {
  for (const Sized& it : sizes) {
    pairs.push_back({it.schedule, it.arguments, "own"});
    const std::vector<std::string> machines = targets(it.processors);
    for (std::size_t i = 0; i < machines.size(); ++i)
      if ((i + turn) % every == 0) pairs.push_back({it.schedule, it.arguments, machines[i]});
    ++turn;
    pairs.push_back(
        {it.schedule, it.arguments, it.timing == Timing::rounds ? "own,timing=steps" : "own,timing=rounds"});
  }
}

}  // namespace
}  // namespace frozen

std::vector<FrozenPair> pairs_to_freeze() {
  std::vector<FrozenPair> pairs;
  std::size_t turn = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string name(shipped.name);
    frozen::add_pairs(frozen::sized(name, std::string(shipped.text)), 11, turn, pairs);
  }
  for (const MachineSchedule& machine : machine_schedules())
    frozen::add_pairs(frozen::sized("machine " + machine.name, machine.text), 30, turn, pairs);
  const std::map<std::string, int> seeds = {{"delivery", 420},  {"copies", 150},  {"reduction", 160},
                                            {"gathering", 160}, {"joining", 130}, {"converging", 140},
                                            {"sums", 160}};
  for (const auto& [kind, count] : seeds) {
    for (int seed = 1; seed <= count; ++seed) {
      const std::string schedule = fmt::format("{} {}", kind, seed);
      const DrawnSchedule drawn = drawn_schedule(kind, static_cast<std::uint64_t>(seed));
      const auto written = compiled(drawn.text).schedule;
      if (!written || !elaborate(written, {})) continue;
      pairs.push_back({schedule, "", "own"});
      if (frozen::retimed_on(drawn.target)) pairs.push_back({schedule, "", "drawn"});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace quadrille::reference
