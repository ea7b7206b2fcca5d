// Retiming from rounds to rounds, compared with its definition: what is delivered stays, all rules of lanes and ports
// are kept, and each message leaves in the first round that has its path.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/fabric_notation.h"
#include "model/route.h"
#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/round_messages.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

const std::uint64_t schedules = tests::brief ? 200 : 3000;

// A message to one processor; `round`: as written, or as placed.
struct Sent {
  std::uint32_t round = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::set<std::uint32_t> origins = {};  // copying: whose chunks
  auto operator<=>(const Sent&) const = default;
};

std::string text_of(const std::string& head, const std::vector<Sent>& sends) {
  std::string text = head;
  for (const Sent& it : sends) {
    text += fmt::format("at {}: send {} -> {}", it.round, it.from, it.to);
    if (!it.origins.empty()) text += fmt::format(" carrying {{{}}} -> *", fmt::join(it.origins, ", "));
    text += "\n";
  }
  return text;
}

// Of an all-gather: what is sent has come before, as a rule.
std::vector<Sent> random_copies(reference::Dice& dice, std::uint32_t n) {
  std::map<std::uint32_t, std::set<std::uint32_t>> held;
  for (std::uint32_t p = 0; p < n; ++p) held[p] = {p};
  std::vector<Sent> sends;
  for (std::uint32_t round = 1; round <= 5; ++round) {
    const auto before = held;
    for (std::uint32_t i = dice.below(5); i > 0; --i) {
      Sent sent{round, dice.below(n), dice.below(n)};
      if (sent.from == sent.to) continue;
      for (const std::uint32_t origin : before.at(sent.from)) {
        if (dice.one_in(2)) sent.origins.insert(origin);
      }
      if (dice.one_in(30)) sent.origins.insert(dice.below(n));
      if (sent.origins.empty()) continue;
      held[sent.to].insert(sent.origins.begin(), sent.origins.end());
      sends.push_back(sent);
    }
  }
  return sends;
}

// A reduction along a random tree, or towards 0 in order of rank, and back.
std::vector<Sent> random_reduction(reference::Dice& dice, std::uint32_t n, bool ordered) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t p = n; p-- > 0;) order.push_back(p);
  if (!ordered) dice.shuffle(order);
  std::map<std::uint32_t, std::uint32_t> ready;
  std::vector<Sent> sends;
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    const std::uint32_t to = order[ordered ? i + 1 : dice.from_to(i + 1, n - 1)];
    const std::uint32_t round = ready[order[i]] + 1 + (dice.one_in(4) ? 1 : 0);
    ready[to] = std::max(ready[to], round);
    sends.push_back({round, order[i], to});
  }
  for (std::uint32_t i = 0; i + 1 < n; ++i) sends.push_back({ready[order.back()] + 1 + i % 2, order.back(), order[i]});
  std::stable_sort(sends.begin(), sends.end(), [](const Sent& a, const Sent& b) { return a.round < b.round; });
  return sends;
}

// Where what is combined joins in switches more often than not.
Fabric random_target(reference::Dice& dice, bool combining) {
  const Fabric fabric = reference::random_fabric(dice);
  Rules rules = fabric.rules();
  rules.timing = Timing::rounds;
  rules.paths = dice.one_in(3) ? Paths::shared : Paths::held;
  rules.switches = static_cast<Switching>(dice.below(3));
  if (combining && dice.one_in(2)) rules.switches = Switching::reduce;
  return fabric.with_rules(rules);
}

std::uint64_t count(const Report& report, Property property) { return report.of(property).violations; }

std::string broken(const Report& written, const Report& placed) {
  for (const Property property : {Property::well_formed, Property::contention_free, Property::capacity}) {
    if (count(placed, property) > 0) return fmt::format("{}", to_string(property));
  }
  if (count(placed, Property::complete) != count(written, Property::complete)) return "complete";
  return count(placed, Property::causal) > count(written, Property::causal) ? "causal" : "";
}

// The rounds in which the definition places them, by default routes; nothing is tried twice.
class Naive {
 public:
  explicit Naive(const Fabric& fabric) : fabric_(fabric), router_(fabric) {}

