// The verdict of the second reader of proofs as text and as JSON, and that of the judge of certificates as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/render/certificate_report.h"
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"
#include "cli/render/wrapped.h"
#include "model/text/counted.h"

namespace quadrille::cli {
namespace {

constexpr std::size_t value_column = 13;  // where the values begin

std::string joined_or(const std::vector<std::string>& words, const char* otherwise) {
  return words.empty() ? otherwise : fmt::format("{}", fmt::join(words, ", "));
}

std::string size_text(const ProofTable& table) {
  std::vector<std::string> values;
  for (const auto& [name, value] : table.size) values.push_back(fmt::format("{} = {}", name, value));
  return joined_or(values, "the one size");
}

// "claims       rounds == N - 1", a line each.
std::string lines_text(std::string_view name, const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& each : values)
    text += fmt::format("{:<12} {}\n", text.empty() ? name : "", wrapped(each, value_column));
  return text;
}

std::vector<std::string> unjudged(const ProofSummary& summary) {
  std::vector<std::string> all;
  for (const std::string& each : summary.unjudged) all.push_back(each + ": no rule of proof shows it");
  return all;
}

std::string judged_text(const driver::CertifyProofOutcome& outcome) {
  if (outcome.schedule.empty()) return "the core form alone (--schedule FILE compares it with the schedule)";
  return outcome.other_core.value_or(fmt::format("{}, whose core form it is", outcome.schedule));
}

std::string tables_text(const driver::CertifyProofOutcome& outcome) {
  std::string text;
  for (const driver::ComparedTable& each : outcome.tables) {
    text += fmt::format("{:<12} {}: {}\n", text.empty() ? "tables" : "", size_text(each.table),
                        wrapped(each.difference.value_or("as the core form says"), value_column));
  }
  return text;
}

std::string properties_text(const driver::CertifyProofOutcome& outcome, const AsText& form) {
  std::string text = "\n";
  for (const ReadProperty& each : outcome.report.properties) {
    const std::string padding(each.verdict == ReaderVerdict::unknown ? 1 : 0, ' ');
    text += fmt::format("  {:<16} {}{}   {}, {} put to a solver\n", each.name, form.paint(to_string(each.verdict)),
                        padding, counted(each.leaves, "formula"), each.asked);
    if (!each.why.empty()) text += fmt::format("    {}\n", wrapped(each.why, 4));
  }
  return text + "\n";
}

Json table_json(const driver::ComparedTable& each) {
  Json range = Json::object();
  for (const auto& [name, value] : each.table.size) range[name] = value;
  return {{"file", each.table.file}, {"arguments", range}, {"difference", value_or_null(each.difference)}};
}

}  // namespace

std::string rendered(AsText form, const driver::CertifyProofOutcome& outcome, const Sources&) {
  const ProofSummary& it = outcome.summary;
  std::vector<std::string> rules;
  for (const auto& [rule, word] : it.rules) rules.push_back(fmt::format("{} {}", rule, word));
  std::string text = lines_text("collective", {it.collective}) + lines_text("fabric", {it.fabric}) +
                     lines_text("rules", {joined_or(rules, "")}) +
                     lines_text("for", {joined_or(it.parameters, "the one size that it has")}) +
                     lines_text("claims", it.claims) + lines_text("unjudged", unjudged(it)) +
                     lines_text("invariants", it.invariants);
  text += fmt::format("judged       {}\n{}solver       {}\n", wrapped(judged_text(outcome), value_column),
                      tables_text(outcome), joined_or(outcome.solvers, "none"));
  text += properties_text(outcome, form);
  if (!outcome.report.why.empty()) text += fmt::format("because      {}\n", wrapped(outcome.report.why, value_column));
  return text + fmt::format("verdict      {}\n", form.paint(to_string(outcome.report.verdict)));
}

std::string rendered(AsJson, const driver::CertifyProofOutcome& outcome, const Sources&) {
  const ProofSummary& it = outcome.summary;
  Json json{{"verdict", to_string(outcome.report.verdict)},
            {"reason", outcome.report.why},
            {"collective", it.collective},
            {"fabric", it.fabric},
            {"rules", Json::object()},
            {"parameters", it.parameters},
            {"claims", it.claims},
            {"unjudged", it.unjudged},
            {"invariants", it.invariants},
            {"source", outcome.schedule.empty() ? Json() : Json(outcome.schedule)},
            {"same_core", outcome.schedule.empty() ? Json() : Json(!outcome.other_core)},
            {"solvers", outcome.solvers},
            {"tables", Json::array()},
            {"properties", Json::array()}};
  for (const auto& [rule, word] : it.rules) json["rules"][rule] = word;
  for (const driver::ComparedTable& each : outcome.tables) json["tables"].push_back(table_json(each));
  for (const ReadProperty& each : outcome.report.properties) {
    json["properties"].push_back({{"name", each.name},
                                  {"verdict", to_string(each.verdict)},
                                  {"formulas", each.leaves},
                                  {"asked", each.asked},
                                  {"reason", each.why}});
  }
  return json_text(json);
}

std::string rendered(AsText form, const driver::CertifyOutcome& outcome, const Sources&) {
  // The verdict is the last word of the text.
  std::string text = certificate_text(outcome.certificate, outcome.report);
  const std::string_view verdict = to_string(outcome.report.verdict);
  text.resize(text.size() - verdict.size() - 1);
  return text + form.paint(verdict) + "\n";
}

}  // namespace quadrille::cli
