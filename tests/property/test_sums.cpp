// Random schedules whose sends keep words and send sums of them: what the compiler chooses is what the sends ask for,
// all judges agree on it, and where it finds no words there are none.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_check.h"

namespace {

using namespace quadrille;
using reference::Dice;

using Numbers = std::set<std::uint32_t>;

struct RandomSend {
  std::uint32_t step = 0, from = 0, to = 0;
  std::optional<Numbers> sum;
  bool keeping = false;
};

struct RandomSchedule {
  std::string fabric, collective;
  std::vector<RandomSend> sends;  // no two from one processor to another in one step

  std::string text() const {
    std::string text = fmt::format("fabric {}\ncollective {}\n", fabric, collective);
    for (const RandomSend& send : sends) {
      text += fmt::format("at {}: send {} -> {}", send.step, send.from, send.to);
      if (send.sum) text += fmt::format(" carrying sum {{{}}}", fmt::join(*send.sum, ", "));
      text += send.keeping ? " keeping\n" : "\n";
    }
    return text;
  }
};

bool some_words_make_up(const std::vector<Numbers>& words, const Numbers& wanted, bool idempotent) {
  for (std::uint32_t chosen = 1; chosen < 1U << words.size(); ++chosen) {
    Numbers all;
    std::size_t size = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if ((chosen >> i & 1U) == 0) continue;
      all.insert(words[i].begin(), words[i].end());
      size += words[i].size();
    }
    if (all == wanted && (idempotent || size == wanted.size())) return true;
  }
  return false;
}

// "{0-2, 4}, {1}" as sets.
std::vector<Numbers> sets_in(const std::string& text) {
  std::vector<Numbers> sets;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    Numbers& set = sets.emplace_back();
    for (std::size_t i = at + 1; text[i] != '}';) {
      char* end = nullptr;
      const auto first = static_cast<std::uint32_t>(std::strtoul(text.c_str() + i, &end, 10));
      auto last = first;
      if (*end == '-') last = static_cast<std::uint32_t>(std::strtoul(end + 1, &end, 10));
      for (std::uint32_t number = first; number <= last; ++number) set.insert(number);
      i = static_cast<std::size_t>(end - text.c_str());
      while (text[i] == ',' || text[i] == ' ') ++i;
    }
  }
  return sets;
}

// Step by step, on a complete graph: whether each row brings what its send asks for, and is what it says.
class Replay {
 public:
  Replay(const RandomSchedule& schedule, const SendTable& table) : table_(table) {
    for (const RandomSend& send : schedule.sends) sends_[{send.step, send.from, send.to}] = send;
    for (std::uint32_t p = 0; p < table.fabric.processors(); ++p) words_.push_back({{p}});
  }

  std::string fault() {
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      std::vector<Arrived> arrived;
      for (std::size_t i = 0; i < step->rows.size(); ++i) {
        const Channel& channel = table_.fabric.channel(step->rows[i].channel);
        const RandomSend& send = sends_.at({step->step.value, channel.from.value, channel.to.value});
        const Numbers brought = sent(send, step->uses[i].sent);
        if (send.sum && brought != *send.sum) return "another sum";
        arrived.push_back({*brought.begin(), step->rows[i].channel, &send, brought, step->uses[i].arrival});
      }
      std::sort(arrived.begin(), arrived.end(), [](const Arrived& a, const Arrived& b) {
        return std::tie(a.smallest, a.channel) < std::tie(b.smallest, b.channel);
      });
      for (const Arrived& it : arrived) {
        if (std::string wrong = join(it); !wrong.empty()) return wrong;
      }
    }
    return {};
  }

 private:
  struct Arrived {
    std::uint32_t smallest;
    ChannelId channel;
    const RandomSend* send;
    Numbers brought;
    Arrival arrival;
  };

  Numbers sent(const RandomSend& send, const std::vector<std::uint32_t>& words) const {
    if (words.empty()) return words_[send.from].front();
    Numbers all;
    for (const std::uint32_t word : words)
      all.insert(words_[send.from].at(word).begin(), words_[send.from].at(word).end());
    return all;
  }

  std::string join(const Arrived& it) {
    std::vector<Numbers>& words = words_[it.send->to];
    Numbers& held = words.front();
    const bool contains = std::includes(it.brought.begin(), it.brought.end(), held.begin(), held.end());
    const bool disjoint =
        std::none_of(held.begin(), held.end(), [&](std::uint32_t number) { return it.brought.contains(number); });
    Arrival expected = contains                                     ? Arrival::stored
                       : disjoint || table_.collective.idempotent() ? Arrival::combined
                                                                    : Arrival::joined;
    if (it.send->keeping) expected = Arrival::kept;
    if (expected != it.arrival) return "another arrival";
    if (expected == Arrival::kept) {
      words.push_back(it.brought);
    } else if (expected != Arrival::joined) {
      held.insert(it.brought.begin(), it.brought.end());
    }
    return {};
  }

  const SendTable& table_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, RandomSend> sends_;
  std::vector<std::vector<Numbers>> words_;  // by processor
};

