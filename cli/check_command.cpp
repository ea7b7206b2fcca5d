#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/refuse.h"
#include "cli/report_json.h"
#include "cli/report_text.h"
#include "model/counted.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille::cli {
namespace {

std::string violations_text(const Report& report, const Sources& sources) {
  std::string text;
  for (const Violation& violation : report.violations) {
    const std::string_view word = violation.property == Property::thrifty ? "warning" : "violation";
    const std::string message = fmt::format("{}: {}", to_string(violation.property), violation.message);
    text += marked(word, message, origin_of(violation), sources);
  }
  return text.empty() ? text : text + "\n";
}

// Below the line of the claims, each on a line of its own.
std::string claims_text(const SendTable& table) {
  std::string text;
  for (const Claim& claim : table.claims) text += fmt::format("    {}\n", claim.text);
  return text;
}

std::string property_text(Property property, const SendTable& table, const Report& report, bool claims_judged) {
  const PropertyResult& result = report.of(property);
  std::string more = result.why;
  if (result.violations > 0) {
    std::uint64_t shown = 0;
    for (const Violation& violation : report.violations) shown += violation.property == property ? 1 : 0;
    more = counted(result.violations, "time");
    if (shown < result.violations) more += fmt::format(", the first {} above", shown);
    if (property == Property::thrifty) more += " (only a warning)";
  } else if (property == Property::claims && !claims_judged) {
    return fmt::format("  {:<16} not judged\n", to_string(property));
  } else if (property == Property::claims && table.claims.empty()) {
    more = "none is written";
  }
  const std::string line = fmt::format("  {:<16} {:<9} {}", to_string(property), to_string(result.verdict), more);
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// A schedule that is right as a table, but not what it claims to be (on another fabric, say), is told apart.
std::string verdict_text(const Report& report) {
  const bool only_claims =
      table_verdict(report) == Verdict::holds && report.of(Property::claims).verdict == Verdict::violated;
  return only_claims ? "table holds, claims violated" : std::string(to_string(report.verdict));
}

std::string to_text(const SendTable& table, const Report& report, const Bound& bound, bool claims_judged,
                    const Sources& sources) {
  std::string text = violations_text(report, sources) + title(table) + "\n";
  for (std::size_t i = 0; i < property_count; ++i)
    text += property_text(static_cast<Property>(i), table, report, claims_judged);
  text += claims_text(table) + "\n" + steps_text(report.steps, bound);
  text += fmt::format("messages    {}\nrows        {}\n", report.messages, report.rows);
  text += fmt::format("queue       {} at most in a switch, {} before a channel\n", report.queues.largest,
                      report.queues.largest_at_channel);
  return text + fmt::format("verdict     {}\n", verdict_text(report));
}

}  // namespace

int check_command(const ReportArguments& arguments, driver::Environment& environment) {
  Sources sources;
  Result<SendTable> opened = driver::open_table(arguments.request, environment, sources);
  if (!opened) return refuse(opened.diagnostics(), sources, environment);
  environment.print_error(render(opened.diagnostics(), sources));

  const bool claims_judged = !arguments.no_claims;
  if (!claims_judged) opened->claims.clear();
  const SendTable table = driver::made_ahead(std::move(*opened));
  Report report;
  {
    Progress progress(environment, table.rows->last_step());
    CheckOptions options;
    options.progress = progress.reporter();
    options.listed_per_property = arguments.listed;
    report = check(table, options);
  }
  const Bound bound = best_bound(table.fabric, table.collective, report.steps);
  environment.print(arguments.json ? check_json(table, report, bound, claims_judged, sources)
                                   : to_text(table, report, bound, claims_judged, sources));
  return exit_status(report.verdict);
}

}  // namespace quadrille::cli
