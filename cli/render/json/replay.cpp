// The measurements of a table's replay, and a program's time on a fabric, as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

Json to_json(const Fault& fault, const SendTable& table) {
  Json json{{"property", "replay"}, {"step", fault.step.value}, {"channel", nullptr},
            {"chunk", nullptr},     {"message", fault.message}, {"source", nullptr}};
  if (fault.step.value == 0) json["step"] = nullptr;
  if (fault.channel) json["channel"] = table.fabric.name(*fault.channel);
  if (fault.chunk) json["chunk"] = table.collective.label(*fault.chunk);
  return json;
}

Json to_json(const LevelUse& use) {
  return {{"level", use.level},     {"direction", use.down ? "down" : "up"},
          {"lanes", use.lanes},     {"rows", use.rows},
          {"busiest", use.busiest}, {"over_time", use.over_time}};
}

Json to_json(const TimedUse& use) {
  return {{"level", use.level},
          {"direction", use.down ? "down" : "up"},
          {"lanes", use.lanes},
          {"busy", use.busy},
          {"over_time", use.over_time}};
}

Json names_json(const Collective& collective, const std::vector<ChunkId>& chunks) {
  Json json = Json::array();
  for (const ChunkId chunk : chunks) json.push_back(collective.label(chunk));
  return json;
}

Json buffers_json(const SendTable& table, const ShownBuffers& buffers) {
  Json json = Json::array();
  for (const ShownStep& step : buffers.steps) {
    Json processors = Json::array();
    for (std::size_t p = 0; p < step.processors.size(); ++p) {
      processors.push_back({{"processor", table.fabric.name(NodeId(static_cast<std::uint32_t>(p)))},
                            {"waiting", names_json(table.collective, step.processors[p].waiting)},
                            {"held", names_json(table.collective, step.processors[p].held)}});
    }
    json.push_back({{"step", step.step.value}, {"processors", std::move(processors)}});
  }
  return json;
}

}  // namespace

std::string rendered(AsJson, const driver::ReplayOutcome& outcome, const Sources& sources) {
  const SendTable& table = outcome.table;
  const Measurements& measured = outcome.measured;
  Json json = heading_json(table, measured.verdict, measured.steps, outcome.bound);
  add_measures(json, measured, outcome);
  json["delivered"] = measured.delivered;
  json["demanded"] = measured.demanded;
  json["max_queue"] = measured.max_queue;
  json["max_channel_queue"] = measured.max_channel_queue;
  json["queue_by_level"] = measured.queue_by_level;
  json["channel_queue_by_level"] = measured.channel_queue_by_level;
  json["steps_per_bucket"] = measured.steps_per_bucket;
  json["link_use"] = Json::array();
  for (const LevelUse& use : measured.use) json["link_use"].push_back(to_json(use));
  json["busiest_links"] = Json::array();
  for (const LinkUse& link : measured.busiest_links) {
    json["busiest_links"].push_back(
        {{"channel", table.fabric.name(link.channel)}, {"lanes", link.lanes}, {"rows", link.rows}});
  }
  json["costs"] = nullptr;
  if (!outcome.sizes.empty()) json["costs"] = costs_json(outcome.costs);
  json["sync"] = outcome.sync == driver::Sync::step ? "step" : "dependency";
  json["times"] = times_json(outcome);
  json["use_in_time"] = Json::array();
  for (const TimedUse& use : outcome.use_in_time) json["use_in_time"].push_back(to_json(use));
  if (outcome.buffers) json["buffers"] = buffers_json(outcome.table, *outcome.buffers);
  json["reason"] = reason_json(measured.reason == Reason::none ? outcome.cut : measured.reason);
  json["why"] = measured.why;
  json["violation_count"] = measured.fault_count;
  json["violations"] = Json::array();
  for (const Fault& fault : measured.faults) json["violations"].push_back(to_json(fault, table));
  json["warnings"] = diagnostics_json(outcome.warnings, sources);
  if (outcome.worst_link) {
    const driver::WorstLink& worst = *outcome.worst_link;
    json["worst_link"] = {{"link", worst.link},
                          {"without_route", worst.without_route},
                          {"placed_anew", worst.placed_anew},
                          {"cost", value_or_null(worst.cost)},
                          {"tried", worst.tried},
                          {"used", worst.used}};
  }
  return json_text(json);
}

std::string rendered(AsJson, const driver::ReplayProgramOutcome& outcome, const Sources&) {
  Json times = Json::array();
  for (const driver::ProgramTime& time : outcome.times) {
    Json contended = Json::array();
    for (const driver::Contention& it : time.contended) {
      contended.push_back({{"channel", outcome.fabric.name(it.channel)},
                           {"messages", it.messages},
                           {"busy", it.busy},
                           {"waited", it.waited}});
    }
    times.push_back({{"size", time.size}, {"seconds", time.seconds}, {"contended", contended}});
  }
  return json_text({{"name", printable(outcome.name)},
                    {"fabric", fabric_json(outcome.fabric)},
                    {"messages", outcome.messages},
                    {"chunks", outcome.chunks},
                    {"costs", costs_json(outcome.costs)},
                    {"times", times},
                    {"reason", reason_json(outcome.cut)}});
}

}  // namespace quadrille::cli
