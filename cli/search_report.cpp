#include "cli/search_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cli/json_pieces.h"
#include "model/counted.h"

namespace quadrille::cli {
namespace {

// What narrows the search, if anything does.
std::string rules_text(const SearchReport& report) {
  std::vector<std::string> rules;
  const bool queues_matter = report.fabric.rules().queue.limit || !report.collective.unicast();
  if (report.goal.keep_to_paths && queues_matter) rules.emplace_back("packets keep to the paths from where they start");
  if (report.goal.inject_once) rules.emplace_back("each leaves there in one step only");
  if (report.goal.phases) {
    rules.push_back(
        fmt::format("{}, of several rounds each; what follows counts rounds", counted(*report.goal.phases, "step")));
  }
  return rules.empty() ? "" : fmt::format("rules       {}\n", fmt::join(rules, "; "));
}

std::string why_not_fewer(const SearchResult& result) {
  if (!result.impossibility || result.lower_bound == 0) return {};
  return fmt::format("at least    {}: {}\n", result.lower_bound, result.impossibility->reason);
}

}  // namespace

std::string search_text(const SearchReport& report) {
  const SearchResult& it = report.result;
  std::string text = fmt::format("fabric      {}\ncollective  {}\n{}\n", report.fabric.notation(),
                                 report.collective.notation(), rules_text(report));
  if (it.table) text += fmt::format("steps       {}: {}\n", it.steps, it.method);
  text +=
      it.bounds.front().impossible ? fmt::format("at least    ∞: {}\n", it.bounds.front().reason) : why_not_fewer(it);
  text += fmt::format("verdict     {}", to_string(it.verdict));
  if (!it.why.empty()) text += fmt::format(": {}", it.why);
  return text + "\n";
}

std::string search_json(const SearchReport& report) {
  const SearchResult& it = report.result;
  Json json{{"verdict", to_string(it.verdict)},
            {"fabric", report.fabric.notation()},
            {"collective", report.collective.notation()},
            {"inject", report.goal.inject_once ? "once" : "many"},
            {"paths", report.goal.keep_to_paths ? "kept" : "any"},
            {"phases", nullptr},
            {"steps", nullptr},
            {"lower_bound", lower_bound_json(it)},
            {"bounds", Json::array()},
            {"method", nullptr},
            {"why", nullptr},
            {"seconds", report.seconds},
            {"impossible", nullptr},
            {"certificate", nullptr}};
  if (report.goal.phases) json["phases"] = *report.goal.phases;
  if (it.table) {
    json["steps"] = it.steps;
    json["method"] = it.method;
  }
  if (!it.why.empty()) json["why"] = it.why;
  for (const Bound& bound : it.bounds) {
    json["bounds"].push_back({{"name", bound.name}, {"value", steps_json(bound)}, {"reason", bound.reason}});
  }
  if (it.impossibility) {
    json["impossible"] = {{"steps", it.impossibility->steps}, {"reason", it.impossibility->reason}};
    if (it.impossibility->by_formula) {
      json["impossible"]["variables"] = it.impossibility->variables;
      json["impossible"]["clauses"] = it.impossibility->clauses;
    }
  }
  if (!report.asked.certificate.empty() && certificate_text(report)) {
    json["certificate"] = report.asked.certificate + "/certificate.txt";
  }
  return json_text(json);
}

std::optional<std::string> certificate_text(const SearchReport& report) {
  const auto& impossible = report.result.impossibility;
  if (!impossible || (impossible->by_formula ? impossible->proof.empty() : !impossible->prices)) {
    return std::nullopt;
  }
  std::string text = fmt::format("quadrille certificate 1\nfabric {}\ncollective {}\nsteps {}\n",
                                 report.fabric.notation(), report.collective.notation(), impossible->steps);
  // Prices show it of all schedules; a formula, of those that the search was narrowed to.
  const bool narrow = impossible->by_formula;
  text += fmt::format("inject {}\n", narrow && report.goal.inject_once ? "once" : "many");
  if (narrow && report.goal.keep_to_paths) text += "paths kept\n";
  if (narrow && report.goal.phases && *report.goal.phases < impossible->steps) {
    text += fmt::format("phases {}\n", *report.goal.phases);
  }
  text += fmt::format("# {}\n", impossible->reason);
  if (impossible->by_formula) {
    text += fmt::format("evidence proof {}\n", proof_file);
    if (impossible->about != "copies") text += fmt::format("about {}\n", impossible->about);
    return text + fmt::format("formula {}\n", formula_file);
  }
  text += "evidence prices\n";
  for (const PriceList& list : *impossible->prices) {
    text += fmt::format("price {} {}: {}\n", list.resource, list.first, fmt::join(list.prices, " "));
  }
  return text;
}

}  // namespace quadrille::cli
