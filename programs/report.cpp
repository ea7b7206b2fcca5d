// Names of properties and verdicts, and the combination of verdicts.
#include "programs/report.h"

#include <algorithm>
#include <utility>

namespace quadrille::programs {

std::string_view to_string(ProgramProperty property) {
  constexpr std::array<std::string_view, property_count> names = {"structure", "limits", "matching",  "deadlock",
                                                                  "race",      "data",   "agreement", "relaunch"};
  return names[static_cast<std::size_t>(property)];
}

std::string_view to_string(ProgramVerdict verdict) {
  constexpr std::array<std::string_view, 4> names = {"holds", "conditional", "unknown", "violated"};
  return names[static_cast<std::size_t>(verdict)];
}

std::string_view why_unjudged(Reason reason) {
  if (reason == Reason::cancelled) return "it was cancelled";
  return reason == Reason::limit ? "there was no memory left" : "there was no time left";
}

ProgramVerdict worse(ProgramVerdict a, ProgramVerdict b) { return std::max(a, b); }

ProgramVerdict ProgramReport::verdict() const {
  ProgramVerdict all = ProgramVerdict::holds;
  for (std::size_t i = 0; i < property_count; ++i) {
    if (!only_warns(static_cast<ProgramProperty>(i))) all = worse(all, properties[i].verdict);
  }
  return all;
}

void ProgramReport::add(Finding finding, std::size_t listed) {
  PropertyVerdict& property = of(finding.property);
  property.verdict = ProgramVerdict::violated;
  if (++property.findings <= listed) findings.push_back(std::move(finding));
}

void ProgramReport::set_unknown(ProgramProperty property, Reason reason, std::string why) {
  PropertyVerdict& it = of(property);
  if (it.verdict == ProgramVerdict::violated) return;
  it.verdict = ProgramVerdict::unknown;
  it.reason = reason;
  it.why = std::move(why);
}

void ProgramReport::cut_short(ProgramProperty property, Reason reason) {
  PropertyVerdict& it = of(property);
  it.partial = it.partial || it.verdict == ProgramVerdict::violated;
  set_unknown(property, reason, std::string(why_unjudged(reason)));
}

}  // namespace quadrille::programs
