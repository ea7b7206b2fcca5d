// The measurements of a replay as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"
#include "cli/render/shown_buffers.h"

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

}  // namespace

std::string rendered(AsJson, const driver::ReplayOutcome& outcome, const Sources& sources) {
  const SendTable& table = outcome.table;
  const Measurements& measured = outcome.measured;
  Json json = heading_json(table, measured.verdict, measured.steps, outcome.bound);
  json["messages"] = measured.messages;
  json["rows"] = measured.rows;
  if (measured.volume) {
    json["rounds"] = measured.steps;
    json["volume"] = *measured.volume;
    json["load"] = fraction_json(measured.load);
    json["hops"] = *measured.hops;
    json["volume_lower_bound"] = steps_json(*outcome.volume_bound);
    json["volume_lower_bound_reason"] = outcome.volume_bound->reason;
  }
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
  json["times"] = Json::array();
  for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
    const auto& seconds = outcome.times[i];
    json["times"].push_back({{"size", outcome.sizes[i]},
                             {"seconds", seconds ? Json(*seconds) : Json()},
                             {"bandwidth", bandwidth_json(outcome.table.collective, outcome.sizes[i], seconds)}});
  }
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
                          {"cost", worst.cost ? Json(*worst.cost) : Json()},
                          {"tried", worst.tried},
                          {"used", worst.used}};
  }
  return json_text(json);
}

}  // namespace quadrille::cli
