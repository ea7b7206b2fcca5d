// Keeps the earliest violations of each property, and finds the rows and source lines to blame for them. Apart from the
// parts that judge, since places are looked up only once, at the end: most tables have no violations.
//
//   two listed per property, causal violations in steps 9, 4, 6: listed are those of 4 and 6, counted are 3
//
// Cost: nothing for a table without violations; a second reading, up to the last step asked for, where the row of an
// arrival has to be found.
#include "verifier/checker/rows/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "verifier/checker/rows/concerned.h"

namespace quadrille::checker {
namespace {

// Reads the table up to the last step asked for, and fills in the places of the arrivals that are only described.
void find_arrivals(std::vector<BlamedViolation>& findings, const RowSource& rows, const Fabric& fabric,
                   const Limits& limits) {
  std::vector<BlamedViolation*> sought;
  for (BlamedViolation& finding : findings) {
    if (finding.seek) sought.push_back(&finding);
  }
  // In order of step, so that one reading finds all of them.
  const auto by_step = [](const BlamedViolation* a, const BlamedViolation* b) {
    return *a->violation.step < *b->violation.step;
  };
  std::stable_sort(sought.begin(), sought.end(), by_step);
  if (sought.empty()) return;
  Pulse pulse(limits, 256);
  const auto cursor = rows.open();
  auto next = sought.begin();
  while (next != sought.end() && !pulse.reached()) {
    const auto batch = cursor->next();
    if (!batch) return;
    for (; next != sought.end() && *(*next)->violation.step <= batch->step; ++next) {
      const Violation& violation = (*next)->violation;
      if (*violation.step != batch->step) continue;
      for (std::size_t index = 0; index < batch->rows.size(); ++index) {
        const Row& row = batch->rows[index];
        if (row.chunk != *violation.chunk || fabric.channel(row.channel).to != *violation.node) continue;
        (*next)->place = RowPlace{batch->step, index};
      }
    }
  }
}

// Where the rows to blame were written, and all rows concerned: one question for all.
void find_origins(std::vector<BlamedViolation>& findings, const std::vector<std::vector<RowPlace>>& concerned,
                  const RowSource& rows, const Limits& limits) {
  std::vector<RowPlace> places;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].place) places.push_back(*findings[i].place);
    places.insert(places.end(), concerned[i].begin(), concerned[i].end());
  }
  if (places.empty() || limits.reached() != Reason::none) return;
  const std::vector<RowOrigin> origins = rows.origins(places);
  auto origin = origins.begin();
  for (BlamedViolation& finding : findings) {
    Violation& violation = finding.violation;
    if (finding.place && origin != origins.end()) violation.origin = *origin++;
    for (ConcernedRow& row : violation.rows) {
      if (origin != origins.end()) row.origin = *origin++;
    }
  }
}

}  // namespace

void Findings::list(Property property, std::uint32_t step, BlamedViolation finding) {
  std::vector<Listed>& first = lists_[static_cast<std::size_t>(property)].first;
  finding.violation.property = property;
  if (first.size() == limit_) first.pop_back();
  const auto later = [](std::uint32_t s, const Listed& listed) { return s < listed.step; };
  first.insert(std::upper_bound(first.begin(), first.end(), step, later), Listed{step, std::move(finding)});
}

std::vector<Violation> Findings::listed(const SendTable& table, const Limits& limits) const {
  std::vector<Listed> all;
  for (const List& list : lists_) all.insert(all.end(), list.first.begin(), list.first.end());
  std::stable_sort(all.begin(), all.end(), [](const Listed& a, const Listed& b) { return a.step < b.step; });
  std::vector<BlamedViolation> findings;
  for (Listed& listed : all) findings.push_back(std::move(listed.finding));
  find_arrivals(findings, *table.rows, table.fabric, limits);
  const std::vector<std::vector<RowPlace>> concerned = find_concerned(findings, table, limits);
  find_origins(findings, concerned, *table.rows, limits);
  std::vector<Violation> violations;
  for (BlamedViolation& finding : findings) violations.push_back(std::move(finding.violation));
  return violations;
}

std::string place_name(const Fabric& fabric, NodeId node) {
  return fmt::format("{} {}", fabric.is_processor(node) ? "processor" : "switch", fabric.name(node));
}

std::string packet_names(const Collective& collective, const std::vector<ChunkId>& chunks) {
  constexpr std::size_t most = 4;
  const std::size_t named = chunks.size() <= most ? chunks.size() : most - 1;
  std::string text;
  for (std::size_t index = 0; index < named; ++index) {
    const bool last = index + 1 == chunks.size();
    text += fmt::format("{}{}", index == 0 ? "" : last ? " and " : ", ", collective.label(chunks[index]));
  }
  if (named < chunks.size()) text += fmt::format(" and {} more", chunks.size() - named);
  return text;
}

}  // namespace quadrille::checker
