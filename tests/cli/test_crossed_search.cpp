// Searches that are drawn at random, whole commands: collectives, operations, fabrics, goals, evidence and limits are
// crossed, and what the commands say of one question has to go together. Everything that a search writes goes through
// the commands that read it.
//
// Each seed is a question: it is asked as it is; with another goal; with a limit; in a looser form. QUADRILLE_SEED is
// the first of them; QUADRILLE_LONG=1 asks many more.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "tests/cli/crossed_commands.h"
#include "tests/cli/crossed_questions.h"
#include "tests/environment.h"

namespace quadrille::cli::crossed {
namespace {

// Why a question is refused: the pages say so of what the option is for.
bool is_documented_refusal(const std::string& message) {
  for (const char* why : {"rules about injecting and paths are for", "steps of more volume than one are for fabrics"}) {
    if (message.find(why) != std::string::npos) return true;
  }
  return false;
}

void check_refusal(const Answer& answer) {
  const std::string message = answer.said["error"][0]["message"];
  CAPTURE(message);
  CHECK(is_documented_refusal(message));
}

// The table has no words in the language (dsl/LANGUAGE.md), which --schedule says before or after the search.
bool is_beyond_the_language(const Answer& answer) {
  const std::string said = answer.said.dump();
  return said.find("--schedule: the language") != said.npos;
}

// The status is that of the verdict, and numbers are in order.
void check_search(const Answer& answer, bool with_steps) {
  const std::string verdict = answer.text("verdict");
  const bool answered = verdict == "optimal" || (with_steps && verdict == "found");
  CHECK(answer.status == (answered ? exit_done : verdict == "impossible" ? exit_violated : exit_unknown));
  // What takes more than is asked for may be there, too.
  const bool found = verdict == "optimal" || verdict == "found";
  CHECK((answer.has("steps") == found || (with_steps && !found)));
  CHECK(answer.has("method") == answer.has("steps"));
  if (verdict == "optimal" && !with_steps) CHECK(answer.number("steps") == answer.number("lower_bound"));
  if (found) CHECK(answer.number("lower_bound").value() <= answer.number("steps").value());
  if (!answered && verdict != "impossible") CHECK(answer.has("why"));
  CHECK(answer.said["failures"].empty());
}

// What is found by one is no less than what another shows to be needed, where all of the one's schedules are the
// other's.
void check_needed(const Answer& needed, const Answer& found) {
  if (needed.narrowed() || !needed.answers() || !found.answers() || !found.has("steps")) return;
  CAPTURE(needed.said.dump());
  CAPTURE(found.said.dump());
  CHECK(needed.text("verdict") != "impossible");
  REQUIRE(needed.has("lower_bound"));
  CHECK(*needed.number("lower_bound") <= *found.number("steps"));
}

// The fewest steps, or rounds, of compare's that cut messages as is asked.
std::optional<std::uint64_t> best_of(const Answer& compared, bool rounds, std::uint64_t chunks) {
  std::optional<std::uint64_t> best;
  for (const json& each : compared.said["algorithms"]) {
    const json& length = each[rounds ? "rounds" : "steps"];
    if (each["chunks"] == chunks && !length.is_null())
      best = std::min(best.value_or(length), length.get<std::uint64_t>());
  }
  return best;
}

class Crossing {
 public:
  Crossing(Dice& dice, Question question) : dice_(dice), question_(std::move(question)) {}

  void run() {
    const Answer plain = search(question_, {}, true);
    if (plain.refused()) return;
    check_search(plain, false);
    check_others(plain);
    check_goal(plain);
    check_limited({}, plain);
    if (const auto looser = loosened(dice_, question_)) {
      INFO("looser: ", looser->what(), " on ", looser->on());
      check_needed(search(*looser, {}, false), plain);
    }
  }

 private:
  static Words command(const Question& question, const Words& goal) {
    Words words = {"search", "--collective", question.what(), "--on", question.on()};
    words.insert(words.end(), goal.begin(), goal.end());
    return words;
  }
  static Words timeout() { return {"--timeout", tests::long_run() ? "2" : "0.5"}; }

  Words evidence() {
    table_ = "table." + dice_.pick(Words{"csv", "json", "bin"});
    return {"-o", table_, "--schedule", "made.qd", "--certificate", "evidence"};
  }