  void place(Sent sent) {
    std::uint32_t round = std::max(last_[sent.from], 1U);
    for (const std::uint32_t origin : sent.origins) {
      const auto came = arrived_.find({sent.from, origin});
      if (came != arrived_.end()) round = std::max(round, came->second + 1);
    }
    std::vector<ChannelId> path;
    router_.append_route(NodeId(sent.from), NodeId(sent.to), path);
    sent.round = round;
    while (!free(sent, path)) ++sent.round;
    last_[sent.from] = sent.round;
    for (const std::uint32_t origin : sent.origins) {
      const auto [came, first] = arrived_.emplace(std::pair(sent.to, origin), sent.round);
      came->second = std::min(came->second, sent.round);
    }
    placed_.emplace_back(sent, path);
  }

  std::vector<Sent> sorted() const {
    std::vector<Sent> all;
    for (const auto& [sent, path] : placed_) all.push_back(sent);
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  bool free(const Sent& sent, const std::vector<ChannelId>& path) const {
    const bool half = fabric_.rules().duplex == Duplex::half;
    const bool single = fabric_.rules().ports == Ports::single;
    std::map<ChannelId, std::uint32_t> use;
    for (const auto& [other, channels] : placed_) {
      if (other.round != sent.round) continue;
      if (single && (other.from == sent.from || other.to == sent.to)) return false;
      if (single && half && (other.from == sent.to || other.to == sent.from)) return false;
      for (const ChannelId channel : channels) ++use[channel];
    }
    if (fabric_.rules().paths == Paths::shared) return true;
    return std::none_of(path.begin(), path.end(), [&](ChannelId channel) {
      if (use[channel] >= fabric_.channel(channel).capacity) return true;
      const auto back = half ? fabric_.reverse(channel) : std::nullopt;
      return back && use[channel] + use[*back] >= fabric_.channel(std::min(channel, *back)).capacity;
    });
  }

  const Fabric& fabric_;
  Router router_;
  std::map<std::uint32_t, std::uint32_t> last_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> arrived_;  // processor, origin
  std::vector<std::pair<Sent, std::vector<ChannelId>>> placed_;
};

bool has_choice(const Fabric& fabric, const std::vector<Sent>& sends) {
  const Router router(fabric);
  return std::any_of(sends.begin(), sends.end(),
                     [&](const Sent& it) { return router.leaves_choice(NodeId(it.from), NodeId(it.to)); });
}

std::vector<Sent> placed_of(const SendTable& table) {
  std::vector<Sent> all;
  for (const reference::RoundMessage& message : reference::messages_of(table).all) {
    Sent sent{message.round, message.senders.begin()->value, message.ends.front().receiver.value};
    for (const ChunkId chunk : message.chunks) sent.origins.insert(table.collective.name(chunk).origin);
    all.push_back(sent);
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("what is retimed in rounds brings the same, breaks no rule, and leaves as early as it can") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t compared = 0;
  std::uint64_t combined = 0;
  std::uint64_t earliest = 0;
  for (std::uint64_t seed = first; seed < first + schedules; ++seed) {
    reference::Dice dice(seed);
    const bool combining = dice.one_in(2);
    const bool ordered = combining && dice.one_in(3);
    const Fabric target = random_target(dice, combining);
    const std::uint32_t n = target.processors();
    if (n < 2) continue;
    const std::vector<Sent> sends = combining ? random_reduction(dice, n, ordered) : random_copies(dice, n);
    const std::string collective =
        combining ? fmt::format("allreduce(operation: {})", ordered ? "ordered" : "commutative") : "allgather";
    const std::string text = text_of(
        fmt::format("fabric complete({}, timing: rounds, paths: shared)\ncollective {}\n", n, collective), sends);
    const Compiled written = compile_text(text);
    INFO("QUADRILLE_SEED=" << seed << " " << target.notation() << "\n" << text << written.messages);
    REQUIRE(written.table);
    ElaborateOptions options;
    options.fabric = target;
    options.retime = true;
    const Compiled placed = compile_text(text, {}, options);
    if (!placed.table) {
      const bool honest = placed.messages.find("there is no route") != std::string::npos ||
                          placed.messages.find("cannot be retimed") != std::string::npos;
      CHECK_MESSAGE(honest, placed.messages);
      continue;
    }
    const std::string rule = broken(check(*written.table), check(*placed.table));
    CHECK_MESSAGE(rule.empty(), rule);
    ++compared;
    combined += combining ? 1 : 0;
    if (combining || has_choice(target, sends)) continue;
    Naive naive(target);
    for (const Sent& sent : sends) naive.place(sent);
    const std::vector<Sent> found = placed_of(*placed.table);
    const std::vector<Sent> expected = naive.sorted();
    // What is written stays where it is shorter: a schedule may count on what comes in the same round, which is wrong.
    std::vector<Sent> as_written = sends;
    std::sort(as_written.begin(), as_written.end());
    const bool same = found == expected || (found == as_written && found.back().round < expected.back().round);
    CHECK_MESSAGE(same, "other rounds than the definition's");
    ++earliest;
  }
  MESSAGE(fmt::format("{} schedules from seed {}: {} of combining collectives, {} compared round by round", compared,
                      first, combined, earliest));
  CHECK(compared > schedules / 3);
  CHECK(combined > schedules / 10);
  CHECK(earliest > schedules / 20);
}

TEST_CASE("retimed on the fabric that it is written for, a schedule in rounds is never longer") {
  const std::string waits = "fabric star(4, timing: rounds, ports: single)\ncollective allgather\n";
  ElaborateOptions options;
  options.retime = true;
  const Compiled early = compile_text(
      waits + "at 3: send 0 -> 1\nat 5: send 1 -> 2 carrying {0, 1} -> *\nat 7: send 3 -> 0\n", {}, options);
  REQUIRE(early.table);
  CHECK(check(*early.table).steps == 2);
}

TEST_CASE("retimed where switches reduce, messages join if that comes to the same, and stay apart if not") {
  const auto rounds_on = [](const std::string& collective, const std::string& sends, const std::string& on) {
    ElaborateOptions options;
    options.fabric = parse_fabric({"", on + ",timing=rounds,switches=reduce,ports=single"}, 0).value();
    options.retime = true;
    const std::string head = "fabric complete(4, timing: rounds, paths: shared)\ncollective " + collective + "\n";
    const Compiled placed = compile_text(head + sends, {}, options);
    REQUIRE_MESSAGE(placed.table, placed.messages);
    const Report report = check(*placed.table);
    CHECK(report.verdict == Verdict::holds);
    return report.steps;
  };
  const std::string one_by_one = "then send 1 -> 0\nthen send 2 -> 0\nthen send 3 -> 0\n";
  CHECK(rounds_on("reduce", one_by_one, "star:4") == 1);
  CHECK(rounds_on("reduce(operation: ordered)", one_by_one, "star:4") == 1);
  CHECK(rounds_on("reduce", one_by_one, "fat_tree:levels=2,capacity=1,1") == 1);
  // 1 and 3 leave a gap, and 2 has to hear from 3 first.
  CHECK(rounds_on("reduce(operation: ordered)", "send 3 -> 2\nthen send 1 -> 0\nthen send 2 -> 0\n", "star:4") == 2);
  // Of a maximum it does not matter what comes twice.
  const std::string twice = "send 1 -> 2\nthen send 1 -> 0\nthen send 2 -> 0\nthen send 3 -> 0\n";
  CHECK(rounds_on("reduce(operation: idempotent)", twice, "star:4") == 2);
}

TEST_CASE("what meets a message at a processor does not join it beyond, and needs lanes of its own") {
  // 2's way leads by 4, which sends as well; one lane leads into 0.
  const std::string on =
      R"(graph:{"processors":5,"switches":["s0"],"channels":[[0,2,3],[1,4,3],[2,1,3],[3,"s0",3],[4,3,3],["s0",0,1]]})";
  ElaborateOptions options;
  options.fabric = parse_fabric({"", on + ",switches=reduce,timing=rounds"}, 0).value();
  options.retime = true;
  const Compiled placed = compile_text(
      "fabric complete(5, timing: rounds, paths: shared)\ncollective reduce\n"
      "at 1: send 3 -> 4\nat 1: send 1 -> 2\nat 2: send 4 -> 0\nat 2: send 2 -> 0\n",
      {}, options);
  REQUIRE(placed.table);
  CHECK(check(*placed.table).verdict == Verdict::holds);
}
