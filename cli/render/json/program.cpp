// The findings about another system's program, MSCCL XML, an MSCCL++ plan or GOAL, as JSON.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "cli/render/json_pieces.h"
#include "cli/render/order_json.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "programs/mscclpp/judge.h"
#include "programs/order_graph.h"

namespace quadrille::cli {
namespace {

using programs::Location;
using programs::ProgramProperty;

// LineNumbers finds the lines of many places of the same texts: each text is read through once.
class LineNumbers {
 public:
  // Keeps the reference.
  explicit LineNumbers(const Sources& sources) : sources_(sources) {}

  // The line in which the span begins; nothing of one that is unknown.
  std::optional<std::uint32_t> at(const Span& span) {
    if (!span.known()) return std::nullopt;
    const auto [it, fresh] = ends_.try_emplace(span.source);
    std::vector<std::uint32_t>& ends = it->second;
    const std::string& text = sources_[span.source].text;
    for (std::size_t end = fresh ? text.find('\n') : text.npos; end != text.npos; end = text.find('\n', end + 1)) {
      ends.push_back(static_cast<std::uint32_t>(end));
    }
    return static_cast<std::uint32_t>(std::lower_bound(ends.begin(), ends.end(), span.begin) - ends.begin() + 1);
  }

 private:
  const Sources& sources_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> ends_ = {};  // of lines, by source
};

Json edges_json(const std::vector<programs::OrderEdge>& edges) {
  Json json = Json::array();
  for (const programs::OrderEdge& edge : edges) {
    json.push_back({{"earlier", edge.earlier}, {"later", edge.later}, {"why", to_string(edge.why)}});
  }
  return json;
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
            {"least_bytes", value_or_null(finding.least_bytes)},
            {"mend", finding.mend.empty() ? Json() : Json(finding.mend)},
            {"runs", Json::array()}};
  for (const std::vector<Location>& run : finding.runs) {
    Json steps = Json::array();
    for (const Location& place : run) steps.push_back(place_json(place, sources));
    json["runs"].push_back(std::move(steps));
  }
  return json;
}

Json verdict_json(const programs::PropertyVerdict& verdict) {
  Json json{{"verdict", to_string(verdict.verdict)}, {"condition", nullptr},
            {"findings", verdict.findings},          {"partial", verdict.partial},
            {"reason", reason_json(verdict.reason)}, {"why", verdict.why}};
  if (verdict.verdict == programs::ProgramVerdict::conditional) {
    json["condition"] = {{"bytes_from", value_or_null(verdict.condition.bytes_from)},
                         {"bytes_to", value_or_null(verdict.condition.bytes_to)},
                         {"buffer", value_or_null(verdict.condition.buffer)}};
  }
  return json;
}

// The verdict of the call that has the worst one.
Json property_json(const driver::CheckProgramOutcome& outcome, ProgramProperty property) {
  const programs::PropertyVerdict* worst = &outcome.calls[0].report.of(property);
  for (const driver::JudgedCall& call : outcome.calls) {
    if (call.report.of(property).verdict > worst->verdict) worst = &call.report.of(property);
  }
  return verdict_json(*worst);
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
                    {"line", value_or_null(lines.at(it.at.span))},
                    {"kind", to_string(it.kind)},
                    {"does", it.does},
                    {"to", value_or_null(it.to)},
                    {"from", value_or_null(it.from)},
                    {"channel", it.channel}});
  }
  return json;
}

// Adds the operations and their edges, if --operations asked for them.
void add_order(const driver::CheckProgramOutcome& outcome, const Sources& sources, Json& json) {
  if (!outcome.order || !outcome.order_listed) return;
  json["operations"] = operations_json(*outcome.order, sources);
  json["edges"] = edges_json(outcome.order->edges);
  json["operations_cut"] = outcome.order->cut();
  if (outcome.mend) json["mend"]["edges"] = edges_json(outcome.mend->edges);
}

Json goal_place_json(const driver::CheckGoalOutcome& outcome, const programs::Location& place, const Sources& sources,
                     LineNumbers& lines) {
  const auto line = lines.at(place.span);
  return {{"rank", place.rank},
          {"operation", place.index},
          {"label", line ? Json(goal_label(place, sources)) : Json()},
          {"line", value_or_null(line)},
          {"does", goal_operation(outcome.schedule.ranks[place.rank].operations[place.index])}};
}

Json goal_place_json(const driver::CheckGoalOutcome& outcome, const std::optional<programs::Location>& place,
                     const Sources& sources) {
  LineNumbers lines(sources);
  return place ? goal_place_json(outcome, *place, sources, lines) : Json();
}

Json goal_operations_json(const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  LineNumbers lines(sources);
  Json json = Json::array();
  for (std::uint32_t rank = 0; rank < outcome.schedule.ranks.size() && !outcome.operations_cut(); ++rank) {
    for (std::uint32_t i = 0; i < outcome.schedule.ranks[rank].operations.size(); ++i) {
      json.push_back(goal_place_json(outcome, programs::place_of(outcome.schedule, rank, i), sources, lines));
    }
  }
  return json;
}

// Adds the operations and their edges, if --operations asked for them.
void add_order(const driver::CheckGoalOutcome& outcome, const Sources& sources, Json& json) {
  if (!outcome.edges || !outcome.order_listed) return;
  json["operation_list"] = goal_operations_json(outcome, sources);
  json["edges"] = edges_json(*outcome.edges);
  json["operations_cut"] = outcome.operations_cut();
}

Json goal_property_json(const programs::PropertyVerdict& verdict) {
  Json json{{"verdict", to_string(verdict.verdict)},
            {"condition", nullptr},
            {"findings", verdict.findings},
            {"reason", reason_json(verdict.reason)},
            {"why", verdict.why}};
  if (verdict.verdict == programs::ProgramVerdict::conditional)
    json["condition"] = {{"buffer", *verdict.condition.buffer}};
  return json;
}