std::string pick(Dice& dice, const std::vector<std::string>& texts) {
  return texts[dice.below(static_cast<std::uint32_t>(texts.size()))];
}

RandomSend random_send(Dice& dice, std::uint32_t step) {
  RandomSend send{step, dice.below(4), dice.below(3), {}, dice.below(3) > 0};
  send.to += send.to >= send.from ? 1 : 0;
  if (!dice.one_in(3)) {
    send.sum = {send.from};
    for (std::uint32_t p = 0; p < 4; ++p) {
      if (dice.one_in(3)) send.sum->insert(p);
    }
    if (dice.one_in(3) && send.sum->size() > 1) send.sum->erase(send.from);
  }
  return send;
}

}  // namespace

TEST_CASE("sums of words in random schedules are what is asked for, or cannot be had") {
  const std::uint64_t schedules = tests::brief ? 40 : tests::long_run() ? 4000 : 400;
  const std::uint64_t first = reference::first_seed();
  std::uint64_t refused = 0;
  std::uint64_t summed = 0;
  for (std::uint64_t seed = first; seed < first + schedules; ++seed) {
    Dice dice(seed);
    RandomSchedule schedule;
    schedule.fabric =
        pick(dice, {"complete(4)", "complete(4, timing: rounds)", "complete(4, timing: rounds, paths: shared)"});
    schedule.collective =
        pick(dice, {"exclusive_prefix", "prefix", "allreduce", "reduce(root: 0)", "allreduce(operation: idempotent)"});
    for (std::uint32_t step = 1; step <= 6; ++step) {
      for (std::uint32_t i = 0; i < 2; ++i) {
        const RandomSend send = random_send(dice, step);
        RandomSchedule longer = schedule;
        if (std::any_of(schedule.sends.begin(), schedule.sends.end(), [&](const RandomSend& other) {
              return other.step == step && other.from == send.from && other.to == send.to;
            }))
          continue;
        longer.sends.push_back(send);
        const Compiled compiled = compile_text(longer.text());
        if (compiled.table) {
          schedule = longer;
          summed += send.sum ? 1 : 0;
          continue;
        }
        ++refused;
        const std::size_t has = compiled.messages.find("it has ");
        const std::size_t end = compiled.messages.find('\n', has);
        REQUIRE_MESSAGE(has != std::string::npos, compiled.messages);
        const auto words = sets_in(compiled.messages.substr(has, end - has));
        const bool idempotent = schedule.collective.find("idempotent") != std::string::npos;
        CHECK_MESSAGE(!some_words_make_up(words, *send.sum, idempotent), "QUADRILLE_SEED=" << seed << "\n"
                                                                                           << compiled.messages);
      }
    }
    const Compiled compiled = compile_text(schedule.text());
    REQUIRE(compiled.table);
    if (!compiled.table->rows->has_partial_reductions()) continue;
    const std::string differences = reference::disagreement(*compiled.table);
    CHECK_MESSAGE(differences.empty(), "QUADRILLE_SEED=" << seed << "\n" << schedule.text() << differences);
    const std::string fault = Replay(schedule, *compiled.table).fault();
    CHECK_MESSAGE(fault.empty(), "QUADRILLE_SEED=" << seed << "\n" << schedule.text() << fault);
  }
  MESSAGE(fmt::format("{} schedules from seed {}: {} sums, {} refused", schedules, first, summed, refused));
  CHECK(summed > schedules);
  CHECK(refused > schedules);
}

