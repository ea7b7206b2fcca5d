// Retiming, replays and exports compared with what they were once: of thousands of pairs of a schedule and a fabric
// none is refused or wrong that was not, few take more steps, and all together take no more. Where the retimed rows,
// what the simulator measures of them, or the programs made of them are others, the pair is listed with a reason.
//
//     frozen_retimings.csv   schedule;arguments;fabric;source;written;retimed;rows;replay;programs
//                            (tests/reference/frozen_pairs.h)
//     frozen_changes.csv     schedule;arguments;fabric;frozen;now;reason   with the steps of then and now
//
// With QUADRILLE_FREEZE=1 in the environment, writes the first anew, from what the retimer does now, and empties the
// second.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/environment.h"
#include "tests/reference/frozen_pairs.h"

namespace quadrille::frozen {
namespace {

using reference::FrozenOutcome;
using reference::FrozenPair;

const std::string folder = QUADRILLE_SOURCE_FOLDER "/tests/property/";
const std::string frozen_file = folder + "frozen_retimings.csv";
const std::string changes_file = folder + "frozen_changes.csv";
constexpr std::string_view frozen_head = "schedule;arguments;fabric;source;written;retimed;rows;replay;programs";
constexpr std::string_view changes_head = "schedule;arguments;fabric;frozen;now;reason";
constexpr std::size_t most_told = 60;

using Line = std::vector<std::string>;

std::vector<Line> lines_of(const std::string& path, std::string_view head) {
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  REQUIRE_MESSAGE(text == head, path << " has another head: " << text);
  const auto columns = static_cast<std::size_t>(std::ranges::count(head, ';')) + 1;
  std::vector<Line> lines;
  while (std::getline(file, text)) {
    Line line(1);
    for (const char letter : text) {
      if (letter == ';' && line.size() < columns)
        line.emplace_back();
      else
        line.back() += letter;
    }
    REQUIRE_MESSAGE(line.size() == columns, path << ": " << text);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string key(const FrozenPair& pair) { return fmt::format("{};{};{}", pair.schedule, pair.arguments, pair.fabric); }

void freeze() {
  std::ofstream file(frozen_file);
  file << frozen_head << "\n";
  reference::PairRunner runner;
  for (const FrozenPair& pair : reference::pairs_to_freeze()) {
    const FrozenOutcome outcome = runner.outcome(pair);
    file << key(pair);
    for (const std::string* value :
         {&outcome.source, &outcome.written, &outcome.retimed, &outcome.rows, &outcome.replay, &outcome.programs})
      file << ";" << *value;
    file << "\n";
  }
  std::ofstream(changes_file) << changes_head << "\n";
}

bool refused(const std::string& outcome) { return outcome.starts_with("refused"); }
std::uint64_t steps_of(const std::string& outcome) { return refused(outcome) ? 0 : std::stoull(outcome); }

// "h", "u", or "v" and what is violated.
std::set<std::string> verdict_of(const std::string& outcome) {
  std::istringstream stream(outcome.substr(outcome.find(' ')));
  return {std::istream_iterator<std::string>(stream), {}};
}

// Something that was not violated is, or may be.
bool worse(const std::string& now, const std::string& then) {
  const auto was = verdict_of(then);
  const auto is = verdict_of(now);
  if (is.contains("h")) return false;
  if (is.contains("u")) return was.contains("h");
  return !std::includes(was.begin(), was.end(), is.begin(), is.end());
}

struct Listed {
  std::uint64_t frozen = 0;
  std::uint64_t now = 0;
};

// Each reason is given, and no pair is there twice.
std::map<std::string, Listed> listed_as_changed() {
  std::map<std::string, Listed> listed;
  for (const Line& line : lines_of(changes_file, changes_head)) {
    const std::string name = key({line[0], line[1], line[2]});
    CHECK_MESSAGE(line[5].size() > 1, name << " is listed without a reason");
    CHECK_MESSAGE(listed.emplace(name, Listed{std::stoull(line[3]), std::stoull(line[4])}).second,
                  name << " is listed twice");
  }
  return listed;
}

std::string changed(const std::string& now, const std::string& then) {
  return fmt::format("{}, and was {}", now, then);
}

class Comparison {
 public:
  void compare(const FrozenPair& pair, const FrozenOutcome& then, const FrozenOutcome& now) {
    ++pairs_;
    const std::string name = key(pair);
    if (now.source.empty()) return fault(name, "is not there any more");
    if (now.source != then.source)
      return fault(name, "the schedule, or what generates it, has changed: freeze it anew");
    if (now.written != then.written)
      return fault(name,
                   fmt::format("as written it is {}, and was {}: no matter of retiming", now.written, then.written));
    if (refused(then.retimed)) {
      if (refused(now.retimed) && now.retimed != then.retimed) fault(name, changed(now.retimed, then.retimed));
      accepted_ += refused(now.retimed) ? 0 : 1;
      refused_ += refused(now.retimed) ? 1 : 0;
      return;
    }
    if (refused(now.retimed)) return fault(name, changed(now.retimed, then.retimed));
    if (worse(now.retimed, then.retimed)) fault(name, changed(now.retimed, then.retimed));
    compare_steps(name, then, now);
  }

  // `whole`: every pair has been compared, not a share.
  void report(bool whole) {
    MESSAGE(fmt::format("{} pairs: {} shorter, {} equal, {} longer, {} still refused, {} no more; {} steps, frozen {}",
                        pairs_, shorter_, equal_, longer_, refused_, accepted_, sum_now_, sum_then_));
    if (whole)
      for (const auto& [name, it] : listed_) fault(name, "is listed as changed, and is not among the pairs that are");
    for (std::size_t i = 0; i < faults_.size() && i < most_told; ++i) FAIL_CHECK(faults_[i]);
    CHECK_MESSAGE(faults_.size() <= most_told, "… and others: " << faults_.size() << " in all");
    if (!whole) return;
    CHECK_MESSAGE(longer_ * 100 <= pairs_, "more than 1% of the pairs are longer");
    CHECK_MESSAGE(sum_now_ <= sum_then_, "all together are longer");
  }

 private:
  void fault(const std::string& name, const std::string& what) { faults_.push_back(name + ": " + what); }

  void compare_steps(const std::string& name, const FrozenOutcome& then, const FrozenOutcome& now) {
    const std::uint64_t was = steps_of(then.retimed);
    const std::uint64_t is = steps_of(now.retimed);
    sum_then_ += was;
    sum_now_ += is;
    shorter_ += is < was ? 1 : 0;
    equal_ += is == was ? 1 : 0;
    longer_ += is > was ? 1 : 0;
    const std::string other = what_differs(then, now);
    if (other.empty()) return;
    const auto found = listed_.find(name);
    if (found == listed_.end()) return fault(name, fmt::format("{}; to be listed as\n{};{};{};", other, name, was, is));
    if (found->second.frozen != was || found->second.now != is)
      fault(name, fmt::format("{} steps, and were {}; listed are {} and {}", is, was, found->second.now,
                              found->second.frozen));
    listed_.erase(found);
  }

  static std::string what_differs(const FrozenOutcome& then, const FrozenOutcome& now) {
    std::string text;
    if (steps_of(then.retimed) != steps_of(now.retimed)) text += " other steps,";
    if (then.rows != now.rows) text += " other rows,";
    if (then.replay != now.replay) text += " another replay,";
    if (then.programs != now.programs) text += " other programs,";
    return text;
  }

  std::map<std::string, Listed> listed_ = listed_as_changed();  // those not met yet
  std::vector<std::string> faults_;
  std::uint64_t pairs_ = 0, shorter_ = 0, equal_ = 0, longer_ = 0, refused_ = 0, accepted_ = 0;
  std::uint64_t sum_then_ = 0, sum_now_ = 0;
};

TEST_CASE("what is retimed, replayed and exported is what it was when the pairs were frozen") {
  if (std::getenv("QUADRILLE_FREEZE") != nullptr) freeze();
  const std::vector<Line> lines = lines_of(frozen_file, frozen_head);
  CHECK(lines.size() >= 5000);
  const bool whole = tests::share(6) == 6;
  Comparison comparison;
  reference::PairRunner runner;
  for (std::size_t i = 0; i < lines.size(); i += whole ? 1 : 6) {
    const Line& line = lines[i];
    const FrozenPair pair{line[0], line[1], line[2]};
    comparison.compare(pair, {line[3], line[4], line[5], line[6], line[7], line[8]}, runner.outcome(pair));
  }
  comparison.report(whole);
}

}  // namespace
}  // namespace quadrille::frozen
