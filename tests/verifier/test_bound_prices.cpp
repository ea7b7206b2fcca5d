// Bounds that say what they cost: the judge, who knows nothing of how they came about, accepts their prices.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/price_certificate.h"
#include "tests/verifier/stop_after.h"
#include "verifier/bounds.h"
#include "verifier/certificate.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

// What the judge says of the claim that so many steps are too few, shown by these prices.
CertificateReport judged(const Fabric& fabric, const Collective& collective, std::uint32_t steps,
                         const std::vector<PriceList>& lists) {
  const std::string text = price_certificate(fabric, collective, steps, lists);
  CAPTURE(text);
  const Result<Certificate> certificate = read_certificate({"certificate.txt", text}, 0);
  for (const Diagnostic& diagnostic : certificate.diagnostics()) INFO(diagnostic.message);
  REQUIRE(certificate.ok());
  return judge(*certificate, {});
}

constexpr std::uint64_t most_rows = 20000;

struct Counts {
  std::map<std::string, int> accepted;  // by the bound's name
  int attained = 0;
};

// All bounds, those of linear programs among them.
std::vector<Bound> all_bounds(const Fabric& fabric, const Collective& collective) {
  std::vector<Bound> bounds = lower_bounds(fabric, collective);
  if (bounds.front().impossible()) return bounds;
  if (auto flow = flow_bound(fabric, collective, *bounds.front().steps, most_rows)) bounds.push_back(std::move(*flow));
  return bounds;
}

// Where every packet has one source and one target (custom ones may have more), linear programs show all that other
// prices show.
void require_no_less(const Fabric& fabric, const Collective& collective, Counts& counts) {
  if (collective.combining() || !collective.unicast() || collective.kind() == CollectiveKind::custom) return;
  const std::vector<Bound> bounds = lower_bounds(fabric, collective);
  if (bounds.front().impossible()) return;
  for (const Bound& bound : bounds) {
    if (!bound.prices || bound.impossible() || *bound.steps < 2 || bound.kind == BoundKind::distance) continue;
    CAPTURE(bound.reason);
    const auto distance =
        std::find_if(bounds.begin(), bounds.end(), [](const Bound& it) { return it.kind == BoundKind::distance; });
    if (distance != bounds.end() && distance->steps >= bound.steps) continue;
    CHECK(flow_bound(fabric, collective, *bound.steps - 1, most_rows));
    ++counts.accepted["others, by linear programs"];
  }
}

// Every bound's prices show that one step less is too few, and fewer still.
void require_accepted(const Fabric& fabric, const Collective& collective, Counts& counts) {
  CAPTURE(fabric.notation());
  CAPTURE(collective.notation());
  for (const Bound& bound : all_bounds(fabric, collective)) {
    if (!bound.prices || bound.steps == 0) continue;
    CAPTURE(to_string(bound.kind));
    CAPTURE(bound.reason);
    const auto most = static_cast<std::uint32_t>(bound.impossible() ? 100 : *bound.steps - 1);
    for (const std::uint32_t steps : {most, most / 2, std::uint32_t{0}}) {
      CAPTURE(steps);
      const CertificateReport report = judged(fabric, collective, steps, bound.prices(steps));
      CAPTURE(report.why);
      CHECK(report.verdict == CertificateVerdict::accepted);
      if (report.verdict == CertificateVerdict::accepted) ++counts.accepted[std::string(to_string(bound.kind))];
    }
  }
}

// Where there is a schedule, no bound's prices show that there is none.
void require_refused(const Fabric& fabric, const Collective& collective, Counts& counts) {
  CAPTURE(fabric.notation());
  CAPTURE(collective.notation());
  SearchOptions options;
  options.limits = stop_after(6);  // a hard one may take four times as long with each report
  const SearchResult result = search(fabric, collective, {}, options);
  if (!result.table) return;
  ++counts.attained;
  for (const Bound& bound : all_bounds(fabric, collective)) {
    CAPTURE(bound.reason);
    REQUIRE(bound.steps.value_or(max_step) <= result.steps);
    if (!bound.prices || result.steps == 0) continue;
    REQUIRE(judged(fabric, collective, result.steps, bound.prices(result.steps)).verdict ==
            CertificateVerdict::rejected);
  }
}

TEST_CASE("the judge accepts the prices of every bound") {
  Counts counts;
  std::vector<std::string> rules_tried = {"", ",duplex=half,ports=single"};
  if (!brief) rules_tried.insert(rules_tried.end(), {",duplex=half", ",ports=single", ",queue=none"});
  for (
      const std::string shape :
      {"line:4", "ring:5", "mesh:2x3", "torus:3x4", "hypercube:3", "complete:4,capacity=2", "star:5",
       "fat_tree:levels=2,capacity=1,3", "fat_tree:levels=3,capacity=exponential", "fat_tree:levels=2,arity=3",
       R"(graph:{"processors":3,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1],[1,2,1],[2,1,1]]})",
       R"(graph:{"processors":4,"switches":[],"channels":[[0,1,2],[1,0,1],[2,3,1],[3,2,1]]})",
       R"(graph:{"processors":4,"channels":[[0,1],[1,2,2],[2,3,1],[3,0,3],[2,1,1]]})",
       R"(graph:{"processors":3,"switches":["a","b"],"channels":[[0,"a"],[1,"a"],[2,"a"],["a","b",2],["b",0],["b",1],["b",2]]})"}) {
    for (const std::string& rules : rules_tried) {
      const Fabric fabric = parse_fabric({"", shape + rules}, 0).value();
      for (const std::string name :
           {"broadcast:root=1", "scatter:parts=2", "gather", "allgather", "total_exchange:parts=2", "reduce:root=1",
            "reduce_scatter", "allreduce:parts=2", "prefix"}) {
        const Collective collective = parse_collective({"", name}, 0, fabric.processors()).value();
        require_accepted(fabric, collective, counts);
        require_no_less(fabric, collective, counts);
      }
    }
  }
  for (const auto& [name, number] : counts.accepted) MESSAGE(name, ": ", number, " accepted");
  CHECK(counts.accepted.size() >= 8);
}