TEST_CASE(
    "random schedules with words, retimed or read on other fabrics, are judged alike; retimed they end with the same") {
  const std::uint64_t schedules = tests::brief ? 20 : tests::long_run() ? 2000 : 200;
  const std::uint64_t first = reference::first_seed();
  std::uint64_t retimed = 0;
  std::uint64_t moved = 0;
  for (std::uint64_t seed = first; seed < first + schedules; ++seed) {
    Dice dice(seed);
    RandomSchedule schedule{"complete(4)", pick(dice, {"exclusive_prefix", "prefix", "allreduce"}), {}};
    for (std::uint32_t step = 1; step <= 5; ++step) {
      RandomSchedule longer = schedule;
      longer.sends.push_back(random_send(dice, step));
      if (compile_text(longer.text()).table) schedule = longer;
    }
    const Compiled written = compile_text(schedule.text());
    if (!written.table || !written.table->rows->has_partial_reductions()) continue;
    ElaborateOptions on;
    on.fabric =
        parse_fabric({"test", pick(dice, {"line:4", "ring:4", "star:4", "fat_tree:levels=2", "star:4,switches=forward",
                                          "star:4,switches=reduce", "hypercube:2,ports=single"})},
                     0)
            .value();
    const bool reduces = on.fabric->switches_reduce();
    for (const bool retime : {false, true}) {
      on.retime = retime;
      const Compiled other = compile_text(schedule.text(), {}, on);
      if (!other.table) {
        // What is on its way for longer may come too late, or join another on its way.
        const bool said = !retime || reduces || other.messages.find("cannot be retimed") != std::string::npos;
        CHECK_MESSAGE(said, other.messages);
        continue;
      }
      const std::string differences = reference::disagreement(*other.table);
      CHECK_MESSAGE(differences.empty(), "QUADRILLE_SEED=" << seed << "\n" << schedule.text() << differences);
      ++(retime ? retimed : moved);
      if (!retime) continue;
      // How often a gap is met depends on how many steps there are.
      const auto before = reference::judge(*written.table);
      const auto after = reference::judge(*other.table);
      CHECK_MESSAGE((before.violations[reference::complete] == 0) == (after.violations[reference::complete] == 0),
                    "QUADRILLE_SEED=" << seed << " on " << on.fabric->notation() << "\n"
                                      << schedule.text());
    }
  }
  MESSAGE(fmt::format("{} schedules from seed {}: {} retimed, {} read elsewhere", schedules, first, retimed, moved));
  CHECK(retimed > schedules / 4);
  CHECK(moved > schedules / 4);
}

TEST_CASE("random schedules that combine are judged alike with arrivals and without") {
  const std::uint64_t schedules = tests::brief ? 50 : tests::long_run() ? 5000 : 600;
  const std::uint64_t first = reference::first_seed();
  std::uint64_t stored = 0;
  for (std::uint64_t seed = first; seed < first + schedules; ++seed) {
    Dice dice(seed);
    RandomSchedule schedule;
    schedule.fabric =
        pick(dice, {"complete(4)", "line(4)", "ring(4, timing: rounds)", "star(4)", "star(4, switches: forward)",
                    "star(4, switches: reduce)", "fat_tree(levels: 2)", "complete(4, timing: rounds, paths: shared)"});
    schedule.collective = pick(dice, {"prefix", "allreduce", "reduce(root: 0)", "allreduce(operation: idempotent)",
                                      "allreduce(operation: ordered)"});
    for (std::uint32_t i = 0; i < 12; ++i) {
      RandomSend send = random_send(dice, 1 + dice.below(8));
      send.sum.reset();
      send.keeping = false;
      schedule.sends.push_back(send);
    }
    ElaborateOptions arrivals;
    arrivals.arrivals = true;
    const Compiled plain = compile_text(schedule.text());
    const Compiled said = compile_text(schedule.text(), {}, arrivals);
    REQUIRE(plain.table);
    REQUIRE(said.table);
    const auto before = reference::judge(*plain.table);
    const auto after = reference::judge(*said.table);
    CHECK_MESSAGE((before.violations == after.violations && before.rows == after.rows),
                  "QUADRILLE_SEED=" << seed << "\n"
                                    << schedule.text());
    const std::string differences = reference::disagreement(*said.table);
    CHECK_MESSAGE(differences.empty(), "QUADRILLE_SEED=" << seed << "\n" << schedule.text() << differences);
    stored += reference::as_csv(*said.table).find(",store\n") != std::string::npos ? 1 : 0;
  }
  MESSAGE(fmt::format("{} schedules from seed {}: {} store", schedules, first, stored));
  CHECK(stored > schedules / 50);
}