  // Asks, and judges what is written.
  Answer ask(Words words, bool with_files, Watched& environment) {
    const bool frontier = std::ranges::count(words, "--pareto") > 0;
    Words files = with_files ? evidence() : Words{};
    if (frontier && with_files) files = {"--certificate", "evidence"};
    words.insert(words.end(), files.begin(), files.end());
    Answer answer = run_json(words, environment);
    if (is_beyond_the_language(answer)) {
      CHECK(environment.files.count("made.qd") == 0);
      const auto option = std::ranges::find(words, "--schedule");
      words.erase(option, option + 2);
      answer = run_json(words, environment);
    }
    if (!with_files || !answer.answers()) return answer;
    driver::MemoryEnvironment later;  // where nobody interrupts
    later.files = environment.files;
    INFO("quadrille ", fmt::format("'{}'", fmt::join(words, "' '")));
    CAPTURE(answer.said.dump());
    if (!frontier) {
      const bool made = later.files.count("made.qd") > 0;
      if (answer.has("steps")) check_tables(dice_, later, answer, made ? Words{table_, "made.qd"} : Words{table_});
      if (answer.has("certificate")) check_certificate(later, answer.text("certificate"), answer.said);
      CHECK((answer.has("certificate") || !answer.said["notes"].empty()));
      return answer;
    }
    for (const json& point : answer.said["points"]) {
      if (!point["certificate"].is_null()) check_certificate(later, point["certificate"], point);
      CHECK((!point["certificate"].is_null() || !answer.said["notes"].empty()));
    }
    return answer;
  }

  Answer search(const Question& question, const Words& goal, bool with_files) {
    Words words = command(question, goal);
    for (const std::string& word : timeout()) words.push_back(word);
    Watched environment;
    Answer answer = ask(words, with_files, environment);
    looks_ = environment.looks();
    if (answer.refused()) check_refusal(answer);
    return answer;
  }

  // compare and bounds say of the question what the search does.
  void check_others(const Answer& plain) {
    const Words question = {"--collective", question_.what(), "--on", question_.on()};
    Words words = {"bounds"};
    words.insert(words.end(), question.begin(), question.end());
    Watched environment;
    const Answer bounds = run_json(words, environment);
    CHECK(bounds.status == exit_done);
    check_needed(bounds, plain);
    if (bounds.has("lower_bound") && plain.has("lower_bound"))
      CHECK(*bounds.number("lower_bound") <= *plain.number("lower_bound"));
    if (plain.cut()) return;
    words[0] = "compare";
    const Answer compared = run_json(words, environment);
    CHECK(compared.status == exit_done);
    const auto parts = question_.arguments.find("parts");
    const auto best = best_of(compared, question_.rounds(), parts == question_.arguments.end() ? 1 : 2);
    if (!best) return;
    REQUIRE(plain.has("steps"));
    CHECK(*plain.number("steps") <= *best);
  }

  void check_goal(const Answer& plain) {
    switch (dice_.below(5)) {
      case 0:
        return check_steps(plain);
      case 1:
        return check_size();
      case 2:
        return check_injected(plain);
      default:
        return check_frontier(plain);
    }
  }

  void check_steps(const Answer& plain) {
    const std::uint64_t most = plain.number("steps").value_or(plain.number("lower_bound").value_or(2)) + 1;
    const std::string steps = std::to_string(dice_.from_to(1, static_cast<std::uint32_t>(most)));
    const Answer answer = search(question_, {"--steps", steps}, true);
    check_search(answer, true);
    if (answer.status == exit_done) CHECK(*answer.number("steps") <= std::stoull(steps));
    check_needed(plain, answer);
    if (plain.has("steps") && *plain.number("steps") <= std::stoull(steps) && !answer.narrowed())
      CHECK(answer.text("verdict") != "impossible");
    check_limited({"--steps", steps}, answer);
  }

  void check_injected(const Answer& plain) {
    const Answer answer = search(question_, {"--inject", "once"}, true);
    if (answer.refused()) return;
    check_search(answer, false);
    check_needed(plain, answer);
    check_limited({"--inject", "once"}, answer);
  }

  void check_size() {
    const Words goal = {"--size", dice_.one_in(2) ? "1KiB" : "16MiB"};
    const Answer answer = search(question_, goal, false);
    if (answer.refused() || !answer.has("seconds")) return;
    constexpr double much = 1 + 1e-9;
    const double seconds = answer.said["seconds"];
    CHECK(answer.said["at_least"].get<double>() <= seconds * much);
    if (answer.cut()) return;
    Words words = {"compare", "--collective", question_.what(), "--on", answer.fabric()};
    words.insert(words.end(), goal.begin(), goal.end());
    Watched environment;
    for (const json& each : run_json(words, environment).said["algorithms"]) {
      CAPTURE(each.dump());
      if (!each["seconds"][0].is_null()) CHECK(seconds <= each["seconds"][0].get<double>() * much);
    }
  }

  void check_frontier(const Answer& plain) {
    const Answer frontier = search(question_, {"--pareto"}, true);
    if (frontier.refused()) return;
    CAPTURE(frontier.said.dump());
    const json& points = frontier.said["points"];
    REQUIRE_FALSE(points.empty());
    std::uint64_t steps = 0;
    std::uint64_t volume = std::numeric_limits<std::uint64_t>::max();
    for (const json& point : points) {
      CHECK((steps < point["steps"].get<std::uint64_t>() || points.size() == 1));
      steps = point["steps"];
      if (point["volume"].is_null()) continue;
      check_point(plain, point);
      CHECK(volume >= point["volume"].get<std::uint64_t>());
      if (point["verdict"] == "optimal") CHECK(volume > point["volume"].get<std::uint64_t>());
      volume = point["volume"];
    }
    if (!question_.rounds() && plain.text("verdict") == "optimal" && !plain.narrowed() &&
        frontier.status == exit_done && points.back()["words"].is_null())
      CHECK(volume == *plain.number("steps"));
    check_singly(points[dice_.below(points.size())]);
    check_limited_frontier(frontier);
  }