template <typename Body>
void on_random_fabrics(const Body& body) {
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (long_run() ? 400 : brief ? 50 : 150); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    body(fabric, collective, dice);
  }
}

TEST_CASE("so it does on random fabrics, and refuses them where there is a schedule") {
  Counts counts;
  on_random_fabrics([&](const Fabric& fabric, const Collective& collective, reference::Dice&) {
    require_accepted(fabric, collective, counts);
    require_no_less(fabric, collective, counts);
    if (!cannot_search(fabric, collective, {})) require_refused(fabric, collective, counts);
  });
  MESSAGE(counts.attained, " with a schedule, from seed ", reference::first_seed());
  CHECK(counts.attained > (brief ? 10 : 30));
}

// --- the law that every certificate of prices builds on -------------------------------------------------------------

// What the rows of the table pay, and what all resources carry in its steps.
struct Account {
  std::uint64_t paid = 0;
  std::uint64_t worth = 0;
};

// Puts random prices on all that is a resource under the fabric's rules, and counts.
class Market {
 public:
  Market(const Fabric& fabric, std::uint32_t steps, reference::Dice& dice) : steps_(steps) {
    const bool half = fabric.rules().duplex == Duplex::half;
    const bool single = fabric.rules().ports == Ports::single;
    for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
      const Channel& channel = fabric.channel(ChannelId{e});
      const auto reverse = fabric.channel_between(channel.to, channel.from);
      offer("channel " + fabric.name(ChannelId{e}), channel.capacity, {e}, dice);
      if (!half || (reverse && reverse->value < e)) continue;
      const auto users = reverse ? std::vector{e, reverse->value} : std::vector{e};
      offer("link " + fabric.name(ChannelId{e}), channel.capacity, users, dice);
    }
    for (std::uint32_t p = 0; p < fabric.processors() && single; ++p) {
      std::vector<std::uint32_t> out;
      std::vector<std::uint32_t> in;
      for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
        if (fabric.channel(ChannelId{e}).from.value == p) out.push_back(e);
        if (fabric.channel(ChannelId{e}).to.value == p) in.push_back(e);
      }
      offer("out " + std::to_string(p), 1, out, dice);
      offer("in " + std::to_string(p), 1, in, dice);
      out.insert(out.end(), in.begin(), in.end());
      if (half) offer("port " + std::to_string(p), 1, out, dice);
    }
    std::vector<std::uint32_t> every(fabric.channels());
    for (std::uint32_t e = 0; e < fabric.channels(); ++e) every[e] = e;
    const bool direct = !fabric.has_switches() && fabric.processors() > 1;
    if (half && single && direct) offer("pairs all", fabric.processors() / 2, every, dice);
  }

  const std::vector<PriceList>& lists() const { return lists_; }

  Account account(const SendTable& table) const {
    Account account;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      for (const std::uint64_t price : lists_[i].prices) account.worth += price * capacities_[i];
    }
    for (const auto& it : all_rows(table)) account.paid += price(it.row.channel.value, it.step.value);
    return account;
  }

 private:
  void offer(const std::string& name, std::uint64_t capacity, const std::vector<std::uint32_t>& users,
             reference::Dice& dice) {
    if (dice.one_in(3)) return;
    PriceList list{name, dice.from_to(1, steps_), {}};
    for (std::uint32_t t = list.first; t <= steps_; ++t) list.prices.push_back(dice.below(4));
    lists_.push_back(std::move(list));
    capacities_.push_back(capacity);
    users_.push_back(users);
  }

  std::uint64_t price(std::uint32_t channel, std::uint32_t step) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const bool used = std::count(users_[i].begin(), users_[i].end(), channel) > 0;
      if (used && step >= lists_[i].first && step - lists_[i].first < lists_[i].prices.size()) {
        sum += lists_[i].prices[step - lists_[i].first];
      }
    }
    return sum;
  }

  std::uint32_t steps_;
  std::vector<PriceList> lists_;
  std::vector<std::uint64_t> capacities_;
  std::vector<std::vector<std::uint32_t>> users_;
};

TEST_CASE("no schedule pays less than the judge says, at any prices, nor more than all is worth") {
  int tried = 0;
  int tight = 0;
  on_random_fabrics([&](const Fabric& fabric, const Collective& collective, reference::Dice& dice) {
    if (cannot_search(fabric, collective, {})) return;
    // Nothing is known of their prices.
    if (collective.combining() && collective.idempotent()) return;
    if (collective.kind() == CollectiveKind::exclusive_prefix) return;
    SearchOptions options;
    options.limits = stop_after(4);
    const SearchResult result = search(fabric, collective, {}, options);
    if (!result.table || result.steps == 0) return;
    for (int i = 0; i < 5; ++i) {
      const Market market(fabric, result.steps, dice);
      const Account account = market.account(*result.table);
      const CertificateReport report = judged(fabric, collective, result.steps, market.lists());
      REQUIRE(report.paid);
      CHECK(*report.paid <= account.paid);
      CHECK(account.paid <= account.worth);
      CHECK(report.worth == account.worth);
      tight += *report.paid == account.paid && account.paid > 0;
      ++tried;
    }
  });
  MESSAGE(tried, " tried, ", tight, " of them pay no more than they must, from seed ", reference::first_seed());
  CHECK(tight > 0);
}

}  // namespace
}  // namespace quadrille::tests
