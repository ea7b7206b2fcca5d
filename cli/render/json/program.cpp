// What is found about another system's program, as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/order_json.h"
#include "cli/render/render.h"

namespace quadrille::cli {
namespace {

using programs::Location;
using programs::ProgramProperty;

template <class Number>
Json number_or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json();
}

Json place_json(const std::optional<Location>& place, const Sources& sources) {
  if (!place) return nullptr;
  Json json{{"gpu", place->rank}, {"block", place->block}, {"step", nullptr}, {"line", nullptr}};
  if (place->step >= 0) json["step"] = place->step;
  if (place->span.known()) {
    json["line"] = position_of(sources[place->span.source].text, place->span.begin).line;
  }
  return json;
}

Json finding_json(const programs::Finding& finding, bool in_place, const Sources& sources) {
  Json json{{"property", to_string(finding.property)},
            {"in_place", in_place},
            {"message", finding.message},
            {"at", place_json(finding.at, sources)},
            {"other", place_json(finding.other, sources)},
            {"least_bytes", number_or_null(finding.least_bytes)},
            {"mend", finding.mend.empty() ? Json() : Json(finding.mend)},
            {"runs", Json::array()}};
  for (const std::vector<Location>& run : finding.runs) {
    Json steps = Json::array();
    for (const Location& place : run) steps.push_back(place_json(place, sources));
    json["runs"].push_back(std::move(steps));
  }
  return json;
}

// Of the call with the worst verdict.
Json property_json(const driver::CheckProgramOutcome& outcome, ProgramProperty property) {
  const programs::PropertyVerdict* worst = &outcome.calls[0].report.of(property);
  for (const driver::JudgedCall& call : outcome.calls) {
    if (call.report.of(property).verdict > worst->verdict) worst = &call.report.of(property);
  }
  Json json{{"verdict", to_string(worst->verdict)}, {"condition", nullptr},
            {"findings", worst->findings},          {"partial", worst->partial},
            {"reason", reason_json(worst->reason)}, {"why", worst->why}};
  if (worst->verdict == programs::ProgramVerdict::conditional) {
    json["condition"] = {{"bytes_from", number_or_null(worst->condition.bytes_from)},
                         {"bytes_to", number_or_null(worst->condition.bytes_to)},
                         {"buffer", number_or_null(worst->condition.buffer)}};
  }
  return json;
}

Json waits_json(const std::vector<programs::Stuck>& stuck, const Sources& sources) {
  Json json = Json::array();
  for (const programs::Stuck& each : stuck) {
    json.push_back({{"at", place_json(each.at, sources)},
                    {"waits_for", each.waits_for},
                    {"other", place_json(each.for_whom, sources)}});
  }
  return json;
}

Json operations_json(const programs::OrderGraph& order, const Sources& sources) {
  LineNumbers lines(sources);
  Json json = Json::array();
  for (const programs::ListedOperation& it : order.operations) {
    json.push_back({{"gpu", it.at.rank},
                    {"block", it.at.block},
                    {"step", it.at.step},
                    {"line", number_or_null(lines.at(it.at.span))},
                    {"kind", to_string(it.kind)},
                    {"does", it.does},
                    {"to", number_or_null(it.to)},
                    {"from", number_or_null(it.from)},
                    {"channel", it.channel}});
  }
  return json;
}

// What was asked for with --operations.
void add_order(const driver::CheckProgramOutcome& outcome, const Sources& sources, Json& json) {
  if (!outcome.order || !outcome.order_listed) return;
  json["operations"] = operations_json(*outcome.order, sources);
  json["edges"] = edges_json(outcome.order->edges);
  json["operations_cut"] = outcome.order->cut();
  if (outcome.mend) json["mend"]["edges"] = edges_json(outcome.mend->edges);
}

}  // namespace

Json order_json(const driver::CheckProgramOutcome& outcome, const Sources& sources) {
  Json json{{"operations", operations_json(*outcome.order, sources)},
            {"edges", edges_json(outcome.order->edges)},
            {"cut", outcome.order->cut()},
            {"mend", nullptr}};
  if (outcome.mend) json["mend"] = edges_json(outcome.mend->edges);
  return json;
}

std::string rendered(AsJson, const driver::CheckProgramOutcome& outcome, const Sources& sources) {
  Json json{{"verdict", to_string(outcome.verdict())},
            {"format", outcome.format},
            {"program", outcome.name},
            {"executor", outcome.consumer},
            {"executor_chosen", outcome.consumer_chosen},
            {"protocol", outcome.protocol},
            {"collective", outcome.collective},
            {"gpus", outcome.ranks},
            {"blocks", outcome.blocks},
            {"steps", outcome.steps},
            {"chunks", outcome.chunks},
            {"bytes_from", outcome.bytes_from},
            {"bytes_to", outcome.bytes_to == 0 ? Json() : Json(outcome.bytes_to)},
            {"buffer", outcome.buffer},
            {"calls", Json::array()},
            {"properties", Json::object()},
            {"findings", Json::array()},
            {"waits", Json::array()},
            {"notes", Json::array()}};
  for (const driver::JudgedCall& call : outcome.calls)
    json["calls"].push_back(call.in_place ? "in_place" : "out_of_place");
  for (std::size_t i = 0; i < programs::property_count; ++i) {
    const auto property = static_cast<ProgramProperty>(i);
    json["properties"][std::string(to_string(property))] = property_json(outcome, property);
  }
  for (const driver::JudgedCall& call : outcome.calls) {
    for (const programs::Finding& finding : call.report.findings) {
      json["findings"].push_back(finding_json(finding, call.in_place, sources));
    }
    const auto& stuck = outcome.asked_why_hang ? call.why_hang : call.report.stuck;
    for (Json& each : waits_json(stuck, sources)) json["waits"].push_back(std::move(each));
  }
  for (const programs::Note& note : outcome.calls[0].report.notes) {
    json["notes"].push_back({{"kind", note.kind}, {"message", note.message}, {"at", place_json(note.at, sources)}});
  }
  json["mend"] = nullptr;
  if (outcome.mend) {
    json["mend"] = {{"changes", outcome.mend->changes},
                    {"verdict", to_string(outcome.mend->verdict)},
                    {"file", outcome.mend->written.empty() ? Json() : Json(outcome.mend->written)}};
  }
  add_order(outcome, sources, json);
  return json_text(json);
}

}  // namespace quadrille::cli