Json plan_place_json(const programs::ExecutionPlan& plan, const Location& place) {
  return {{"gpu", place.rank},
          {"block", place.block},
          {"operation", place.step < 0 ? Json() : Json(programs::plan_operation_text(plan, place))}};
}

Json plan_place_json(const programs::ExecutionPlan& plan, const std::optional<Location>& place) {
  return place ? plan_place_json(plan, *place) : Json();
}

Json plan_finding_json(const programs::ExecutionPlan& plan, const programs::Finding& finding) {
  Json json{{"property", to_string(finding.property)},           {"message", finding.message},
            {"at", plan_place_json(plan, finding.at)},           {"other", plan_place_json(plan, finding.other)},
            {"least_bytes", value_or_null(finding.least_bytes)}, {"runs", Json::array()}};
  for (const std::vector<Location>& run : finding.runs) {
    Json operations = Json::array();
    for (const Location& place : run) operations.push_back(plan_place_json(plan, place));
    json["runs"].push_back(std::move(operations));
  }
  return json;
}

Json plan_operations_json(const driver::CheckPlanOutcome& outcome) {
  Json json = Json::array();
  for (const programs::ListedOperation& it : outcome.order->operations) {
    Json operation = plan_place_json(outcome.plan, it.at);
    operation["does"] = it.does;
    json.push_back(std::move(operation));
  }
  return json;
}

// Adds the report's verdicts, findings, waits and notes.
void add_report(const driver::CheckPlanOutcome& outcome, Json& json) {
  const programs::ProgramReport& report = outcome.report;
  for (const ProgramProperty it : report.covers) {
    json["properties"][std::string(to_string(it))] = verdict_json(report.of(it));
  }
  for (const programs::Finding& it : report.findings) json["findings"].push_back(plan_finding_json(outcome.plan, it));
  for (const programs::Stuck& it : report.stuck) {
    json["waits"].push_back({{"at", plan_place_json(outcome.plan, it.at)},
                             {"waits_for", it.waits_for},
                             {"other", plan_place_json(outcome.plan, it.for_whom)}});
  }
  for (const programs::Note& it : report.notes) {
    json["notes"].push_back({{"kind", it.kind}, {"message", it.message}, {"at", plan_place_json(outcome.plan, it.at)}});
  }
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
  for (const ProgramProperty property : outcome.calls[0].report.covers) {
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

Json order_json(const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  return {{"operations", goal_operations_json(outcome, sources)},
          {"edges", edges_json(*outcome.edges)},
          {"cut", outcome.operations_cut()}};
}

std::string rendered(AsJson, const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  Json json{{"verdict", to_string(outcome.report.verdict())},
            {"format", outcome.binary ? "goal_binary" : "goal"},
            {"buffer", outcome.eager_bytes},
            {"ranks", outcome.schedule.ranks.size()},
            {"operations", outcome.operations},
            {"sends", outcome.sends},
            {"dependencies", outcome.dependencies},
            {"properties", Json::object()},
            {"findings", Json::array()},
            {"waits", Json::array()}};
  for (const ProgramProperty it : outcome.report.covers) {
    json["properties"][std::string(to_string(it))] = goal_property_json(outcome.report.of(it));
  }
  for (const programs::Finding& it : outcome.report.findings) {
    json["findings"].push_back({{"property", to_string(it.property)},
                                {"message", it.message},
                                {"at", goal_place_json(outcome, it.at, sources)},
                                {"other", goal_place_json(outcome, it.other, sources)}});
  }
  for (const programs::Stuck& it : outcome.report.stuck) {
    json["waits"].push_back({{"at", goal_place_json(outcome, it.at, sources)},
                             {"waits_for", it.waits_for},
                             {"other", goal_place_json(outcome, it.for_whom, sources)}});
  }
  add_order(outcome, sources, json);
  return json_text(json);
}

Json order_json(const driver::CheckPlanOutcome& outcome) {
  return {{"operations", plan_operations_json(outcome)},
          {"edges", edges_json(outcome.order->edges)},
          {"cut", outcome.order->cut()}};
}

std::string rendered(AsJson, const driver::CheckPlanOutcome& outcome, const Sources&) {
  const programs::ExecutionPlan& plan = outcome.plan;
  const bool any = !plan.ranks.empty();
  Json json{{"verdict", to_string(outcome.report.verdict())},
            {"format", "mscclpp_plan"},
            {"plan", plan.name},
            {"protocol", plan.packets() ? "LL" : "Simple"},
            {"collective", plan.collective},
            {"in_place", plan.in_place},
            {"double_scratch", plan.double_scratch},
            {"gpus", plan.ranks.size()},
            {"blocks", outcome.blocks},
            {"operations", outcome.operations},
            {"input_chunks", any ? Json(plan.ranks[0].input) : Json()},
            {"output_chunks", any ? Json(plan.ranks[0].output) : Json()},
            {"bytes_from", plan.bytes_from},
            {"bytes_to", plan.bytes_to == 0 ? Json() : Json(plan.bytes_to)},
            {"multiprocessors", value_or_null(outcome.multiprocessors)},
            {"properties", Json::object()},
            {"findings", Json::array()},
            {"waits", Json::array()},
            {"notes", Json::array()}};
  add_report(outcome, json);
  if (outcome.order && outcome.order_listed) {
    json["operation_list"] = plan_operations_json(outcome);
    json["edges"] = edges_json(outcome.order->edges);
    json["operations_cut"] = outcome.order->cut();
  }
  return json_text(json);
}

}  // namespace quadrille::cli
