// Which demands are met is marked while a table is read; here those that are not are counted, and the first described.
//
//   scatter from 0 on the line 0-1-2, with the one row 0->1: 2 demands, 1 delivered; 0->2 never reaches processor 2
//
// Cost: one look at each demand up to the last that is listed.
#include "verifier/checker/unmet_demands.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::checker {

// All demands are met, or the first that are not are looked for: no more than are met, and those that are listed.
void UnmetDemands::judge(const SingleTargets& flights, const Bits& of_suspects) {
  const std::uint64_t demands = table_.collective.demands();
  // What SingleTargets has delivered, and what of the suspects Copies has; the others are missing.
  const std::uint64_t missing = demands - flights.delivered() - of_suspects.count();
  std::uint64_t listed = 0;
  for (std::uint64_t number = 0; listed < std::min<std::uint64_t>(missing, options_.listed_per_property); ++number) {
    look_at_limits(options_.limits, number);
    const bool of_suspect = of_suspects.size() > 0 && of_suspects.test(number);
    if (of_suspect || flights.has_delivered(table_.collective.demand_at(number).first)) continue;
    add_missing(number);
    ++listed;
  }
  findings_.count(Property::complete, missing - listed);
}

void UnmetDemands::judge(const Bits& delivered) {
  std::uint64_t listed = 0;
  for (std::uint64_t number = delivered.next_clear(0);
       number < delivered.size() && listed < options_.listed_per_property;
       number = delivered.next_clear(number + 1), ++listed) {
    add_missing(number);
  }
  findings_.count(Property::complete, delivered.size() - delivered.count() - listed);
}

// A violation: the demand of this number is not met.
void UnmetDemands::add_missing(std::uint64_t demand) {
  findings_.add(Property::complete, Findings::no_step, [&] {
    const auto [chunk, processor] = table_.collective.demand_at(demand);
    std::string text = fmt::format("{} never reaches processor {}", table_.collective.label(chunk), processor.value);
    return BlamedViolation{{.node = processor, .chunk = chunk, .message = std::move(text)}, std::nullopt};
  });
}

}  // namespace quadrille::checker
