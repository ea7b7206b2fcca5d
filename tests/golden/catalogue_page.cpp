// The page of the catalogue, dsl/CATALOGUE.md: what each algorithm claims and what is measured of it, and how many
// steps its packets take on ten machines, beside the lower bound.
//
//     catalogue_page [--update] PAGE
//
// Works out every cell anew, and compares the page between its two marks with that; --update writes it there. A claim
// that does not hold, or a table that is wrong, ends it at once. Cost: some thousand tables, the largest of 4,000 rows.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir.h"
#include "driver/catalogue.h"
#include "driver/check/check.h"
#include "driver/files/real_environment.h"
#include "driver/inputs/input.h"
#include "driver/search/compare.h"
#include "model/verdict.h"
#include "tests/golden/marked_page.h"

namespace {

using namespace quadrille;
using namespace quadrille::driver;

const std::vector<std::string> sizes = {"6", "8", "15", "16"};
const std::vector<std::string> machines = {"dgx1",
                                           "dgx2",
                                           "dgx_a100",
                                           "dgx1_rails:servers=2",
                                           "leaf_spine:hosts=16,leaves=4,spines=4",
                                           "clos3:k=4",
                                           "dragonfly:routers=2,hosts=2,global=1",
                                           "hyperx:side=3,dimensions=2",
                                           "torus:4x4",
                                           "cube_connected_cycles:dimensions=3"};
const std::vector<std::string> collectives = {"broadcast", "reduce",           "scatter",   "gather",
                                              "allgather", "reduce_scatter",   "allreduce", "total_exchange",
                                              "prefix",    "exclusive_prefix", "barrier"};

// An algorithm in rounds, and its cells by number of processors; "" where it is not defined for that many.
struct Algorithm {
  std::string name;
  std::string processors;  // "2..4096"
  std::vector<std::string> claims;
  std::vector<std::string> cells;
};

// What follows `param N in`, without a default.
std::string processors_of(const std::string& text) {
  constexpr std::string_view before = "param N in ";
  const std::size_t at = text.find(before);
  if (at == text.npos || text.find("timing: rounds") == text.npos) return {};
  const std::size_t line_end = text.find('\n', at);
  std::string range = text.substr(at + before.size(), line_end - at - before.size());
  range.resize(std::min(range.find(" = "), range.size()));
  return range;
}

std::string measured(const CheckOutcome& outcome, const std::string& what) {
  if (outcome.report.verdict != Verdict::holds) throw std::runtime_error(what + " does not hold");
  return fmt::format("{} / {} / {}", outcome.report.steps, outcome.report.volume.value(), outcome.report.hops.value());
}

std::map<std::string, std::vector<Algorithm>> in_rounds(Environment& environment) {
  std::map<std::string, std::vector<Algorithm>> by_collective;
  Context listing{environment};
  const Result<ListOutcome> list = run(ListRequest{}, listing);
  for (const ListedSchedule& listed : list->schedules) {
    Context context{environment};
    const std::string text = run(ShowRequest{listed.name}, context)->text;
    Algorithm algorithm{listed.name, processors_of(text), {}, {}};
    if (algorithm.processors.empty()) continue;
    std::string kind;
    for (const std::string& size : sizes) {
      Context one{environment};
      const auto outcome = run(CheckRequest{{listed.name, {"N=" + size}}}, one);
      algorithm.cells.push_back(outcome ? measured(*outcome, listed.name + " N=" + size) : "");
      if (!outcome) continue;
      kind = to_string(outcome->table.collective.kind());
      algorithm.claims.clear();
      for (const TableClaim& claim : outcome->table.claims) algorithm.claims.push_back(claim.text);
    }
    if (kind.empty()) throw std::runtime_error(listed.name + " has none of the page's sizes");
    by_collective[kind].push_back(std::move(algorithm));
  }
  return by_collective;
}

// Claims on packets are judged on machines in steps only.
std::string joined(const std::vector<std::string>& claims) {
  std::string text;
  for (const std::string& claim : claims) {
    if (claim.starts_with("steps")) continue;
    text += fmt::format("{}`{}`", text.empty() ? "" : "<br>", claim);
  }
  return text;
}

std::string claims_table(const std::vector<Algorithm>& algorithms) {
  std::string text = "| algorithm | for N in | claims |";
  for (const std::string& size : sizes) text += fmt::format(" N = {} |", size);
  text += "\n|---|---|---|" + [] {
    std::string rule;
    for (std::size_t i = 0; i < sizes.size(); ++i) rule += "--:|";
    return rule;
  }() + "\n";
  for (const Algorithm& it : algorithms) {
    text += fmt::format("| {} | `{}` | {} |", it.name, it.processors, joined(it.claims));
    for (const std::string& cell : it.cells) text += fmt::format(" {} |", cell.empty() ? "not defined" : cell);
    text += "\n";
  }
  return text;
}

// Whether it is written for that collective, and not for one that does more.
bool is_of(const std::string& algorithm, const Collective& collective, Environment& environment) {
  Context context{environment};
  const auto schedule = open_shipped_schedule(algorithm, context);
  return schedule && (*schedule)->collective.kind == collective.kind();
}

// "14 of 7": steps, and the lower bound for as many parts. An algorithm that is not for the machine's number of
// processors has no row there.
std::string machines_table(const std::string& collective, Environment& environment) {
  std::map<std::string, std::map<std::string, std::string>> cells;  // by algorithm, then machine
  for (const std::string& machine : machines) {
    Context context{environment};
    CompareRequest request;
    request.collective = collective;
    request.on = machine;
    const auto outcome = run(request, context);
    if (!outcome) throw std::runtime_error(machine + " cannot be compared");
    for (const Compared& it : outcome->algorithms) {
      const std::string name = it.algorithm.substr(0, it.algorithm.find(' '));
      if (!is_of(name, outcome->collective, environment)) continue;
      if (it.steps) cells[name][machine] = fmt::format("{} of {}", *it.steps, it.bound.steps.value());
    }
  }
  std::string text = "| algorithm |";
  for (const std::string& machine : machines) text += fmt::format(" {} |", machine.substr(0, machine.find(':')));
  text += "\n|---|" + [] {
    std::string rule;
    for (std::size_t i = 0; i < machines.size(); ++i) rule += "--:|";
    return rule;
  }() + "\n";
  for (const auto& [name, of_machine] : cells) {
    text += fmt::format("| {} |", name);
    for (const std::string& machine : machines) {
      const auto found = of_machine.find(machine);
      text += fmt::format(" {} |", found == of_machine.end() ? "not defined" : found->second);
    }
    text += "\n";
  }
  return text;
}

// Brief: the machines for every third collective only.
std::string measures(bool brief) {
  RealEnvironment environment;
  const auto rounds = in_rounds(environment);
  std::string text = "The machines are";
  for (const std::string& machine : machines)
    text += fmt::format("{} `{}`", &machine == &machines[0] ? "" : ",", machine);
  text += ".\n";
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const std::string& collective = collectives[i];
    text += fmt::format("\n### {}\n", collective);
    if (const auto found = rounds.find(collective); found != rounds.end()) text += claims_table(found->second) + "\n";
    text += brief && i % 3 != 0 ? golden::left_out + "\n" : machines_table(collective, environment);
  }
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  return golden::run_marked_page(count, arguments, {"measures", "catalogue_page", measures});
}