  // A point is a schedule of so many unit steps; in rounds, of so many rounds.
  void check_point(const Answer& plain, const json& point) const {
    CHECK(point["lower_bound"] <= point["volume"]);
    if (plain.narrowed()) return;
    CHECK(plain.text("verdict") != "impossible");
    CHECK(*plain.number("lower_bound") <= point[question_.rounds() ? "steps" : "volume"].get<std::uint64_t>());
  }

  // One point, asked for by itself, and with less.
  void check_singly(const json& point) {
    if (point["volume"].is_null()) return;
    const std::uint64_t steps = point["steps"];
    const std::uint64_t volume = point["volume"];
    if (steps > volume || steps == 0) return;
    const Answer same = search(question_, {"--steps", std::to_string(steps), "--volume", std::to_string(volume)}, true);
    CAPTURE(same.said.dump());
    check_search(same, true);
    // A frontier knows what its other points have found.
    CHECK((same.has("steps") || same.text("verdict") == "unknown"));
    if (volume <= steps) return;
    const Words goal = {"--steps", std::to_string(steps), "--volume", std::to_string(volume - 1)};
    const Answer less = search(question_, goal, true);
    check_search(less, true);
    CAPTURE(less.said.dump());
    if (point["verdict"] == "optimal" && point["words"].is_null()) CHECK_FALSE(less.status == exit_done);
    check_limited(goal, less);
  }

  // A limit that is reached soon, or perhaps not at all.
  Words limit(Watched& environment) {
    switch (dice_.below(3)) {
      case 0:
        environment.tick = std::chrono::milliseconds(1);
        return {"--timeout", fmt::format("{:.3f}", 0.001 * dice_.from_to(1, 40))};
      case 1:
        environment.interrupt_at = 1 + dice_.below(std::max<std::uint64_t>(looks_, 1));
        return timeout();
      default:
        return {"--memory", fmt::format("{:.6f}", 0.001 + 0.0001 * dice_.below(100)), "--timeout", "0.5"};
    }
  }

  std::optional<Answer> limited(const Words& goal, const Answer& whole) {
    Watched environment;
    Words words = command(question_, goal);
    for (const std::string& word : limit(environment)) words.push_back(word);
    INFO("interrupted at look ", environment.interrupt_at, ", a look takes ", environment.tick.count(), " ms");
    const Answer answer = ask(words, true, environment);
    CAPTURE(answer.said.dump());
    if (!answer.refused()) CHECK_FALSE(whole.refused());
    if (answer.refused()) CHECK(whole.refused());
    if (answer.answers()) return answer;
    if (!answer.refused()) CHECK(answer.status == exit_unknown);
    return std::nullopt;
  }

  void check_limited(const Words& goal, const Answer& whole) {
    const auto answer = limited(goal, whole);
    if (!answer || !whole.answers()) return;
    check_search(*answer, std::ranges::count(goal, "--steps") > 0);
    check_agreement(*answer, whole);
    check_agreement(whole, *answer);
  }

  // What one shows to be needed, and the other has found, of one question.
  static void check_agreement(const Answer& needed, const Answer& found) {
    if (!found.has("steps") || needed.has("words")) return;
    CAPTURE(needed.said.dump());
    CAPTURE(found.said.dump());
    if (found.text("verdict") == "optimal" || found.text("verdict") == "found")
      CHECK(needed.text("verdict") != "impossible");
    if (!needed.has("lower_bound")) return;
    CHECK(needed.number("lower_bound").value() <= *found.number("steps"));
  }

  void check_limited_frontier(const Answer& whole) {
    const auto answer = limited({"--pareto"}, whole);
    if (!answer) return;
    for (const json& few : answer->said["points"]) {
      for (const json& point : whole.said["points"]) {
        if (few["steps"] != point["steps"]) continue;
        CAPTURE(few.dump());
        CAPTURE(point.dump());
        if (!few["volume"].is_null() && point["words"].is_null()) CHECK(point["lower_bound"] <= few["volume"]);
        if (!point["volume"].is_null() && few["words"].is_null()) CHECK(few["lower_bound"] <= point["volume"]);
      }
    }
  }

  Dice& dice_;
  Question question_;
  std::string table_;
  std::uint64_t looks_ = 0;  // at the clock, of the last search
};

TEST_CASE("what commands say of one question goes together, whatever is crossed with what") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::long_run() ? 1000 : tests::share(90);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const Question question = random_question(dice);
    INFO(question.what(), " on ", question.on());
    Crossing(dice, question).run();
  }
  MESSAGE(count, " questions, from seed ", first);
}

}  // namespace
}  // namespace quadrille::cli::crossed
