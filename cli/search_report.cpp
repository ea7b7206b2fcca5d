#include "cli/search_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/json_pieces.h"
#include "model/counted.h"

namespace quadrille::cli {
namespace {

std::string limits_text(const SearchArguments& asked) {
  std::string text;
  if (asked.inject == "once") text += "each packet leaves its processor once; ";
  if (asked.rounds > 0)
    text += fmt::format("{} in {} at most; ", counted(asked.rounds, "round"), counted(asked.steps, "step"));
  return text.empty() ? text : fmt::format("rules       {}\n", text.substr(0, text.size() - 2));
}

std::string why_not_fewer(const SearchResult& result) {
  if (!result.impossibility || result.lower_bound == 0) return {};
  return fmt::format("at least    {}: {}\n", result.lower_bound, result.impossibility->reason);
}

}  // namespace

std::string search_text(const SearchReport& report) {
  const SearchResult& it = report.result;
  std::string text = fmt::format("fabric      {}\ncollective  {}\n{}\n", report.fabric.notation(),
                                 report.collective.notation(), limits_text(report.asked));
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
            {"steps", nullptr},
            {"lower_bound", it.lower_bound},
            {"bounds", Json::array()},
            {"method", nullptr},
            {"why", nullptr},
            {"seconds", report.seconds},
            {"impossible", nullptr},
            {"certificate", nullptr}};
  if (it.table) {
    json["steps"] = it.steps;
    json["method"] = it.method;
  }
  if (!it.why.empty()) json["why"] = it.why;
  for (const Bound& bound : it.bounds) {
    json["bounds"].push_back({{"name", bound.name}, {"value", bound.steps}, {"reason", bound.reason}});
  }
  if (it.impossibility) {
    json["impossible"] = {{"steps", it.impossibility->steps}, {"reason", it.impossibility->reason}};
    if (it.impossibility->by_formula) {
      json["impossible"]["variables"] = it.impossibility->variables;
      json["impossible"]["clauses"] = it.impossibility->clauses;
    }
  }
  if (!report.asked.certificate.empty() && certificate_text(report, {})) {
    json["certificate"] = report.asked.certificate + "/certificate.txt";
  }
  return json_text(json);
}

std::optional<std::string> certificate_text(const SearchReport& report, const std::string& proof_file) {
  const auto& impossible = report.result.impossibility;
  if (!impossible || (impossible->by_formula ? impossible->proof.empty() : impossible->prices.empty())) {
    return std::nullopt;
  }
  std::string text =
      fmt::format("quadrille certificate 1\nfabric {}\ncollective {}\nsteps {}\ninject {}\n", report.fabric.notation(),
                  report.collective.notation(), impossible->steps, report.asked.inject);
  if (report.asked.rounds > 0 && impossible->by_formula && report.asked.steps < impossible->steps) {
    text += fmt::format("phases {}\n", report.asked.steps);
  }
  text += fmt::format("# {}\n", impossible->reason);
  if (impossible->by_formula) return text + fmt::format("evidence proof {}\n", proof_file);
  text += "evidence prices\n";
  for (const PriceList& list : impossible->prices) {
    text += fmt::format("price {} {}: {}\n", list.resource, list.first, fmt::join(list.prices, " "));
  }
  return text;
}

}  // namespace quadrille::cli
