// Names of properties and rulings, and how rulings add up.
#include "programs/judgement.h"

#include <algorithm>
#include <utility>

namespace quadrille::programs {

std::string_view to_string(ProgramProperty property) {
  constexpr std::array<std::string_view, property_count> names = {"structure", "limits", "matching", "deadlock",
                                                                  "race",      "data",   "agreement"};
  return names[static_cast<std::size_t>(property)];
}

std::string_view to_string(Ruling ruling) {
  constexpr std::array<std::string_view, 4> names = {"holds", "conditional", "unknown", "violated"};
  return names[static_cast<std::size_t>(ruling)];
}

std::string_view why_unjudged(Reason reason) {
  if (reason == Reason::cancelled) return "it was cancelled";
  return reason == Reason::limit ? "there was no memory left" : "there was no time left";
}

Ruling worse(Ruling a, Ruling b) { return std::max(a, b); }

Ruling Judgement::ruling() const {
  Ruling all = Ruling::holds;
  for (const PropertyRuling& property : properties) all = worse(all, property.ruling);
  return all;
}

void Judgement::add(Finding finding, std::size_t listed) {
  PropertyRuling& property = of(finding.property);
  property.ruling = Ruling::violated;
  if (++property.findings <= listed) findings.push_back(std::move(finding));
}

void Judgement::set_unknown(ProgramProperty property, Reason reason, std::string why) {
  PropertyRuling& it = of(property);
  if (it.ruling == Ruling::violated) return;
  it.ruling = Ruling::unknown;
  it.reason = reason;
  it.why = std::move(why);
}

void Judgement::cut_short(ProgramProperty property, Reason reason) {
  PropertyRuling& it = of(property);
  it.partial = it.partial || it.ruling == Ruling::violated;
  set_unknown(property, reason, std::string(why_unjudged(reason)));
}

}  // namespace quadrille::programs
