// The page of the best known, dsl/BEST.md: how near to the bound the best of `compare` is, on machines that people
// rent.
//
//     best_page [--update] PAGE [MACHINE…]
//
// Works out the sections of these machines anew, or of all, and compares the page with that; --update writes it there.
// The machines, and the links that are broken there, are in tests/golden/best/machines.txt; the reasons for cells above
// the goal are in why.txt beside it. A best below the bound ends it at once. Cost: from seconds to an hour a machine.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/files/real_environment.h"
#include "driver/inputs/notations.h"
#include "driver/search/compare.h"
#include "tests/golden/marked_page.h"

namespace {

using namespace quadrille;
using namespace quadrille::driver;

const std::vector<std::string> collectives = {"allreduce", "broadcast", "reduce", "allgather", "reduce_scatter"};
const std::vector<std::string> sizes = {"64KiB", "1MiB", "64MiB", "1GiB"};
constexpr std::size_t first_large = 2;  // of the sizes: from here on bytes should count, not starts
const std::vector<std::string> overheads = {"0", "0.2us"};

// The lines of a file beside this one, cut at each " | "; without empty ones, and those that begin with #.
std::vector<std::vector<std::string>> lines_of(const std::string& name) {
  std::ifstream file(std::string(QUADRILLE_SOURCE_FOLDER "/tests/golden/best/") + name);
  if (!file) throw std::runtime_error(name + " cannot be read");
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string>& parts = lines.emplace_back();
    for (std::size_t at = 0; at != line.npos;) {
      const std::size_t end = line.find(" | ", at);
      parts.push_back(line.substr(at, end == line.npos ? end : end - at));
      at = end == line.npos ? end : end + 3;
    }
  }
  return lines;
}

struct Machine {
  std::string notation;
  std::string broken;  // a link without which it is still connected
  std::string slow;    // a pattern of rows that are left out, as they take too long; none if empty
};

std::vector<Machine> machines() {
  std::vector<Machine> all;
  for (const auto& parts : lines_of("machines.txt")) {
    if (parts.size() < 2) throw std::runtime_error("machines.txt: expected MACHINE | LINK, and what is left out");
    all.push_back({parts[0], parts[1], parts.size() > 2 ? parts[2] : ""});
  }
  return all;
}

bool fits(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

// A row of a table: one question to `compare`.
struct Question {
  Machine machine;
  std::string collective;
  bool broken = false;
  std::string switches;  // "copy", "forward", or "none" where there are none
  std::string overhead;

  std::string name() const {  // "allreduce broken forward To=0"
    return fmt::format("{} {} {} To={}", collective, broken ? "broken" : "whole", switches, overhead);
  }
  std::string on() const {
    if (switches != "forward") return machine.notation;
    return machine.notation + (machine.notation.find(':') == std::string::npos ? ":" : ",") + "switches=forward";
  }
};

// The most that the best should take, as a multiple of the bound.
double goal(const Question& question, std::size_t size) {
  if (size < first_large) return 2;
  const bool between_servers = question.machine.notation.find("servers=") != std::string::npos;
  return size == first_large && between_servers && question.collective == "allreduce" ? 1.5 : 1.25;
}

// "not known" where no line of why.txt fits.
std::string reason(const std::string& cell) {
  static const auto reasons = lines_of("why.txt");
  for (const auto& parts : reasons) {
    if (parts.size() == 2 && fits(parts[0], cell)) return parts[1];
  }
  return "Not known why";
}

// The answers to a question, or to several that have the same.
struct Row {
  std::string collective;
  std::string links;
  std::string switches;
  std::string overhead;
  std::string cells;                         // "1.07 allreduce_ring | …"; in bold above the goal
  std::map<std::string, std::string> above;  // the cells above the goal, with the best as it is replayed, by reason

  std::string name() const { return fmt::format("{}, {}, {}, To={}", collective, links, switches, overhead); }
};

void add_cell(Row& row, const Question& question, const CompareOutcome& outcome, std::size_t size) {
  if (!outcome.best[size]) {
    row.cells += " none |";
    return;
  }
  const std::string where = fmt::format("{} {} {}", question.machine.notation, question.name(), sizes[size]);
  const Compared& best = outcome.algorithms[*outcome.best[size]];
  const double ratio = *best.times[size] / outcome.at_least[size];
  const std::string name = best.at(size).name();
  if (!(ratio > 1 - 1e-9)) throw std::runtime_error(fmt::format("{}: {} takes less than the bound", where, name));
  // What is rounded to the goal is not above it, so that one sees why a cell is in bold.
  const bool above = ratio >= goal(question, size) + 0.005;
  const std::string_view bold = above ? "**" : "";
  row.cells += fmt::format(" {}{:.2f} {}{} |", bold, ratio, name.substr(0, name.find(' ')), bold);
  if (!above) return;
  std::string& listed = row.above[reason(where)];
  listed += fmt::format("{}{} {:.2f} `{}`", listed.empty() ? "" : ", ", sizes[size], ratio, name);
}

Row answer(const Question& question) {
  std::cerr << question.machine.notation << " " << question.name() << std::endl;
  Row row{question.collective, question.broken ? "broken" : "whole", question.switches, question.overhead, {}, {}};
  if (!question.machine.slow.empty() && fits(question.machine.slow, question.name())) {
    row.cells = " left out | | | |";
    return row;
  }
  RealEnvironment environment;
  Context context{environment};
  CompareRequest request{.collective = question.collective, .on = question.on(), .sizes = sizes};
  if (question.broken) request.without = {question.machine.broken};
  request.costs = "To=" + question.overhead;
  const auto outcome = run(request, context);
  if (!outcome) throw std::runtime_error(outcome.diagnostics().front().message);
  for (std::size_t i = 0; i < sizes.size(); ++i) add_cell(row, question, *outcome, i);
  return row;
}

std::vector<Row> rows_of(const Machine& machine) {
  RealEnvironment environment;
  Context context{environment};
  const auto fabric = fabric_on(machine.notation, context);
  if (!fabric) throw std::runtime_error(fabric.diagnostics().front().message);
  std::vector<Row> rows;
  for (const std::string& collective : collectives) {
    for (const bool broken : {false, true}) {
      for (const std::string& overhead : overheads) {
        rows.push_back(answer({machine, collective, broken, fabric->has_switches() ? "copy" : "none", overhead}));
        if (!fabric->has_switches()) continue;
        Row row = answer({machine, collective, broken, "forward", overhead});
        if (row.cells == rows.back().cells && row.above == rows.back().above) {
          rows.back().switches = "either";
        } else {
          rows.push_back(std::move(row));
        }
      }
    }
  }
  return rows;
}

std::string section(const Machine& machine) {
  std::string text = fmt::format("\nBroken: `{}`.\n\n| collective | links | switches | To |", machine.broken);
  for (const std::string& size : sizes) text += fmt::format(" {} |", size);
  text += "\n|---|---|---|--:|---|---|---|---|\n";
  std::map<std::string, std::string> by_reason;
  for (const Row& row : rows_of(machine)) {
    text += fmt::format("| {} | {} | {} | {} |{}\n", row.collective, row.links, row.switches, row.overhead, row.cells);
    for (const auto& [why, listed] : row.above) by_reason[why] += fmt::format("  - {}: {}\n", row.name(), listed);
  }
  if (!by_reason.empty()) text += "\nAbove the goal:\n\n";
  for (const auto& [why, listed] : by_reason) text += fmt::format("* {}:\n{}", why, listed);
  return text + "\n";
}

// Counts the cells of all tables of the page: what comes behind four columns that say which question the row is.
std::string summary(const std::string& page) {
  std::size_t all = 0;
  std::size_t above = 0;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    std::istringstream parts(line);
    std::size_t column = 0;
    for (std::string part; std::getline(parts, part, '|'); ++column) {
      if (column <= 4 || part.find('.') == part.npos) continue;
      ++all;
      if (part.starts_with(" **")) ++above;
    }
  }
  const double percent = all == 0 ? 0 : 100 * static_cast<double>(above) / static_cast<double>(all);
  return fmt::format("\n{} cells, {} of them above the goal ({:.1f}%).\n\n", all, above, percent);
}

int renew(const std::string& page, const std::vector<std::string>& names, bool update) {
  const std::vector<Machine> all = machines();
  for (const std::string& name : names) {
    if (std::ranges::find(all, name, &Machine::notation) == all.end())
      throw std::runtime_error(name + ": no machine of machines.txt has this name");
  }
  int status = 0;
  for (const Machine& machine : all) {
    if (!names.empty() && std::ranges::find(names, machine.notation) == names.end()) continue;
    const golden::MarkedPart part{machine.notation, "best_page", [&](bool) { return section(machine); }};
    status |= golden::renew_part(page, part, update);
  }
  const golden::MarkedPart top{"summary", "best_page", [&](bool) { return summary(golden::contents(page)); }};
  return status | golden::renew_part(page, top, update);
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> given(arguments + 1, arguments + count);
  const bool update = !given.empty() && given.front() == "--update";
  if (update) given.erase(given.begin());
  if (given.empty()) {
    std::cerr << "usage: best_page [--update] PAGE [MACHINE…]\n";
    return 2;
  }
  const std::string page = given.front();
  given.erase(given.begin());
  try {
    return renew(page, given, update);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}
